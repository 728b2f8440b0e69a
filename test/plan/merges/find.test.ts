import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import type { ApiModel, Operation } from "../../../src/model/types.js";
import { plan } from "../../../src/plan/index.js";
import type { PlannedTool } from "../../../src/plan/types.js";
import { api, content, inputsOf, names, ok, operation, parameter } from "../fixtures.js";

const schemas: Record<string, JsonSchema> = {
  Pet: {
    type: "object",
    properties: { id: { type: "string" }, name: { type: "string" }, species: { type: "string" } },
  },
  PetWithHistory: {
    type: "object",
    properties: {
      id: { type: "string" },
      name: { type: "string" },
      species: { type: "string" },
      history: { type: "array", items: { type: "string" } },
    },
  },
  Owner: { type: "object", properties: { id: { type: "string" }, phone: { type: "string" } } },
  Gone: { type: "object", properties: { id: { type: "string" }, gone: { const: true } } },
};
const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const listOf = (name: string): JsonSchema => ({ type: "array", items: ref(name) });
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
});

const list = (schema: JsonSchema = listOf("Pet"), rest: Partial<Operation> = {}): Operation =>
  operation("GET /pets", {
    operationId: "listPets",
    responses: [ok(schema)],
    parameters: [
      parameter("query species"),
      parameter("query limit", { schema: { type: "integer" } }),
    ],
    ...rest,
  });
const get = (schema: JsonSchema = ref("Pet"), rest: Partial<Operation> = {}): Operation =>
  operation("GET /pets/{petId}", { operationId: "getPet", responses: [ok(schema)], ...rest });
const search = (rest: Partial<Operation> = {}): Operation =>
  operation("GET /pets/search", {
    operationId: "searchPets",
    responses: [ok(listOf("Pet"))],
    parameters: [parameter("query q", { required: true })],
    ...rest,
  });

const planned = (operations: readonly Operation[], rest: Partial<ApiModel> = {}) =>
  plan(api(operations, { schemas, ...rest }), { granularity: "task" });
const byName = (operations: readonly Operation[], name: string): PlannedTool =>
  planned(operations).tools.find((tool) => tool.definition.name === name) ??
  expect.fail(`no ${name}`);
const refusal = (operations: readonly Operation[], rest: Partial<ApiModel> = {}): string => {
  const { tools } = planned(operations, rest);
  expect(tools.map((tool) => tool.operations.length)).toEqual(operations.map(() => 1));
  const [a, b] = tools.map((tool) =>
    tool.reasons
      .filter((reason) => reason.startsWith("Not merged"))
      .map((reason) => reason.slice(reason.indexOf(": ") + 2)),
  );
  expect(b).toEqual(a);
  return a?.join(" ") ?? "";
};

describe("the operations of a resource become one tool", () => {
  it.each<readonly [string, readonly Operation[], readonly string[]]>([
    ["list and get", [list(), get()], ["find_pets"]],
    ["list, get and search", [list(), get(), search()], ["find_pets"]],
    ["in any order", [search(), get(), list()], ["find_pets"]],
    ["search and get", [search(), get()], ["find_pets"]],
    ["list and search", [list(), search()], ["find_pets"]],
    [
      "two searches",
      [
        search({
          path: "/pets/findByStatus",
          operationId: "findPetsByStatus",
          parameters: [parameter("query status", { required: true })],
        }),
        search({
          path: "/pets/findByTags",
          operationId: "findPetsByTags",
          parameters: [parameter("query tags", { required: true })],
        }),
      ],
      ["find_pets"],
    ],
    [
      "with what has a tool of its own",
      [
        list(),
        operation("POST /pets", { operationId: "createPet" }),
        get(),
        operation("DELETE /pets/{petId}", { operationId: "deletePet" }),
      ],
      ["find_pets", "create_pet", "delete_pet"],
    ],
    ["a list alone", [list()], ["list_pets"]],
    ["a get alone", [get()], ["get_pet"]],
    [
      "a list of another collection",
      [
        list(),
        operation("GET /owners/{ownerId}", {
          operationId: "getOwner",
          responses: [ok(ref("Owner"))],
        }),
      ],
      ["list_pets", "get_owner"],
    ],
    [
      "a list of many categories",
      [
        list(),
        operation("GET /pets/{category}", {
          operationId: "listByCategory",
          responses: [ok(listOf("Pet"))],
        }),
      ],
      ["list_pets", "list_pets_by_category"],
    ],
    [
      "the get with the tag of the list, of two",
      [
        list(listOf("Pet"), { tags: ["pets"] }),
        {
          ...get(ref("Pet"), { tags: ["other"] }),
          path: "/pets/{name}",
          operationId: "getPetByName",
          parameters: [parameter("path name")],
        },
        get(ref("Pet"), { tags: ["pets"] }),
      ],
      ["find_pets", "get_pet_by_name"],
    ],
    [
      "dotted methods, whose get forgets to require its ID",
      [
        {
          ...list(object({ ok: { type: "boolean" }, members: listOf("Pet") })),
          path: "/pets.list",
          operationId: "pets_list",
        },
        {
          ...operation("GET /pets.info"),
          operationId: "pets_info",
          parameters: [parameter("query pet")],
          responses: [ok(object({ ok: { type: "boolean" }, pet: ref("Pet") }))],
        },
      ],
      ["find_pets"],
    ],
    [
      "a path with an extension",
      [
        { ...list(), path: "/Pets.json" },
        {
          ...operation("GET /Pets/{Sid}.json"),
          operationId: "fetchPet",
          responses: [ok(ref("Pet"))],
        },
      ],
      ["find_pets"],
    ],
  ])("%s", (_, operations, want) => expect(names(planned(operations))).toEqual(want));

  it("not with --granularity operation", () => {
    expect(names(plan(api([list(), get()], { schemas }), { granularity: "operation" }))).toEqual([
      "list_pets",
      "get_pet",
    ]);
  });

  it("a search with optional words replaces a missing list", () => {
    const words = [parameter("query q"), parameter("query species")];
    expect(
      byName([search({ parameters: words }), get()], "find_pets").definition.operations.map(
        ({ whenProvided }) => whenProvided,
      ),
    ).toEqual([["petId"], []]);
    expect(
      byName([list(), search({ parameters: words }), get()], "find_pets").definition.operations.map(
        ({ whenProvided }) => whenProvided,
      ),
    ).toEqual([["petId"], ["q"], []]);
  });

  it("keeps parent IDs of the path required", () => {
    const parents = [
      list(
        listOf("Pet"),
        operation("GET /owners/{ownerId}/pets", {
          operationId: "listPets",
          responses: [ok(listOf("Pet"))],
        }),
      ),
      {
        ...operation("GET /owners/{ownerId}/pets/{petId}"),
        operationId: "getPet",
        responses: [ok(ref("Pet"))],
      },
    ];
    const { definition } = byName(parents, "find_pets");
    expect(definition.inputSchema.required).toEqual(["ownerId"]);
    expect(definition.operations.map(({ whenProvided }) => whenProvided)).toEqual([["petId"], []]);
  });

  it("is plain data in the expected form", () => {
    const { definition, operations, output } = byName(
      [
        list(
          object({
            data: listOf("Pet"),
            next_cursor: { type: "string" },
            total: { type: "integer" },
          }),
          { parameters: [parameter("query species"), parameter("query cursor")] },
        ),
        get(),
        search(),
      ],
      "find_pets",
    );
    expect(definition).toMatchObject({
      name: "find_pets",
      title: "Find pets",
      description:
        "Find pets by ID, or by words or species. Returns items with id, name and species.",
      annotations: { readOnlyHint: true, destructiveHint: false },
    });
    expect(definition.inputSchema).toEqual({
      type: "object",
      properties: {
        petId: {
          anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
          description: "Not together with species, cursor, q.",
        },
        species: { type: "string", description: "Only those with this species." },
        cursor: {
          type: "string",
          description: "For the next page: next.cursor of the previous result.",
        },
        q: {
          type: "string",
          description: "Text to search for. Not together with petId, species, cursor.",
        },
      },
      additionalProperties: false,
    });
    expect(definition.outputSchema).toMatchObject({
      type: "object",
      properties: { items: { type: "array" }, next: { properties: { cursor: {} } }, total: {} },
      required: ["items"],
    });
    const { items } = definition.outputSchema?.["properties"] as Record<string, JsonSchema>;
    expect(Object.keys((items?.items as JsonSchema).properties ?? {})).toEqual([
      "id",
      "name",
      "species",
    ]);
    expect(definition.operations).toEqual([
      {
        whenProvided: ["petId"],
        request: {
          method: "GET",
          path: "/pets/{petId}",
          pathParams: { petId: "petId" },
          accept: ["application/json"],
        },
        response: { item: "" },
        lookUps: { petId: { tool: "find_pets", idField: "id" } },
        severalIds: { input: "petId" },
      },
      {
        whenProvided: ["q"],
        request: {
          method: "GET",
          path: "/pets/search",
          query: { q: "q" },
          accept: ["application/json"],
        },
        response: { items: "" },
        itemNames: { fields: ["name"], searchInput: "q" },
      },
      {
        whenProvided: [],
        request: {
          method: "GET",
          path: "/pets",
          query: { species: "species", cursor: "cursor" },
          accept: ["application/json"],
        },
        response: {
          items: "/data",
          next: { cursor: "/next_cursor" },
          extraFields: { total: "/total" },
        },
        pagination: {
          cursor: { input: "cursor", pointer: "/next_cursor" },
          total: "/total",
          isFollowed: true,
        },
      },
    ]);
    expect(operations.map(({ operationId }) => operationId)).toEqual([
      "listPets",
      "getPet",
      "searchPets",
    ]);
    expect(output).toMatchObject({
      required: ["items"],
      properties: { items: { type: "array", items: ref("Pet") } },
    });
  });
});

describe("operations are not merged", () => {
  const enumerated = (...values: string[]): Operation["parameters"] => [
    parameter("query include", { schema: { type: "string", enum: values } }),
  ];
  it.each<readonly [string, readonly Operation[], string]>([
    [
      "other credentials",
      [list(), get(ref("Pet"), { security: [{ key: [] }] })],
      "they need different credentials.",
    ],
    [
      "other servers",
      [list(), get(ref("Pet"), { servers: [{ url: "https://b.example", variables: {} }] })],
      "they are on different servers.",
    ],
    [
      "a list of other fields",
      [list(listOf("Owner")), get()],
      "one item has fields that the other lacks (phone).",
    ],
    [
      "a list of names",
      [list({ type: "array", items: { type: "string" } }), get()],
      "their results have different schemas.",
    ],
    [
      "an answer without content",
      [list(), get(ref("Pet"), { responses: [ok(ref("Pet")), ok(undefined, "204")] })],
      "one of them may return nothing.",
    ],
    [
      "two lists in one answer",
      [list(object({ cats: listOf("Pet"), dogs: listOf("Pet") })), get()],
      "the list in its response is ambiguous.",
    ],
    [
      "another type of an input",
      [
        list(),
        get(ref("Pet"), {
          parameters: [
            parameter("path petId"),
            parameter("query species", { schema: { type: "integer" } }),
          ],
        }),
      ],
      "the input species differs between them.",
    ],
    [
      "another bound of an input",
      [
        list(),
        get(ref("Pet"), {
          parameters: [
            parameter("path petId"),
            parameter("query limit", { schema: { type: "integer", maximum: 5 } }),
          ],
        }),
      ],
      "the input limit differs between them.",
    ],
    [
      "the ID as a filter",
      [list(listOf("Pet"), { parameters: [parameter("query petId")] }), get()],
      "petId identifies an item in one operation and filters in the other.",
    ],
    [
      "a search without words",
      [list(), search({ parameters: [parameter("query age")] })],
      "no input distinguishes them.",
    ],
    [
      "an answer with a field next to its list called items",
      [list(object({ pets: listOf("Pet"), items: { type: "integer" } })), get()],
      "its response already has a field items.",
    ],
  ])("%s", (_, operations, want) =>
    expect(
      refusal(operations, {
        securitySchemes: { key: { kind: "apiKey", in: "header", name: "X-Key" } },
      }),
    ).toBe(want),
  );

  it.each([
    { description: "NOT IMPLEMENTED" },
    { summary: "Get a pet", description: "This endpoint has been disabled." },
  ])("one operation that the API does not offer: %o", (words) => {
    expect(refusal([list(), get(ref("Pet"), words)])).toBe("one of them is not available.");
  });

  it("one deprecated operation", () => {
    const made = plan(api([list(), get(ref("Pet"), { deprecated: true })], { schemas }), {
      granularity: "task",
      includeDeprecated: true,
    });
    expect(names(made)).toEqual(["list_pets", "get_pet"]);
  });

  it("a search in conflict leaves list and get merged", () => {
    const { tools } = planned([
      list(),
      get(),
      search({ parameters: [parameter("query limit", { schema: { type: "string" } })] }),
    ]);
    expect(tools.map((tool) => [tool.definition.name, tool.operations.length])).toEqual([
      ["find_pets", 2],
      ["search_pets", 1],
    ]);
    expect(tools[0]?.definition.description).toContain("To search, use search_pets.");
    expect(tools[1]?.definition.description).toContain("To list without a search, use find_pets.");
    expect(tools[0]?.reasons.at(-1)).toBe(
      "Not merged with searchPets: the input limit differs between them.",
    );
  });

  it("enums are combined", () => {
    const tool = byName(
      [
        list(listOf("Pet"), { parameters: enumerated("owner", "visits") }),
        get(ref("Pet"), {
          parameters: [parameter("path petId"), ...enumerated("owner", "history")],
        }),
      ],
      "find_pets",
    );
    expect(inputsOf(tool)["include"]).toMatchObject({ enum: ["owner", "visits", "history"] });
  });
});

it("an ID of the path that is a number here and a text there is a text", () => {
  const at = (path: string, type: string, response: JsonSchema, more: readonly string[] = []) =>
    operation(`GET ${path}`, {
      parameters: [
        parameter("path id", { schema: { type } }),
        ...more.map((name) => parameter(name)),
      ],
      responses: [ok(response)],
    });
  const tool = byName(
    [
      at("/owners/{id}/pets", "integer", listOf("Pet")),
      at("/owners/{id}/pets/{petId}", "string", ref("Pet"), ["path petId"]),
    ],
    "find_owner_pets",
  );
  expect(inputsOf(tool).id).toMatchObject({ type: "string" });
});

describe("items", () => {
  const read = (answer: JsonSchema, got: JsonSchema = ref("Pet")) =>
    byName([list(answer), get(got)], "find_pets").definition.operations;
  it.each<readonly [string, JsonSchema, string]>([
    ["the answer itself", listOf("Pet"), ""],
    ["data", object({ data: listOf("Pet"), page: { type: "integer" } }), "/data"],
    [
      "the name of the collection",
      object({ pets: listOf("Pet"), errors: { type: "array", items: { type: "string" } } }),
      "/pets",
    ],
    ["the only list", object({ everything: listOf("Pet") }), "/everything"],
    [
      "inside another object",
      object({ took: { type: "integer" }, hits: object({ hits: listOf("Pet") }) }),
      "/hits/hits",
    ],
    [
      "inside the only object",
      object({ animals: object({ results: listOf("Pet") }), took: { type: "integer" } }),
      "/animals/results",
    ],
    [
      "inside an object named like the collection",
      object({
        pets: object({ data: listOf("Pet") }),
        links: object({ self: { type: "string" } }),
      }),
      "/pets/data",
    ],
    [
      "parts of an allOf",
      { allOf: [object({ pets: listOf("Pet") }), object({ total: { type: "integer" } })] },
      "/pets",
    ],
    ["a name that a pointer escapes", object({ "a/b~c": listOf("Pet") }), "/a~1b~0c"],
  ])("in %s", (_, answer, want) => expect(read(answer).at(-1)?.response.items).toBe(want));

  it.each<readonly [string, JsonSchema, string]>([
    ["the answer itself", ref("Pet"), ""],
    [
      "an object that is called like it",
      object({ pet: ref("Pet"), etag: { type: "string" } }),
      "/pet",
    ],
    ["data", object({ data: ref("Pet") }), "/data"],
  ])("one, in %s", (_, got, want) => expect(read(listOf("Pet"), got)[0]?.response.item).toBe(want));

  it.each<readonly [string, JsonSchema, JsonSchema]>([
    ["the same schema", ref("Pet"), ref("Pet")],
    [
      "a get that returns more",
      ref("PetWithHistory"),
      { anyOf: [ref("PetWithHistory"), ref("Pet")] },
    ],
    [
      "a get with an alternative",
      { anyOf: [ref("Pet"), ref("Gone")] },
      { anyOf: [ref("Pet"), ref("Gone")] },
    ],
  ])("have the union of both schemas: %s", (_, got, want) => {
    const output = byName([list(), get(got)], "find_pets").output as {
      properties: { items: { items: JsonSchema } };
    };
    expect(output.properties.items.items).toEqual(want);
  });
});

describe("pagination", () => {
  const integer: JsonSchema = { type: "integer" };
  const string: JsonSchema = { type: "string" };
  it.each<
    readonly [
      string,
      Record<string, JsonSchema>,
      readonly string[],
      Record<string, string> | undefined,
      Record<string, string> | undefined,
    ]
  >([
    [
      "a cursor by the name of its input",
      { next_cursor: string },
      ["cursor"],
      { cursor: "/next_cursor" },
      undefined,
    ],
    [
      "in another case",
      { nextPageToken: string },
      ["pageToken"],
      { pageToken: "/nextPageToken" },
      undefined,
    ],
    [
      "one that an input of another name takes",
      { next_cursor: string },
      ["after"],
      { after: "/next_cursor" },
      undefined,
    ],
    [
      "inside metadata",
      { response_metadata: object({ next_cursor: string }) },
      ["cursor"],
      { cursor: "/response_metadata/next_cursor" },
      undefined,
    ],
    [
      "inside metadata with more",
      { meta: object({ next: string, total: integer }) },
      ["cursor"],
      { cursor: "/meta/next" },
      { meta: "/meta" },
    ],
    ["a link", { next_page_uri: string }, ["Page"], { next_page_uri: "/next_page_uri" }, undefined],
    ["a page number", { next_page: integer }, ["page"], { page: "/next_page" }, undefined],
    [
      "whether there is more",
      { has_more: { type: "boolean" }, total: integer },
      ["starting_after"],
      undefined,
      { has_more: "/has_more", total: "/total" },
    ],
    [
      "constants and addresses say nothing",
      { object: { const: "list" }, url: string },
      [],
      undefined,
      undefined,
    ],
  ])("%s", (_, fields, inputs, next, rest) => {
    const tool = byName(
      [
        list(object({ data: listOf("Pet"), ...fields }), {
          parameters: inputs.map((name) => parameter(`query ${name}`)),
        }),
        get(),
      ],
      "find_pets",
    );
    expect(tool.definition.operations.at(-1)?.response).toEqual({
      items: "/data",
      ...(next && { next }),
      ...(rest && { extraFields: rest }),
    });
  });
});

describe("descriptions", () => {
  it("name the inputs that select an operation, and required ones", () => {
    const { description } = byName(
      [
        list(listOf("Pet"), { parameters: [parameter("query ownerId", { required: true })] }),
        get(),
      ],
      "find_pets",
    ).definition;
    expect(description).toBe(
      "Find pets by ID, or by owner ID. Needs petId, or ownerId. Returns items with id, name and species.",
    );
  });
  it("name dates among the filters, but neither pages nor headers", () => {
    const date = { schema: { type: "string", format: "date-time" } };
    const parameters = [
      parameter("query start", date),
      parameter("query end", date),
      parameter("query page", { schema: { type: "integer" } }),
      parameter("header Cache-Control"),
    ];
    const { description } = byName(
      [list(listOf("Pet"), { parameters }), get()],
      "find_pets",
    ).definition;
    expect(description).toMatch(/^Find pets by ID, or by start or end\./);
  });
  it("name neither the order, the page size, a secret, nor switches of another filter", () => {
    const parameters = [
      parameter("query o", { description: "Which field to use when ordering the results." }),
      parameter("query firstResult", { description: "First index of results to be returned" }),
      parameter("query api_key"),
      parameter("query group_by"),
      ...["name", "ordering", "take"].map((name) => parameter(`query ${name}`)),
      parameter("query name_exact", { schema: { type: "boolean" } }),
      parameter("query is_sick", { schema: { type: "boolean" } }),
      parameter("query hateoasMode", { schema: { type: "boolean" } }),
    ];
    const { description } = byName(
      [list(listOf("Pet"), { parameters }), get()],
      "find_pets",
    ).definition;
    expect(description).toMatch(/^Find pets by ID, or by name or sick\./);
  });
  it("name the bounds and the time of one event once, and options by what they select", () => {
    const parameters = ["created_at", "created_gte", "only_sick"].map((name) =>
      parameter(`query ${name}`),
    );
    const { description } = byName(
      [list(listOf("Pet"), { parameters }), get()],
      "find_pets",
    ).definition;
    expect(description).toMatch(/^Find pets by ID, or by created or sick\./);
  });
  it("name filters in brackets by their members, and no selected fields", () => {
    const parameters = [
      parameter("query filter[cuisine]"),
      parameter("query q[name_cont]"),
      parameter("query fields[pets]"),
      parameter("query limit[tags]"),
      parameter("query pageable", { schema: { type: "object" } }),
      parameter("query search"),
    ];
    const { description } = byName(
      [list(listOf("Pet"), { parameters }), get()],
      "find_pets",
    ).definition;
    expect(description).toMatch(/^Find pets by ID, or by cuisine, name or words\./);
  });
  it("keep texts of the document beyond the name, each sentence once", () => {
    const said = "Needs the role vet.";
    const { description } = byName(
      [
        list(listOf("Pet"), {
          summary: "List pets",
          description: `Returns all pets. Sorted by name. ${said}`,
        }),
        get(ref("Pet"), { summary: "Get a pet", description: `Get one pet. ${said}` }),
      ],
      "find_pets",
    ).definition;
    expect(description).toBe(
      `Find pets by ID, or by species. ${said} Without petId: Sorted by name. Returns items with id, name and species.`,
    );
  });
  it("say what one of the operations leaves out", () => {
    const { description } = byName(
      [
        list(listOf("Pet"), { summary: "Get all pets without photo" }),
        get(ref("Pet"), { summary: "Get a pet", description: "Returns a pet with its photo." }),
      ],
      "find_pets",
    ).definition;
    expect(description).toContain("Get all pets without photo.");
  });
  it("keep the language of the document", () => {
    const { description } = byName(
      [list(listOf("Pet"), { summary: "列出宠物" }), get(ref("Pet"), { summary: "获取宠物" })],
      "find_pets",
    ).definition;
    expect(description).toContain("列出宠物");
  });
  it("have a maximum length", () => {
    const long = "A sentence that goes on and on about pets. ".repeat(60);
    expect(
      byName(
        [
          list(listOf("Pet"), { description: long }),
          get(ref("Pet"), { description: `Other. ${long.replaceAll("pets", "cats")}` }),
        ],
        "find_pets",
      ).definition.description.length,
    ).toBeLessThanOrEqual(1000);
  });
});

describe("names", () => {
  it("stay when an operation is added elsewhere", () => {
    const before = names(planned([list(), get()]));
    const more = [
      operation("GET /owners/{ownerId}/pets", {
        operationId: "listOwnerPets",
        responses: [ok(listOf("Pet"))],
      }),
      operation("GET /owners/{ownerId}/pets/{petId}", {
        operationId: "getOwnerPet",
        responses: [ok(ref("Pet"))],
      }),
    ];
    expect(names(planned([list(), get(), ...more]))).toEqual([...before, "find_owner_pets"]);
  });
  it("of other operations are kept, before and after them", () => {
    const other = operation("POST /pets/find", { operationId: "findPets" });
    expect(names(planned([other, list(), get()]))).toEqual(["find_pets", "list_pets"]);
    expect(names(planned([list(), get(), other]))).toEqual(["find_pets", "find_pets_via_post"]);
  });
  it("repeat no words", () => {
    const repeated = {
      path: "/codes_of_conduct",
      operationId: "codes-of-conduct/get-all-codes-of-conduct",
    };
    expect(
      names(
        planned([
          list(listOf("Pet"), repeated),
          get(ref("Pet"), {
            path: "/codes_of_conduct/{petId}",
            operationId: "codes-of-conduct/get-conduct-code",
          }),
        ]),
      ),
    ).toEqual(["find_codes_of_conduct"]);
  });
  it("start with the namespace", () => {
    expect(
      names(plan(api([list(), get()], { schemas }), { granularity: "task", namespace: "vet" })),
    ).toEqual(["vet_find_pets"]);
  });
});

describe("PATCH and PUT of one resource", () => {
  const sends = (schema: JsonSchema): Partial<Operation> => ({
    body: { required: true, contents: [content(schema)] },
    responses: [ok(ref("Pet"))],
  });
  const body = (name: string): Partial<Operation> => sends(ref(name));
  const clearable = sends(object({ name: { type: ["string", "null"] } }));
  const patch = (rest: Partial<Operation> = {}) =>
    operation("PATCH /pets/{petId}", {
      operationId: "patchPet",
      summary: "Update a pet",
      ...clearable,
      ...rest,
    });
  const put = (rest: Partial<Operation> = {}) =>
    operation("PUT /pets/{petId}", { operationId: "replacePet", ...clearable, ...rest });

  it("are one tool, and PATCH is sent", () => {
    const tool = byName([put(), patch()], "update_pet");
    expect(tool.definition.operations.map((request) => request.request.method)).toEqual(["PATCH"]);
    expect(tool.operations.map(({ method }) => method)).toEqual(["PATCH", "PUT"]);
    expect(tool.reasons.at(-1)).toContain("Also replaces replacePet");
  });

  const fields = (required: readonly string[], more: JsonSchema = {}): JsonSchema => ({
    ...object({ name: { type: ["string", "null"] }, age: { type: ["integer", "null"], ...more } }),
    required: [...required],
  });

  it.each([
    { why: "requires less", less: fields([]), more: fields(["name"]), want: ["update_pet"] },
    {
      why: "requires the same",
      less: fields(["name"]),
      more: fields(["name"]),
      want: ["update_pet"],
    },
    {
      why: "requires more",
      less: fields(["age"]),
      more: fields(["name"]),
      want: ["update_pet_partially", "update_pet"],
    },
    {
      why: "takes something else",
      less: fields([], { minimum: 1 }),
      more: fields(["name"]),
      want: ["update_pet_partially", "update_pet"],
    },
  ])("where the PATCH $why", ({ less, more, want }) => {
    const own = { ...schemas, PatchedPet: less, FullPet: more };
    const pair = [
      patch({ operationId: "pets_partial_update", ...body("PatchedPet") }),
      put({ operationId: "pets_update", ...body("FullPet") }),
    ];
    expect(names(planned(pair, { schemas: own }))).toEqual(want);
  });

  it("are not merged where the PUT alone clears a field", () => {
    const text = sends(object({ name: { type: "string" } }));
    expect(refusal([patch(text), put(text)])).toBe("a PATCH cannot clear name.");
  });

  it.each<readonly [string, Partial<Operation>, string]>([
    ["bodies", body("Owner"), "their bodies differ."],
    ["results", { responses: [ok(ref("Owner"))] }, "their results differ."],
    [
      "inputs",
      { parameters: [parameter("path petId"), parameter("query force")] },
      "their inputs differ.",
    ],
    ["objects", { summary: "Replace the tags of a pet" }, "their words describe different things."],
    ["effects", { summary: "Create or replace a pet" }, "the PUT also creates."],
    ["credentials", { security: [{ key: [] }] }, "they need different credentials."],
  ])("are not merged with different %s", (_, rest, want) =>
    expect(
      refusal([patch(), put(rest)], {
        securitySchemes: { key: { kind: "apiKey", in: "header", name: "X-Key" } },
      }),
    ).toBe(want),
  );
});

describe("writes that are easily confused mention each other", () => {
  const described = (operations: readonly Operation[]): readonly string[] =>
    planned(operations).tools.map((tool) => tool.definition.description);
  const write = (at: string, operationId: string, schema: JsonSchema): Operation =>
    operation(at, {
      operationId,
      summary: operationId,
      body: { required: true, contents: [content(schema)] },
      responses: [ok(ref("Pet"))],
    });

  it("a replacement and a change", () => {
    const [, replace] = described([
      write("PATCH /pets/{petId}", "updatePet", ref("Pet")),
      write("PUT /pets/{petId}", "replacePet", object({ id: { type: "string" } })),
    ]);
    expect(replace).toMatch(/ To change only some of it, use update_pet\.$/);
  });

  it("not an addition by PUT", () => {
    const [, add] = described([
      write("PATCH /joke", "updateJoke", ref("Pet")),
      { ...write("PUT /joke", "addJoke", ref("Pet")), summary: "Add a new joke" },
    ]);
    expect(add).not.toContain("To change only some of it");
  });

  it("not writes of different things", () => {
    const [, replace] = described([
      { ...write("PATCH /pets/{petId}", "patchPet", ref("Pet")), summary: "Update tags of a pet" },
      { ...write("PUT /pets/{petId}", "putPet", ref("Pet")), summary: "Update a pet" },
    ]);
    expect(replace).not.toContain("To change only some of it");
  });

  it("a collection and an item", () => {
    const [many, one] = described([
      write("PUT /pets", "updatePets", listOf("Pet")),
      write("PUT /pets/{petId}", "updatePet", ref("Pet")),
    ]);
    expect(many).toMatch(/ For one of them use update_pet\.$/);
    expect(one).not.toContain("update_pets");
  });

  it("not one thing and its parts", () => {
    const [all] = described([
      { ...write("PUT /server/restart", "restart", ref("Pet")), summary: "Restart the server." },
      write("PUT /server/restart/{bridgeId}", "restartBridge", ref("Pet")),
    ]);
    expect(all).not.toContain("For one of them");
  });
});
