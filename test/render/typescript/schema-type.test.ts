import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import { identifier } from "../../../src/render/code/index.js";
import {
  circularAliases,
  schemaType,
  typeDeclaration,
  type TypeScope,
} from "../../../src/render/typescript/schema-type.js";
import { anyText, forAll } from "../hostile-strings.js";
import { calls, onlyStatement, parse } from "../parse.js";

const names = new Set(["Pet", "Owner", "A", "B", "C"]);
const scope: TypeScope = {
  nameOf: (ref) => (names.has(ref) ? identifier(ref) : undefined),
  circular: new Set(),
};
const pet = { $ref: "#/$defs/Pet" };
const owner = { $ref: "#/$defs/Owner" };

describe("the type of", () => {
  test.each<readonly [name: string, given: unknown, want: string]>([
    ["anything", {}, "unknown"],
    ["true", true, "unknown"],
    ["false", false, "never"],
    ["what is no schema", 5, "unknown"],
    ["an unknown type", { type: "file" }, "unknown"],
    ["a string", { type: "string", format: "date-time", pattern: "^a" }, "string"],
    ["a binary string", { type: "string", format: "binary", contentEncoding: "base64" }, "string"],
    ["numbers", { type: ["integer", "number"] }, "number"],
    ["a boolean", { type: "boolean" }, "boolean"],
    ["null", { type: "null" }, "null"],
    ["a nullable string", { type: ["null", "string"] }, "string | null"],
    ["a const", { const: "a\u2028*/" }, '"a\\u2028*/"'],
    ["an enum", { type: "string", enum: ["a", "b", "a"] }, '"a" | "b"'],
    ["an enum of all kinds", { enum: [null, -1.5, true, "x"] }, '-1.5 | true | "x" | null'],
    ["an empty enum", { enum: [] }, "never"],
    [
      "an enum of values",
      { enum: [{ a: 1, "b-c": ["x"] }, [], {}] },
      '{ a: 1; "b-c": ["x"] } | [] | { [key: string]: never }',
    ],
    [
      "a very long enum",
      { enum: Array.from({ length: 10_000 }, (_, i) => (i === 0 ? null : `v${i}`)) },
      "string | null",
    ],
    [
      "a long enum",
      { enum: Array.from({ length: 12 }, (_, i) => `value_${i}_x`) },
      Array.from({ length: 12 }, (_, i) => `\n  | "value_${i}_x"`).join(""),
    ],
    ["a reference", pet, "Pet"],
    ["a reference with annotations", { ...pet, description: "x", default: 1 }, "Pet"],
    ["an unknown reference", { $ref: "#/$defs/Nobody" }, "unknown"],
    ["a foreign reference", { $ref: "other.json#/Pet" }, "unknown"],
    ["an array", { type: "array", items: pet }, "Pet[]"],
    ["an array of anything", { type: "array" }, "unknown[]"],
    ["an array without a type", { items: { type: "string" } }, "string[]"],
    [
      "an array of a union",
      { type: "array", items: { type: ["string", "null"] } },
      "(string | null)[]",
    ],
    ["an array of an enum", { type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
    ["an array of arrays", { type: "array", items: { type: "array", items: pet } }, "Pet[][]"],
    [
      "an array of an intersection",
      { type: "array", items: { allOf: [pet, owner] } },
      "(Pet & Owner)[]",
    ],
    [
      "a tuple",
      { type: "array", prefixItems: [{ type: "number" }, { type: ["string", "null"] }] },
      "[number, string | null]",
    ],
    [
      "an open tuple",
      { prefixItems: [{ type: "number" }], items: { type: "string" } },
      "[number, ...string[]]",
    ],
    ["a closed tuple", { prefixItems: [{ type: "number" }], items: false }, "[number]"],
    ["an object without members", { type: "object" }, "{ [key: string]: unknown }"],
    [
      "a closed object without members",
      { type: "object", additionalProperties: false },
      "{ [key: string]: never }",
    ],
    [
      "a map",
      { type: "object", additionalProperties: { type: "number" } },
      "{ [key: string]: number }",
    ],
    [
      "a map of anything",
      { type: "object", additionalProperties: true },
      "{ [key: string]: unknown }",
    ],
    ["a map without a type", { additionalProperties: pet }, "{ [key: string]: Pet }"],
    [
      "a map by patterns",
      {
        type: "object",
        patternProperties: { "^x-": { type: "number" } },
        additionalProperties: false,
      },
      "{ [key: string]: unknown }",
    ],
    [
      "an object",
      { type: "object", properties: { a: { type: "string" }, b: pet }, required: ["a"] },
      "{ a: string; b?: Pet }",
    ],
    ["an object without a type", { properties: { a: { type: "string" } } }, "{ a?: string }"],
    [
      "an object and more",
      {
        type: "object",
        properties: { a: { type: "string" } },
        additionalProperties: { type: "number" },
      },
      "{ a?: string; [key: string]: unknown }",
    ],
    [
      "a closed object",
      { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
      "{ a?: string }",
    ],
    [
      "what is required but not described",
      { type: "object", properties: { a: {} }, required: ["a", "b", 5] },
      "{ a: unknown; b: unknown }",
    ],
    [
      "odd names",
      { properties: { "x-y": {}, "2": {}, constructor: {}, ["__proto__"]: {}, "": {} } },
      '{\n  "2"?: unknown;\n  "x-y"?: unknown;\n  constructor?: unknown;\n  __proto__?: unknown;\n  ""?: unknown;\n}'.replace(
        '"2"',
        "2",
      ),
    ],
    [
      "a nullable object",
      { type: ["object", "null"], properties: { a: pet } },
      "{ a?: Pet } | null",
    ],
    [
      "documented members",
      {
        properties: {
          a: { type: "string", description: "Ends */ here." },
          b: { deprecated: true },
        },
      },
      "{\n  /** Ends *\\/ here. */\n  a?: string;\n  /** @deprecated */\n  b?: unknown;\n}",
    ],
    [
      "nested members",
      {
        properties: {
          a: { type: "object", properties: { b: { type: "string", description: "B." } } },
        },
      },
      "{\n  a?: {\n    /** B. */\n    b?: string;\n  };\n}",
    ],
    ["allOf", { allOf: [pet, owner, pet] }, "Pet & Owner"],
    [
      "allOf and members",
      { type: "object", allOf: [pet], properties: { a: { type: "string" } } },
      "{ a?: string } & Pet",
    ],
    ["allOf of one", { type: "object", allOf: [pet] }, "Pet"],
    ["allOf that only describes", { allOf: [pet, { description: "x" }] }, "Pet"],
    ["oneOf", { oneOf: [pet, owner] }, "Pet | Owner"],
    ["anyOf with null", { anyOf: [{ type: "null" }, pet] }, "Pet | null"],
    ["oneOf with anything", { oneOf: [pet, {}] }, "unknown"],
    ["oneOf of nothing", { oneOf: [] }, "unknown"],
    ["oneOf of never", { oneOf: [false, pet] }, "Pet"],
    [
      "oneOf and allOf",
      { allOf: [pet], oneOf: [owner, { type: "string" }] },
      "Pet & (Owner | string)",
    ],
    ["oneOf of intersections", { oneOf: [{ allOf: [pet, owner] }, pet] }, "(Pet & Owner) | Pet"],
    [
      "members and what is required of them",
      { properties: { a: {}, b: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      "{ a?: unknown; b?: unknown } & ({ a: unknown } | { b: unknown })",
    ],
    [
      "a union of formats",
      { type: "string", anyOf: [{ format: "date" }, { format: "date-time" }] },
      "string",
    ],
    [
      "wrong keywords",
      { type: "object", properties: 5, required: "a", allOf: {}, enum: "x" },
      "{ [key: string]: unknown }",
    ],
  ])("%s", (_, given, want) => {
    expect(schemaType(given, scope)).toBe(want);
    expect(calls(parse(`type X = ${schemaType(given, scope)};`))).toEqual([]);
  });

  test("a very deep schema ends as unknown", () => {
    let schema: JsonSchema = { type: "string" };
    for (let i = 0; i < 3000; i++) schema = { type: "object", properties: { a: schema } };
    expect(schemaType(schema, scope)).toContain("unknown");
  });
});

describe("the declaration of", () => {
  test.each<readonly [name: string, given: JsonSchema, want: string]>([
    [
      "an object",
      { type: "object", properties: { a: { type: "string" } } },
      "export interface Pet {\n  a?: string;\n}",
    ],
    [
      "an object without members",
      { type: "object" },
      "export interface Pet {\n  [key: string]: unknown;\n}",
    ],
    [
      "a recursive object",
      { type: "object", properties: { mother: pet, all: { type: "array", items: pet } } },
      "export interface Pet {\n  mother?: Pet;\n  all?: Pet[];\n}",
    ],
    [
      "a nullable object",
      { type: ["object", "null"], properties: { a: {} } },
      "export type Pet = { a?: unknown } | null;",
    ],
    ["an enum", { enum: ["a"] }, 'export type Pet = "a";'],
    [
      "a combination",
      { type: "object", properties: { a: {} }, allOf: [owner] },
      "export type Pet = { a?: unknown } & Owner;",
    ],
    ["another type", owner, "export type Pet = Owner;"],
  ])("%s", (_, given, want) => {
    expect(typeDeclaration(identifier("Pet"), given, scope)).toBe(want);
  });
});

describe("comments beside a schema of the same module", () => {
  const said = { type: "string", description: "Said." } as const;
  const object = (properties: JsonSchema["properties"]): JsonSchema => ({
    type: "object",
    properties,
  });
  test.each<readonly [name: string, given: JsonSchema, listed: unknown, want: string]>([
    ["repeat no description of it", object({ a: said }), object({ a: said }), "  a?: string;\n"],
    [
      "keep another text",
      object({ a: said }),
      object({ a: { description: "Shorter." } }),
      "  /** Said. */\n  a?: string;\n",
    ],
    [
      "keep the text of a member whose schema has none",
      object({ a: said, b: said }),
      object({ a: said, b: {} }),
      "  a?: string;\n  /** Said. */\n  b?: string;\n",
    ],
    [
      "keep that a member is deprecated",
      object({ a: { ...said, deprecated: true } }),
      object({ a: said }),
      "  /** @deprecated */\n  a?: string;\n",
    ],
    [
      "repeat none of members of members and items",
      object({ a: object({ b: said }), c: { type: "array", items: object({ d: said }) } }),
      object({ a: object({ b: said }), c: { type: "array", items: object({ d: said }) } }),
      "  a?: { b?: string };\n  c?: { d?: string }[];\n",
    ],
    [
      "repeat none of alternatives",
      object({ a: { anyOf: [object({ b: said }), { type: "null" }] } }),
      object({ a: { anyOf: [object({ b: said }), { type: "null" }] } }),
      "  a?: { b?: string } | null;\n",
    ],
  ])("%s", (_, given, listed, want) => {
    const declaration = typeDeclaration(identifier("Pet"), given, scope, listed);
    expect(declaration).toBe(`export interface Pet {\n${want}}`);
  });
});

describe("aliases", () => {
  const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
  const declared = (schemas: Readonly<Record<string, JsonSchema>>): readonly string[] => {
    const types = Object.entries(schemas).map(([name, schema]) => ({ name, schema }));
    const circular = circularAliases(types);
    return types.map(({ name, schema }) =>
      typeDeclaration(identifier(name), schema, {
        nameOf: scope.nameOf,
        circular: circular.get(name) ?? new Set(),
      }),
    );
  };

  test.each<
    readonly [name: string, given: Readonly<Record<string, JsonSchema>>, want: readonly string[]]
  >([
    ["of itself", { A: ref("A") }, ["export type A = unknown;"]],
    [
      "of itself or something",
      { A: { oneOf: [ref("A"), { type: "string" }] } },
      ["export type A = string;"],
    ],
    [
      "in a circle",
      {
        A: ref("B"),
        B: { anyOf: [ref("C"), { type: "null" }] },
        C: { allOf: [ref("A"), ref("Pet")] },
      },
      ["export type A = unknown;", "export type B = null;", "export type C = Pet;"],
    ],
    [
      "of a list of itself",
      { A: { anyOf: [{ type: "string" }, { type: "array", items: ref("A") }] } },
      ["export type A = string | A[];"],
    ],
    [
      "beside a circle",
      { A: ref("B"), B: { oneOf: [ref("B"), { type: "string" }] } },
      ["export type A = B;", "export type B = string;"],
    ],
  ])("%s", (_, given, want) => {
    expect(declared(given)).toEqual(want);
  });
});

test("any text in any place of a schema stays a name, a literal or a comment", () => {
  forAll(anyText, (text) => {
    const schema = {
      type: "object",
      title: text,
      description: text,
      required: [text, `${text}2`],
      properties: {
        [text]: { description: text, enum: [text, { [text]: [text] }] },
        list: { type: "array", items: { const: text } },
      },
      additionalProperties: { $ref: `#/$defs/${text}` },
    };
    const statement = onlyStatement(typeDeclaration(identifier("X"), schema, scope));
    expect(calls(statement.getSourceFile())).toEqual([]);
    onlyStatement(
      `type X = ${schemaType({ ...schema, type: ["object", text, "null"], format: text }, scope)};`,
    );
  });
});
