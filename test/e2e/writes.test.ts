/** Results of writes, as a client of the SDK gets them from the tools of a document. */
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generate } from "../../src/generate.js";
import { createMcpServer, createServerContext } from "../../src/runtime/index.js";
import { testNodePlatform } from "../runtime/support/by-node.js";
import { type Answer, reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";

const text = { type: "string" };
const settings = { type: "object", properties: { theme: text, plugins: { type: "array" } } };
const account = {
  type: "object",
  required: ["name", "email"],
  properties: { name: text, email: { ...text, description: "Address" }, admin: text },
};
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const body = (schema: object) => ({ required: true, ...json(schema) });
const done = { 200: { description: "done" } };
const found = (schema: object) => ({ 200: { description: "found", ...json(schema) } });
const id = { name: "accountId", in: "path", required: true, schema: { type: "integer" } };

const document = {
  openapi: "3.1.0",
  info: { title: "Hub", version: "1" },
  components: { schemas: { Account: account } },
  paths: {
    "/settings": {
      get: { operationId: "getSettings", responses: found(settings) },
      put: { operationId: "setSettings", requestBody: body(settings), responses: done },
    },
    "/accounts": {
      get: {
        operationId: "listAccounts",
        responses: found({ type: "array", items: { type: "object" } }),
      },
      post: {
        operationId: "createAccount",
        requestBody: body({ $ref: "#/components/schemas/Account" }),
        responses: done,
      },
    },
    "/accounts/{accountId}": {
      parameters: [id],
      patch: {
        operationId: "updateAccount",
        requestBody: body({ $ref: "#/components/schemas/Account" }),
        responses: done,
      },
      delete: { operationId: "deleteAccount", responses: done },
    },
  },
};

let answer: Answer;
let upstream: Upstream;
let client: Client;
beforeAll(async () => {
  upstream = await startUpstream((...args) => answer(...args));
  const stdin = () => Promise.resolve(Buffer.from(JSON.stringify(document)));
  const { plan } = await generate("-", undefined, { stdin, planOnly: true });
  const created = createServerContext({
    api: plan!.api,
    tools: plan!.tools.map(({ definition }) => definition),
    platform: testNodePlatform,
    env: {
      LOG_LEVEL: "silent",
      HUB_BASE_URL: `${upstream.url}/api`,
      HUB_RAW_REQUESTS: "true",
    },
  });
  if (!created.ok) throw new Error(created.problems.join(" "));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  client = new Client({ name: "test", version: "1" });
  await createMcpServer(created.context).connect(theirs);
  await client.connect(ours);
  await client.listTools();
});
afterAll(async () => {
  await client?.close();
  await upstream.close();
});

async function call(name: string, input: Record<string, unknown>, answers: readonly Answer[]) {
  const before = upstream.requests.length;
  answer = (response, request, count) => {
    answers[upstream.requests.length - before - 1]!(response, request, count);
  };
  const result = await client.callTool({ name, arguments: input });
  const sent = upstream.requests.slice(before).map(({ method, url }) => `${method} ${url}`);
  const blocks = result.content as readonly { readonly text?: string }[];
  return { ...result, sent, text: blocks.map((block) => block.text).join("\n") };
}

test("values that the API did not take are said", async () => {
  const kept = { theme: "dark", plugins: [] };
  const result = await call("set_settings", { theme: "teal", plugins: ["dummy"] }, [
    reply(200),
    reply(200, kept),
  ]);
  const note =
    'current differs from what was sent: theme (sent "teal", current "dark"), plugins (sent ["dummy"], current []).';
  expect(result.sent).toEqual(["PUT /api/settings", "GET /api/settings"]);
  expect(result.text).toContain(note);
  expect(result.structuredContent).toMatchObject({
    current: kept,
    differsFromSent: ["theme", "plugins"],
  });
  expect((result.structuredContent as { notes: string[] }).notes).toContain(note);
});

test("values that the API took are not commented", async () => {
  const result = await call("set_settings", { theme: "teal" }, [
    reply(200),
    reply(200, { theme: "Teal", plugins: ["dummy"] }),
  ]);
  expect(JSON.stringify(result)).not.toContain("differs");
});

test("an update shows what the document requires, and the API decides", async () => {
  const { tools } = await client.listTools();
  const { inputSchema } = tools.find(({ name }) => name === "update_account")!;
  expect(inputSchema).toMatchObject({
    required: ["accountId"],
    properties: {
      name: { description: expect.stringContaining("Documented as required.") },
      email: { description: "Address. Documented as required." },
    },
  });
  const { sent } = await call("update_account", { accountId: 4, admin: "yes" }, [reply(204)]);
  expect(sent).toEqual(["PATCH /api/accounts/4"]);
});

test("a removal says what the list has now", async () => {
  const remove = (listed: object) =>
    call("delete_account", { accountId: 4 }, [reply(200), reply(200, listed)]);
  const gone = await remove([{ id: 3, name: "Ada" }]);
  expect(gone.sent).toEqual(["DELETE /api/accounts/4", "GET /api/accounts"]);
  expect(gone.text).toBe(
    "The API accepted it: empty response (200).\nNote: list_accounts does not list it now.",
  );
  expect(gone.structuredContent).toEqual({
    httpStatus: 200,
    notes: ["The API accepted it: empty response (200).", "list_accounts does not list it now."],
  });
  expect((await remove([{ id: 4, name: "Bo" }])).text).toContain("list_accounts still lists it.");
});

test("send_request says what its path is appended to", async () => {
  const { tools } = await client.listTools();
  const { description } = tools.find(({ name }) => name === "send_request")!;
  expect(description).toContain(`The path is appended to the base URL, ${upstream.url}/api. `);
  const { sent } = await call("send_request", { method: "GET", path: "/x" }, [reply(204)]);
  expect(sent).toEqual(["GET /api/x"]);
});
