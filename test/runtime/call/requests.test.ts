import { afterEach, expect, test } from "vitest";
import { callTool, createServerContext } from "../../../src/runtime/index.js";
import type { AnyTool, Hooks } from "../../../src/runtime/index.js";
import { defineCustomTool } from "../../../src/runtime/tools/definitions.js";
import { testNodePlatform } from "../support/by-node.js";
import { api, toolOf } from "../support/clinic.js";
import { type Answer, reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
afterEach(() => upstream.close());

const text = { type: "string" } as const;
const getPet = toolOf({
  name: "get_pet",
  send: { path: "/v1/pets/{petId}", pathParams: { petId: "id" }, query: { q: "q" } },
  properties: { id: text, q: text },
  required: ["id"],
  outputSchema: { type: "object" },
});
const listPets: AnyTool = {
  ...toolOf({ name: "list_pets", outputSchema: { type: "object" } }),
  operations: [
    {
      whenProvided: [],
      request: { method: "GET", path: "/pets" },
      response: { wrap: "items" },
      pagination: { maxItems: 100, linkHeader: true },
    },
  ],
};
const update = toolOf({
  name: "update_pet",
  annotations: { ...getPet.annotations, readOnlyHint: false },
  send: { method: "PUT", path: "/v1/pets/{petId}", pathParams: { petId: "id" } },
  properties: { id: text },
  required: ["id"],
});
const updatePet: AnyTool = {
  ...update,
  operations: update.operations.map((operation) => ({
    ...operation,
    readBack: { tool: "get_pet", inputs: { id: "id" } },
  })),
};
const adopt = defineCustomTool<Record<string, never>, object>({
  name: "adopt",
  title: "Adopt",
  description: "Adopt a pet.",
  inputSchema: { type: "object", properties: {} },
  run: async (_, { callTool: nested }) => {
    await nested("get_pet", { id: "7" });
    await nested("update_pet", { id: "7" });
    return {};
  },
});
const broken = { on: { get_pet: { afterResponse: () => { throw new Error("no"); } } } }; // prettier-ignore

/** Calls a tool; its `_meta`, and its line in the log. */
async function requestsOf(
  answer: Answer,
  tool: string,
  input: object,
  { env = {}, custom }: { readonly env?: Record<string, string>; readonly custom?: Hooks } = {},
) {
  upstream = await startUpstream(answer);
  const lines: string[] = [];
  const created = createServerContext({
    api,
    tools: [getPet, listPets, updatePet, adopt],
    platform: testNodePlatform,
    env: { CLINIC_BASE_URL: upstream.url, CLINIC_TOKEN: "s3cret-token", ...env },
    write: (line) => lines.push(line),
    ...(custom && { custom }),
  });
  if (!created.ok) throw new Error(created.problems.join(" "));
  const { context } = created;
  const result = await callTool(context, context.tools.find(tool), input);
  const log = JSON.parse(lines.at(-1) ?? "{}") as Record<string, unknown>;
  return { meta: result._meta ?? {}, log, lines: lines.join(""), result };
}

const pet = reply(200, { id: "7", name: "Rex" });
const byMethod =
  (read: Answer, write: Answer): Answer =>
  (response, request, count) =>
    (request.method === "GET" ? read : write)(response, request, count);
const inTurn =
  (...answers: readonly Answer[]): Answer =>
  (response, request, count) =>
    answers[Math.min(count, answers.length - 1)]!(response, request, count);
const brokenConnection: Answer = (response) => void response.destroy();

const read = (path: string, status?: number) => ({
  method: "GET",
  path,
  ...(status && { status }),
});
const template = "/v1/pets/{petId}";

test.each<
  readonly [
    name: string,
    answer: Answer,
    tool: string,
    requests: readonly object[],
    logged: readonly object[],
  ]
>([
  ["one request", pet, "get_pet", [read("/v1/pets/7", 200)], [read(template, 200)]],
  [
    "a failure",
    reply(404, { message: "no such pet" }),
    "get_pet",
    [read("/v1/pets/7", 404)],
    [read(template, 404)],
  ],
  [
    "a retry",
    inTurn(reply(503, "", { "retry-after": "0" }), pet),
    "get_pet",
    [read("/v1/pets/7", 503), read("/v1/pets/7", 200)],
    [read(template, 503), read(template, 200)],
  ],
  [
    "a retry after a request without a response",
    inTurn(brokenConnection, pet),
    "get_pet",
    [read("/v1/pets/7"), read("/v1/pets/7", 200)],
    [read(template), read(template, 200)],
  ],
  [
    "a redirect",
    inTurn(reply(307, "", { location: "/v2/pets/7" }), pet),
    "get_pet",
    [read("/v1/pets/7", 307), read("/v2/pets/7", 200)],
    [read(template, 307), read(template, 200)],
  ],
  [
    "pages",
    inTurn(
      reply(200, [{ id: 1 }], { link: '</pets?page=2>; rel="next"' }),
      reply(200, [{ id: 2 }]),
    ),
    "list_pets",
    [read("/pets", 200), read("/pets", 200)],
    [read("/pets", 200), read("/pets", 200)],
  ],
  [
    "an update that is read back",
    byMethod(pet, reply(204)),
    "update_pet",
    [{ ...read("/v1/pets/7", 204), method: "PUT" }, read("/v1/pets/7", 200)],
    [{ ...read(template, 204), method: "PUT" }, read(template, 200)],
  ],
  [
    "the calls of a custom tool",
    byMethod(pet, reply(204)),
    "adopt",
    [
      read("/v1/pets/7", 200),
      { ...read("/v1/pets/7", 204), method: "PUT" },
      read("/v1/pets/7", 200),
    ],
    [read(template, 200), { ...read(template, 204), method: "PUT" }, read(template, 200)],
  ],
])("a result and the log list the requests: %s", async (_, answer, tool, requests, logged) => {
  const input = tool === "adopt" || tool === "list_pets" ? {} : { id: "7" };
  const { meta, log } = await requestsOf(answer, tool, input);
  expect(meta).toEqual({ "dev.mcp-gen/requests": requests });
  expect(log).toMatchObject({ tool, requests: logged });
});

test("an error of a hook keeps the requests", async () => {
  const custom = broken as unknown as Hooks;
  const { meta, log } = await requestsOf(pet, "get_pet", { id: "7" }, { custom });
  expect(meta).toEqual({ "dev.mcp-gen/requests": [read("/v1/pets/7", 200)] });
  expect(log).toMatchObject({ outcome: "internal", requests: [read(template, 200)] });
});

test("a call that sends nothing lists nothing", async () => {
  const { meta, log } = await requestsOf(pet, "get_pet", {});
  expect(meta).toEqual({});
  expect(log).not.toHaveProperty("requests");
});

test("secrets and values of the query are in neither", async () => {
  const input = { id: "a s3cret-token", q: "private-words" };
  const { meta, lines } = await requestsOf(pet, "get_pet", input);
  expect(meta).toEqual({ "dev.mcp-gen/requests": [read("/v1/pets/a%20[redacted]", 200)] });
  expect(lines).not.toMatch(/s3cret|private-words/);
});

test("values of the path are not in the log", async () => {
  const { lines } = await requestsOf(pet, "get_pet", { id: "private-id" });
  expect(lines).not.toContain("private-id");
});

test("of many requests, the first and the last ones are listed", async () => {
  const page: Answer = (response, _, count) =>
    reply(
      200,
      [{ id: count }],
      count < 29 ? { link: `</pets?page=${count + 2}>; rel="next"` } : {},
    )(response, _, count);
  const { meta, log } = await requestsOf(page, "list_pets", {});
  expect(meta["dev.mcp-gen/requests"]).toHaveLength(20);
  expect(meta["dev.mcp-gen/requestCount"]).toBe(30);
  expect(log).toMatchObject({ requestCount: 30 });
});
