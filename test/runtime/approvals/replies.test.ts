import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { fetchHandler } from "../../../src/runtime/index.js";
import { createMemoryStore } from "../../../src/runtime/store/memory.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";
import {
  accept,
  callersOf,
  type Handle,
  type Reply,
  sendCall,
  testAnswers,
  tokens,
  yes,
} from "./answers.js";
import { optionsOf } from "./asking.js";
import { ways } from "./ways.js";

/** Answers that are forged, repeated, late, or given for something else. */
let upstream: Upstream;
let pet: Record<string, unknown> = {};
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) =>
    reply(200, pet)(response, request, count),
  );
});
afterAll(() => upstream.close());
let before = 0;
beforeEach(() => {
  pet = { id: "p1", name: "Rex", species: "dog", updatedAt: "2026-05-03" };
  before = upstream.requests.length;
});
afterEach(() => vi.useRealTimers());

const env = callersOf("CLINIC");
const serve = (more: object = {}): Handle =>
  fetchHandler({ ...optionsOf(upstream.url, env), ...more });

/** Sends a call, of the tool that deletes a pet unless stated. */
const send = (
  handle: Handle,
  params: Record<string, unknown>,
  caller?: keyof typeof tokens,
  extensions?: object,
): Promise<Reply> =>
  sendCall(
    handle,
    { name: "delete_pet", arguments: { petId: "p1" }, ...params },
    caller,
    extensions,
  );

const sent = (): readonly string[] =>
  upstream.requests
    .slice(before)
    .filter(({ method }) => method !== "GET")
    .map(({ method, url }) => `${method} ${url}`);

const STALE = "is not valid for this call";

test("a yes is used once", async () => {
  const handle = serve();
  const asked = await send(handle, {});
  expect(asked.resultType).toBe("input_required");
  expect(sent()).toEqual([]);
  expect((await send(handle, yes(asked.requestState))).isError).toBeUndefined();
  expect(sent()).toEqual(["DELETE /v1/pets/p1"]);
  const again = await send(handle, yes(asked.requestState));
  expect(again.content?.[0]?.text).toContain(STALE);
  expect(sent()).toHaveLength(1);
});

test("a task is made after the yes, and no read before it", async () => {
  const handle = serve();
  const start = (params: object) =>
    send(handle, { name: "rebuild_report", arguments: {}, ...params }, "one", {
      "io.modelcontextprotocol/tasks": {},
    });
  pet = { id: "r1", status: "queued" };
  const first = await start({});
  expect(first.resultType).toBe("input_required");
  expect(upstream.requests.slice(before)).toEqual([]);
  const declined = {
    requestState: first.requestState,
    inputResponses: { approval: { action: "decline" } },
  };
  expect(await start(declined)).toMatchObject({ resultType: "complete", isError: true });
  expect(upstream.requests.slice(before)).toEqual([]);
  expect(await start(yes((await start({})).requestState))).toMatchObject({ resultType: "task" });
  expect(sent()).toEqual(["POST /v1/reports"]);
});

test("a call with a question is limited and measured once", async () => {
  const lines: string[] = [];
  const limits = { CLINIC_CALLS_PER_MINUTE: "2", LOG_LEVEL: "info" };
  const handle = fetchHandler({
    ...optionsOf(upstream.url, { ...env, ...limits }),
    write: (text) => void lines.push(text),
  });
  for (let count = 0; count < 2; count++)
    expect(
      (await send(handle, yes((await send(handle, {})).requestState))).isError,
    ).toBeUndefined();
  expect((await send(handle, {})).content?.[0]?.text).toContain("2 calls per minute");
  const outcomes = lines.map((line) => (JSON.parse(line) as { outcome?: string }).outcome);
  expect(outcomes.filter(Boolean)).toEqual(["asked", "ok", "asked", "ok", "rate_limited"]);
});

test("a yes is used once also if it comes twice at a time", async () => {
  const handle = serve();
  const { requestState } = await send(handle, {});
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => send(handle, yes(requestState))),
  );
  expect(replies.filter(({ isError }) => !isError)).toHaveLength(1);
  expect(sent()).toEqual(["DELETE /v1/pets/p1"]);
});

test("a no is used once: the same question gets no yes later", async () => {
  const handle = serve();
  const { requestState } = await send(handle, {});
  await send(handle, { requestState, inputResponses: { approval: { action: "decline" } } });
  await send(handle, yes(requestState));
  expect(sent()).toEqual([]);
});

test.each<[string, Record<string, unknown>, (keyof typeof tokens)?]>([
  ["other arguments", { arguments: { petId: "p2" } }],
  ["another tool", { name: "delete_pets" }],
  ["any request", { name: "send_request", arguments: { method: "DELETE", path: "/pets/p1" } }],
  ["another caller", {}, "other"],
])("a yes is not valid for %s", async (_, params, caller) => {
  const handle = serve();
  const { requestState } = await send(handle, {});
  const result = await send(handle, { ...params, ...yes(requestState) }, caller);
  expect(result.content?.[0]?.text).toContain(STALE);
  expect(sent()).toEqual([]);
});

test.each<[string, (state: string) => string]>([
  ["empty", () => ""],
  ["no state", () => "v1.e30.e30"],
  [
    "changed",
    (state) => state.replace(/^v1\.(.)/, (_, first) => `v1.${first === "e" ? "f" : "e"}`),
  ],
  ["without its seal", (state) => state.slice(0, state.lastIndexOf("."))],
  ["with another seal", (state) => `${state.slice(0, -4)}AAAA`],
  [
    "with other content",
    (state) => {
      const [version, body = "", mac] = state.split(".");
      const text = atob(body.replaceAll("-", "+").replaceAll("_", "/"));
      const forged = btoa(text.replace(/"exp":\d+/, '"exp":9999999999'));
      return [
        version,
        forged.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""),
        mac,
      ].join(".");
    },
  ],
])("a forged state is refused: %s", async (_, forge) => {
  const handle = serve();
  const { requestState } = await send(handle, {});
  const result = await send(handle, yes(forge(requestState)));
  expect(result.isError).toBe(true);
  expect(sent()).toEqual([]);
});

test("an answer without a state is none: the user is asked again", async () => {
  const handle = serve();
  await send(handle, {});
  const result = await send(handle, { inputResponses: { approval: accept } });
  expect(result.resultType).toBe("input_required");
  expect(sent()).toEqual([]);
});

test("inputs of the tool are no answer", async () => {
  const handle = serve();
  for (const more of [{ confirm: true }, { approval: accept }, { approved: true, force: true }]) {
    const result = await send(handle, { arguments: { petId: "p1", ...more }, confirm: true });
    expect(result.isError === true || result.resultType === "input_required").toBe(true);
  }
  expect(sent()).toEqual([]);
});

test("an answer after five minutes is refused", async () => {
  const handle = serve();
  const { requestState } = await send(handle, {});
  vi.useFakeTimers({ now: Date.now() + 301_000, toFake: ["Date"] });
  const result = await send(handle, yes(requestState));
  expect(result.content?.[0]?.text).toContain(STALE);
  expect(sent()).toEqual([]);
});

test.each<[string, object, boolean]>([
  ["a shown field", { species: "cat" }, false],
  ["its version", { updatedAt: "2026-05-04" }, false],
  ["a list that is not shown", { tags: ["a"] }, true],
])("a thing that changes in between: %s", async (_, change, isSent) => {
  const handle = serve();
  const { requestState } = await send(handle, {});
  pet = { ...pet, ...change };
  const result = await send(handle, yes(requestState));
  expect(result.isError ?? false).toBe(!isSent);
  if (!isSent) expect(result.content?.[0]?.text).toContain("has changed since the user was asked");
  expect(sent()).toHaveLength(isSent ? 1 : 0);
});

test.each([
  ["a state of another process", false],
  ["a state of another process with the same store", true],
])("%s", async (_, isShared) => {
  const store = createMemoryStore();
  const shared = isShared ? { store } : {};
  const [one, other] = [serve(shared), serve(shared)];
  const { requestState } = await send(one, {});
  await send(other, yes(requestState));
  expect(sent()).toHaveLength(isShared ? 1 : 0);
  // Used once among all processes.
  await send(one, yes(requestState));
  expect(sent()).toHaveLength(1);
});

test("the state has no argument and no thing in plain text", async () => {
  const { requestState } = await send(serve(), {});
  const body = atob(requestState.split(".")[1]!.replaceAll("-", "+").replaceAll("_", "/"));
  expect(body).not.toContain("species");
  expect(body).not.toContain(tokens.one);
});

describe("every way to call", () => {
  const given = { ...env, CLINIC_MODE: "hybrid" };
  testAnswers(
    (more) => ({ ...optionsOf(upstream.url, given), ...more }),
    ways,
    () => {
      const start = sent().length;
      return () => sent().slice(start);
    },
  );
});
