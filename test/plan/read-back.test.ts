import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../src/json.js";
import type { Operation, Response } from "../../src/model/types.js";
import { plan } from "../../src/plan/index.js";
import type { ToolPlan } from "../../src/plan/types.js";
import { configuredPlan } from "./configuration/fixtures.js";
import { api, codesOf, json, ok, operation, parameter } from "./fixtures.js";

const text: JsonSchema = { type: "string" };
const empty: Response = { status: "204", description: "Done", contents: [], headers: [] };
const pet: JsonSchema = { type: "object", properties: { id: text, name: text } };
const getPet = operation("GET /pets/{petId}", { responses: [ok(pet)] });
const listPets = operation("GET /pets", { responses: [ok({ type: "array", items: pet })] });
const file = ok({ type: "string", format: "binary" }, "200", "application/octet-stream");
const FILE = json({ type: "string", format: "binary" }).body!.contents[0]!;
const body = json({ type: "object", properties: { name: text } });
const write = (at: string, rest: Partial<Operation> = {}) =>
  operation(at, { ...body, responses: [empty], ...rest });
const silent = (at: string, rest: Partial<Operation> = {}) =>
  operation(at, { responses: [empty], ...rest });

/** The reads back of the operations of a plan, by operation. */
function readsBack({ tools }: ToolPlan): Readonly<Record<string, unknown>> {
  const bindings = tools.flatMap(({ definition }) => definition.operations);
  return Object.fromEntries(
    bindings.flatMap(({ request: { method, path }, readBack }) =>
      readBack ? [[`${method} ${path}`, readBack]] : [],
    ),
  );
}

const petBack = { tool: "get_pet", inputs: { petId: "petId" } };
const pendingBack = {
  tool: "get_pending_groups",
  inputs: { slug: "slug" },
  listed: { input: "id", fields: ["id"], list: "/response/pending" },
};
const created = { input: "petId", collection: "pets", fields: ["petId", "id"] };
const method = (name: string, properties: Record<string, JsonSchema>, rest = {}) =>
  operation(name, {
    parameters: Object.keys(properties).map((key) =>
      parameter(`query ${key}`, { required: !key.startsWith("rev") }),
    ),
    responses: [ok({ type: "object", properties: { code: { type: "integer" } } })],
    ...rest,
  });

describe("the thing is read after", () => {
  test.each<readonly [name: string, operations: readonly Operation[], want: object]>([
    ["an update", [getPet, write("PATCH /pets/{petId}")], { "PATCH /pets/{petId}": petBack }],
    [
      "an update, by the merged tool",
      [listPets, getPet, write("PUT /pets/{petId}")],
      { "PUT /pets/{petId}": { tool: "find_pets", inputs: { petId: "petId" } } },
    ],
    [
      "an update whose response is documented, because it may not come",
      [getPet, write("PATCH /pets/{petId}", { responses: [ok(pet)] })],
      { "PATCH /pets/{petId}": petBack },
    ],
    [
      "an update whose path names the ID otherwise",
      [getPet, write("PUT /pets/{id}")],
      { "PUT /pets/{id}": { tool: "get_pet", inputs: { petId: "id" } } },
    ],
    ["an update by POST", [getPet, write("POST /pets/{petId}")], { "POST /pets/{petId}": petBack }],
    [
      "an update of a part that has an own path",
      [
        getPet,
        operation("GET /pets/{petId}/diet", { responses: [ok(pet)] }),
        write("PUT /pets/{petId}/diet"),
      ],
      { "PUT /pets/{petId}/diet": { tool: "get_pet_diet", inputs: { petId: "petId" } } },
    ],
    [
      "an action with the format of its path",
      [
        getPet,
        operation("GET /pets/{petId}.json", { responses: [ok(pet)] }),
        write("PUT /pets/{petId}/close.json"),
      ],
      { "PUT /pets/{petId}/close.json": { tool: "get_pet_json", inputs: { petId: "petId" } } },
    ],
    [
      "a removal of what only a list has",
      [listPets, silent("DELETE /pets/{petId}")],
      {
        "DELETE /pets/{petId}": {
          tool: "list_pets",
          inputs: {},
          isRemoval: true,
          listed: { input: "petId", fields: ["petId", "id"] },
        },
      },
    ],
    [
      "a change of what only a list inside an object has",
      [
        operation("GET /groups/{slug}/pending", {
          operationId: "getPending",
          responses: [
            ok({
              type: "object",
              properties: {
                status: { type: "object", properties: { code: text } },
                response: {
                  type: "object",
                  properties: { pending: { type: "array", items: pet } },
                },
              },
            }),
          ],
        }),
        silent("PUT /groups/{slug}/pending/{id}"),
        silent("DELETE /groups/{slug}/pending/{id}"),
      ],
      {
        "PUT /groups/{slug}/pending/{id}": pendingBack,
        "DELETE /groups/{slug}/pending/{id}": { ...pendingBack, isRemoval: true },
      },
    ],
    [
      "a removal of a file, and not after a change of its properties",
      [
        operation("GET /files/{name}", { operationId: "download", responses: [file] }),
        silent("PUT /files/{name}"),
        silent("PUT /files/{name}/tags"),
        silent("DELETE /files/{name}"),
      ],
      {
        "DELETE /files/{name}": {
          tool: "download_file",
          inputs: { name: "name" },
          isRemoval: true,
        },
      },
    ],
    [
      "an action",
      [getPet, silent("POST /pets/{petId}/feed")],
      { "POST /pets/{petId}/feed": petBack },
    ],
    [
      "an action, by a path with a word behind the ID",
      [
        operation("GET /pets/{id}/json", { operationId: "getPet", responses: [ok(pet)] }),
        silent("POST /pets/{id}/feed"),
        silent("DELETE /pets/{id}"),
      ],
      {
        "POST /pets/{id}/feed": { tool: "get_pet", inputs: { id: "id" } },
        "DELETE /pets/{id}": { tool: "get_pet", inputs: { id: "id" }, isRemoval: true },
      },
    ],
    [
      "an action with a body",
      [getPet, write("POST /pets/{petId}/assign")],
      { "POST /pets/{petId}/assign": petBack },
    ],
    [
      "a removal",
      [getPet, silent("DELETE /pets/{petId}")],
      { "DELETE /pets/{petId}": { ...petBack, isRemoval: true } },
    ],
    [
      "an action that removes",
      [getPet, silent("POST /pets/{petId}/delete")],
      { "POST /pets/{petId}/delete": { ...petBack, isRemoval: true } },
    ],
    [
      "an action that removes what its body selects",
      [getPet, silent("POST /pets/{petId}/delete", json(pet))],
      { "POST /pets/{petId}/delete": petBack },
    ],
    [
      "a creation, by the ID of its response",
      [getPet, write("POST /pets")],
      { "POST /pets": { tool: "get_pet", inputs: {}, created } },
    ],
    [
      "a creation below another thing",
      [
        operation("GET /owners/{ownerId}/pets/{petId}", { responses: [ok(pet)] }),
        write("POST /owners/{owner}/pets"),
      ],
      {
        "POST /owners/{owner}/pets": {
          tool: "get_owner_pet",
          inputs: { ownerId: "owner" },
          created,
        },
      },
    ],
    [
      "a creation whose caller chooses the ID",
      [getPet, write("POST /pets", json({ type: "object", properties: { petId: text } }))],
      { "POST /pets": { tool: "get_pet", inputs: { petId: "petId" }, created } },
    ],
    [
      "a method that sets what another one gets",
      [
        method("GET /api/getText", { padID: text, rev: text }),
        method("POST /api/setText", { padID: text, text }),
        method("POST /api/appendText", { padID: text, text }),
      ],
      {
        "POST /api/setText": { tool: "get_text", inputs: { padID: "padID" } },
        "POST /api/appendText": { tool: "get_text", inputs: { padID: "padID" } },
      },
    ],
    [
      "a method that removes what another one gets",
      [
        method("GET /getWebhookInfo", {}),
        method("POST /setWebhook", { url: text }),
        method("POST /deleteWebhook", {}),
      ],
      {
        "POST /setWebhook": { tool: "get_webhook_info", inputs: {} },
        "POST /deleteWebhook": { tool: "get_webhook_info", inputs: {}, isRemoval: true },
      },
    ],
  ])("%s", (_, operations, want) => {
    expect(readsBack(plan(api(operations)))).toEqual(want);
  });
});

describe("nothing is read after", () => {
  test.each<readonly [name: string, operations: readonly Operation[]]>([
    ["a new part of a thing", [getPet, write("POST /pets/{petId}/visits")]],
    [
      "an update of a thing whose path lists what can be done with it",
      [
        operation("GET /modalities/{id}", {
          summary: "List operations on modality",
          responses: [ok({ type: "array", items: text })],
        }),
        write("PUT /modalities/{id}"),
      ],
    ],
    [
      "a file, which the read of the same path returns",
      [
        operation("GET /pets/{petId}/photo"),
        operation("PUT /pets/{petId}/photo", {
          body: { required: true, contents: [{ ...FILE, mediaType: "application/octet-stream" }] },
          responses: [empty],
        }),
      ],
    ],
    ["a thing under its old name", [getPet, silent("POST /pets/{petId}/rename")]],
    ["a new part of a thing, without a body", [getPet, silent("POST /pets/{petId}/visits")]],
    ["the removal of a part", [getPet, silent("DELETE /pets/{petId}/visits/{visitId}")]],
    [
      "an update of what a list without IDs has",
      [
        operation("GET /pets", {
          responses: [ok({ type: "array", items: { type: "object", properties: { name: text } } })],
        }),
        silent("PUT /pets/{petId}"),
      ],
    ],
    ["an update of some things of a collection", [listPets, write("PATCH /pets")]],
    ["the removal of a whole collection", [listPets, silent("DELETE /pets")]],
    ["an update of another thing", [getPet, write("PUT /owners/{ownerId}")]],
    [
      "a change in a list without a schema",
      [
        operation("GET /settings", { summary: "List settings", responses: [ok({})] }),
        write("PUT /settings"),
      ],
    ],
    ["a creation without a way to get one thing", [listPets, write("POST /pets")]],
    [
      "an update of a thing that needs another input",
      [
        operation("GET /pets/{petId}", {
          responses: [ok(pet)],
          parameters: [parameter("path petId"), parameter("query clinic", { required: true })],
        }),
        write("PUT /pets/{petId}"),
      ],
    ],
    [
      "a method whose counterpart needs another value",
      [
        method("GET /getText", { padID: text, format: text }),
        method("POST /setText", { padID: text, text }),
      ],
    ],
    [
      "a method about something else",
      [method("GET /getText", { padID: text }), method("POST /setStatus", { padID: text })],
    ],
    [
      "an update by another value than the ID",
      [operation("GET /pets/{name}", { responses: [ok(pet)] }), write("PUT /pets/{token}")],
    ],
    [
      "a creation beside a list of some of the things",
      [
        operation("GET /pets/{kind}", { responses: [ok({ type: "array", items: pet })] }),
        write("POST /pets"),
      ],
    ],
    ["a read", [getPet, operation("GET /pets/{petId}/feed", { responses: [ok(pet)] })]],
  ])("%s", (_, operations) => {
    expect(readsBack(plan(api(operations)))).toEqual({});
  });
});

test("server.readBack names tools whose thing is read after a part of it, too", () => {
  const operations = [getPet, write("PATCH /pets/{petId}"), write("POST /pets/{petId}/assign")];
  const configured = (yaml: string) =>
    configuredPlan(yaml, { granularity: "task" }, api(operations));
  expect(readsBack(configured("server: {readBack: [update_pet]}"))).toEqual({
    "PATCH /pets/{petId}": { ...petBack, evenAfterContent: true },
    "POST /pets/{petId}/assign": petBack,
  });
  expect(codesOf(configured("server: {readBack: [update_pat]}"))).toContain("config-unknown-tool");
  expect(configured("server: {readBack: true}").api.readBack).toBe(true);
  expect(configured("server: {readBack: false}").api.readBack).toBe(false);
});

test("a creation has the tool that removes what it creates, by its path alone", () => {
  const reverts = (...operations: readonly Operation[]) =>
    plan(api([getPet, write("POST /pets"), ...operations])).tools.flatMap(({ definition }) =>
      definition.operations.flatMap(({ revert }) => revert ?? []),
    );
  const remove = "DELETE /pets/{petId}";
  const reason = parameter("query reason", { required: true });
  expect(reverts(silent(remove))).toEqual(["delete_pet"]);
  expect(reverts(silent(remove, { parameters: [reason] }))).toEqual([]);
  expect(reverts(silent("DELETE /pets"))).toEqual([]);
});

describe("the text of a write states the read, where the response is documented without content", () => {
  const [sentence, onCondition] = [
    "Reads it back as current.",
    "If the API returns nothing, reads it back as current.",
  ];
  const unclear = operation("PUT /pets/{petId}", {
    responses: [{ ...ok(pet), contents: [] }],
  });
  const documented = operation("PUT /pets/{petId}", { responses: [ok(pet)] });
  test("with a condition, where the document leaves open whether there is content", () => {
    const of = (one: Operation): string =>
      plan(api([getPet, one]))
        .tools.map(({ definition }) => definition.description)
        .join();
    expect(of(unclear)).toContain(onCondition);
    expect(of(write("PUT /pets/{petId}"))).not.toContain(onCondition);
  });

  test.each<[name: string, operation: Operation, isStated: boolean]>([
    ["an update without content", write("PUT /pets/{petId}"), true],
    ["an action without content", write("POST /pets/{petId}/start"), true],
    ["an update that returns the thing", documented, false],
    ["a removal", silent("DELETE /pets/{petId}"), false],
    ["a creation whose ID the API chooses", write("POST /pets"), false],
  ])("%s", (_, operation, isStated) => {
    const texts = (yaml: string): string =>
      configuredPlan(yaml, { granularity: "task" }, api([getPet, operation]))
        .tools.map(({ definition }) => definition.description)
        .join("\n");
    expect(texts("").includes(sentence)).toBe(isStated);
    expect(texts("server: {readBack: false}")).not.toContain("Reads it back");
  });
});

test("the instructions state the reads once several tools have them", () => {
  const pets = [getPet, write("PUT /pets/{petId}"), silent("DELETE /pets/{petId}")];
  const instructions = (yaml: string, operations: readonly Operation[]) =>
    configuredPlan(yaml, { granularity: "task" }, api(operations)).api.instructions ?? "";
  const actions = ["start", "stop", "pause"].map((verb) => write(`POST /pets/{petId}/${verb}`));
  const more = [...pets, ...actions];
  expect(instructions("", more)).toContain("Some writes without a response are read back");
  expect(instructions("", pets)).not.toContain("read back");
  expect(instructions("server: {readBack: false}", more)).not.toContain("read back");
});
