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
  planned(operation(at, rest), {}, { includeDeprecated: true }).tool.definition.description;

describe("tool descriptions", () => {
  it.each([
    {
      reason: "from nothing but the path",
      at: "GET /pets/{id}",
      rest: {},
      expected: "Get a pet.",
    },
    {
      reason: "the purpose before a note about who may call",
      at: "GET /pets/map",
      rest: {
        summary: "Map",
        description: "**Access:** Any authenticated user. Get the map of all pets.",
      },
      expected: "Get the map of all pets. Access: Any authenticated user.",
    },
    {
      reason: "a purpose of the name before such a note alone",
      at: "POST /pets",
      rest: { description: "Required role: admin" },
      expected: "Create a pet. Required role: admin.",
    },
    {
      reason: "the text about the response where there is no other",
      at: "GET /receipts/{id}/pdf",
      rest: { responses: [{ ...ok({}), description: "The PDF of a receipt for its owner" }] },
      expected: "Get the PDF of a receipt for its owner.",
    },
    {
      reason: "the name before a response that does not say all of it",
      at: "GET /export/pdf/receipts/{id}",
      rest: {
        responses: [{ ...ok({}), description: "A particular receipt in its printed form." }],
      },
      expected: "Get a PDF receipt: A particular receipt in its printed form.",
    },
    {
      reason: "a sentence about the response that says what the operation does",
      at: "GET /stages/{stage}",
      rest: { responses: [{ ...ok({}), description: "Get all the cards of a stage" }] },
      expected: "Get all the cards of a stage.",
    },
    {
      reason: "no text about the outcome of the call",
      at: "GET /receipts/{id}/pdf",
      rest: { responses: [{ ...ok({}), description: "The PDF of a receipt was returned" }] },
      expected: "Get a receipt PDF.",
    },
    {
      reason: "a verb that is a noun of what is read",
      at: "GET /sends/data",
      rest: {
        operationId: "sendAnalytics",
        summary: "Send Analytics",
        description: "This endpoint allows you to retrieve a series of statistics for a send.",
      },
      expected: "Retrieve a series of statistics for a send.",
    },
    {
      reason: "no verb that a longer title starts with",
      at: "GET /tests/pip/{name}",
      rest: {
        operationId: "getTestPip",
        summary: "Test for issues in a public package",
        description: "You can test packages.",
      },
      expected: "Test for issues in a public package. You can test packages.",
    },
    {
      reason: "no announcement of examples that are not shown",
      at: "GET /pets",
      rest: {
        summary: "Search for pets",
        description: "They have no order. Example responses for cats are below:",
      },
      expected: "Search for pets. They have no order.",
    },
    {
      reason: "a sentence in another language that starts with a verb",
      at: "PUT /repertoire",
      rest: {
        operationId: "repertoire",
        summary: "Gestion repertoire (modification)",
        description: "Ajoute ou supprime une liste de contacts.",
      },
      expected: "Ajoute ou supprime une liste de contacts. Gestion repertoire (modification).",
    },
    {
      reason: "an object that each item wraps",
      at: "GET /pets",
      rest: {
        operationId: "getPets",
        responses: [
          ok({
            type: "array",
            items: { type: "object", properties: { value: pet, links: { type: "array" } } },
          }),
        ],
      },
      expected: "List pets. Returns items.value with id, name, age and tags.",
    },
    {
      reason: "objects by their keys",
      at: "GET /pets",
      rest: {
        operationId: "getPets",
        summary: "Get pets",
        responses: [ok({ type: "object", additionalProperties: { allOf: [pet] } })],
      },
      expected: "Get pets. Returns entries by key, each with id, name, age and tags.",
    },
    {
      reason: "numbers by their keys",
      at: "GET /pets/counts",
      rest: {
        operationId: "getPetCounts",
        summary: "Get counts of pets",
        responses: [ok({ type: "object", additionalProperties: { type: "integer" } })],
      },
      expected: "Get counts of pets. Returns numbers by key.",
    },
    {
      reason: "nothing of keys whose values may be anything",
      at: "GET /pets/metadata",
      rest: {
        operationId: "getPetMetadata",
        summary: "Get metadata of pets",
        responses: [ok({ type: "object", additionalProperties: {} })],
      },
      expected: "Get metadata of pets.",
    },
    {
      reason: "a summary that begins with the tag",
      at: "POST /power",
      rest: { operationId: "power", summary: "Math - Calculate a power", tags: ["Math"] },
      expected: "Calculate a power.",
    },
    {
      reason: "no type of a file where the server gets JSON",
      at: "GET /rates",
      rest: {
        operationId: "getRates",
        responses: [
          {
            ...ok({}),
            contents: ["json", "xml"].map((type) => ({
              ...ok({}).contents[0]!,
              mediaType: `application/${type}`,
            })),
          },
        ],
      },
      expected: "Get rates.",
    },
    {
      reason: "an adjective of which there is one",
      at: "GET /beds/{bed_id}/readings/latest",
      rest: { operationId: "latest_reading" },
      expected: "Get the latest reading of the given bed.",
    },
    {
      reason: "a summary that a generator made from the path",
      at: "PUT /stations/{station_id}/mute",
      rest: {
        operationId: "put-stations-by-station-id-mute",
        summary: "Put stations by station ID mute",
        responses: [
          ok({
            type: "object",
            properties: { "@odata.count": {}, value: { type: "array", items: pet } },
          }),
        ],
      },
      expected: "Mute station. Returns value with id, name, age and tags.",
    },
    {
      reason: "all items that are lost",
      at: "DELETE /pets",
      rest: { operationId: "deleteAll", summary: "Remove the specified resource from storage." },
      expected: "Delete all pets.",
    },
    {
      reason: "another plain verb than that of the name",
      at: "GET /pets",
      rest: {
        operationId: "getPets",
        summary: "Get pets",
        responses: [ok({ type: "array", items: pet })],
      },
      expected: "Get pets. Returns items with id, name, age and tags.",
    },
    {
      reason: "a title about the result of an update",
      at: "PUT /pets/{id}/state",
      rest: {
        operationId: "updatePetState",
        summary: "Return the state of a pet",
        ...json({ type: "object", properties: { a: {} } }),
      },
      expected: "Update pet state. Return the state of a pet.",
    },
    {
      reason: "an outcome as the title of a check",
      at: "GET /tokens/check",
      rest: { operationId: "checkToken", summary: "Returns true if the token is valid" },
      expected: "Check token. Returns true if the token is valid.",
    },
    {
      reason: "a remark about the operation",
      at: "GET /runs",
      rest: { operationId: "getRuns", description: "This is an internal endpoint." },
      expected: "List runs. This is an internal endpoint.",
    },
    {
      reason: "a verb in the third person that may be a noun",
      at: "GET /pets",
      rest: {
        operationId: "getPets",
        summary: "Searches small pets",
        responses: [ok({ type: "array", items: pet })],
      },
      expected: "Search small pets. Returns items with id, name, age and tags.",
    },
    {
      reason: "a title and a sentence with synonyms",
      at: "POST /tasks/{id}/stories",
      rest: { summary: "Create a story on a task", description: "Adds a story to a task." },
      expected: "Add a story to a task.",
    },
    {
      reason: "its own path in place of this endpoint",
      at: "POST /refund/cancel",
      rest: {
        operationId: "refundCancel",
        summary: "Cancel a refund",
        description: "Use the `/refund/cancel` endpoint to cancel a refund. Money stays.",
      },
      expected: "Cancel a refund. Money stays.",
    },
    {
      reason: "the text of a comment before other values",
      at: "GET /comments/{id}",
      rest: {
        summary: "Get a comment",
        responses: [
          ok({
            type: "object",
            properties: { id: {}, a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, body: {} },
          }),
        ],
      },
      expected: "Get a comment. Returns id, body, a, b, c, d and 2 more fields.",
    },
    {
      reason: "an adverb before the verb",
      at: "POST /users/presence",
      rest: { operationId: "setPresence", summary: "Manually sets user presence" },
      expected: "Manually set user presence.",
    },
    {
      reason: "no name below a summary",
      at: "GET /account",
      rest: {
        operationId: "getInfo",
        summary: "Information about the account",
        description: "getInfo",
      },
      expected: "Get information about the account.",
    },
    {
      reason: "no ID that the name adds",
      at: "DELETE /cards/{idCard}/website",
      rest: {
        operationId: "deleteCardsWebsiteByIdCard",
        summary: "deleteCardsWebsiteByIdCard()",
      },
      expected: "Delete a card website.",
    },
    {
      reason: "a verb that the name shows",
      at: "POST /kiosks:import",
      rest: { operationId: "importKiosks", summary: "Imports kiosks from Cloud Storage" },
      expected: "Import kiosks from Cloud Storage.",
    },
    {
      reason: "an object with a list inside an envelope",
      at: "GET /orders/{id}",
      rest: {
        operationId: "getOrder",
        responses: [
          ok({
            type: "object",
            properties: {
              success: { type: "boolean" },
              data: {
                type: "object",
                properties: {
                  orderId: { type: "integer" },
                  customer: { type: "string" },
                  items: { type: "array", items: pet },
                },
              },
            },
          }),
        ],
      },
      expected: "Get an order. Returns data with orderId, customer and items.",
    },
    {
      reason: "the article before a consonant sound",
      at: "POST /services/{id}/users",
      rest: { operationId: "createUser" },
      expected: "Create a user of the given service.",
    },
    {
      reason: "what it belongs to",
      at: "POST /channels/{id}/messages",
      rest: { operationId: "createMessage" },
      expected: "Create a message of the given channel.",
    },
    {
      reason: "what it belongs to is said",
      at: "GET /channels/{id}/messages",
      rest: { operationId: "listChannelMessages", deprecated: true },
      expected: "List channel messages. Deprecated.",
    },
    {
      reason: "one thing in an envelope",
      at: "GET /pets/{id}",
      rest: { responses: [ok({ type: "object", properties: { ok: { type: "boolean" }, pet } })] },
      expected: "Get a pet. Returns pet with id, name, age and tags.",
    },
    {
      reason: "what stands beside the outcome",
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
      expected: "Get a pet. Returns Data with id, name, age and tags.",
    },
    {
      reason: "a list beside the outcome",
      at: "GET /pets",
      rest: {
        responses: [
          ok({
            type: "object",
            properties: { code: {}, message: {}, data: { type: "array", items: pet } },
          }),
        ],
      },
      expected: "List pets. Returns data with id, name, age and tags.",
    },
    {
      reason: "an outcome beside nothing that is known",
      at: "GET /pets/{id}",
      rest: {
        responses: [ok({ type: "object", properties: { code: {}, message: {}, data: {} } })],
      },
      expected: "Get a pet.",
    },
    {
      reason: "a list inside two envelopes",
      at: "GET /pets",
      rest: {
        responses: [
          ok({
            type: "object",
            properties: {
              data: {
                type: "object",
                properties: { pets: { type: "array", items: pet }, revision: {} },
              },
            },
          }),
        ],
      },
      expected: "List pets. Returns data.pets with id, name, age and tags; revision.",
    },
    {
      reason: "the resource beside others",
      at: "POST /pets",
      rest: {
        responses: [
          ok({
            type: "object",
            properties: {
              job: { type: "object", properties: { id: {} } },
              pet,
              errors: { type: "array", items: {} },
            },
          }),
        ],
      },
      expected: "Create a pet. Returns pet with id, name, age and tags; job.",
    },
    {
      reason: "the object beside the outcome alone",
      at: "GET /pets/{id}",
      rest: {
        responses: [
          ok({ type: "object", properties: { status: {}, error: {}, meta: pet, links: pet } }),
        ],
      },
      expected: "Get a pet. Returns meta with id, name, age and tags.",
    },
    {
      reason: "a list of results beside much else",
      at: "GET /pets/search",
      rest: {
        responses: [
          ok({
            type: "object",
            properties: {
              ...Object.fromEntries([..."abcdefghi"].map((name) => [name, {}])),
              facets: { type: "array", items: { type: "object", properties: { count: {} } } },
              hits: { type: "array", items: pet },
            },
          }),
        ],
      },
      expected: "Search pets. Returns hits with id, name, age and tags; a; b.",
    },
    {
      reason: "a list beside an object about it, whatever the path is",
      at: "GET /pets/search",
      rest: {
        responses: [
          ok({
            type: "object",
            properties: {
              sort: { type: "object", properties: { clauses: {} } },
              animals: { type: "array", items: pet },
            },
          }),
        ],
      },
      expected: "Search pets. Returns animals with id, name, age and tags; sort.",
    },
    {
      reason: "the only object rather than warnings",
      at: "GET /routers/{id}",
      rest: {
        responses: [
          ok({
            type: "object",
            properties: {
              path: pet,
              warnings: {
                type: "array",
                items: { type: "object", properties: { a: {}, b: {}, c: {}, d: {}, e: {} } },
              },
            },
          }),
        ],
      },
      expected: "Get a router. Returns path with id, name, age and tags.",
    },
    {
      reason: "nothing about the outcome alone",
      at: "POST /pets/{id}/adopt",
      rest: { responses: [ok({ type: "object", properties: { ok: {}, error: {} } })] },
      expected: "Adopt pet.",
    },
    {
      reason: "a list among much about its pages",
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
      expected: "List pets. Returns pets with id, name, age and tags.",
    },
    {
      reason: "other spellings of what tells",
      at: "GET /pets/{id}",
      rest: {
        responses: [
          ok({
            type: "object",
            properties: { Labels: {}, CreatedAt: {}, State: {}, Name: {}, Id: {} },
          }),
        ],
      },
      expected: "Get a pet. Returns Id, Name, State, CreatedAt and Labels.",
    },
    {
      reason: "a verb alone, with the object of the name",
      at: "POST /hooks/{id}/disable",
      rest: { operationId: "disable_hook", summary: "Disable", description: "It stays." },
      expected: "Disable a hook. It stays.",
    },
    {
      reason: "a verb with a selection alone, with the object of the name",
      at: "GET /owners/{id}/pets",
      rest: { operationId: "list_owner_pets", summary: "Get by owner" },
      expected: "List owner pets.",
    },
    {
      reason: "a verb with a selection that the name lacks",
      at: "GET /pets/by-chip/{chip}",
      rest: { operationId: "get_pet", summary: "Get by chip number" },
      expected: "Get a pet by chip number.",
    },
    {
      reason: "a noun with a selection",
      at: "GET /comments/{id}",
      rest: { operationId: "get_comment", summary: "Comment by id" },
      expected: "Get comment by id.",
    },
    {
      reason: "the text of a response in place of the operation's",
      at: "POST /hooks",
      rest: { operationId: "createHook", description: "Success" },
      expected: "Create a hook.",
    },
    {
      reason: "a title that names what a tool reads, as the object of its verb",
      at: "GET /blocks/{id}/addresses",
      rest: { operationId: "list_addresses", summary: "Addresses affected in a specific block" },
      expected: "List addresses affected in a specific block.",
    },
    {
      reason: "a title that may be a sentence with an unknown verb",
      at: "GET /factors/{id}",
      rest: { operationId: "get_factor", summary: "Polls factors for their status" },
      expected: "Get factor: Polls factors for their status.",
    },
    {
      reason: "identifiers, states and parts rather than the first fields, and how many more",
      at: "GET /workflows/{id}",
      rest: {
        operationId: "get_workflow",
        responses: [
          ok({
            type: "object",
            properties: {
              color: {},
              icon: {},
              size: {},
              links: { type: "object" },
              shape: {},
              nodes: { type: "array", items: { type: "object", properties: { id: {} } } },
              connections: { type: "object", properties: { from: {} } },
              run_state: {},
              owner_id: {},
              workflowId: {},
            },
          }),
        ],
      },
      expected:
        "Get a workflow. Returns workflowId, run_state, owner_id, nodes, connections, color and " +
        "4 more fields.",
    },
    {
      reason: "what comes back",
      at: "GET /pets/{id}",
      rest: { summary: "Get a pet", responses: [ok(pet)] },
      expected: "Get a pet. Returns id, name, age and tags.",
    },
    {
      reason: "a list",
      at: "GET /pets",
      rest: { summary: "List pets", responses: [ok({ type: "array", items: pet })] },
      expected: "List pets. Returns items with id, name, age and tags.",
    },
    {
      reason: "a list in an envelope",
      at: "GET /pets",
      rest: {
        responses: [
          ok({
            type: "object",
            properties: { total: { type: "integer" }, pets: { type: "array", items: pet } },
          }),
        ],
      },
      expected: "List pets. Returns pets with id, name, age and tags; total.",
    },
    {
      reason: "a plain value",
      at: "GET /pets/count",
      rest: { responses: [ok({ type: "integer" })] },
      expected: "Count pets. Returns an integer.",
    },
    {
      reason: "not the function's name again",
      at: "GET /pets/{id}",
      rest: { operationId: "pets_get_pets__id__get", summary: "Pets Get" },
      expected: "Get a pet.",
    },
    {
      reason: "nor an identifier",
      at: "GET /pets/{id}",
      rest: {
        operationId: "getPetsById",
        summary: "getPetsById()",
        description: "Weight included.",
      },
      expected: "Get pet: Weight included.",
    },
    {
      reason: "but what the description says",
      at: "POST /speech",
      rest: {
        operationId: "Text_to_speech",
        summary: "Text To Speech",
        description: "Converts text into speech.",
      },
      expected: "Convert text into speech.",
    },
    {
      reason: "what a safe method deletes",
      at: "GET /deletePad",
      rest: { operationId: "deletePadUsingGET", deprecated: true },
      expected: "Delete a pad. Deprecated.",
    },
    {
      reason: "what a delete does",
      at: "DELETE /pets/{id}",
      rest: { summary: "Delete a pet", deprecated: true },
      expected: "Delete a pet. Deprecated.",
    },
    {
      reason: "what the document says that cannot be undone",
      at: "DELETE /pets/{id}",
      rest: {
        summary: "Delete a pet",
        description: `${"It goes away. ".repeat(90)}This is irreversible.`,
      },
      expected: expect.stringMatching(
        /^Delete a pet\. .*…\[truncated\] This is irreversible\.$/,
      ) as string,
    },
    {
      reason: "what a bulk delete does",
      at: "POST /messages/bulk-delete",
      rest: { operationId: "bulkDeleteMessages", deprecated: true },
      expected: "Delete messages in bulk. Deprecated.",
    },
    {
      reason: "what a replacement does",
      at: "PUT /pets/{id}",
      rest: {
        ...json({ type: "object", required: ["a"], properties: { a: {} } }),
        deprecated: true,
      },
      expected: "Replace a pet. Deprecated.",
    },
    {
      reason: "an empty response",
      at: "DELETE /pets/{id}",
      rest: { responses: [{ status: "204", contents: [], headers: [] }] },
      expected: "Delete a pet.",
    },
    {
      reason: "another media type",
      at: "GET /pets/{id}/photo",
      rest: { responses: [ok({}, "200", "image/png")] },
      expected: "Get a pet photo. Returns image/png.",
    },
    {
      reason: "what only undoes",
      at: "DELETE /user/following/{name}",
      rest: { operationId: "unfollowUser", deprecated: true },
      expected: "Unfollow user. Deprecated.",
    },
  ])("$reason", ({ at, rest, expected }) => {
    expect(describeOf(at, rest)).toEqual(expected);
  });

  it("has at most 1,000 characters and marks the truncated middle", () => {
    const text = describeOf("DELETE /pets/{id}", {
      summary: "Delete a pet",
      description: "It goes away. ".repeat(500),
      responses: [ok(pet)],
    });
    expect(text.length).toBeLessThanOrEqual(1000);
    expect(text).toMatch(
      /^Delete a pet\. It goes away\. .*…\[truncated\] Returns id, name, age and tags\.$/,
    );
  });

  it("keeps the whole text beside a shortened description, and only there", () => {
    const description = "It goes away. ".repeat(90);
    const { definition } = planned(operation("DELETE /pets/{id}", { description })).tool;
    expect(definition.fullDescription?.length).toBeGreaterThan(1200);
    expect(definition.fullDescription).not.toContain("[truncated]");
    const { tool } = planned(operation("DELETE /pets/{id}", { description: "It goes away." }));
    expect(tool.definition).not.toHaveProperty("fullDescription");
  });

  it("removes invisible characters", () => {
    expect(
      describeOf("GET /x", {
        summary: "Add",
        description: "Adds.\u{e0069}\u{e0067}\u202e\u200b\u001b[2J\u0000",
      }),
    ).not.toMatch(/[\u0000-\u001f\u200b\u202e\u{e0000}-\u{e007f}]/u);
  });

  it("contains neither method nor path", () => {
    expect(describeOf("POST /very/special/path", { summary: "Do it" })).not.toMatch(/POST|\/very/);
  });

  it("does not contain the namespace", () => {
    expect(
      planned(operation("GET /pets/{id}"), {}, { namespace: "shop" }).tool.definition,
    ).toMatchObject({
      name: "shop_get_pet",
      title: "Get pet",
      description: "Get a pet.",
    });
  });
});

describe("equal descriptions get a distinguishing sentence", () => {
  const text = { summary: "Update the account" };
  it.each([
    {
      reason: "an input that only one needs",
      operations: [
        operation("PATCH /account", { operationId: "updateAccount", ...text }),
        operation("PATCH /accounts/{account}", { operationId: "updateAccountById", ...text }),
      ],
      expected: [
        "Update the account. With account use update_account_by_id.",
        "Update the account. Without account use update_account.",
      ],
    },
    {
      reason: "words of their names",
      operations: [
        operation("GET /a/people", { operationId: "getPeople", ...text }),
        operation("GET /a/robots", { operationId: "getRobots", ...text }),
      ],
      expected: [
        "Update the account. For robots use list_robots.",
        "Update the account. For people use list_people.",
      ],
    },
    {
      reason: "no adverb",
      operations: [
        operation("POST /tweet", { summary: "Create a tweet for a thing" }),
        operation("POST /tweet/quietly", { summary: "Create a tweet for a thing" }),
      ],
      expected: ["Create a tweet for a thing.", "Create a tweet for a thing."],
    },
    {
      reason: "nothing, when nothing does",
      operations: [
        operation("POST /a/people", { operationId: "createPerson", ...text }),
        operation("POST /a/persons", { operationId: "create_persons", ...text }),
      ],
      expected: ["Update the account.", "Update the account."],
    },
    {
      reason: "nothing, when only the method does",
      operations: [
        operation("GET /a/pad", { operationId: "createPadUsingGET", ...text }),
        operation("POST /a/pad", {
          operationId: "createPadUsingPOST",
          ...text,
          security: [],
        }),
      ],
      expected: ["Update the account.", "Update the account."],
    },
    {
      reason: "nothing, when they differ",
      operations: [
        operation("GET /a", { summary: "Get a quickly" }),
        operation("GET /b", { summary: "Get b quickly" }),
      ],
      expected: ["Get a quickly.", "Get b quickly."],
    },
  ])("$reason", ({ operations, expected }) => {
    expect(plan(api(operations)).tools.map((tool) => tool.definition.description)).toEqual(
      expected,
    );
  });
});

describe("shared titles of one path are replaced by names", () => {
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
    { path: "/roles/{name}", expected: ["Write role", "Delete role", "Get b"] },
    { path: "/roles/{name}", namespace: "acme", expected: ["Write role", "Delete role", "Get b"] },
    { path: "/groups/{name}", expected: ["Manage roles", "Manage roles", "Get b"] },
  ])("$path $namespace", ({ path, namespace, expected }) =>
    expect(titled(path, namespace)).toEqual(expected),
  );
});

describe("input descriptions", () => {
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
    { name: "pet_id", schema: { type: "string" }, expected: undefined },
    {
      name: "limit",
      schema: { type: "integer", minimum: 1, maximum: 100, default: 20 },
      text: "Most pets to return",
      expected: "Most pets to return. 1 to 100. Default: 20.",
    },
    {
      name: "limit",
      schema: { type: "integer", maximum: 100, default: 500 },
      text: "Most pets to return",
      expected: "Most pets to return. At most 100.",
    },
    {
      name: "limit",
      schema: { type: "integer", maximum: 100 },
      text: "At most 100, default 20",
      expected: "At most 100, default 20",
    },
    {
      name: "since",
      schema: { type: "string", format: "date-time" },
      text: "Start",
      expected: "Start. Format: ISO 8601 date and time, such as 2026-01-31T12:00:00Z.",
    },
    {
      name: "since",
      schema: { type: "string", format: "date-time" },
      text: "ISO 8601 start",
      expected: "ISO 8601 start",
    },
    { name: "n", schema: { type: "integer", format: "int64" }, text: "Number", expected: "Number" },
    {
      name: "timeout_ms",
      schema: { type: "integer" },
      text: "How long",
      expected: "How long. In milliseconds.",
    },
    {
      name: "kind",
      schema: { type: "string", format: "phone" },
      text: "Kind",
      expected: "Format: phone.",
    },
    { name: "pet_name", schema: { type: "string" }, text: "petName", expected: undefined },
    { name: "entity", schema: { enum: ["a", "b"] }, text: "An enumeration.", expected: undefined },
    {
      name: "name",
      schema: { type: "string" },
      text: "Optional. name of the pet",
      expected: "Name of the pet",
    },
    {
      name: "name",
      schema: { type: "string" },
      text: "Required. Name of the pet",
      expected: "Required. Name of the pet",
    },
    {
      name: "name",
      schema: { type: "string" },
      text: "Optional name of the pet",
      expected: "Optional name of the pet",
    },
    {
      name: "isMobile",
      schema: { type: "boolean", default: false },
      expected: "Whether it is mobile. Default: false.",
    },
    {
      name: "isBodyCompressed",
      schema: { type: "boolean" },
      expected: "Whether the body is compressed.",
    },
    { name: "isBodyHtml", schema: { type: "boolean" }, expected: undefined },
    {
      name: "include_archived",
      schema: { type: "boolean" },
      expected: "Whether to include archived.",
    },
    { name: "enabled", schema: { type: "boolean" }, expected: "Whether it is enabled." },
    { name: "force", schema: { type: "boolean" }, expected: undefined },
    { name: "limit", schema: { type: "integer" }, expected: "Maximum number of items to return." },
    { name: "limit", schema: { type: "string" }, expected: undefined },
    {
      name: "page",
      schema: { anyOf: [{ type: "integer" }, { type: "null" }] },
      expected: undefined,
    },
    { name: "skip", schema: { type: "integer" }, expected: "Number of items to skip." },
    {
      name: "sort",
      schema: { type: "string", enum: ["asc", "desc"] },
      expected: "Sort direction.",
    },
    {
      name: "orderBy",
      schema: { type: "string", enum: ["name", "id"] },
      expected: "Sort criterion.",
    },
    { name: "search", schema: { type: "string" }, expected: "Text to search for." },
    {
      name: "maxPayDate",
      schema: { type: "string", format: "date" },
      expected: "Latest pay date. Format: date, YYYY-MM-DD.",
    },
    { name: "min_price", schema: { type: "number" }, expected: "Lowest price." },
    { name: "min_price", schema: { type: "string" }, expected: undefined },
    {
      name: "since",
      schema: { type: "string", format: "date" },
      expected: "Start of the period. Format: date, YYYY-MM-DD.",
    },
    {
      name: "q",
      schema: { type: "string", deprecated: true },
      text: "**Words**",
      expected: "Words. Deprecated.",
    },
  ])("$name: $expected", ({ name, schema, text, expected }) => {
    expect(input(name, schema, text)).toBe(expected);
  });

  it.each([
    {
      reason: "a field of the items",
      name: "species",
      schema: { type: "string" },
      expected: "Only those with this species.",
    },
    {
      reason: "in another spelling",
      name: "ownerId",
      schema: { type: "integer" },
      expected: "Only those with this owner ID.",
    },
    { reason: "no field of theirs", name: "mood", schema: { type: "string" }, expected: undefined },
    {
      reason: "how many there are",
      name: "count",
      schema: { type: "integer" },
      expected: undefined,
    },
  ])("describes filters: $reason", ({ name, schema, expected }) => {
    const item = { type: "object", properties: { species: {}, owner_id: {}, count: {} } };
    const list = operation("GET /x", {
      parameters: [parameter(`query ${name}`, { schema })],
      responses: [ok({ type: "object", properties: { data: { type: "array", items: item } } })],
    });
    expect(inputsOf(planned(list).tool)[name]!.description).toBe(expected);
  });

  it.each([
    {
      at: "PATCH /x",
      schema: { type: "object" },
      expected: "Fields to change, with their values.",
    },
    { at: "POST /x", schema: { type: "array", items: {} }, expected: "Items to send." },
    { at: "POST /x", schema: {}, expected: undefined },
  ])("describes a whole body: $at $expected", ({ at, schema, expected }) => {
    expect(inputsOf(planned(operation(at, json(schema))).tool)["body"]!.description).toBe(expected);
  });

  it("covers every field of a body and constraints outside the schema", () => {
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
      'One of 60 values, such as "v0", "v1", "v2", "v3", "v4".',
    );
    expect(inputsOf(tool).b!.description).toBe("The B.");
  });

  it.each([
    {
      reason: "titles",
      schema: {
        oneOf: [
          { const: 0, title: "ROLE" },
          { const: 1, title: "MEMBER" },
        ],
      },
      expected: "0 = ROLE, 1 = MEMBER.",
    },
    {
      reason: "descriptions",
      schema: {
        anyOf: [
          { enum: [1], title: "BEST", description: "Best quality." },
          { enum: [2], description: "720p" },
        ],
      },
      expected: "1 = Best quality, 2 = 720p.",
    },
    {
      reason: "words that say more",
      schema: {
        oneOf: [
          { const: "fast", title: "FAST", description: "Quick but rough." },
          { const: "slow" },
        ],
      },
      expected: "fast = Quick but rough.",
    },
    {
      reason: "a few of them",
      schema: {
        oneOf: [
          { const: 1, description: "x".repeat(90), title: "ONE" },
          { const: 2, title: "TWO" },
        ],
      },
      expected: "1 = ONE, 2 = TWO.",
    },
    {
      reason: "very many",
      schema: { oneOf: Array.from({ length: 50 }, (_, i) => ({ const: i, title: `CODE_${i}` })) },
      expected: /^0 = CODE_0, .* and \d+ more\.$/,
    },
    {
      reason: "words, which need none",
      schema: {
        oneOf: [
          { const: "asc", title: "Ascending" },
          { const: "desc", title: "Descending" },
        ],
      },
      expected: undefined,
    },
  ] as const)("lists the meanings of codes: $reason", ({ schema, expected }) => {
    const text = input("kind", schema as JsonSchema);
    if (expected instanceof RegExp) expect(text).toMatch(expected);
    else expect(text).toBe(expected);
  });

  it("mentions deprecation", () => {
    const { tool } = planned(
      operation("GET /x", {
        parameters: [parameter("query q", { deprecated: true, description: "Words" })],
      }),
    );
    expect(inputsOf(tool).q!.description).toBe("Words. Deprecated.");
  });
});
