import { describe, expect, test } from "vitest";
import { coerceOutput } from "../../../src/runtime/schema/coerce-output.js";
import { formatPath } from "../../../src/runtime/schema/check.js";
import type { JsonSchema } from "../../../src/runtime/types.js";

const nullable = (type: string): JsonSchema => ({ type: [type, "null"] });
const pet: JsonSchema = {
  type: "object",
  properties: {
    id: nullable("integer"),
    name: nullable("string"),
    age: { type: "integer" },
    tags: { type: ["array", "null"], items: { type: "string" } },
  },
  required: [],
};
const list: JsonSchema = {
  type: "object",
  properties: { items: { type: "array", items: pet } },
  required: ["items"],
};

interface Coerced {
  readonly value: unknown;
  /** Values by path; `$` is the response. */
  readonly unexpected?: Readonly<Record<string, unknown>>;
  readonly converted?: readonly string[];
  readonly nullFields?: readonly string[];
}

function coerced(answer: unknown, schema: JsonSchema): Coerced | "impossible" {
  const result = coerceOutput(structuredClone(answer), schema);
  if (!result.ok) return "impossible";
  const { value, unexpected, converted, nullFields } = result;
  const parts = unexpected.map((part) => [formatPath(part.path) || "$", part.value] as const);
  return {
    value,
    ...(parts.length > 0 && { unexpected: Object.fromEntries(parts) }),
    ...(converted.length > 0 && { converted: converted.map(({ path }) => formatPath(path)) }),
    ...(nullFields.length > 0 && { nullFields }),
  };
}

describe("a response that differs from its schema", () => {
  test.each<readonly [string, JsonSchema, unknown, Coerced]>([
    ["fits", pet, { id: 1, other: true }, { value: { id: 1, other: true } }],
    ["a number as text", pet, { age: "3" }, { value: { age: 3 } }],
    [
      "the only value of an object, which is moved with it",
      { properties: { code: {}, data: { properties: { text: { type: "string" } } } } },
      { code: 0, data: { text: { text: "Rex" } } },
      { value: { code: 0 }, unexpected: { data: { text: { text: "Rex" } } } },
    ],
    [
      "the only value of a required object",
      {
        properties: { data: { type: "object", properties: { text: { type: "string" } } } },
        required: ["data"],
      },
      { data: { text: { text: "Rex" } } },
      { value: { data: {} }, unexpected: { "data.text": { text: "Rex" } } },
    ],
    [
      "one of two values of an object",
      { properties: { data: { properties: { text: { type: "string" } } } } },
      { data: { text: { text: "Rex" }, rev: 1 } },
      { value: { data: { rev: 1 } }, unexpected: { "data.text": { text: "Rex" } } },
    ],
    [
      "digits that a number would lose",
      { properties: { price: { type: "number" } } },
      { price: "12.50" },
      { value: {}, unexpected: { price: "12.50" } },
    ],
    [
      "leading zeros",
      { properties: { plz: { type: "integer" } } },
      { plz: "007" },
      { value: {}, unexpected: { plz: "007" } },
    ],
    [
      "an ID as text",
      pet,
      { id: "7", name: "Rex" },
      { value: { name: "Rex" }, unexpected: { id: "7" } },
    ],
    [
      "an ID as a number",
      { properties: { ownerId: { type: "string" } } },
      { ownerId: 7 },
      { value: {}, unexpected: { ownerId: 7 } },
    ],
    ["text as a number", pet, { name: 5 }, { value: { name: "5" } }],
    ["text for a number", pet, { age: "old" }, { value: {}, unexpected: { age: "old" } }],
    [
      "null, not allowed",
      {
        properties: {
          a: { type: "string" },
          b: { type: "object", properties: { c: { type: "number" } } },
        },
      },
      { a: null, b: { c: null, d: null } },
      { value: { b: { d: null } }, nullFields: ["a", "b.c"] },
    ],
    [
      "null in a list of numbers",
      { properties: { sums: { type: "array", items: { type: "number" } } } },
      { sums: [1, null, 3], unit: "m" },
      { value: { unit: "m" }, unexpected: { sums: [1, null, 3] } },
    ],
    [
      "null in a row of numbers",
      {
        properties: {
          rows: { type: "array", items: { type: "array", items: { type: "number" } } },
        },
      },
      {
        rows: [
          [1, null],
          [2, 3],
        ],
      },
      {
        value: {},
        unexpected: {
          rows: [
            [1, null],
            [2, 3],
          ],
        },
      },
    ],
    [
      "null in the list that is the result",
      { properties: { items: { type: "array", items: { type: "number" } } } },
      { items: [1, null, 3] },
      { value: { items: [1, 3] }, unexpected: { "items[1]": null } },
    ],
    [
      "null in items",
      list,
      { items: [{ age: null }, { age: 2 }, { age: null }] },
      { value: { items: [{}, { age: 2 }, {}] }, nullFields: ["items[0].age", "items[2].age"] },
    ],
    [
      "null in every item",
      list,
      { items: [{ age: null }, { id: null, age: null }] },
      { value: { items: [{}, { id: null }] }, nullFields: ["items[].age"] },
    ],
    [
      "null in one item, absent in another",
      list,
      { items: [{ age: null }, {}] },
      { value: { items: [{}, {}] }, nullFields: ["items[0].age"] },
    ],
    [
      "null in many items",
      list,
      { items: [...Array.from({ length: 13 }, () => ({ age: null })), { age: 1 }] },
      {
        value: { items: [...Array.from({ length: 13 }, () => ({})), { age: 1 }] },
        nullFields: [
          ...Array.from({ length: 10 }, (_, i) => `items[${i}].age`),
          "items[].age [3 more of 13]",
        ],
      },
    ],
    [
      "null in lists of items",
      { properties: { a: { type: "array", items: list } } },
      { a: [{ items: [{ age: null }] }, { items: [] }, { items: [{ age: null }, { age: null }] }] },
      {
        value: { a: [{ items: [{}] }, { items: [] }, { items: [{}, {}] }] },
        nullFields: ["a[].items[].age"],
      },
    ],
    [
      "null in many fields",
      { additionalProperties: { type: "integer" } },
      Object.fromEntries(Array.from({ length: 53 }, (_, i) => [`f${i}`, null])),
      {
        value: {},
        nullFields: [...Array.from({ length: 50 }, (_, i) => `f${i}`), "… [3 more fields]"],
      },
    ],
    [
      "wrong items",
      pet,
      { tags: ["a", null, "b", [1], null] },
      { value: {}, unexpected: { tags: ["a", null, "b", [1], null] } },
    ],
    [
      "other writings of the same",
      {
        properties: {
          paid: { type: "boolean" },
          open: { type: "boolean" },
          tags: { type: "array" },
          rows: { type: "array" },
          owner: { type: "object" },
          meta: { type: "object" },
          note: { type: "string" },
        },
      },
      {
        paid: "true",
        open: 0,
        tags: "new",
        rows: {},
        owner: [{ id: 1 }],
        meta: [],
        note: { a: 1 },
      },
      {
        value: {
          paid: true,
          open: false,
          tags: ["new"],
          rows: [],
          owner: { id: 1 },
          meta: {},
        },
        unexpected: { note: { a: 1 } },
        converted: ["open", "tags", "rows", "owner", "meta"],
      },
    ],
    [
      "a list for an object",
      { properties: { owner: { type: "object" } } },
      { owner: [{ id: 1 }, { id: 2 }] },
      { value: {}, unexpected: { owner: [{ id: 1 }, { id: 2 }] } },
    ],
    [
      "a conversion whose content does not fit, either",
      { properties: { tags: { type: "array", items: { type: "object" } } } },
      { tags: "new" },
      { value: {}, unexpected: { tags: "new" } },
    ],
    [
      "missing, null allowed",
      { ...pet, required: ["name"] },
      { age: 1 },
      { value: { age: 1, name: null } },
    ],
    [
      "unknown, and not allowed",
      { ...pet, additionalProperties: false },
      { age: 1, a: 1, b: { c: 2 } },
      { value: { age: 1 }, unexpected: { a: 1, b: { c: 2 } } },
    ],
    [
      "a required part of an optional part",
      {
        properties: {
          owner: { type: "object", required: ["id"], properties: { id: { type: "integer" } } },
        },
      },
      { owner: { id: "x", name: null } },
      { value: {}, unexpected: { owner: { id: "x", name: null } } },
    ],
    [
      "several items, with other faults in and after them",
      {
        properties: { items: { type: "array", items: { $ref: "#/$defs/pet" } } },
        $defs: {
          pet: {
            type: "object",
            required: ["id"],
            properties: { age: { type: "integer" }, id: { type: "integer" } },
          },
        },
      },
      { items: [{ id: 1 }, { age: "x", id: "x" }, { age: "3", id: 3 }, { age: "y", id: 4 }] },
      {
        value: { items: [{ id: 1 }, { age: 3, id: 3 }, { id: 4 }] },
        unexpected: { "items[1]": { age: "x", id: "x" }, "items[3].age": "y" },
      },
    ],
    [
      "a new value of an enum",
      { properties: { status: { enum: ["a", "b"] } } },
      { status: "c" },
      { value: {}, unexpected: { status: "c" } },
    ],
    [
      "no member of a union",
      { properties: { a: { anyOf: [{ type: "string" }, { type: "number" }] } } },
      { a: [5] },
      { value: {}, unexpected: { a: [5] } },
    ],
    ["a scalar for an object", pet, 42, { value: {}, unexpected: { $: 42 } }],
    ["a list for an object", pet, [{ id: 1 }], { value: { items: [{ id: 1 }] }, converted: [""] }],
    [
      "a list for an object with other items",
      { properties: { items: { type: "string" } } },
      [{ id: 1 }],
      { value: {}, unexpected: { $: [{ id: 1 }] } },
    ],
    [
      "an object for a list",
      list,
      { items: { id: 1 } },
      { value: { items: [{ id: 1 }] }, converted: ["items"] },
    ],
    [
      "text for a list",
      list,
      { items: "none" },
      { value: { items: [] }, unexpected: { items: "none" } },
    ],
    [
      "text for an object with a list",
      list,
      "none",
      { value: { items: [] }, unexpected: { $: "none" } },
    ],
    [
      "names that every object has",
      { properties: { constructor: { type: "string" } } },
      { constructor: [] },
      { value: {}, unexpected: { constructor: [] } },
    ],
    [
      "an object for a required text",
      { properties: { zone: { type: "string" } }, required: ["zone"] },
      { zone: { a: "\t" } },
      { value: { zone: '{"a":"\\t"}' }, unexpected: { zone: { a: "\t" } } },
    ],
    [
      "an object for a required text that may be null",
      { properties: { zone: nullable("string") }, required: ["zone"] },
      { zone: { a: 1 } },
      { value: { zone: null }, unexpected: { zone: { a: 1 } } },
    ],
  ])("%s", (_, schema, answer, want) => {
    const result = coerced(answer, schema);
    expect(result).toEqual(want);
    expect(coerceOutput((result as Coerced).value, schema)).toMatchObject({ ok: true, moved: [] });
  });

  test.each<readonly [string, JsonSchema, unknown]>([
    [
      "a required part that cannot be null",
      { ...pet, required: ["id"], properties: { id: { type: "integer" } } },
      { id: "x" },
    ],
    ["a schema that nothing satisfies", { properties: { a: false }, required: ["a"] }, { a: 1 }],
  ])("has no valid form: %s", (_, schema, answer) =>
    expect(coerced(answer, schema)).toBe("impossible"),
  );

  test("more than 20 parts move with their property of the root", () => {
    const items = Array.from({ length: 30 }, (_, i) => ({ id: `${i}`, name: null }));
    expect(
      coerced(
        { items, total: "30", page: "x" },
        {
          ...list,
          properties: {
            ...(list["properties"] as object),
            total: { type: "integer" },
            page: { type: "integer" },
          },
        },
      ),
    ).toEqual({
      value: { items: [], total: 30 },
      unexpected: { items, page: "x" },
    });
  });

  test("problems name the parts in the response", () => {
    const result = coerceOutput({ items: [5, { age: "x" }, { age: "y" }] }, list);
    expect(result.ok && result.moved.map(({ path }) => formatPath(path))).toEqual([
      "items[0]",
      "items[1].age",
      "items[2].age",
    ]);
  });

  test("10,000 differences are processed in time", () => {
    const items = Array.from({ length: 10_000 }, () => ({ id: "x", tags: [5, null] }));
    expect(coerced({ items }, list)).toMatchObject({ value: { items: [] }, unexpected: { items } });
  });

  test("__proto__ is an ordinary name", () => {
    const schema = { properties: { ["__proto__"]: nullable("string"), other: { type: "object" } } };
    const result = coerceOutput(JSON.parse('{"__proto__": 5, "other": "x"}'), schema);
    expect(JSON.stringify(result.ok && result.value)).toBe('{"__proto__":"5"}');
  });
});
