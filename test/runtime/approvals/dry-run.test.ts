import type { CallToolResult } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AnyTool, callTool, defineCustomTool } from "../../../src/runtime/index.js";
import {
  defineSteps,
  defineWorkflow,
  defineWorkflowTool,
} from "../../../src/runtime/workflow/index.js";
import { createTestContext, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

/** With `<PREFIX>_DRY_RUN`, reads are sent and writes are shown, whatever calls them. */
let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream(reply(200, { id: "p1", name: "Rex" }));
});
afterAll(() => upstream.close());
let sentBefore = 0;
beforeEach(() => (sentBefore = upstream.requests.length));

const text = { type: "string" } as const;
const writes = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
const petId = { petId: text };
const pathParams = { petId: "petId" };
const getPet = toolOf({
  send: { path: "/pets/{petId}", pathParams },
  properties: petId,
  required: ["petId"],
});
const createPet = toolOf({
  name: "create_pet",
  annotations: writes,
  outputSchema: { type: "object", properties: { items: { type: "array" } }, required: ["items"] },
  properties: { name: text, photo: { type: "string" } },
  send: {
    method: "POST",
    path: "/pets",
    body: { contentType: "application/json", fields: { name: "name" } },
  },
});
const deletePet = toolOf({
  name: "delete_pet",
  annotations: writes,
  properties: petId,
  required: ["petId"],
  send: { method: "DELETE", path: "/pets/{petId}", pathParams },
});
const deletePets: AnyTool = {
  ...deletePet,
  name: "delete_pets",
  inputSchema: {
    type: "object",
    properties: { petId: { anyOf: [text, { type: "array", items: text }] } },
    required: ["petId"],
  },
  operations: deletePet.operations.map((operation) => ({
    ...operation,
    severalIds: { input: "petId", isWrite: true },
  })),
};
const readByPost = toolOf({
  name: "search_pets",
  annotations: { ...writes, readOnlyHint: true, destructiveHint: false },
  properties: { q: text },
  send: { method: "POST", path: "/search", query: { q: "q" } },
});
const removeByGet = toolOf({
  name: "remove_all",
  annotations: writes,
  send: { method: "GET", path: "/deleteAll", unsafe: true },
});
const steps = defineSteps({
  search: {
    id: "search",
    target: "POST /search",
    tool: "search_pets",
    request: { method: "POST", path: "/search" },
  },
  remove: {
    id: "remove",
    target: "DELETE /pets/{petId}",
    request: { method: "DELETE", path: "/pets/{petId}", pathParams },
  },
  create: { id: "create", target: "POST /pets", request: { method: "POST", path: "/pets" } },
});
const workflow = defineWorkflowTool({
  ...toolOf({ name: "replace_pet", annotations: writes }),
  execute: defineWorkflow("replace", async (_, run) => {
    await run.send(steps.search, {});
    const removed = await run.send(steps.remove, { petId: "p1" });
    if (!removed.ok) throw run.failure(steps.remove, removed);
    await run.send(steps.create, {});
    return {};
  }),
}) as AnyTool;
/** Code that catches what it should not. */
const custom = defineCustomTool({
  name: "rename_pet",
  title: "Rename a pet",
  description: "Rename a pet.",
  inputSchema: { type: "object", properties: {} },
  run: async (_: never, call) => {
    await call.tools["get_pet"]!({ petId: "p1" });
    await call.tools["delete_pet"]!({ petId: "p1" }).catch(() => {});
    await call.callTool("create_pet", { name: "Max" }).catch(() => {});
    return "Renamed.";
  },
});
const tools = [
  getPet,
  createPet,
  deletePet,
  deletePets,
  readByPost,
  removeByGet,
  workflow,
  custom as AnyTool,
];

function dryRun(name: string, input: object, env: Record<string, string> = {}) {
  const context = createTestContext(
    tools,
    {
      CLINIC_BASE_URL: `${upstream.url}/v1`,
      CLINIC_DRY_RUN: "true",
      CLINIC_RAW_REQUESTS: "true",
      ...env,
    },
    undefined,
  );
  return callTool(context, context.tools.find(name), input);
}

const sent = (): readonly string[] =>
  upstream.requests.slice(sentBefore).map(({ method, url }) => `${method} ${url}`);

test.each([
  ["get_pet", { petId: "p1" }, "GET", "/v1/pets/p1"],
  ["search_pets", { q: "Rex" }, "POST", "/v1/search?q=Rex"],
  ["delete_pet", { petId: "p1" }, "DELETE", "/v1/pets/p1"],
])("with the value all, %s is shown, too", async (name, input, method, path) => {
  const { structuredContent } = await dryRun(name, input, { CLINIC_DRY_RUN: "all" });
  expect(structuredContent).toMatchObject({
    dryRun: true,
    requests: [{ tool: name, method, url: `${upstream.url}${path}` }],
  });
  expect(sent()).toEqual([]);
});

const shown = ({ structuredContent }: CallToolResult): unknown[] =>
  (
    (structuredContent as { requests?: { method: string; url: string; body?: unknown }[] })
      ?.requests ?? []
  ).map(({ method, url, body }) => [method, new URL(url).pathname, ...(body ? [body] : [])]);

const remove = ["DELETE", "/v1/pets/p1"];
const discovery = { CLINIC_MODE: "discovery" };

describe("a dry run", () => {
  test.each<[string, string, object, Record<string, string>, readonly string[], unknown[]]>([
    ["sends reads", "get_pet", { petId: "p1" }, {}, ["GET /v1/pets/p1"], []],
    ["sends reads by POST", "search_pets", { q: "x" }, {}, ["POST /v1/search?q=x"], []],
    [
      "shows a write",
      "create_pet",
      { name: "Rex" },
      {},
      [],
      [["POST", "/v1/pets", { name: "Rex" }]],
    ],
    ["shows a write by GET", "remove_all", {}, {}, [], [["GET", "/v1/deleteAll"]]],
    [
      "shows the writes of several IDs",
      "delete_pets",
      { petId: ["p1", "p2"] },
      {},
      [],
      [remove, ["DELETE", "/v1/pets/p2"]],
    ],
    [
      "shows what call_tool calls",
      "call_tool",
      { name: "delete_pet", arguments: { petId: "p1" } },
      discovery,
      [],
      [remove],
    ],
    [
      "shows any request that writes",
      "send_request",
      { method: "DELETE", path: "/pets/p1" },
      {},
      [],
      [remove],
    ],
    [
      "sends any other request",
      "send_request",
      { method: "GET", path: "/x" },
      {},
      ["GET /v1/x"],
      [],
    ],
    ["stops a workflow at its first write", "replace_pet", {}, {}, ["POST /v1/search"], [remove]],
    [
      "shows all that code of the project tries",
      "rename_pet",
      {},
      {},
      ["GET /v1/pets/p1"],
      [remove, ["POST", "/v1/pets", { name: "Max" }]],
    ],
  ])("%s: %s %j", async (_, name, input, env, wantSent, wantShown) => {
    const result = await dryRun(name, input, env);
    expect(result.isError ?? false, textOf(result)).toBe(false);
    expect(sent()).toEqual(wantSent);
    expect(shown(result)).toEqual(wantShown);
    if (wantShown.length > 0) {
      expect(textOf(result)).toContain(`Dry run: `);
      expect(result.structuredContent).toMatchObject({ dryRun: true });
    }
  });

  test("is complete as text", async () => {
    const result = await dryRun("create_pet", { name: "Rex" });
    expect(textOf(result).replaceAll(upstream.url, "http://api")).toBe(
      [
        "Dry run: create_pet changed nothing. This request would be sent:",
        "",
        "POST http://api/v1/pets",
        "User-Agent: clinic-mcp/1.2.3",
        "Content-Type: application/json",
        "",
        '{"name":"Rex"}',
        "",
        "Checked: the input matches the input schema; the request can be built. " +
          "Not checked: whether the API accepts it.",
        "Next: show this to the user. The server sends it when it is started without " +
          "--dry-run and CLINIC_DRY_RUN.",
      ].join("\n"),
    );
    const { next } = result.structuredContent as { next: string };
    expect(next).toMatch(/^show this to the user\. The server sends it when .+ CLINIC_DRY_RUN\.$/);
  });

  test("says where a workflow stops, in text and structure", async () => {
    const result = await dryRun("replace_pet", {});
    const stop = "replace_pet stops at its first write (DELETE /v1/pets/p1)";
    expect(textOf(result)).toContain(stop);
    expect(JSON.stringify(result.structuredContent)).toContain(stop);
  });

  test("still validates the input", async () => {
    const result = await dryRun("delete_pet", {});
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("petId: is required");
  });

  test("lists writes without an output schema, which clients would check", async () => {
    const context = createTestContext(tools, { CLINIC_DRY_RUN: "1" });
    const listed = (await context.tools.listPage(undefined)).tools;
    expect(listed.filter(({ outputSchema }) => outputSchema)).toEqual([]);
    const usual = (await createTestContext(tools).tools.listPage(undefined)).tools;
    expect(usual.filter(({ outputSchema }) => outputSchema).length).toBe(1);
  });
});

describe("a shown request has no credential", () => {
  test.each([
    ["bearer", { kind: "bearer", env: "CLINIC_TOKEN" }, { CLINIC_TOKEN: "hunter2hunter2" }],
    ["short", { kind: "bearer", env: "CLINIC_TOKEN" }, { CLINIC_TOKEN: "xyz" }],
    [
      "basic",
      { kind: "basic", usernameEnv: "CLINIC_USER", passwordEnv: "CLINIC_PASSWORD" },
      { CLINIC_USER: "ann", CLINIC_PASSWORD: "hunter2hunter2" },
    ],
    [
      "query",
      { kind: "apiKey", in: "query", name: "key", env: "CLINIC_TOKEN" },
      { CLINIC_TOKEN: "xyz" },
    ],
    [
      "cookie",
      { kind: "apiKey", in: "cookie", name: "sid", env: "CLINIC_TOKEN" },
      { CLINIC_TOKEN: "hunter2hunter2" },
    ],
  ])("%s", async (_, scheme, env) => {
    const secured = {
      ...createPet,
      operations: createPet.operations.map((operation) => ({
        ...operation,
        request: { ...operation.request, security: [{ it: [] }] },
      })),
    };
    const context = createTestContext(
      [secured],
      { CLINIC_BASE_URL: upstream.url, CLINIC_DRY_RUN: "true", ...(env as object) },
      undefined,
      { it: scheme } as never,
    );
    const result = await callTool(context, context.tools.find("create_pet"), { name: "Rex" });
    const all = JSON.stringify(result);
    expect(all).toContain("[redacted]");
    expect(all).toContain("credentials are set");
    for (const value of Object.values(env as object))
      if (value !== "ann") expect(all).not.toContain(value);
    expect(all).not.toContain(btoa("ann:hunter2hunter2"));
    expect(sent()).toEqual([]);
  });
});
