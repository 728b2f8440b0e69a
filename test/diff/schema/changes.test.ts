import { describe, expect, test } from "vitest";
import { schemaChanges } from "../../../src/diff/schema/changes.js";
import type { JsonSchema } from "../../../src/json.js";

type Row = readonly [
  what: string,
  before: JsonSchema,
  after: JsonSchema,
  input: string,
  output: string,
];

const text = { type: "string" } as const;
const number = { type: "number" } as const;
const field = (schema: JsonSchema | boolean): JsonSchema => ({
  type: "object",
  properties: { a: schema },
});
const closed = (
  properties: Record<string, JsonSchema | boolean>,
  required: readonly string[] = [],
): JsonSchema => ({ type: "object", properties, required, additionalProperties: false });
const named = (
  named: JsonSchema,
  root: JsonSchema = { properties: { a: { $ref: "#/$defs/named" } } },
): JsonSchema => ({ type: "object", ...root, $defs: { named } });
const tree = (value: JsonSchema): JsonSchema =>
  named({ type: "object", properties: { value, next: { $ref: "#/$defs/named" } } });

/** Expected class of a change for an input and for an output: the worst class, and its path. */
const rows: readonly Row[] = [
  ["nothing", field(text), field(text), "", ""],
  [
    "the order of members",
    { properties: { a: text, b: number } },
    { properties: { b: number, a: text } },
    "",
    "",
  ],

  // Fields
  [
    "a new optional field",
    closed({ a: text }),
    closed({ a: text, b: text }),
    "additive b",
    "breaking b",
  ],
  [
    "a new optional field beside free properties",
    field(text),
    { ...field(text), properties: { a: text, b: text } },
    "breaking b",
    "additive b",
  ],
  [
    "a new unconstrained field beside free properties",
    field(text),
    { ...field(text), properties: { a: text, b: {} } },
    "additive b",
    "additive b",
  ],
  [
    "a new required field",
    closed({ a: text }),
    closed({ a: text, b: text }, ["b"]),
    "breaking b",
    "breaking b",
  ],
  [
    "a removed field",
    closed({ a: text, b: text }),
    closed({ a: text }),
    "breaking b",
    "breaking b",
  ],
  [
    "a removed field beside free properties",
    { ...field(text), properties: { a: text, b: text } },
    field(text),
    "breaking b",
    "breaking b",
  ],
  [
    "a field that becomes required",
    closed({ a: text }),
    closed({ a: text }, ["a"]),
    "breaking a",
    "additive a",
  ],
  [
    "a field that becomes optional",
    closed({ a: text }, ["a"]),
    closed({ a: text }),
    "additive a",
    "breaking a",
  ],
  ["other properties become free", closed({ a: text }), field(text), "additive", "breaking"],
  ["other properties become invalid", field(text), closed({ a: text }), "breaking", "additive"],
  [
    "other properties have another type",
    { additionalProperties: text },
    { additionalProperties: number },
    "breaking *",
    "breaking *",
  ],
  [
    "other properties may also be null",
    { additionalProperties: text },
    { additionalProperties: { type: ["string", "null"] } },
    "additive *",
    "breaking *",
  ],
  [
    "patternProperties",
    { patternProperties: { "^x": text } },
    { patternProperties: { "^x": number } },
    "breaking",
    "breaking",
  ],
  ["propertyNames", {}, { propertyNames: { maxLength: 3 } }, "breaking", "additive"],
  ["added dependentRequired", {}, { dependentRequired: { a: ["b"] } }, "breaking", "additive"],
  ["removed dependentRequired", { dependentRequired: { a: ["b"] } }, {}, "additive", "breaking"],
  [
    "dependentRequired of a required field",
    { required: ["b"] },
    { required: ["b"], dependentRequired: { a: ["b"] } },
    "cosmetic",
    "cosmetic",
  ],

  // Types and values
  ["another type", field(text), field(number), "breaking a", "breaking a"],
  ["an added type", field(text), field({ type: ["string", "null"] }), "additive a", "breaking a"],
  ["a removed type", field({ type: ["string", "null"] }), field(text), "breaking a", "additive a"],
  ["integers for numbers", field(number), field({ type: "integer" }), "breaking a", "additive a"],
  ["a type where there was none", field({}), field(text), "breaking a", "additive a"],
  [
    "null as an alternative instead of a type",
    field({ type: ["string", "null"] }),
    field({ anyOf: [text, { type: "null" }] }),
    "cosmetic a",
    "cosmetic a",
  ],
  [
    "an added value",
    field({ enum: ["x"] }),
    field({ enum: ["x", "y"] }),
    "additive a",
    "breaking a",
  ],
  [
    "a removed value",
    field({ enum: ["x", "y"] }),
    field({ enum: ["x"] }),
    "breaking a",
    "additive a",
  ],
  [
    "other values",
    field({ enum: ["x", "y"] }),
    field({ enum: ["y", "z"] }),
    "breaking a",
    "breaking a",
  ],
  [
    "values in another order",
    field({ enum: ["x", "y"] }),
    field({ enum: ["y", "x"] }),
    "cosmetic a",
    "cosmetic a",
  ],
  [
    "a const instead of a single enum value",
    field({ enum: ["x"] }),
    field({ const: "x" }),
    "cosmetic a",
    "cosmetic a",
  ],
  [
    "any string instead of enum values",
    field({ type: "string", enum: ["x"] }),
    field(text),
    "additive a",
    "breaking a",
  ],
  [
    "enum values instead of any string",
    field(text),
    field({ type: "string", enum: ["x"] }),
    "breaking a",
    "additive a",
  ],
  [
    "a range that contains all values",
    field({ enum: [1, 2] }),
    field({ type: "integer", minimum: 1, maximum: 9 }),
    "additive a",
    "breaking a",
  ],
  [
    "enum of both booleans",
    field({ type: "boolean" }),
    field({ enum: [true, false] }),
    "cosmetic a",
    "cosmetic a",
  ],
  ["another constant", field({ const: 1 }), field({ const: 2 }), "breaking a", "breaking a"],

  // Sizes
  ["a higher minimum", field({ minimum: 1 }), field({ minimum: 2 }), "breaking a", "additive a"],
  ["a lower minimum", field({ minimum: 2 }), field({ minimum: 1 }), "additive a", "breaking a"],
  [
    "a limit that the values do not reach",
    field({ minimum: 1 }),
    field({ exclusiveMinimum: 1 }),
    "breaking a",
    "additive a",
  ],
  ["a maximum", field(number), field({ type: "number", maximum: 9 }), "breaking a", "additive a"],
  [
    "a maximum on a schema without numbers",
    field(text),
    field({ type: "string", maximum: 9 }),
    "cosmetic a",
    "cosmetic a",
  ],
  [
    "a smaller multipleOf",
    field({ multipleOf: 4 }),
    field({ multipleOf: 2 }),
    "additive a",
    "breaking a",
  ],
  ["longer strings", field({ maxLength: 9 }), field({ maxLength: 10 }), "additive a", "breaking a"],
  [
    "a minimum length of zero",
    field(text),
    field({ type: "string", minLength: 0 }),
    "cosmetic a",
    "cosmetic a",
  ],
  [
    "fewer items",
    field({ type: "array", maxItems: 9 }),
    field({ type: "array", maxItems: 8 }),
    "breaking a",
    "additive a",
  ],
  [
    "uniqueItems",
    field({ type: "array" }),
    field({ type: "array", uniqueItems: true }),
    "breaking a",
    "additive a",
  ],
  ["more properties", { maxProperties: 1 }, { maxProperties: 2 }, "additive", "breaking"],
  ["a pattern", field(text), field({ type: "string", pattern: "^a" }), "breaking a", "additive a"],
  [
    "another pattern",
    field({ pattern: "^a" }),
    field({ pattern: "^a+" }),
    "breaking a",
    "breaking a",
  ],
  ["a format", field(text), field({ type: "string", format: "date" }), "breaking a", "additive a"],
  ["no format", field({ type: "string", format: "date" }), field(text), "additive a", "breaking a"],

  // Lists
  [
    "items of another type",
    field({ items: text }),
    field({ items: number }),
    "breaking a[]",
    "breaking a[]",
  ],
  [
    "items with a new field",
    field({ items: closed({ b: text }) }),
    field({ items: closed({ b: text, c: text }) }),
    "additive a[].c",
    "breaking a[].c",
  ],
  [
    "a removed field of items",
    field({ items: field(text) }),
    field({ items: { type: "object" } }),
    "breaking a[].a",
    "breaking a[].a",
  ],
  [
    "a tuple item",
    field({ prefixItems: [text] }),
    field({ prefixItems: [text, number] }),
    "breaking a[1]",
    "additive a[1]",
  ],
  [
    "a first prefix item",
    field({ items: text }),
    field({ prefixItems: [{ type: "string", maxLength: 1 }], items: text }),
    "breaking a[0]",
    "additive a[0]",
  ],
  [
    "a required item",
    field({ contains: text }),
    field({ contains: number }),
    "breaking a",
    "breaking a",
  ],

  // Alternatives and conditions
  [
    "an added alternative",
    field({ anyOf: [text] }),
    field({ anyOf: [text, number] }),
    "additive a",
    "breaking a",
  ],
  [
    "a removed alternative",
    field({ anyOf: [text, number] }),
    field({ anyOf: [text] }),
    "breaking a",
    "additive a",
  ],
  [
    "alternatives in another order",
    field({ anyOf: [text, number] }),
    field({ anyOf: [number, text] }),
    "cosmetic a",
    "cosmetic a",
  ],
  [
    "mutually exclusive alternatives",
    field({ anyOf: [text, number] }),
    field({ oneOf: [text, number] }),
    "cosmetic a",
    "cosmetic a",
  ],
  [
    "oneOf instead of anyOf",
    field({ anyOf: [number, { type: "integer" }] }),
    field({ oneOf: [number, { type: "integer" }] }),
    "breaking a",
    "additive a",
  ],
  [
    "variants with a discriminator",
    field({ oneOf: [closed({ t: { const: "x" } }, ["t"])] }),
    field({ oneOf: [closed({ t: { const: "x" } }, ["t"]), closed({ t: { const: "y" } }, ["t"])] }),
    "additive a",
    "breaking a",
  ],
  [
    "a narrower alternative",
    field({ anyOf: [{ type: "string", maxLength: 9 }, number] }),
    field({ anyOf: [{ type: "string", maxLength: 8 }, number] }),
    "breaking a",
    "additive a",
  ],
  [
    "an added allOf",
    field({ allOf: [{ minimum: 1 }] }),
    field({ allOf: [{ minimum: 1 }, { maximum: 9 }] }),
    "breaking a",
    "additive a",
  ],
  [
    "two constraints merged into one",
    field({ allOf: [{ minimum: 1 }, { maximum: 9 }] }),
    field({ minimum: 1, maximum: 9 }),
    "cosmetic",
    "cosmetic",
  ],
  [
    "a hundred constants with changed annotations",
    field({ anyOf: Array.from({ length: 100 }, (_, i) => ({ const: i, title: "one" })) }),
    field({ anyOf: Array.from({ length: 100 }, (_, i) => ({ const: i, title: "two" })) }),
    "cosmetic a",
    "cosmetic a",
  ],
  [
    "one of a hundred constants removed",
    field({ anyOf: Array.from({ length: 100 }, (_, i) => ({ const: i })) }),
    field({ anyOf: Array.from({ length: 99 }, (_, i) => ({ const: i })) }),
    "breaking a",
    "additive a",
  ],
  [
    "alternatives merged into one enum",
    field({ anyOf: [{ const: "x" }, { enum: ["y", "z"] }] }),
    field({ enum: ["z", "y", "x"] }),
    "cosmetic a",
    "cosmetic a",
  ],
  [
    "annotations in a condition",
    { if: { required: ["a"], description: "one" }, then: { required: ["b"] } },
    { if: { required: ["a"], description: "two" }, then: { required: ["b"] } },
    "cosmetic",
    "cosmetic",
  ],
  [
    "a value that looks like an annotation",
    field({ const: { description: "one" } }),
    field({ const: { description: "two" } }),
    "breaking a",
    "breaking a",
  ],
  [
    "a field named like an annotation",
    field({ not: field(text) }),
    field({ not: { properties: { description: text } } }),
    "breaking a",
    "breaking a",
  ],
  ["not", field({ not: text }), field({ not: number }), "breaking a", "breaking a"],
  [
    "a condition",
    {},
    { if: { required: ["a"] }, then: { required: ["b"] } },
    "breaking",
    "additive",
  ],
  [
    "a changed condition",
    { if: { required: ["a"] }, then: { required: ["b"] } },
    { if: { required: ["a"] }, then: { required: ["c"] } },
    "breaking",
    "breaking",
  ],
  ["an unknown keyword", {}, { "x-rule": 1 }, "breaking", "additive"],
  [
    "a keyword with the name of an object member",
    field({}),
    field({ constructor: 1 }),
    "breaking a",
    "additive a",
  ],
  [
    "a keyword with the name of a prototype member",
    field({ toString: 1 }),
    field({ toString: 2 }),
    "breaking a",
    "breaking a",
  ],
  ["true and false schemas", field(true), field(false), "breaking a", "additive a"],

  // References
  ["a reference instead of the schema", field(text), named(text), "cosmetic", "cosmetic"],
  [
    "a renamed schema",
    { $ref: "#/$defs/a", $defs: { a: field(text) } },
    { $ref: "#/$defs/b", $defs: { b: field(text) } },
    "cosmetic",
    "cosmetic",
  ],
  [
    "a narrower named schema",
    named(text),
    named({ type: "string", maxLength: 1 }),
    "breaking a",
    "additive a",
  ],
  [
    "a dangling reference",
    field(text),
    field({ $ref: "#/$defs/none" }),
    "breaking a",
    "breaking a",
  ],
  [
    "a recursive schema with wider values",
    tree({ type: "integer" }),
    tree(number),
    "additive a.value",
    "breaking a.value",
  ],
  [
    "a recursive schema with narrower values",
    tree(number),
    tree({ type: "integer" }),
    "breaking a.value",
    "additive a.value",
  ],
  [
    "a recursive schema that is unrolled once",
    tree(text),
    named({
      type: "object",
      properties: {
        value: text,
        next: { type: "object", properties: { value: text, next: { $ref: "#/$defs/named" } } },
      },
    }),
    "cosmetic",
    "cosmetic",
  ],
  [
    "a schema that references itself as a whole",
    { properties: { a: { $ref: "#" }, b: number } },
    { properties: { a: { $ref: "#" }, b: { type: "integer" } } },
    "breaking b",
    "additive b",
  ],

  // Text
  [
    "a description",
    field({ description: "one" }),
    field({ description: "two" }),
    "cosmetic a",
    "cosmetic a",
  ],
  ["an example", field({ examples: [1] }), field({}), "cosmetic a", "cosmetic a"],
  ["a changed default", field({ default: 1 }), field({ default: 2 }), "breaking a", "cosmetic a"],
  [
    "an added default",
    field(number),
    field({ type: "number", default: 2 }),
    "breaking a",
    "cosmetic a",
  ],
  [
    "a default instead of a required field",
    { ...field(number), required: ["a"] },
    field({ type: "number", default: 2 }),
    "additive a",
    "breaking a",
  ],
];

const order = ["breaking", "additive", "cosmetic"];

/** The first of the worst changes: `class path`. */
function worst(before: JsonSchema, after: JsonSchema, direction: "input" | "output"): string {
  const changes = schemaChanges(structuredClone(before), structuredClone(after), direction);
  const [first] = [...changes].sort((a, b) => order.indexOf(a.class) - order.indexOf(b.class));
  return first ? `${first.class} ${first.path}`.trim() : "";
}

describe.each(rows)("%s", (_, before, after, input, output) => {
  test(`for an input: ${input || "no change"}`, () =>
    expect(worst(before, after, "input")).toBe(input));
  test(`for a result: ${output || "no change"}`, () =>
    expect(worst(before, after, "output")).toBe(output));
});

test.each<
  readonly [
    before: JsonSchema,
    after: JsonSchema,
    direction: "input" | "output",
    messages: readonly string[],
  ]
>([
  [
    closed({ status: { enum: ["new", "old"] } }),
    closed({ status: { enum: ["new", "lost"] }, limit: number }, ["limit"]),
    "input",
    [
      'breaking: Input `status` no longer accepts `"old"`, and now also accepts `"lost"`.',
      "breaking: Input `limit` was added and is required.",
    ],
  ],
  [
    field({ type: ["string", "null"], maxLength: 5 }),
    field({ type: "string", maxLength: 4 }),
    "input",
    [
      "breaking: The type of input `a` changed from `string` or `null` to `string`.",
      "breaking: The maximum length of input `a` changed from `5` to `4`.",
    ],
  ],
  [
    field({ type: "string", minLength: 2 }),
    field({ type: "string", pattern: "^a" }),
    "output",
    [
      "breaking: The minimum length of output `a` was removed; it was `2`.",
      'additive: The pattern of output `a` is now `"^a"`; there was none before.',
    ],
  ],
  [
    field({ anyOf: [text, number] }),
    field({ anyOf: [text] }),
    "input",
    ["breaking: Input `a` has different alternatives."],
  ],
  [closed({ a: text }, ["a"]), closed({}), "output", ["breaking: Output `a` was removed."]],
  [
    field({ default: 1 }),
    field({}),
    "input",
    ["breaking: Input `a` no longer has a default; it was `1`."],
  ],
  [
    { properties: { items: { items: field({ description: "`one`\n::error::" }) } } },
    { properties: { items: { items: field({}) } } },
    "output",
    ["cosmetic: The description of `items[].a` was removed; it was `'one' ::error::`."],
  ],
  [
    field({ enum: ["`\n@all"] }),
    field({ enum: ["x"] }),
    "input",
    ['breaking: Input `a` no longer accepts `"\'\\n@all"`, and now also accepts `"x"`.'],
  ],
])("message for %j → %j as %s", (before, after, direction, messages) => {
  expect(
    schemaChanges(before, after, direction).map((change) => `${change.class}: ${change.message}`),
  ).toEqual(messages);
});
