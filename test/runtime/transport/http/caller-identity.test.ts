/** Whose data and whose limits a request has: what a client chooses does not decide it. */
import { beforeAll, afterAll, describe, expect, test } from "vitest";
import { fetchHandler } from "../../../../src/runtime/index.js";
import { createMemoryStore } from "../../../../src/runtime/store/memory.js";
import { api, toolOf } from "../../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../../support/upstream.js";

let upstream: Upstream;
beforeAll(async () => {
  const visits = Array.from({ length: 400 }, (_, id) => ({ id, note: "n".repeat(20) }));
  upstream = await startUpstream(reply(200, visits));
});
afterAll(() => upstream.close());

type Handler = ReturnType<typeof fetchHandler>;

const serverWith = (env: Record<string, string>, more: object = {}): Handler =>
  fetchHandler({
    api,
    tools: [toolOf({})],
    storeResults: true,
    allowUnauthenticated: true,
    env: {
      LOG_LEVEL: "silent",
      CLINIC_BASE_URL: upstream.url,
      CLINIC_MAX_RESULT_TOKENS: "500",
      ...env,
    },
    ...more,
  });

async function call(
  handle: Handler,
  headers: Record<string, string>,
  name = "get_pet",
  input: object = {},
): Promise<string> {
  const request = new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: input },
    }),
  });
  return (await handle(request)).text();
}

const linkIn = (text: string): string => /result:\/\/get_pet\/[\w-]+/.exec(text)?.[0] ?? "";
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const [ANN, BEN] = ["token-of-ann-4c1e9b", "token-of-ben-77d0a2"];

describe("a stored result", () => {
  const read = (handle: Handler, headers: Record<string, string>, resource: string) =>
    call(handle, headers, "read_result", { resource });
  const NONE = "There is no stored result";

  test("is not read with another token, also of another server with the same store", async () => {
    const store = createMemoryStore();
    const both = serverWith({ CLINIC_HTTP_TOKEN: `${ANN},${BEN}` }, { store });
    const link = linkIn(await call(both, bearer(ANN)));
    expect(link).not.toBe("");
    expect(await read(both, bearer(ANN), link)).not.toContain(NONE);
    expect(await read(both, bearer(BEN), link)).toContain(NONE);
    const other = serverWith({ CLINIC_HTTP_TOKEN: BEN }, { store });
    expect(await read(other, bearer(BEN), link)).toContain(NONE);
    const reordered = serverWith({ CLINIC_HTTP_TOKEN: `${BEN},${ANN}` }, { store });
    expect(await read(reordered, bearer(BEN), link)).toContain(NONE);
  });

  test("is not read with other forwarded headers", async () => {
    const handle = serverWith({ CLINIC_HTTP_TOKEN: ANN, CLINIC_FORWARD_HEADERS: "X-User-Token" });
    const link = linkIn(await call(handle, { ...bearer(ANN), "x-user-token": "one" }));
    const readAs = (user: string) => read(handle, { ...bearer(ANN), "x-user-token": user }, link);
    expect(await readAs("one")).not.toContain(NONE);
    expect(await readAs("two")).toContain(NONE);
  });
});

describe("the second of two same calls", () => {
  const taken = { status: "asleep" };
  const bodies = () => upstream.requests.map(({ body }) => body);
  const mapped = { contentType: "application/json", fields: { status: "status", tags: "tags" } };
  const update = (method: string, body?: typeof mapped) =>
    toolOf({
      name: "update_pet",
      ...(body && { properties: { status: { enum: ["awake"] }, tags: { type: "array" } } }),
      send: { method, ...(body && { body }) },
    });

  test.each([
    ["a doubtful value", "PUT", mapped],
    ["a body that the document of a removal lacks", "DELETE", undefined],
  ])("sends %s for its caller alone", async (_, method, body) => {
    const before = bodies().length;
    const both = { CLINIC_HTTP_TOKEN: `${ANN},${BEN}` };
    const handle = serverWith(both, { tools: [update(method, body)] });
    const callAs = (token: string) => call(handle, bearer(token), "update_pet", taken);
    expect(await callAs(ANN)).toContain("Not sent");
    expect(await callAs(BEN)).toContain("Not sent");
    expect(bodies().slice(before)).toEqual([]);
    await callAs(ANN);
    expect(bodies().slice(before)).toEqual(['{"status":"asleep"}']);
  });

  test("sends an empty body for its caller alone", async () => {
    const failing = await startUpstream(
      reply(500, { message: "Cannot destructure property 'tags' of 'undefined'" }),
    );
    const env = {
      CLINIC_BASE_URL: failing.url,
      CLINIC_HTTP_TOKEN: `${ANN},${BEN}`,
      CLINIC_MAX_RETRY_WAIT_MS: "0",
    };
    const handle = serverWith(env, { tools: [update("POST", mapped)] });
    for (const user of [ANN, BEN, ANN]) await call(handle, bearer(user), "update_pet");
    expect(failing.requests.map(({ body }) => body)).toEqual(["", "", "", "{}"]);
    await failing.close();
  });
});

test("a user does not get new limits with other forwarded headers", async () => {
  const authenticate = (request: Request) => ({ id: request.headers.get("x-test-user") ?? "" });
  const env = { CLINIC_CALLS_PER_MINUTE_PER_CALLER: "1", CLINIC_FORWARD_HEADERS: "X-User-Token" };
  const handle = serverWith(env, { authenticate });
  const callAs = (user: string, token: string) =>
    call(handle, { "x-test-user": user, "x-user-token": token });
  expect(await callAs("ann", "one")).not.toContain("calls per minute");
  expect(await callAs("ann", "two")).toContain("calls per minute");
  expect(await callAs("ben", "one")).not.toContain("calls per minute");
});
