import { expect, test } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import type { Operation } from "../../../src/model/types.js";
import { plan } from "../../../src/plan/index.js";
import { configuredPlan } from "../configuration/fixtures.js";
import { api, ok, operation, parameter } from "../fixtures.js";

const text: JsonSchema = { type: "string" };
const integer: JsonSchema = { type: "integer" };
/** Size of a page that may have no items. */
const none: JsonSchema = { type: "integer", minimum: 0 };
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
});
const pet = object({ id: text, name: text });
const pets: JsonSchema = { type: "array", items: pet };
const getPet = operation("GET /pets/{petId}", { operationId: "getPet", responses: [ok(pet)] });

interface Sketch {
  readonly method?: string;
  readonly fields?: Readonly<Record<string, JsonSchema>>;
  readonly inputs?: Readonly<Record<string, JsonSchema>>;
}

const list = ({
  method = "GET",
  fields = { total: integer },
  inputs = { limit: none },
}: Sketch): Operation =>
  operation(`${method} /pets`, {
    operationId: "listPets",
    parameters: Object.entries(inputs).map(([name, schema]) =>
      parameter(`query ${name}`, { schema }),
    ),
    responses: [ok(object({ items: pets, ...fields }))],
  });

const counted = (operations: readonly Operation[], yaml = "") =>
  configuredPlan(yaml, { granularity: "task" }, api(operations))
    .tools.flatMap(({ definition }) => definition.operations)
    .flatMap(({ countOnly }) => countOnly ?? []);

test.each<readonly [name: string, sketch: Sketch, want: object]>([
  ["a total beside the list", {}, { pageSize: "limit", least: 0, total: "/total" }],
  [
    "a total in an object, with a cursor",
    {
      fields: { meta: object({ total_count: integer, next_cursor: text }) },
      inputs: { cursor: text, per_page: none },
    },
    { pageSize: "per_page", least: 0, total: "/meta/total_count" },
  ],
  [
    "the total of a filter",
    { fields: { total: integer, filtered_count: integer } },
    { pageSize: "limit", least: 0, total: "/filtered_count" },
  ],
])("a call can ask for %s alone", (_, sketch, want) => {
  expect(counted([list(sketch)])).toEqual([{ input: "countOnly", ...want }]);
});

test.each<readonly [name: string, limit: JsonSchema]>([
  ["of one item at least", { type: "integer", minimum: 1 }],
  ["of a size without a least", integer],
])("with pages %s, a call can ask for the total where the configuration says so", (_, limit) => {
  const operations = [list({ inputs: { limit } })];
  expect(counted(operations)).toEqual([]);
  expect(counted(operations, "server: {countOnly: true}")).toMatchObject([{ least: 1 }]);
});

test("the tool of a list and its thing asks for the total of the list", () => {
  const { tools } = plan(api([list({}), getPet]), { granularity: "task" });
  const [tool] = tools;
  expect(tools).toHaveLength(1);
  expect(tool!.definition.inputSchema["properties"]).toMatchObject({
    countOnly: { type: "boolean" },
  });
  expect(tool!.definition.operations.filter(({ countOnly }) => countOnly)).toHaveLength(1);
});

test.each<readonly [name: string, sketch: Sketch]>([
  ["no total", { fields: {} }],
  ["a count that may be that of the page", { fields: { count: integer } }],
  ["a total that is text", { fields: { total: text } }],
  ["no page size", { inputs: { offset: none } }],
  ["pages of certain sizes", { inputs: { limit: { type: "integer", enum: [10, 50] } } }],
  ["pages of at least five items", { inputs: { limit: { type: "integer", minimum: 5 } } }],
  ["an input of its own", { inputs: { limit: none, count_only: { type: "boolean" } } }],
])("a list has no such input with %s", (_, sketch) => {
  expect(counted([list(sketch)])).toEqual([]);
  expect(counted([list(sketch)], "server: {countOnly: true}")).toEqual([]);
});

test.each([
  ["the switch of the server", "server: {countOnly: false}"],
  ["inputs that a rule chooses", "tools: {list_pets: {inputs: {only: [limit]}}}"],
  ["pages that a rule follows", "tools: {list_pets: {pagination: {maxItems: 50}}}"],
])("a list has no such input with %s", (_, yaml) => {
  const paged = list({ inputs: { limit: none, offset: integer } });
  expect(counted([paged], yaml)).toEqual([]);
});
