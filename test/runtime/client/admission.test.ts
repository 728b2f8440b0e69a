/** Calls under overload: which are sent, and what their agents are told. */
import { afterEach, describe, expect, test } from "vitest";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { callTool } from "../../../src/runtime/index.js";
import { testNodePlatform } from "../support/by-node.js";
import { createTestContext, textOf, toolOf } from "../support/clinic.js";
import { type Answer, reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream | undefined;
afterEach(() => upstream?.close());

const read = toolOf({});
const write = toolOf({
  name: "add_order",
  send: {
    method: "POST",
    body: { contentType: "application/json", fields: { name: { value: "Rex" } } },
  },
});

type Call = (tool: typeof read, caller?: string) => Promise<CallToolResult>;

/** A server before an API, and the function that calls it. */
async function server(answer: Answer, settings: Readonly<Record<string, string>>): Promise<Call> {
  upstream = await startUpstream(answer);
  const env = { CLINIC_BASE_URL: upstream.url, ...settings };
  const context = createTestContext([read, write], env, undefined, undefined, testNodePlatform);
  return (tool, caller) => callTool(context, tool, {}, caller === undefined ? {} : { caller });
}

/** An API that holds its responses. */
function holdingApi(): { readonly answer: Answer; readonly held: (() => void)[] } {
  const held: (() => void)[] = [];
  return { answer: (...call) => void held.push(() => reply(200, { id: 1 })(...call)), held };
}

const notSent = /^\w+ was not sent: this server is busy/;

test("every order that the API creates is one that its agent was told of", async () => {
  let created = 0;
  const call = await server(
    (response, { method }) => {
      if (method === "POST") created++;
      setTimeout(() => response.writeHead(200).end("{}"), 300);
    },
    { CLINIC_MAX_CONCURRENCY: "8", CLINIC_TIMEOUT_MS: "4000" },
  );
  const first = await call(write, "ben");
  const slow = Array.from({ length: 260 }, () => call(read, "ann"));
  const orders = Array.from({ length: 60 }, () => call(write, "ben"));
  const results = await Promise.all([...slow, ...orders]);
  const told = [first, ...results.slice(slow.length)].filter(({ isError }) => !isError);
  const failed = results.filter(({ isError }) => isError).map(textOf);
  expect(told).toHaveLength(created);
  expect(failed.filter((text) => !notSent.test(text))).toEqual([]);
  expect(failed.length).toBeGreaterThan(0);
  expect(results.length - failed.length + 1).toBe(upstream!.requests.length);
});

test("a fast call has its turn after one slow call of another caller", async () => {
  const { answer, held } = holdingApi();
  const call = await server(answer, { CLINIC_MAX_CONCURRENCY: "4" });
  const slow = Array.from({ length: 500 }, () => call(read, "ann"));
  await expect.poll(() => held.length).toBe(4);
  const fast = call(write, "ben");
  held.shift()!();
  await expect.poll(() => upstream!.requests.length).toBe(5);
  expect(upstream!.requests.at(-1)!.method).toBe("POST");
  while (upstream!.requests.length < 501 || held.length > 0) {
    held.shift()?.();
    await new Promise(setImmediate);
  }
  expect((await Promise.all([...slow, fast])).every(({ isError }) => !isError)).toBe(true);
});

test("a caller has at most its own number of requests at once", async () => {
  const { answer, held } = holdingApi();
  const settings = { CLINIC_MAX_CONCURRENCY: "4", CLINIC_MAX_CONCURRENCY_PER_CALLER: "3" };
  const call = await server(answer, settings);
  const calls = Array.from({ length: 6 }, () => call(read, "ann"));
  await expect.poll(() => held.length).toBe(3);
  calls.push(call(write, "ben"));
  await expect
    .poll(() => upstream!.requests.map(({ method }) => method).join())
    .toBe("GET,GET,GET,POST");
  while (upstream!.requests.length < 7 || held.length > 0) {
    held.shift()?.();
    await new Promise(setImmediate);
  }
  expect((await Promise.all(calls)).every(({ isError }) => !isError)).toBe(true);
});

describe("a call whose turn would come too late", () => {
  const takes =
    (ms: number): Answer =>
    (response) =>
      void setTimeout(() => response.writeHead(200).end("{}"), ms);

  test("is refused at once, with the time to wait", async () => {
    const settings = { CLINIC_MAX_CONCURRENCY: "1", CLINIC_TIMEOUT_MS: "10000" };
    const call = await server(takes(200), settings);
    for (let i = 0; i < 12; i++) await call(read);
    const inTime = Array.from({ length: 10 }, () => call(read));
    const others = Array.from({ length: 300 }, () => call(read));
    const refused = textOf(await others.at(-1)!);
    expect(refused).toMatch(
      /^get_pet was not sent: this server is busy with too many calls\.\nNext: wait about \d+ s, then call get_pet again; make fewer calls at a time\.$/,
    );
    expect((await Promise.all(inTime)).every(({ isError }) => !isError)).toBe(true);
    await upstream!.close();
    await Promise.all(others);
  });

  test("leaves the queue while there is time to say so", async () => {
    const { answer, held } = holdingApi();
    const call = await server(answer, {
      CLINIC_MAX_CONCURRENCY: "1",
      CLINIC_TIMEOUT_MS: "2300",
    });
    const first = call(write);
    await expect.poll(() => held.length).toBe(1);
    const second = textOf(await call(write));
    expect(second).toBe(
      "add_order was not sent: this server is busy. The call waited 2 s for its turn, and too little time was left.\n" +
        "Next: wait a few seconds, then call add_order again; make fewer calls at a time.",
    );
    expect(textOf(await first)).toMatch(
      /^add_order timed out after 3 s: .* did not answer in time/,
    );
    expect(upstream!.requests).toHaveLength(1);
  });
});

test("a retry that has no turn ends with the outcome of the attempt before", async () => {
  let count = 0;
  const held: (() => void)[] = [];
  const call = await server(
    (...request) => {
      if (count++ === 0) return reply(503)(...request);
      held.push(() => reply(200, { id: 1 })(...request));
    },
    { CLINIC_MAX_CONCURRENCY: "1", CLINIC_MAX_QUEUE: "0" },
  );
  const first = call(read);
  await expect.poll(() => count).toBe(1);
  // The next call has the only permit when the retry is due.
  await expect
    .poll(() => {
      void call(read);
      return held.length;
    })
    .toBe(1);
  expect(textOf(await first)).toMatch(/^get_pet failed: 503 Service Unavailable/);
  held[0]!();
});

describe("a call that the end of the server interrupts", () => {
  test.each([
    [
      "sent",
      "1",
      "add_order was interrupted: this server is stopping (POST URL/). add_order may or may not have taken effect.\n" +
        "Next: find out from another tool or the user whether it took effect before you call add_order again. If it fails again, tell the user.",
    ],
    [
      "waiting",
      "2",
      "add_order was interrupted: this server is stopping (POST URL/). Nothing was sent, and nothing has changed.\n" +
        "Next: a retry can help: wait a little, then call add_order again. If it fails again, tell the user.",
    ],
  ])("%s", async (_, count, want) => {
    const { answer, held } = holdingApi();
    upstream = await startUpstream(answer);
    const env = { CLINIC_BASE_URL: upstream.url, CLINIC_MAX_CONCURRENCY: "1" };
    const context = createTestContext([write], env, undefined, undefined, testNodePlatform);
    const calls = Array.from({ length: Number(count) }, () => callTool(context, write, {}));
    await expect.poll(() => held.length).toBe(1);
    expect(context.runningCalls.interrupt()).toBe(Number(count));
    expect(textOf((await Promise.all(calls)).at(-1)!).replace(upstream.url, "URL")).toBe(want);
  });
});
