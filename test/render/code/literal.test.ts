import fc from "fast-check";
import type { ts } from "ts-morph";
import { describe, expect, test } from "vitest";
import { literal, memberKey, propertyKey, stringLiteral } from "../../../src/render/code/index.js";
import { evaluate, onlyStatement } from "../parse.js";
import { anyText, forAll } from "../hostile-strings.js";

test.each<readonly [given: string, want: string]>([
  ["plain", '"plain"'],
  ['say "hi" \\ there', '"say \\"hi\\" \\\\ there"'],
  ["two\nlines", '"two\\nlines"'],
  ["ends\u2028here\u2029", '"ends\\u2028here\\u2029"'],
  ["\u202eright to left\u200b", '"\\u202eright to left\\u200b"'],
  ["tag \u{e0041}", '"tag \\udb40\\udc41"'],
  ["lone \ud800", '"lone \\ud800"'],
  ["naïve 🐈", '"naïve 🐈"'],
])("string literal of %j", (given, want) => {
  expect(stringLiteral(given)).toBe(want);
});

test.each<readonly [given: string, want: string]>([
  ["name", "name"],
  ["pet_id2", "pet_id2"],
  ["404", "404"],
  ["0", "0"],
  ["007", '"007"'],
  ["4XX", '"4XX"'],
  ["X-Key", '"X-Key"'],
  ["class", "class"],
  ["größe", '"größe"'],
  ["", '""'],
  ["__proto__", '["__proto__"]'],
])("property key %j", (given, want) => {
  expect(propertyKey(given)).toBe(want);
});

describe("literal", () => {
  test.each<readonly [name: string, given: unknown, want: string]>([
    ["scalars", null, "null"],
    ["what JSON has not", Number.POSITIVE_INFINITY, "null"],
    ["empty", { a: {}, b: [] }, "{ a: {}, b: [] }"],
    ["short: one line", { name: "x", limit: 5 }, '{ name: "x", limit: 5 }'],
    ["undefined members are left out", { a: undefined, b: 1, c: undefined }, "{ b: 1 }"],
    ["only undefined members", { a: undefined }, "{}"],
    [
      "the prototype is a member like any other",
      JSON.parse('{"__proto__": {"x": 1}}'),
      '{ ["__proto__"]: { x: 1 } }',
    ],
    [
      "names of Object's members",
      { toString: { kind: "apiKey" }, valueOf: "a" },
      '{ toString: { kind: "apiKey" } as const, valueOf: "a" }',
    ],
    ["no prototype", Object.assign(Object.create(null) as object, { a: 1 }), "{ a: 1 }"],
    [
      "long: a member per line",
      { first: "a".repeat(60), second: "b".repeat(60) },
      `{\n  first: "${"a".repeat(60)}",\n  second: "${"b".repeat(60)}",\n}`,
    ],
    [
      "long lists of scalars are filled",
      Array.from({ length: 30 }, (_, i) => i + 1000),
      `[\n  ${numbers(1000, 1016)},\n  ${numbers(1016, 1030)},\n]`,
    ],
    [
      "long lists of objects are not",
      [{ a: "x".repeat(60) }, { b: "y".repeat(60) }],
      `[\n  { a: "${"x".repeat(60)}" },\n  { b: "${"y".repeat(60)}" },\n]`,
    ],
    [
      "what is inside keeps to one line",
      { deep: { a: 1, b: [1, 2] }, text: "z".repeat(100) },
      `{\n  deep: { a: 1, b: [1, 2] },\n  text: "${"z".repeat(100)}",\n}`,
    ],
  ])("%s", (_, given, want) => {
    expect(literal(given)).toBe(want);
  });

  test("lines are at most 100 columns long, unless one string is longer", () => {
    const value = {
      properties: Object.fromEntries(
        Array.from({ length: 60 }, (_, i) => [
          `p${i}`,
          { type: "string", maxLength: i, description: "d".repeat(i) },
        ]),
      ),
    };
    const long = literal(value, 2, 15)
      .split("\n")
      .filter((line) => line.length > 101);
    expect(long).toEqual([]);
  });

  test("a line that is full stays one, a longer one breaks", () => {
    const text = (length: number): string => literal({ a: "x".repeat(length) });
    expect(text(91)).toHaveLength(100);
    expect(text(91)).not.toContain("\n");
    expect(text(92)).toContain("\n");
  });

  test("later lines are indented", () => {
    expect(literal({ a: "x".repeat(60), b: "y".repeat(60) }, 4)).toBe(
      `{\n      a: "${"x".repeat(60)}",\n      b: "${"y".repeat(60)}",\n    }`,
    );
  });

  test("deep nesting beyond the last column is that value", () => {
    let value: unknown = { list: [], object: {}, text: "x" };
    for (let i = 0; i < 100; i++) value = { a: [value] };
    expect(JSON.stringify(evaluate(literal(value)))).toBe(JSON.stringify(value));
  });

  test("endless nesting is refused", () => {
    let value: unknown = 1;
    for (let i = 0; i < 600; i++) value = [value];
    expect(() => literal(value)).toThrow("deeper than 500");
  });
});

function numbers(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, i) => i + from).join(", ");
}

describe("for any text", () => {
  test("a string literal is that text", () => {
    forAll(anyText, (text) => expect(evaluate(stringLiteral(text))).toBe(text));
  });

  test("a value is that value", () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        anyText,
        fc.double({ noDefaultInfinity: true, noNaN: true }).map((n) => n + 0),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("any")),
        fc.dictionary(anyText, tie("any")),
      ),
    })).any;
    forAll(value, (given) => expect(canonical(evaluate(literal(given)))).toBe(canonical(given)));
  });

  test("a member key is that text", () => {
    forAll(anyText, (text) => {
      const declaration = onlyStatement(
        `interface X { ${memberKey(text)}: 1 }`,
      ) as ts.InterfaceDeclaration;
      expect(declaration.members.map((member) => (member.name as ts.StringLiteral).text)).toEqual([
        text,
      ]);
    });
  });
});

/** JSON, which tells an own `__proto__` and the order of members from others. */
function canonical(value: unknown): string {
  return JSON.stringify(value);
}
