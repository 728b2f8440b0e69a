import { describe, expect, test } from "vitest";
import { type AnySchema, type Direction, SchemaSet } from "../../src/mock/index.js";

const named: Record<string, AnySchema> = {
  Pet: {
    type: "object",
    required: ["id", "name"],
    properties: {
      id: { type: "integer", readOnly: true },
      name: { type: "string" },
      pin: { type: "string", writeOnly: true },
    },
  },
  Id: { type: "integer", readOnly: true },
  Größe: { enum: ["S", "M"] },
  Loop: { $ref: "#/$defs/Loop" },
  Tree: {
    type: "object",
    properties: { child: { $ref: "#/$defs/Tree" }, n: { type: "integer" } },
    additionalProperties: false,
  },
};

describe("check", () => {
  const rows: readonly [string, unknown, AnySchema, Direction, readonly string[]][] = [
    [
      "what is read-only is not required of a request",
      { name: "a" },
      { $ref: "#/$defs/Pet" },
      "request",
      [],
    ],
    [
      "nor allowed in it",
      { id: 1, name: "a" },
      { $ref: "#/$defs/Pet" },
      "request",
      [" /id: is not allowed here"],
    ],
    [
      "but required of a response",
      { name: "a" },
      { $ref: "#/$defs/Pet" },
      "response",
      [': Instance does not have required property "id".'],
    ],
    [
      "what is write-only is not in a response",
      { id: 1, name: "a", pin: "1" },
      { $ref: "#/$defs/Pet" },
      "response",
      [" /pin: is not allowed here"],
    ],
    [
      "read-only by reference",
      { id: 1 },
      { type: "object", required: ["id"], properties: { id: { $ref: "#/$defs/Id" } } },
      "request",
      [" /id: is not allowed here"],
    ],
    [
      "names that are no ASCII",
      "L",
      { $ref: "#/$defs/Größe" },
      "request",
      [': Instance does not match any of ["S","M"].'],
    ],
    [
      "recursion",
      { child: { child: { n: "x" } } },
      { $ref: "#/$defs/Tree" },
      "request",
      [' /child/child/n: Instance type "string" is invalid. Expected "integer".'],
    ],
    ["an unknown reference allows anything", 1, { $ref: "#/$defs/Nobody" }, "request", []],
    [
      "overlapping alternatives are no fault of the request",
      1,
      { oneOf: [{ type: "integer" }, { type: "number" }] },
      "request",
      [],
    ],
    [
      "none of the alternatives is",
      "x",
      { oneOf: [{ type: "integer" }, { type: "number" }], anyOf: [true] },
      "request",
      [
        ": Instance does not match any subschemas.",
        ': Instance type "string" is invalid. Expected "integer".',
        ': Instance type "string" is invalid. Expected "number".',
      ],
    ],
    [
      "an allOf that contradicts itself judges nobody",
      "x",
      { allOf: [{ type: "string" }, { type: "integer" }] },
      "request",
      [],
    ],
    [
      "or contradicts what is around it",
      "x",
      { type: "string", allOf: [{ type: "integer" }] },
      "request",
      [],
    ],
    [
      "one that does not, does",
      1.5,
      { type: "number", allOf: [{ type: "integer" }] },
      "request",
      [': Instance type "number" is invalid. Expected "integer".'],
    ],
    ["patterns that are no expressions", "x", { type: "string", pattern: "(?<" }, "request", []],
    [
      "patterns that are",
      "x",
      { type: "string", pattern: "^y$" },
      "request",
      [": String does not match pattern."],
    ],
    [
      "a required name that a closed list of properties lacks",
      {},
      { type: "object", required: ["nobody"], properties: { name: true } },
      "request",
      [],
    ],
    [
      "any other required name",
      {},
      { type: "object", required: ["somebody"] },
      "request",
      [': Instance does not have required property "somebody".'],
    ],
    [
      "hostile names",
      JSON.parse('{"__proto__": 1, "constructor": "x"}'),
      {
        type: "object",
        properties: JSON.parse(
          '{"__proto__": {"type": "string"}, "constructor": {"type": "string"}}',
        ) as never,
      },
      "request",
      [' /__proto__: Instance type "number" is invalid. Expected "string".'],
    ],
  ];
  test.each(rows)("%s", (_, value, schema, direction, want) => {
    expect(
      new SchemaSet(named, direction).check(value, schema, "").map((v) => `${v.at}: ${v.problem}`),
    ).toEqual(want);
  });

  test("does not modify the schemas", () => {
    const schema = Object.freeze({
      type: "object",
      oneOf: Object.freeze([Object.freeze({ $ref: "#/$defs/Pet" })]),
    });
    expect(new SchemaSet(named, "request").accepts({ name: "x" }, schema)).toBe(true);
    expect(Object.getOwnPropertyNames(named["Pet"])).toEqual(["type", "required", "properties"]);
  });

  test("cyclic references resolve to true", () =>
    expect(new SchemaSet(named, "request").resolve({ $ref: "#/$defs/Loop" })).toBe(true));
});

/** Matches that would take years are given up. A value that is not matched counts as valid. */
test("patterns of a document are matched within a limit of time", () => {
  const set = new SchemaSet(named, "request");
  const long = `${"a".repeat(60)}!`;
  const slow = { type: "string", pattern: "^(a+)+$" };
  expect(set.check(long, slow, "")).toEqual([]);
  expect(set.check({ [long]: 1 }, { patternProperties: { "^(a|a)*$": false } }, "")).toEqual([]);
  expect(set.check("aaa", slow, "")).toEqual([]);
  expect(set.check("b", slow, "")).toEqual([{ at: "", problem: "String does not match pattern." }]);
});
