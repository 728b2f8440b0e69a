import { expect, test } from "vitest";
import { projectFields } from "../../../src/plan/schemas/project-fields.js";
import { renameFields } from "../../../src/runtime/data/field-paths.js";
import type { JsonSchema } from "../../../src/json.js";

const text: JsonSchema = { type: "string" };
const count: JsonSchema = { type: "integer" };
const thing: JsonSchema = { type: "object", properties: { name: text, size: count } };
const listOf = (...oneOf: readonly JsonSchema[]): JsonSchema => ({
  type: "object",
  properties: { tags: { type: "array", items: { oneOf } } },
});

/** A list whose items are texts or objects: a moved field of the objects, beside the texts. */
test.each([
  {
    schema: listOf(text, thing),
    path: ["tags", "name"],
    value: { tags: ["new", { name: "hot", size: 1 }, null] },
    want: ["new", "hot"],
    type: { type: "array", items: text },
  },
  {
    schema: listOf(text, thing),
    path: ["tags", "size"],
    value: { tags: ["new", { name: "hot", size: 1 }] },
    want: ["new", 1],
    type: { type: "array", items: { anyOf: [count, text] } },
  },
  {
    schema: listOf(thing),
    path: ["tags", "name"],
    value: { tags: [{ name: "hot" }, { size: 1 }] },
    want: ["hot"],
    type: { type: "array", items: text },
  },
])("$path of $value", ({ schema, path, value, want, type }) => {
  expect(renameFields(value, { tags: path })).toEqual({ tags: want });
  const projected = projectFields(schema, { pick: [path], rename: { tags: path } }, {});
  expect(projected.properties).toEqual({ tags: type });
});

test("texts that are moved are not repeated under their old name", () => {
  const value = { id: 1, tags: ["new", { name: "hot" }] };
  expect(renameFields(value, { labels: ["tags", "name"] })).toEqual({
    id: 1,
    labels: ["new", "hot"],
  });
});
