import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../src/json.js";
import type { ApiModel, Operation } from "../../src/model/types.js";
import { plan } from "../../src/plan/index.js";
import type { TextLimits } from "../../src/runtime/types.js";
import { configuredPlan } from "./configuration/fixtures.js";
import { api, inputsOf, json, ok, operation, parameter } from "./fixtures.js";

const text = { type: "string" } as const;
const integer = { type: "integer" } as const;
const project = { type: "object", properties: { id: text, name: text, slug: text, color: text } };
const listOf = (item: JsonSchema) => ok({ type: "array", items: item });

const list = (path = "/projects", item: JsonSchema = project, rest: Partial<Operation> = {}) =>
  operation(`GET ${path}`, { operationId: `list ${path}`, responses: [listOf(item)], ...rest });
const archive = (path = "/projects/{projectId}/archive", rest: Partial<Operation> = {}) =>
  operation(`POST ${path}`, { responses: [ok(project)], ...rest });

function bindings(operations: readonly Operation[], rest: Partial<ApiModel> = {}) {
  const planned = plan(api(operations, rest), { granularity: "operation" });
  return planned.tools.flatMap(({ definition }) => definition.operations);
}

/** The lookups of the operation that is not the list. */
function lookUpsOf(operations: readonly Operation[]): unknown {
  const found = bindings(operations).flatMap(({ lookUps }) => (lookUps ? [lookUps] : []));
  expect(found.length).toBeLessThan(2);
  return found[0];
}

const byId = { projectId: { tool: "list_projects", idField: "id" } };

describe("an input takes the name of a thing", () => {
  test.each<readonly [name: string, operations: readonly Operation[], want: object]>([
    ["by its path", [list(), archive()], byId],
    [
      "by the name of a required field",
      [
        list(),
        operation("POST /tasks", {
          ...json({ type: "object", properties: { projectId: text }, required: ["projectId"] }),
          responses: [ok(project)],
        }),
      ],
      byId,
    ],
    [
      "with its field under another name",
      [list("/projects", { type: "object", properties: { uuid: text, name: text } }), archive()],
      { projectId: { tool: "list_projects", idField: "uuid" } },
    ],
    [
      "with the field of the same name",
      [
        list("/projects", { type: "object", properties: { id: integer, slug: text, name: text } }),
        archive("/projects/{slug}/archive"),
      ],
      { slug: { tool: "list_projects", idField: "slug" } },
    ],
    [
      "in the collection of a parent",
      [list("/teams/{team}/projects"), archive("/teams/{team}/projects/{projectId}/archive")],
      { projectId: { tool: "list_team_projects", idField: "id", inputs: { team: "team" } } },
    ],
  ])("%s", (_, operations, want) => {
    expect(lookUpsOf(operations)).toEqual(want);
  });

  test("also where one tool lists and gets", () => {
    const get = operation("GET /projects/{projectId}", { responses: [ok(project)] });
    const { tools } = plan(api([list(), get]));
    const [item] = tools[0]!.definition.operations.filter(
      ({ response }) => response.item !== undefined,
    );
    expect(item?.lookUps).toEqual({ projectId: { tool: "find_projects", idField: "id" } });
  });
});

describe("an optional field of a body", () => {
  const described = (field: string) => {
    const fields = { title: text, [field]: { ...text, description: `ID of the ${field}.` } };
    const create = operation("POST /tasks", json({ type: "object", properties: fields }));
    return plan(api([list(), create])).tools.at(-1);
  };
  test("takes the name of a listed thing, and says so", () => {
    const tool = described("project_id");
    expect(tool?.definition.operations[0]?.lookUps).toEqual({
      project_id: { tool: "list_projects", idField: "id" },
    });
    expect(inputsOf(tool!).project_id).toMatchObject({
      description: "ID of the project_id. Get it from list_projects, or pass its name.",
    });
  });

  test("of another thing has no source", () => {
    const tool = described("external_id");
    expect(tool?.definition.operations[0]?.lookUps).toBeUndefined();
    expect(tool?.inputs.map(({ producers }) => producers)).toEqual([undefined, undefined]);
  });
});

describe("a relation takes the name of its thing", () => {
  const uuid = { type: "string", format: "uuid" } as const;
  const role = { type: "object", properties: { id: uuid, name: text } } as const;
  const ref = { $ref: "#/$defs/Roles" };
  const byName = { tool: "list_roles", idField: "id", idForm: "uuid" };
  const create = (fields: Record<string, JsonSchema>) =>
    operation("POST /users", { ...json({ type: "object", properties: fields }) });
  const planned = (fields: Record<string, JsonSchema>) =>
    bindings([list("/roles", ref), create(fields)], { schemas: { Roles: role } }).at(-1)?.lookUps;

  test.each<readonly [name: string, schema: JsonSchema, want: object | undefined]>([
    ["role", { anyOf: [uuid, ref] }, { role: byName }],
    ["role", { anyOf: [{ oneOf: [ref, uuid] }, { type: "null" }] }, { role: byName }],
    ["chief", { anyOf: [uuid, ref] }, { chief: byName }],
    ["role", { anyOf: [text, ref] }, { role: { tool: "list_roles", idField: "id" } }],
    // A value that is no ID, and one of several kinds.
    ["role", { anyOf: [{ enum: ["a", "b"], type: "string" }, ref] }, undefined],
    ["role", { anyOf: [uuid, ref, { $ref: "#/$defs/Other" }] }, undefined],
    ["role", ref, undefined],
  ])("%s %j", (name, schema, want) => expect(planned({ [name]: schema })).toEqual(want));

  test("and its schema allows any text in the place of the ID", () => {
    const tools = plan(
      api([list("/roles", ref), create({ role: { anyOf: [uuid, ref] } })], {
        schemas: { Roles: role },
      }),
    ).tools;
    expect(tools.at(-1)?.definition.inputSchema).toMatchObject({
      properties: { role: { anyOf: [{ type: "string" }, { type: "object" }] } },
    });
  });
});

const named = { type: "object", properties: { id: text, name: text } };

test.each<readonly [name: string, operations: readonly Operation[]]>([
  [
    "a field of the things of a list that identifies something else",
    [
      list("/events", {
        type: "object",
        properties: { id: integer, featureName: text, label: text },
      }),
      operation("GET /events/{featureName}", { responses: [listOf(named)] }),
    ],
  ],
  ["a list that needs another input", [list("/teams/{team}/projects"), archive()]],
  [
    "things without names",
    [list("/projects", { type: "object", properties: { id: text, color: text } }), archive()],
  ],
  [
    "things without an ID",
    [list("/projects", { type: "object", properties: { name: text } }), archive()],
  ],
  ["an input that may take an ID or a name", [list(), archive("/projects/{project}/archive")]],
  [
    "a choice of values",
    [
      list(),
      archive(undefined, {
        parameters: [parameter("path projectId", { schema: { ...text, enum: ["a", "b"] } })],
      }),
    ],
  ],
  ["a list of other things", [list("/accounts", named), archive("/account/projects/{id}")]],
  [
    "things of the same kind that belong to something else",
    [list("/users/{user}/projects"), archive("/teams/{team}/projects/{projectId}/archive")],
  ],
  [
    "names of a closed set",
    [
      list("/projects", {
        type: "object",
        properties: { id: text, name: { ...text, enum: ["a"] } },
      }),
      archive(),
    ],
  ],
])("nothing is planned for %s", (_, operations) => {
  expect(lookUpsOf(operations)).toBeUndefined();
});

describe("the list", () => {
  test.each<
    readonly [name: string, item: Readonly<Record<string, JsonSchema>>, want: readonly string[]]
  >([
    [
      "has the usual names first",
      { id: text, slug: text, title: text, name: text },
      ["name", "title", "slug"],
    ],
    [
      "has the name of its own thing",
      { id: text, project_name: text, team_name: text },
      ["project_name"],
    ],
    ["has no title of persons", { id: text, title: text, email: text }, ["email"]],
    [
      "has no texts that are something else",
      { id: text, name: text, code: { ...text, format: "uuid" }, key: { type: "object" } },
      ["name"],
    ],
  ])("%s", (_, properties, want) => {
    const found = bindings([list("/projects", { type: "object", properties }), archive()]);
    expect(found.find(({ itemNames }) => itemNames)?.itemNames?.fields).toEqual(want);
  });

  test("keeps keys of secrets out", () => {
    const item = { type: "object", properties: { id: text, key: text, name: text } };
    const found = bindings([list("/tokens", item), archive("/tokens/{tokenId}/revoke")]);
    expect(found.find(({ itemNames }) => itemNames)?.itemNames?.fields).toEqual(["name"]);
  });

  test("is searched, and its pages have a bound", () => {
    const parameters = [
      parameter("query search"),
      parameter("query page", { schema: integer }),
      parameter("query limit", { schema: { ...integer, maximum: 100 } }),
    ];
    const found = bindings([list("/projects", project, { parameters }), archive()]);
    expect(found.find(({ itemNames }) => itemNames)?.itemNames).toMatchObject({
      searchInput: "search",
      pageSize: { input: "limit", size: 100 },
      pagination: { maxItems: 500, page: { input: "page", first: 1 } },
    });
  });

  test("has names only if something looks them up", () => {
    expect(bindings([list()]).some(({ itemNames }) => itemNames)).toBe(false);
  });
});

test("the description of the input says so", () => {
  const { tools } = plan(api([list(), archive()]));
  const described = tools.flatMap(({ inputs }) => inputs.map(({ description }) => description));
  expect(described).toContain("Get it from list_projects, or pass its name.");
});

describe("configuration turns it off", () => {
  const operations = [list(), archive()];
  test.each<readonly [name: string, yaml: string]>([
    ["for the server", "server: {lookUpNames: false}"],
    ["for a tool", "tools: {archive_project: {lookUpNames: false}}"],
    ["for an input", "tools: {archive_project: {inputs: {projectId: {resolve: false}}}}"],
  ])("%s", (_, yaml) => {
    const planned = configuredPlan(yaml, {}, api(operations));
    expect(planned.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const found = planned.tools.flatMap(({ definition }) => definition.operations);
    expect(found.some(({ lookUps, itemNames }) => lookUps ?? itemNames)).toBe(false);
    expect(JSON.stringify(planned.tools)).not.toContain("or pass its name");
  });

  test.each(["lookUpNames", "inputs"])("in x-mcp: %s", (key) => {
    const xMcp =
      key === "inputs" ? { inputs: { projectId: { resolve: false } } } : { lookUpNames: false };
    const planned = plan(api([list(), archive(undefined, { xMcp })]));
    expect(planned.diagnostics.filter(({ code }) => code === "config-x-mcp")).toEqual([]);
    const found = planned.tools.flatMap(({ definition }) => definition.operations);
    expect(found.some(({ lookUps }) => lookUps)).toBe(false);
  });
});

describe("an ID of a form that names may lack takes a name, too", () => {
  const item = (id: JsonSchema): JsonSchema => ({
    type: "object",
    properties: { id, name: text, color: text },
  });
  const toolWith = (id: JsonSchema, yaml?: string) => {
    const model = api([
      list("/projects", item(id)),
      archive(undefined, {
        parameters: [parameter("path projectId", { schema: id })],
        xMcp: { bulk: false },
      }),
    ]);
    const { tools } = yaml === undefined ? plan(model) : configuredPlan(yaml, {}, model);
    return tools.find(({ definition }) => !definition.annotations.readOnlyHint)!;
  };

  const prefixed = { ...text, pattern: "^prj_" };
  test.each<
    readonly [name: string, id: JsonSchema, idForm: string | TextLimits, schema: JsonSchema]
  >([
    ["an integer", integer, "integer", { anyOf: [integer, text] }],
    ["a number", { type: "number" }, "integer", { anyOf: [{ type: "number" }, text] }],
    [
      "a bounded number",
      { ...integer, minimum: 1 },
      "integer",
      { anyOf: [{ ...integer, minimum: 1 }, text] },
    ],
    ["a UUID", { ...text, format: "uuid" }, "uuid", text],
    ["a text with a pattern", prefixed, { pattern: "^prj_" }, { anyOf: [prefixed, text] }],
    [
      "a text of one length",
      { ...text, minLength: 26, maxLength: 26 },
      { minLength: 26, maxLength: 26 },
      { anyOf: [{ ...text, minLength: 26, maxLength: 26 }, text] },
    ],
  ])("%s", (_, id, idForm, schema) => {
    const { definition } = toolWith(id);
    expect(definition.operations[0]?.lookUps).toEqual({ projectId: { ...byId.projectId, idForm } });
    const { description, ...form } = inputsOf({ definition } as never)["projectId"] ?? {};
    expect(form).toEqual(schema);
    expect(description).toContain("or pass its name");
  });

  test("and limits that names keep stay as they are", () => {
    const id = { ...text, minLength: 1, maxLength: 255 };
    const { definition } = toolWith(id);
    expect(definition.operations[0]?.lookUps).toEqual(byId);
    expect(inputsOf({ definition } as never)["projectId"]).toMatchObject(id);
  });

  test("strict inputs keep a pattern, and names with it are looked up after the request", () => {
    const { definition } = toolWith(prefixed, "server: {strictInputs: true}");
    expect(definition.operations[0]?.lookUps).toEqual(byId);
    expect(inputsOf({ definition } as never)["projectId"]).toMatchObject(prefixed);
  });

  test("not where calls give documented types only, or lookups are off", () => {
    for (const yaml of ["server: {strictInputs: true}", "server: {lookUpNames: false}"]) {
      const { definition } = toolWith(integer, yaml);
      expect(definition.operations[0]).not.toHaveProperty("lookUps");
      expect(inputsOf({ definition } as never)["projectId"]).toMatchObject(integer);
    }
  });
});
