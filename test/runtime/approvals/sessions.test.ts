import { afterAll, beforeAll, expect, test } from "vitest";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";
import { optionsOf, serve } from "./asking.js";

/** Questions over HTTP to clients before 2026-07-28: only who was asked can answer, or cancel. */
let upstream: Upstream;
let served: Awaited<ReturnType<typeof serve>>;
const [own, foreign] = ["inbound-token-4c1e", "inbound-token-9f2b"];
beforeAll(async () => {
  upstream = await startUpstream(reply(200, { id: "p1", name: "Rex" }));
  served = await serve(optionsOf(upstream.url, { CLINIC_HTTP_TOKEN: `${own},${foreign}` }));
});
afterAll(() => {
  served.close();
  return upstream.close();
});

const post = (body: object, session: string | undefined, token = own): Promise<Response> =>
  fetch(served.url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      authorization: `Bearer ${token}`,
      ...(session !== undefined && { "mcp-session-id": session }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...body }),
  });

async function openSession(capabilities: object): Promise<string> {
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities, clientInfo };
  const { headers } = await post({ id: 0, method: "initialize", params }, undefined);
  return headers.get("mcp-session-id")!;
}

/** Calls a tool that asks; returns the ID of the question, and the end of the stream. */
async function ask(session: string, id: number) {
  const params = { name: "delete_pet", arguments: { petId: "p1" } };
  const response = await post({ id, method: "tools/call", params }, session);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const first = (await reader.read()).value ?? "";
  const question = /^data: (.+)$/m.exec(first)?.[1];
  const rest = async (): Promise<string> => {
    const chunks: string[] = [];
    for (let part = await reader.read(); !part.done; part = await reader.read())
      chunks.push(part.value);
    return chunks.join("");
  };
  return { question: JSON.parse(question!) as { id: string; method: string }, rest };
}

const writes = () => upstream.requests.filter(({ method }) => method !== "GET").length;
const yes = { action: "accept", content: { confirm: true } };

test("only the session and the caller that were asked can answer", async () => {
  const session = await openSession({ elicitation: {} });
  const other = await openSession({ elicitation: {} });
  const before = writes();
  const { question, rest } = await ask(session, 7);
  expect(question.method).toBe("elicitation/create");
  const answer = { id: question.id, result: yes };
  const refused = await Promise.all([
    post(answer, other),
    post(answer, session, foreign),
    post({ ...answer, id: 0 }, session),
    post({ ...answer, id: 7 }, session),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  expect(writes()).toBe(before);
  expect((await post(answer, session)).status).toBe(202);
  expect(await rest()).toContain('"id":7');
  expect(writes()).toBe(before + 1);
  expect((await post(answer, session)).status).toBe(400);
});

test("two calls at a time have questions of their own", async () => {
  const session = await openSession({ elicitation: {} });
  const before = writes();
  const [first, second] = await Promise.all([ask(session, 1), ask(session, 2)]);
  await post({ id: second.question.id, result: { action: "decline" } }, session);
  await post({ id: first.question.id, result: yes }, session);
  expect(await second.rest()).toContain("the user declined");
  expect(await first.rest()).not.toContain('"isError":true');
  expect(writes()).toBe(before + 1);
});

test("a cancelled call ends without a response, and its question with it", async () => {
  const session = await openSession({ elicitation: {} });
  const before = writes();
  const { question, rest } = await ask(session, 3);
  const cancel = { method: "notifications/cancelled", params: { requestId: 3 } };
  expect((await post(cancel, session, foreign)).status).toBe(202);
  expect((await post(cancel, await openSession({}))).status).toBe(202);
  expect((await post(cancel, session)).status).toBe(202);
  expect(await rest()).not.toContain('"result"');
  expect((await post({ id: question.id, result: yes }, session)).status).toBe(400);
  expect(writes()).toBe(before);
});

test.each<[string, object]>([
  ["no elicitation", {}],
  ["URLs only", { elicitation: { url: {} } }],
])("a session of a client with %s asks nothing", async (_, capabilities) => {
  const session = await openSession(capabilities);
  const params = { name: "delete_pet", arguments: { petId: "p1" } };
  const before = writes();
  const response = await post({ id: 1, method: "tools/call", params }, session);
  expect(await response.text()).toContain("Not sent: ");
  expect(writes()).toBe(before);
});
