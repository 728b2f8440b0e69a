import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import type { ApiModel, Operation } from "../../../src/model/types.js";
import { api, inputsOf, json, names, ok, operation, parameter } from "../fixtures.js";
import { configuredPlan, diagnostics, tool } from "../configuration/fixtures.js";

const object = (
  properties: Record<string, JsonSchema>,
  required: readonly string[] = [],
): JsonSchema => ({ type: "object", properties, ...(required.length > 0 && { required }) });
const text: JsonSchema = { type: "string" };
const ITEM = object({ id: text, name: text });
const USER = object({ id: text, email: text }, ["email"]);
const page = (item: JsonSchema, key = "results"): JsonSchema =>
  object({ [key]: { type: "array", items: item }, next_cursor: text });
const key = { security: [{ key: [] }] };

/** Operations that inference does not merge. */
const operations: readonly Operation[] = [
  operation("GET /catalog/items", {
    operationId: "browseItems",
    summary: "Browse items",
    tags: ["catalog"],
    parameters: [parameter("query category"), parameter("query cursor")],
    responses: [ok(page(ITEM, "items"))],
  }),
  operation("GET /search", {
    operationId: "searchAll",
    summary: "Search everything",
    tags: ["search"],
    parameters: [parameter("query q", { required: true })],
    responses: [ok(page(object({ id: text, score: { type: "number" } })))],
  }),
  operation("GET /item/{item_id}", {
    operationId: "getItem",
    summary: "Get an item",
    responses: [ok(object({ item: ITEM }))],
  }),
  operation("GET /users/{user_id}", {
    operationId: "getUser",
    summary: "Get a user",
    responses: [ok(USER)],
  }),
  operation("GET /users/by-email/{email}", {
    operationId: "getUserByEmail",
    summary: "Get a user by e-mail",
    responses: [ok(USER)],
  }),
  operation("GET /me", {
    operationId: "getMe",
    summary: "Get yourself",
    responses: [ok(object({ id: text, locale: text }))],
  }),
  operation("POST /users", {
    operationId: "createUser",
    summary: "Create a user",
    ...json(USER),
    responses: [ok(USER, "201")],
  }),
  operation("PUT /users/{user_id}", {
    operationId: "replaceUser",
    summary: "Replace a user",
    ...json(USER),
    responses: [ok(undefined, "204")],
  }),
  operation("PATCH /users/{user_id}", {
    operationId: "patchUser",
    summary: "Change a user",
    ...json(object({ id: text, email: text })),
    responses: [ok(USER)],
  }),
  operation("DELETE /users/{user_id}", {
    operationId: "deleteUser",
    summary: "Delete a user",
    responses: [ok(undefined, "204")],
  }),
  operation("GET /audit", {
    operationId: "listAudit",
    responses: [ok({ type: "array", items: ITEM })],
    ...key,
  }),
  operation("GET /archive", {
    operationId: "listArchive",
    parameters: [parameter("query category", { schema: { type: "integer" } })],
    responses: [ok({ type: "array", items: ITEM })],
  }),
  operation("GET /bare", {
    operationId: "listBare",
    responses: [ok({ type: "array", items: ITEM })],
  }),
  operation("GET /picture/{item_id}", {
    operationId: "getPicture",
    responses: [ok(text, "200", "image/png")],
  }),
  operation("GET /pets/search", {
    operationId: "searchPets",
    responses: [
      ok(object({ cats: { type: "array", items: ITEM }, dogs: { type: "array", items: ITEM } })),
    ],
  }),
];
const model: ApiModel = api(operations, {
  securitySchemes: { key: { kind: "apiKey", in: "header", name: "X-Key" } },
});
const merged = (merge: string, name = "find_items", options = {}) =>
  configuredPlan(
    `tools:\n  ${name}:\n    merge: [${merge}]`,
    { granularity: "task", ...options },
    model,
  );

describe("merge", () => {
  test.each<{
    readonly merge: string;
    readonly name?: string;
    readonly variants: readonly (readonly string[])[];
    readonly inputs: readonly string[];
  }>([
    {
      merge: "browseItems, searchAll",
      variants: [["q"], []],
      inputs: ["category?", "cursor?", "q?"],
    },
    {
      merge: "browseItems, getItem, searchAll",
      variants: [["item_id"], ["q"], []],
      inputs: ["item_id?", "category?", "cursor?", "q?"],
    },
    {
      merge: 'searchAll, "GET /item/{item_id}"',
      variants: [["item_id"], ["q"]],
      inputs: ["item_id?", "q?"],
    },
    {
      merge: "getUser, getUserByEmail",
      name: "get_user",
      variants: [["user_id"], ["email"]],
      inputs: ["user_id?", "email?"],
    },
    {
      merge: "getMe, getUser",
      name: "get_user",
      variants: [["user_id"], []],
      inputs: ["user_id?"],
    },
    {
      merge: "createUser, replaceUser",
      name: "save_user",
      variants: [["user_id"], []],
      inputs: ["email", "user_id?", "id?"],
    },
  ])("$merge", ({ merge, name = "find_items", variants, inputs }) => {
    const made = merged(merge, name);
    expect(diagnostics(made)).toEqual([]);
    const { definition, inputs: own, operations: of } = tool(made, name);
    expect(definition.operations.map(({ whenProvided }) => whenProvided)).toEqual(variants);
    expect(own.map((input) => (input.required ? input.name : `${input.name}?`))).toEqual(inputs);
    expect(of).toHaveLength(merge.split(",").length);
  });

  test("of lists returns the union of their items, and the inputs of the next page", () => {
    const { definition } = tool(merged("browseItems, searchAll, getItem"), "find_items");
    expect(definition.description).toBe(
      "Find items by ID, or by words or category. Without item_id or q: Browse items. With q: Search everything. Returns items with id and name.",
    );
    expect(definition.outputSchema).toMatchObject({
      properties: {
        items: { items: { properties: { id: {}, name: {}, score: {} } } },
        next: { properties: { cursor: {} } },
      },
      required: ["items"],
    });
    expect(definition.operations.map(({ response }) => response.items ?? response.item)).toEqual([
      "/item",
      "/results",
      "/items",
    ]);
    expect(
      inputsOf(tool(merged("browseItems, searchAll, getItem"), "find_items"))["q"]?.description,
    ).toBe("Text to search for. Not together with item_id, category, cursor.");
  });

  test("of writes has the strictest annotations, and describes each operation", () => {
    const { definition } = tool(merged("createUser, replaceUser", "save_user"), "save_user");
    expect(definition).toMatchObject({
      title: "Save user",
      description:
        "Create a user. With user_id: Replace a user. Returns id and email. To change only some of it, use update_user.",
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    });
    expect(definition.outputSchema).toMatchObject({
      type: "object",
      properties: { id: {}, email: {} },
    });
    expect(definition.operations.map(({ request }) => request.method)).toEqual(["PUT", "POST"]);
  });

  test("of gets returns the resource itself", () => {
    const { definition } = tool(merged("getMe, getUser", "get_user"), "get_user");
    expect(definition.outputSchema).toMatchObject({
      properties: { id: {}, email: {}, locale: {} },
    });
    expect(definition.operations.map(({ response }) => response)).toEqual([{}, {}]);
  });

  test.each([
    {
      merge: "browseItems, createUser",
      want: "4:26 config-merge The operations of find_items cannot be one tool: browseItems only reads and createUser writes, and hosts ask before a write.",
    },
    {
      merge: "createUser, deleteUser",
      want: "4:25 config-merge The operations of find_items cannot be one tool: deleteUser deletes and createUser does not.",
    },
    {
      merge: "browseItems, listAudit",
      want: "4:26 config-merge The operations of find_items cannot be one tool: browseItems and listAudit need different credentials.",
    },
    {
      merge: "browseItems, listArchive",
      want: "4:5 config-merge The operations of find_items cannot be one tool: the input category differs between them.",
    },
    {
      merge: "getItem, getPicture",
      want: "4:22 config-merge The operations of find_items cannot be one tool: getItem returns JSON and getPicture does not.",
    },
    {
      merge: "browseItems, listBare",
      want: "4:5 config-merge The operations of find_items cannot be one tool: no input distinguishes listBare from browseItems.",
    },
    {
      merge: "browseItems, searchPets",
      want: "4:26 config-merge The operations of find_items cannot be one tool: the list in the response of searchPets is ambiguous.",
    },
    {
      merge: "createUser, patchUsr",
      want: '4:25 config-unknown-operation The document has no operation "patchUsr"; did you mean patchUser?',
    },
  ])("$merge is rejected with a reason at the rule", ({ merge, want }) => {
    expect(diagnostics(merged(merge))).toEqual([want]);
  });

  test("of operations that inference merges is the same tool with another name", () => {
    const plain = api([
      operation("GET /pets", {
        operationId: "listPets",
        parameters: [parameter("query kind")],
        responses: [ok({ type: "array", items: ITEM })],
      }),
      operation("GET /pets/{pet_id}", { operationId: "getPet", responses: [ok(ITEM)] }),
    ]);
    const [inferred] = configuredPlan("", { granularity: "task" }, plain).tools;
    const [configured] = configuredPlan(
      "tools: {find_pets: {merge: [getPet, listPets]}}",
      { granularity: "operation" },
      plain,
    ).tools;
    expect(configured).toEqual(inferred);
  });

  test("of the selected operations only", () => {
    const made = merged("browseItems, searchAll, getItem", "find_items", { skip: ["getItem"] });
    expect(tool(made, "find_items").operations.map(({ operationId }) => operationId)).toEqual([
      "browseItems",
      "searchAll",
    ]);
    expect(
      names(merged("browseItems, searchAll", "find_items", { skip: ["searchAll"] })),
    ).toContain("find_items");
    expect(diagnostics(made)).toEqual([]);
  });

  test("takes the namespace, and other tools mention it by that name", () => {
    const pets = api([
      operation("GET /pets", {
        operationId: "listPets",
        parameters: [parameter("query limit", { schema: { type: "integer" } })],
        responses: [ok({ type: "array", items: ITEM })],
      }),
      operation("GET /pets/search", {
        operationId: "searchPets",
        parameters: [parameter("query q", { required: true }), parameter("query limit")],
        responses: [ok({ type: "array", items: ITEM })],
      }),
      operation("GET /pets/{petId}", { operationId: "getPet", responses: [ok(ITEM)] }),
      operation("DELETE /pets/{petId}", {
        operationId: "deletePet",
        responses: [ok(undefined, "204")],
      }),
    ]);
    const made = configuredPlan(
      "namespace: zoo\ntools:\n  animals: {merge: [listPets, getPet]}",
      { granularity: "task", namespace: "zoo" },
      pets,
    );
    expect(names(made)).toEqual(["zoo_animals", "zoo_search_pets", "zoo_delete_pet"]);
    expect(tool(made, "zoo_search_pets").definition.description).toContain(
      "To list without a search, use zoo_animals.",
    );
    expect(tool(made, "zoo_animals").definition.description).toContain(
      "To search, use zoo_search_pets.",
    );
    expect(tool(made, "zoo_delete_pet").definition.producers?.["petId"]).toEqual([
      "zoo_animals",
      "zoo_search_pets",
    ]);
  });
});

describe("x-mcp of a merged operation", () => {
  const pets = (list: unknown, get: unknown): ApiModel =>
    api([
      operation("GET /pets", {
        operationId: "listPets",
        parameters: [parameter("query kind")],
        responses: [ok({ type: "array", items: ITEM })],
        xMcp: list,
      }),
      operation("GET /pets/{petId}", { operationId: "getPet", responses: [ok(ITEM)], xMcp: get }),
    ]);

  test("applies texts, inputs and advice", () => {
    const made = configuredPlan(
      "",
      { granularity: "task" },
      pets(
        { useWhen: "the user wants to see them all", inputs: { kind: { name: "species" } } },
        {
          description: "Reads one pet with its vaccinations. Ask {tool:list_pets} first.",
          errors: { "410": "The pet is gone." },
        },
      ),
    );
    expect(diagnostics(made)).toEqual([]);
    const { definition, inputs } = tool(made, "find_pets");
    expect(definition.description).toBe(
      "Find pets by ID, or by species. With petId: Read one pet with its vaccinations. Ask find_pets first. Use when the user wants to see them all. Returns items with id and name.",
    );
    expect(inputs.map(({ name }) => name)).toEqual(["petId", "species"]);
    expect(definition.onError?.["410"]).toBe("The pet is gone.");
  });

  test.each([
    {
      list: { title: "Pets" },
      get: {},
      want: ["`title` is not used, because the operation is merged into find_pets."],
    },
    {
      list: { timeoutMs: 5, toolset: "Zoo" },
      get: { timeoutMs: 6 },
      want: [
        "`toolset` is not used, because the operation is merged into find_pets.",
        "`timeoutMs` is not used, because the operation is merged into find_pets.",
        "`timeoutMs` is not used, because the operation is merged into find_pets.",
      ],
    },
    { list: { title: "Pets", timeoutMs: 5 }, get: { title: "Pets", timeoutMs: 5 }, want: [] },
  ])("is reported if it concerns the whole tool: $list, $get", ({ list, get, want }) => {
    const made = configuredPlan("", { granularity: "task" }, pets(list, get));
    expect(diagnostics(made).map((line) => line.replace(/^.*config-x-mcp /, ""))).toEqual(want);
    if (want.length === 0)
      expect(tool(made, "find_pets").definition).toMatchObject({ title: "Pets", timeoutMs: 5 });
  });
});
