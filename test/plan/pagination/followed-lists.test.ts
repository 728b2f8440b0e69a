import { expect, test } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import type { Operation, Response } from "../../../src/model/types.js";
import { plan } from "../../../src/plan/index.js";
import type { PaginationMapping } from "../../../src/runtime/types.js";
import { configuredPlan } from "../configuration/fixtures.js";
import { api, json, ok, operation, parameter } from "../fixtures.js";

const text: JsonSchema = { type: "string" };
const integer: JsonSchema = { type: "integer" };
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
});
const pet = object({ id: text, name: text });
const PETS: JsonSchema = { type: "array", items: pet };
const getPet = operation("GET /pets/{petId}", { operationId: "getPet", responses: [ok(pet)] });
const linked: Response = { ...ok(PETS), headers: [{ name: "Link", schema: text }] };

const query = (...names: string[]) =>
  names.map((name) =>
    parameter(`query ${name.replace("#", "")}`, { schema: name.startsWith("#") ? integer : text }),
  );

const list = (response: Response, ...inputs: string[]): Operation =>
  operation("GET /pets", {
    operationId: "listPets",
    parameters: query(...inputs),
    responses: [response],
  });

/** The pagination of the lists that are followed. */
function followed(operations: readonly Operation[], yaml?: string): readonly PaginationMapping[] {
  const model = api(operations);
  const { tools } =
    yaml === undefined ? plan(model) : configuredPlan(yaml, { granularity: "task" }, model);
  return tools
    .flatMap(({ definition }) => definition.operations)
    .flatMap(({ pagination }) => (pagination?.isFollowed ? [pagination] : []));
}

const page = { input: "page", first: 1 };
const pageSize = { input: "per_page" };

test.each<readonly [name: string, operations: readonly Operation[], want: PaginationMapping]>([
  [
    "by a number, if nothing is beside the list",
    [list(ok(PETS), "#page", "#per_page")],
    { list: "", page, pageSize },
  ],
  [
    "by a number, if nothing is beside the list of a merged tool",
    [list(ok(PETS), "#page", "#per_page"), getPet],
    { list: "", page, pageSize },
  ],
  [
    "by a number beside a total",
    [list(ok(object({ pets: PETS, total: integer })), "#offset", "#limit"), getPet],
    {
      list: "/pets",
      offset: { input: "offset", first: 0 },
      pageSize: { input: "limit" },
      total: "/total",
    },
  ],
  [
    "by a cursor",
    [list(ok(object({ pets: PETS, next_cursor: text })), "cursor"), getPet],
    { cursor: { input: "cursor", pointer: "/next_cursor" } },
  ],
  [
    "by a cursor, in an unchanged response",
    [list(ok(object({ pets: PETS, next_cursor: text })), "cursor")],
    { list: "/pets", cursor: { input: "cursor", pointer: "/next_cursor" } },
  ],
  [
    "by the Link header alone",
    [list(linked, "#page", "#per_page")],
    { linkHeader: true, pageSize },
  ],
])("a list is followed %s", (_, operations, want) => {
  expect(followed(operations)).toEqual([{ ...want, isFollowed: true }]);
});

const RULES = {
  tool: "tools: {list_pets: {followPages: false}}",
  items: "tools: {list_pets: {pagination: {maxItems: 50}}}",
};

test.each<[name: string, operations: readonly Operation[], yaml?: string]>([
  ["without a page", [list(ok(PETS), "#per_page", "name")]],
  ["by a number that may be a time", [list(ok(PETS), "#from", "#limit")]],
  [
    "by a number, if fields beside the list announce nothing",
    [list(ok(object({ pets: PETS, took: integer })), "#page"), getPet],
  ],
  ["of a single thing", [getPet]],
  [
    "of a write",
    [
      operation("POST /pets/import", {
        operationId: "importPets",
        parameters: query("#page"),
        ...json(object({ file: text })),
        responses: [ok(PETS)],
      }),
    ],
  ],
  ["with a switch of its tool", [list(ok(PETS), "#page")], RULES.tool],
  ["with configured pages", [list(ok(PETS), "#page")], RULES.items],
])("no list is followed %s", (_, operations, yaml) => {
  expect(followed(operations, yaml)).toEqual([]);
});

test("a read by POST is followed by its body", () => {
  const search = operation("POST /pets/search", {
    operationId: "searchPets",
    summary: "Search pets",
    ...json(object({ query: text, cursor: text })),
    responses: [ok(object({ pets: PETS, next_cursor: text }))],
  });
  expect(followed([search])).toMatchObject([{ cursor: { input: "cursor" } }]);
});

test("names, inputs and results are those of a list that is not followed", () => {
  const operations = [list(ok(PETS), "#page", "#per_page"), getPet];
  const definitions = (yaml: string) =>
    configuredPlan(yaml, { granularity: "task" }, api(operations)).tools.map(({ definition }) => ({
      ...definition,
      operations: [],
    }));
  const off = "tools: {find_pets: {followPages: false}}";
  expect(definitions(off)).toEqual(definitions("tools: {find_pets: {followPages: true}}"));
});
