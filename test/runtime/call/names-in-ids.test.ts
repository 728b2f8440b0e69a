import { afterEach, describe, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/index.js";
import type {
  IdLookUp,
  JsonSchema,
  OperationBinding,
  TextLimits,
  ToolDefinition,
} from "../../../src/runtime/types.js";
import { createTestContext, textOf, toolOf } from "../support/clinic.js";
import { type Answer, reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
afterEach(() => upstream.close());

const text = { type: "string" } as const;
const ID = "5ed68d69-8dd4-4299-976d-c504c9bc78cb";
const ROLES = [
  { id: 3, name: "Editor" },
  { id: 4, name: "Viewer" },
];

function withBinding(tool: ToolDefinition, binding: Partial<OperationBinding>): ToolDefinition {
  return { ...tool, operations: tool.operations.map((one) => ({ ...one, ...binding })) };
}

const list = withBinding(
  toolOf({
    name: "list_roles",
    send: { path: "/roles" },
    read: { wrap: "items" },
    outputSchema: { type: "object", properties: { items: { type: "array" } } },
  }),
  { itemNames: { fields: ["name"] } },
);

const number = { anyOf: [{ type: "integer" }, { type: "string" }] };

const PREFIXED = { pattern: "^role_" };
const PREFIXED_ROLES = [
  { id: "role_3", name: "Editor" },
  { id: "role_5", name: "Viewer" },
];

function schemaOf(idForm: IdLookUp["idForm"]): JsonSchema {
  if (idForm === "integer") return number;
  return typeof idForm === "object" ? { anyOf: [{ ...text, ...idForm }, text] } : text;
}

/** A tool that gives a user a role. */
const assign = (
  idForm: IdLookUp["idForm"] = "integer",
  annotations: Partial<ToolDefinition["annotations"]> = {},
) =>
  withBinding(
    toolOf({
      name: "create_user",
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
        ...annotations,
      },
      send: {
        method: "POST",
        path: "/users",
        body: { contentType: "application/json", fields: { role: "role_id" } },
      },
      properties: { role_id: schemaOf(idForm) },
      required: ["role_id"],
      outputSchema: { type: "object" },
    }),
    { lookUps: { role_id: { tool: "list_roles", idField: "id", idForm } } },
  );

async function create(
  role: unknown,
  tool: ToolDefinition = assign(),
  roles: unknown = ROLES,
  env: Record<string, string> = {},
) {
  const answer: Answer = (response, request, count) =>
    reply(200, request.method === "GET" ? roles : { made: request.body })(response, request, count);
  upstream = await startUpstream(answer);
  const app = createTestContext([tool, list], { CLINIC_BASE_URL: upstream.url, ...env });
  const result = await callTool(app, app.tools.find(tool.name), { role_id: role });
  const sent = upstream.requests.map(({ method, url, body }) => `${method} ${url} ${body}`.trim());
  return { sent, text: textOf(result), isError: result.isError === true };
}

describe("a name in place of a number is looked up before the request", () => {
  test("and the call is made with the ID, as a number", async () => {
    const { sent, text: noted } = await create("editor");
    expect(sent).toEqual(["GET /roles", 'POST /users {"role":3}']);
    expect(noted).toContain('role_id "editor" is the name of 3 in list_roles; the call used 3.');
  });

  test("where IDs are UUIDs", async () => {
    const { sent } = await create("Editor", assign("uuid"), [{ id: ID, name: "Editor" }]);
    expect(sent).toEqual(["GET /roles", `POST /users {"role":"${ID}"}`]);
  });

  test.each<readonly [given: string, limits: TextLimits]>([
    ["viewer", PREFIXED],
    ["Viewer", { minLength: 7 }],
    ["VIEWER", { maxLength: 5 }],
  ])("%s, where IDs have %j", async (given, limits) => {
    const { sent } = await create(given, assign(limits), [{ id: "role_5", name: "Viewer" }]);
    expect(sent).toEqual(["GET /roles", 'POST /users {"role":"role_5"}']);
  });
});

describe("an ID is sent without a lookup", () => {
  test.each<readonly [name: string, given: unknown, tool: ToolDefinition, role: string]>([
    ["a number", 3, assign(), "3"],
    ["digits, as a number", "3", assign(), "3"],
    ["a UUID in place of a number", ID, assign(), `"${ID}"`],
    ["a UUID", ID, assign("uuid"), `"${ID}"`],
    ["a text with the pattern", "role_editor", assign(PREFIXED), '"role_editor"'],
    ["a number for text", 12, assign({ pattern: "^[0-9]+$" }), '"12"'],
  ])("%s", async (_, given, tool, role) => {
    expect((await create(given, tool)).sent).toEqual([`POST /users {"role":${role}}`]);
  });
});

describe("nothing is sent to change anything", () => {
  const destroys = { destructiveHint: true };
  test.each<readonly [string, string, ToolDefinition, unknown, string, Record<string, string>]>([
    [
      "for several things of that name",
      "editor",
      assign(),
      [...ROLES, { id: 9, name: "EDITOR" }],
      'role_id "editor" is the name of 2 things: 3 (Editor), 9 (EDITOR)',
      {},
    ],
    ["for no such name", "Editors", assign(), ROLES, "Candidates for role_id: 3 (Editor)", {}],
    [
      "by a destructive call",
      "Editor",
      assign("integer", destroys),
      ROLES,
      "Nothing was done with that ID. If it is the right one, call create_user with role_id: 3.",
      {},
    ],
    [
      "for no such name of an ID with a pattern",
      "Editors",
      assign(PREFIXED),
      PREFIXED_ROLES,
      "Candidates for role_id: role_3 (Editor)",
      {},
    ],
    [
      "by a destructive call with a pattern",
      "Editor",
      assign(PREFIXED, destroys),
      PREFIXED_ROLES,
      'If it is the right one, call create_user with role_id: "role_3".',
      {},
    ],
    [
      "for digits that the pattern refuses",
      "42",
      assign(PREFIXED),
      PREFIXED_ROLES,
      'role_id: "42" does not match the pattern ^role_; use an ID from list_roles',
      {},
    ],
    [
      "for a name that the pattern refuses, where lookups are off",
      "Editor",
      assign(PREFIXED),
      PREFIXED_ROLES,
      'role_id: "Editor" does not match the pattern ^role_; use an ID from list_roles',
      { CLINIC_LOOK_UP_NAMES: "false" },
    ],
    ["for an empty list", "Editor", assign(), [], "must be an integer, an ID from list_roles", {}],
    [
      "where lookups are off",
      "Editor",
      assign(),
      ROLES,
      "must be an integer, an ID from list_roles",
      { CLINIC_LOOK_UP_NAMES: "false" },
    ],
  ])("%s", async (_, given, tool, roles, want, env) => {
    const { sent, isError, text: error } = await create(given, tool, roles, env);
    expect(isError).toBe(true);
    expect(sent.filter((request) => !request.startsWith("GET"))).toEqual([]);
    expect(error).toContain(want);
  });

  test("a text that is no UUID is sent where lookups are off, as the API may take it", async () => {
    const { sent } = await create("Editor", assign("uuid"), ROLES, {
      CLINIC_LOOK_UP_NAMES: "false",
    });
    expect(sent).toEqual(['POST /users {"role":"Editor"}']);
  });
});
