import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../src/json.js";
import type { Operation } from "../../src/model/types.js";
import { plan } from "../../src/plan/index.js";
import { configuredPlan } from "./configuration/fixtures.js";
import { api, inputsOf, json, ok, operation, parameter } from "./fixtures.js";

const text: JsonSchema = { type: "string" };
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
});
const pet = object({ id: text, name: text });
const PETS: JsonSchema = { type: "array", items: pet };
const get = (rest: Partial<Operation> = {}, path = "/pets/{petId}") =>
  operation(`GET ${path}`, { operationId: "getPet", responses: [ok(pet)], ...rest });
const listPets = operation("GET /pets", {
  operationId: "listPets",
  parameters: [parameter("query name")],
  responses: [ok(PETS)],
});
const removal = operation("DELETE /pets/{petId}", {
  operationId: "deletePet",
  responses: [ok(undefined, "204")],
});

const action = (name: string) =>
  operation(name, {
    operationId: name.startsWith("P") && !/start/.test(name) ? "updatePet" : "startPet",
    parameters: name.includes("{format}")
      ? [parameter("path petId"), parameter("path format", { schema: { const: "json" } })]
      : [parameter("path petId")],
    responses: [ok(undefined, "204")],
  });
const patch = (name: string, required: readonly string[] = []) => ({
  ...action(name),
  ...json({ ...pet, required: [...required] }),
});

/** Inputs that take a list, by tool. */
function listInputs(operations: readonly Operation[], yaml?: string) {
  const model = api(operations);
  const { tools } =
    yaml === undefined ? plan(model) : configuredPlan(yaml, { granularity: "task" }, model);
  return Object.fromEntries(
    tools.flatMap(({ definition }) =>
      definition.operations.flatMap(({ severalIds }) =>
        severalIds ? [[definition.name, severalIds]] : [],
      ),
    ),
  );
}

test("the ID of a read takes a list, in one anyOf", () => {
  const [tool] = plan(api([get()])).tools;
  expect(inputsOf(tool!)["petId"]).toEqual({
    anyOf: [text, { type: "array", items: text }],
    ...(inputsOf(tool!)["petId"]?.description && {
      description: inputsOf(tool!)["petId"]?.description,
    }),
  });
  expect(tool!.definition.inputSchema["required"]).toEqual(["petId"]);
});

test("the list of a write says that it does the same to each", () => {
  const [tool] = plan(api([removal])).tools;
  expect(inputsOf(tool!)["petId"]?.anyOf).toEqual([
    text,
    { type: "array", items: text, description: "Does the same to each." },
  ]);
});

test.each<readonly [string, Operation, boolean]>([
  ["name lists of IDs", removal, true],
  ["name none where no tool takes one", listPets, false],
])("the instructions %s", (_, one, isNamed) => {
  const { instructions = "" } = plan(api([one])).api;
  const sentence = "Where an ID may be a list, one call does the same to each of up to 20 things.";
  expect(instructions.includes(sentence)).toBe(isNamed);
});

test("bounds of an ID belong to the alternative of one ID", () => {
  const id: JsonSchema = { type: "integer", minimum: 1 };
  const [tool] = plan(api([get({ parameters: [parameter("path petId", { schema: id })] })])).tools;
  expect(inputsOf(tool!)["petId"]?.anyOf).toEqual([
    id,
    { type: "array", items: { type: "integer" } },
  ]);
});

describe("takes a list:", () => {
  test.each<[name: string, operations: readonly Operation[], want: object, yaml?: string]>([
    ["a get", [get()], { get_pet: { input: "petId" } }],
    ["a get merged with its list", [listPets, get()], { find_pets: { input: "petId" } }],
    [
      "an ID that is any number",
      [get({ parameters: [parameter("path petId", { schema: { type: "number" } })] })],
      { get_pet: { input: "petId" } },
    ],
    [
      "no number that is not an ID",
      [
        get(
          { parameters: [parameter("path latitude", { schema: { type: "number" } })] },
          "/places/{latitude}",
        ),
      ],
      {},
    ],
    [
      "a get below another thing",
      [get({}, "/owners/{ownerId}/pets/{petId}")],
      { get_pet: { input: "petId" } },
    ],
    [
      "a get with options",
      [get({ parameters: [parameter("path petId"), parameter("query fields")] })],
      { get_pet: { input: "petId" } },
    ],
    ["a deletion", [removal], { delete_pet: { input: "petId", isWrite: true } }],
    [
      "a change of some fields",
      [patch("PATCH /pets/{petId}")],
      { update_pet: { input: "petId", isWrite: true } },
    ],
    [
      "an action without a body, with the format of its path",
      [action("POST /pets/{petId}/start.{format}")],
      { start_pet: { input: "petId", isWrite: true } },
    ],
    [
      "each thing of a link",
      [operation("DELETE /groups/{groupId}/users/{userId}", { operationId: "removeUser" })],
      { remove_user: { input: "userId", others: ["groupId"], isWrite: true } },
    ],
    [
      "each thing of a link of three, but no part of an ID",
      [
        operation("PUT /repos/{owner}/{repo}/teams/{teamId}/users/{userId}", {
          operationId: "addUser",
        }),
      ],
      { add_user: { input: "userId", others: ["teamId"], isWrite: true } },
    ],
    [
      "another write with bulk",
      [patch("PUT /pets/{petId}", ["name"])],
      { update_pet: { input: "petId", isWrite: true } },
      "tools: {update_pet: {bulk: true}}",
    ],
    [
      "a read with bulk, against the switch of the server",
      [get()],
      { get_pet: { input: "petId" } },
      "server: {bulkReads: false}\ntools: {get_pet: {bulk: true}}",
    ],
  ])("%s", (_, operations, want, yaml) => {
    expect(listInputs(operations, yaml)).toEqual(want);
  });
});

describe("takes one ID only:", () => {
  test.each<[name: string, operations: readonly Operation[], yaml?: string]>([
    ["every write with the switch of the server", [removal], "server: {bulkWrites: false}"],
    ["a write with its switch", [removal], "tools: {delete_pet: {bulk: false}}"],
    ["a whole new version", [patch("PUT /pets/{petId}", ["name"])]],
    ["an action with a body", [patch("POST /pets/{petId}/move")]],
    ["a part that is added", [action("POST /pets/{petId}/visits")]],
    ["a list", [listPets]],
    [
      "a get that needs another input",
      [
        get({
          parameters: [parameter("path petId"), parameter("query clinic", { required: true })],
        }),
      ],
    ],
    [
      "a get beside a list of IDs",
      [
        operation("GET /pets", {
          operationId: "listPets",
          parameters: [parameter("query ids", { schema: { type: "array", items: text } })],
          responses: [ok(PETS)],
        }),
        get(),
      ],
    ],
    [
      "a choice",
      [
        get({
          parameters: [parameter("path petId", { schema: { type: "string", enum: ["a", "b"] } })],
        }),
      ],
    ],
    ["a result with items of its own", [get({ responses: [ok(object({ items: PETS }))] })]],
    ["a part of a thing", [get({}, "/pets/{petId}/owner")]],
    [
      "a file",
      [get({ responses: [ok({ type: "string", format: "binary" }, "200", "image/png")] })],
    ],
    [
      "a read that changes something",
      [get({ operationId: "resetPet", summary: "Reset a pet", ...json(object({})) })],
    ],
    ["a tool with its switch", [get()], "tools: {get_pet: {bulk: false}}"],
    ["every read with the switch of the server", [get()], "server: {bulkReads: false}"],
  ])("%s", (_, operations, yaml) => {
    expect(listInputs(operations, yaml)).toEqual({});
  });
});

describe("beside a tool that lists things by their IDs,", () => {
  const listBy = (query: string, schema: JsonSchema = { type: "array", items: text }) =>
    operation("GET /pets", {
      operationId: "listPets",
      parameters: [parameter(`query ${query}`, { schema })],
      responses: [ok(PETS)],
    });
  const read = (list: Operation) => {
    const { tools } = plan(api([list, get()]), { granularity: "operation" });
    const { definition } = tools.find((tool) => tool.definition.name === "get_pet")!;
    return [definition.operations[0]!.severalIds?.input, definition.description] as const;
  };

  test.each(["ids", "id", "petIds", "pet_id"])(
    "by %s, a read takes one ID and names it",
    (query) => {
      const [input, description] = read(listBy(query));
      expect(input).toBeUndefined();
      expect(description).toMatch(/To read several at once by \w+, use list_pets\./);
    },
  );

  test.each<readonly [string, Operation]>([
    ["by other IDs", listBy("ownerIds")],
    ["by one ID", listBy("id", text)],
    ["of another thing", { ...listBy("ids"), ...operation("GET /owners", {}), path: "/owners" }],
  ])("%s, it takes a list", (_, list) => {
    const [input, description] = read(list);
    expect(input).toBe("petId");
    expect(description).not.toContain("To read several");
  });
});

describe("beside a tool that deletes things by their IDs,", () => {
  const ids: JsonSchema = { type: "array", items: text };
  const several = (rest: Partial<Operation>) =>
    operation("DELETE /pets", {
      operationId: "deletePets",
      responses: [ok(undefined, "204")],
      ...rest,
    });
  const byBody = several(json(object({ ids })));
  const describeDeletion = (others: readonly Operation[], yaml = "") => {
    const { tools } = configuredPlan(yaml, {}, api([...others, removal]));
    const { definition } = tools.find((tool) => tool.definition.name === "delete_pet")!;
    return [definition.operations[0]!.severalIds?.input, definition.description] as const;
  };

  test.each<readonly [string, Operation]>([
    ["in the query", several({ parameters: [parameter("query ids", { schema: ids })] })],
    ["in the body", byBody],
  ])("with IDs %s, a deletion names it", (_, other) => {
    const [input, description] = describeDeletion([other]);
    expect(input).toBeUndefined();
    expect(description).toContain("To delete several at once by ids, use delete_pets.");
  });

  test.each<readonly [string, Operation]>([
    ["of other things", several({ parameters: [parameter("query ownerIds", { schema: ids })] })],
    ["by one ID", several({ parameters: [parameter("query id", { schema: text })] })],
    ["that updates", operation("PUT /pets", { operationId: "putPets", ...json(object({ ids })) })],
  ])("one %s is not named", (_, other) => {
    expect(describeDeletion([other])[1]).not.toContain("To delete several");
  });

  test("`bulk` lets it take a list nevertheless", () => {
    const [input, description] = describeDeletion([byBody], "tools: {delete_pet: {bulk: true}}");
    expect(input).toBe("petId");
    expect(description).not.toContain("To delete several");
  });
});
