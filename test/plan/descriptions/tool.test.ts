import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import type { Operation } from "../../../src/model/types.js";
import { plan } from "../../../src/plan/index.js";
import { api, inputsOf, json, ok, operation, parameter, planned } from "../fixtures.js";

const pet = {
  type: "object",
  properties: {
    tags: { type: "array", items: {} },
    age: { type: "number" },
    name: { type: "string" },
    id: { type: "string" },
    secret: { type: "string", writeOnly: true },
  },
};
const describeOf = (at: string, rest: Partial<Operation> = {}): string =>
  planned(operation(at, rest)).tool.definition.description;

describe("a tool's description", () => {
  it.each([
    { why: "from nothing but the path", at: "GET /pets/{id}", rest: {}, want: "Get a pet." },
    {
      why: "what it belongs to",
      at: "POST /channels/{id}/messages",
      rest: { operationId: "createMessage" },
      want: "Create a message of the given channel.",
    },
    {
      why: "what it belongs to is said",
      at: "GET /channels/{id}/messages",
      rest: { operationId: "listChannelMessages" },
      want: "List channel messages.",
    },
    {
      why: "one thing in an envelope",
      at: "GET /pets/{id}",
      rest: { responses: [ok({ type: "object", properties: { ok: { type: "boolean" }, pet } })] },
      want: "Get a pet. Returns pet with id, name, age and tags.",
    },
    {
      why: "what stands beside the outcome",
      at: "GET /pets/{id}",
      rest: {
        responses: [
          ok({
            type: "object",
            properties: {
              ErrorCode: {},
              errors: { type: "array", items: pet },
              success: {},
              Data: pet,
            },
          }),
        ],
      },
      want: "Get a pet. Returns Data with id, name, age and tags.",
    },
    {
      why: "a list beside the outcome",
      at: "GET /pets",
      rest: {
        responses: [
          ok({
            type: "object",
            properties: { code: {}, message: {}, data: { type: "array", items: pet } },
          }),
        ],
      },
      want: "List pets. Returns data with id, name, age and tags.",
    },
    {
      why: "an outcome beside nothing that is known",
      at: "GET /pets/{id}",
      rest: {
        responses: [ok({ type: "object", properties: { code: {}, message: {}, data: {} } })],
      },
      want: "Get a pet. Returns code, message and data.",
    },
    {
      why: "a list among much about its pages",
      at: "GET /pets",
      rest: {
        responses: [
          ok({
            type: "object",
            properties: {
              end: {},
              first_page_uri: {},
              next_page_uri: {},
              page: {},
              page_size: {},
              previous_page_uri: {},
              start: {},
              uri: {},
              pets: { type: "array", items: pet },
            },
          }),
        ],
      },
      want: "List pets. Returns pets with id, name, age and tags.",
    },
    {
      why: "other spellings of what tells",
      at: "GET /pets/{id}",
      rest: {
        responses: [
          ok({
            type: "object",
            properties: { Labels: {}, CreatedAt: {}, State: {}, Name: {}, Id: {} },
          }),
        ],
      },
      want: "Get a pet. Returns Id, Name, State, CreatedAt and Labels.",
    },
    {
      why: "what comes back",
      at: "GET /pets/{id}",
      rest: { summary: "Get a pet", responses: [ok(pet)] },
      want: "Get a pet. Returns id, name, age and tags.",
    },
    {
      why: "a list",
      at: "GET /pets",
      rest: { summary: "List pets", responses: [ok({ type: "array", items: pet })] },
      want: "List pets. Returns items with id, name, age and tags.",
    },
    {
      why: "a list in an envelope",
      at: "GET /pets",
      rest: {
        responses: [
          ok({
            type: "object",
            properties: { total: { type: "integer" }, pets: { type: "array", items: pet } },
          }),
        ],
      },
      want: "List pets. Returns pets with id, name, age and tags; total.",
    },
    {
      why: "a plain value",
      at: "GET /pets/count",
      rest: { responses: [ok({ type: "integer" })] },
      want: "Count pets. Returns an integer.",
    },
    {
      why: "not the function's name again",
      at: "GET /pets/{id}",
      rest: { operationId: "pets_get_pets__id__get", summary: "Pets Get" },
      want: "Get a pet.",
    },
    {
      why: "nor an identifier",
      at: "GET /pets/{id}",
      rest: {
        operationId: "getPetsById",
        summary: "getPetsById()",
        description: "Weight included.",
      },
      want: "Get pet: Weight included.",
    },
    {
      why: "but what the description says",
      at: "POST /speech",
      rest: {
        operationId: "Text_to_speech",
        summary: "Text To Speech",
        description: "Converts text into speech.",
      },
      want: "Convert text into speech.",
    },
    {
      why: "what a safe method deletes",
      at: "GET /deletePad",
      rest: { operationId: "deletePadUsingGET" },
      want: "Delete a pad. Deletes data; cannot be undone.",
    },
    {
      why: "what a delete does",
      at: "DELETE /pets/{id}",
      rest: { summary: "Delete a pet" },
      want: "Delete a pet. Deletes data; cannot be undone.",
    },
    {
      why: "what a bulk delete does",
      at: "POST /messages/bulk-delete",
      rest: { operationId: "bulkDeleteMessages" },
      want: "Delete messages in bulk. Deletes data; cannot be undone.",
    },
    {
      why: "what a replacement does",
      at: "PUT /pets/{id}",
      rest: json({ type: "object", required: ["a"], properties: { a: {} } }),
      want: "Replace a pet. Replaces all of it; what is not given is lost.",
    },
    {
      why: "what only undoes",
      at: "DELETE /user/following/{name}",
      rest: { operationId: "unfollowUser" },
      want: "Unfollow user.",
    },
  ])("$why", ({ at, rest, want }) => {
    expect(describeOf(at, rest)).toBe(want);
  });

  it("has at most 1,000 characters, the middle cut visibly", () => {
    const text = describeOf("DELETE /pets/{id}", {
      summary: "Delete a pet",
      description: "It goes away. ".repeat(500),
      responses: [ok(pet)],
    });
    expect(text.length).toBeLessThanOrEqual(1000);
    expect(text).toMatch(
      /^Delete a pet\. It goes away\. .*…\[truncated\] Returns id, name, age and tags\. Deletes data; cannot be undone\.$/,
    );
  });

  it("shows nothing invisible", () => {
    expect(
      describeOf("GET /x", {
        summary: "Add",
        description: "Adds.\u{e0069}\u{e0067}\u202e\u200b\u001b[2J\u0000",
      }),
    ).not.toMatch(/[\u0000-\u001f\u200b\u202e\u{e0000}-\u{e007f}]/u);
  });

  it("says neither method nor path", () => {
    expect(describeOf("POST /very/special/path", { summary: "Do it" })).not.toMatch(/POST|\/very/);
  });

  it("is never the prefix of a namespace", () => {
    expect(
      planned(operation("GET /pets/{id}"), {}, { namespace: "shop" }).tool.definition,
    ).toMatchObject({ name: "shop_get_pet", title: "Get pet", description: "Get a pet." });
  });
});

describe("tools with the same description say what tells them apart", () => {
  const text = { summary: "Update the account" };
  it.each([
    {
      why: "an input that only one needs",
      operations: [
        operation("PATCH /account", { operationId: "updateAccount", ...text }),
        operation("PATCH /accounts/{account}", { operationId: "updateAccountById", ...text }),
      ],
      want: [
        "Update the account. With account use update_account_by_id.",
        "Update the account. Without account use update_account.",
      ],
    },
    {
      why: "words of their names",
      operations: [
        operation("GET /a/people", { operationId: "getPeople", ...text }),
        operation("GET /a/robots", { operationId: "getRobots", ...text }),
      ],
      want: [
        "Update the account. For robots use list_robots.",
        "Update the account. For people use list_people.",
      ],
    },
    {
      why: "nothing, when nothing does",
      operations: [
        operation("POST /a/people", { operationId: "createPerson", ...text }),
        operation("POST /a/persons", { operationId: "create_persons", ...text }),
      ],
      want: ["Update the account.", "Update the account."],
    },
    {
      why: "nothing, when only the method does",
      operations: [
        operation("GET /a/pad", { operationId: "createPadUsingGET", ...text }),
        operation("POST /a/pad", { operationId: "createPadUsingPOST", ...text }),
      ],
      want: ["Update the account.", "Update the account."],
    },
    {
      why: "nothing, when they differ",
      operations: [
        operation("GET /a", { summary: "Get a" }),
        operation("GET /b", { summary: "Get b" }),
      ],
      want: ["Get a.", "Get b."],
    },
  ])("$why", ({ operations, want }) => {
    expect(plan(api(operations)).tools.map((tool) => tool.definition.description)).toEqual(want);
  });
});

describe("operations of one path that share a title are called by their names", () => {
  const titled = (path: string, namespace?: string) =>
    plan(
      api([
        operation("POST /roles/{name}", { operationId: "writeRole", summary: "Manage roles" }),
        operation(`DELETE ${path}`, { operationId: "deleteRole", summary: "Manage roles" }),
        operation("GET /b", { summary: "Get b" }),
      ]),
      { ...(namespace && { namespace }) },
    ).tools.map((tool) => tool.definition.title);
  it.each([
    { path: "/roles/{name}", want: ["Write role", "Delete role", "Get b"] },
    { path: "/roles/{name}", namespace: "acme", want: ["Write role", "Delete role", "Get b"] },
    { path: "/groups/{name}", want: ["Manage roles", "Manage roles", "Get b"] },
  ])("$path $namespace", ({ path, namespace, want }) =>
    expect(titled(path, namespace)).toEqual(want),
  );
});

describe("an input's description", () => {
  const input = (name: string, schema: JsonSchema, description?: string): string =>
    inputsOf(
      planned(
        operation("GET /x", {
          parameters: [
            parameter(`query ${name}`, {
              schema,
              ...(description !== undefined && { description }),
            }),
          ],
        }),
      ).tool,
    )[name]!.description!;

  it.each([
    { name: "pet_id", schema: { type: "string" }, want: "Pet ID." },
    {
      name: "limit",
      schema: { type: "integer", minimum: 1, maximum: 100, default: 20 },
      text: "Most pets to return",
      want: "Most pets to return. 1 to 100. Default: 20.",
    },
    {
      name: "limit",
      schema: { type: "integer", maximum: 100 },
      text: "At most 100, default 20",
      want: "At most 100, default 20",
    },
    {
      name: "since",
      schema: { type: "string", format: "date-time" },
      text: "Start",
      want: "Start. Format: ISO 8601 date and time, such as 2026-01-31T12:00:00Z.",
    },
    {
      name: "since",
      schema: { type: "string", format: "date-time" },
      text: "ISO 8601 start",
      want: "ISO 8601 start",
    },
    {
      name: "ref",
      schema: { type: "string", format: "uuid4" },
      text: "Which",
      want: "Which. Format: UUID.",
    },
    { name: "n", schema: { type: "integer", format: "int64" }, text: "Number", want: "Number" },
    {
      name: "timeout_ms",
      schema: { type: "integer" },
      text: "How long",
      want: "How long. In milliseconds.",
    },
    {
      name: "kind",
      schema: { type: "string", format: "phone" },
      text: "Kind",
      want: "Kind. Format: phone.",
    },
    { name: "pet_name", schema: { type: "string" }, text: "petName", want: "Pet name." },
    { name: "entity", schema: { enum: ["a", "b"] }, text: "An enumeration.", want: "Entity." },
    {
      name: "name",
      schema: { type: "string" },
      text: "Optional. name of the pet",
      want: "Name of the pet",
    },
    {
      name: "name",
      schema: { type: "string" },
      text: "Required. Name of the pet",
      want: "Required. Name of the pet",
    },
    {
      name: "name",
      schema: { type: "string" },
      text: "Optional name of the pet",
      want: "Optional name of the pet",
    },
    {
      name: "isMobile",
      schema: { type: "boolean", default: false },
      want: "Whether it is mobile. Default: false.",
    },
    { name: "include_archived", schema: { type: "boolean" }, want: "Whether to include archived." },
    { name: "enabled", schema: { type: "boolean" }, want: "Whether it is enabled." },
    { name: "force", schema: { type: "boolean" }, want: "Force." },
    { name: "limit", schema: { type: "integer" }, want: "Most items to return." },
    { name: "limit", schema: { type: "string" }, want: "Limit." },
    { name: "page", schema: { anyOf: [{ type: "integer" }, { type: "null" }] }, want: "Page." },
    { name: "skip", schema: { type: "integer" }, want: "How many items to skip." },
    { name: "sort", schema: { type: "string", enum: ["asc", "desc"] }, want: "Sort direction." },
    { name: "orderBy", schema: { type: "string", enum: ["name", "id"] }, want: "What to sort by." },
    { name: "search", schema: { type: "string" }, want: "What to search for." },
    {
      name: "maxPayDate",
      schema: { type: "string", format: "date" },
      want: "Latest pay date. Format: date, YYYY-MM-DD.",
    },
    { name: "min_price", schema: { type: "number" }, want: "Lowest price." },
    { name: "min_price", schema: { type: "string" }, want: "Min price." },
    {
      name: "since",
      schema: { type: "string", format: "date" },
      want: "Start of the period. Format: date, YYYY-MM-DD.",
    },
    {
      name: "q",
      schema: { type: "string", deprecated: true },
      text: "**Words**",
      want: "Words. Deprecated.",
    },
  ])("$name: $want", ({ name, schema, text, want }) => {
    expect(input(name, schema, text)).toBe(want);
  });

  it.each([
    {
      why: "a field of the items",
      name: "species",
      schema: { type: "string" },
      want: "Only those with this species.",
    },
    {
      why: "in another spelling",
      name: "ownerId",
      schema: { type: "integer" },
      want: "Only those with this owner ID.",
    },
    { why: "no field of theirs", name: "mood", schema: { type: "string" }, want: "Mood." },
    { why: "how many there are", name: "count", schema: { type: "integer" }, want: "Count." },
  ])("is what it chooses by: $why", ({ name, schema, want }) => {
    const item = { type: "object", properties: { species: {}, owner_id: {}, count: {} } };
    const list = operation("GET /x", {
      parameters: [parameter(`query ${name}`, { schema })],
      responses: [ok({ type: "object", properties: { data: { type: "array", items: item } } })],
    });
    expect(inputsOf(planned(list).tool)[name]!.description).toBe(want);
  });

  it.each([
    { at: "PATCH /x", schema: { type: "object" }, want: "Fields to change, with their values." },
    { at: "POST /x", schema: { type: "array", items: {} }, want: "Items to send." },
    { at: "POST /x", schema: {}, want: "Body." },
  ])("of a whole body: $at $want", ({ at, schema, want }) => {
    expect(inputsOf(planned(operation(at, json(schema))).tool)["body"]!.description).toBe(want);
  });

  it("is there for every field of a body, and says what the schema cannot", () => {
    const { tool } = planned(
      operation(
        "POST /x",
        json({
          type: "object",
          properties: {
            a: { type: "string", enum: Array.from({ length: 60 }, (_, i) => `v${i}`) },
            b: { $ref: "#/$defs/B" },
          },
        }),
      ),
      { schemas: { B: { type: "string", description: "The B." } } },
    );
    expect(inputsOf(tool).a!.description).toBe(
      'A. One of 60 values, such as "v0", "v1", "v2", "v3", "v4".',
    );
    expect(inputsOf(tool).b!.description).toBe("The B.");
  });

  it.each([
    {
      why: "titles",
      schema: {
        oneOf: [
          { const: 0, title: "ROLE" },
          { const: 1, title: "MEMBER" },
        ],
      },
      want: "Kind. 0 = ROLE, 1 = MEMBER.",
    },
    {
      why: "descriptions",
      schema: {
        anyOf: [
          { enum: [1], title: "BEST", description: "Best quality." },
          { enum: [2], description: "720p" },
        ],
      },
      want: "Kind. 1 = Best quality, 2 = 720p.",
    },
    {
      why: "words that say more",
      schema: {
        oneOf: [
          { const: "fast", title: "FAST", description: "Quick but rough." },
          { const: "slow" },
        ],
      },
      want: "Kind. fast = Quick but rough.",
    },
    {
      why: "a few of them",
      schema: {
        oneOf: [
          { const: 1, description: "x".repeat(90), title: "ONE" },
          { const: 2, title: "TWO" },
        ],
      },
      want: "Kind. 1 = ONE, 2 = TWO.",
    },
    {
      why: "very many",
      schema: { oneOf: Array.from({ length: 50 }, (_, i) => ({ const: i, title: `CODE_${i}` })) },
      want: /^Kind\. 0 = CODE_0, .* and \d+ more\.$/,
    },
    {
      why: "words, which need none",
      schema: {
        oneOf: [
          { const: "asc", title: "Ascending" },
          { const: "desc", title: "Descending" },
        ],
      },
      want: "Kind.",
    },
  ] as const)("says what codes mean: $why", ({ schema, want }) => {
    const text = input("kind", schema as JsonSchema);
    if (typeof want === "string") expect(text).toBe(want);
    else expect(text).toMatch(want);
  });

  it("says that it is deprecated", () => {
    const { tool } = planned(
      operation("GET /x", {
        parameters: [parameter("query q", { deprecated: true, description: "Words" })],
      }),
    );
    expect(inputsOf(tool).q!.description).toBe("Words. Deprecated.");
  });
});
