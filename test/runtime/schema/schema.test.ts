import { type Schema, validate as cfworker } from "@cfworker/json-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe as group, expect, test } from "vitest";
import {
  describeProblem,
  formatPath,
  relevantProblems,
} from "../../../src/runtime/schema/check.js";
import { compile } from "../../../src/runtime/schema/compile.js";
import { createMatcher } from "../../../src/runtime/schema/bounded-regexp.js";
import type { JsonSchema } from "../../../src/runtime/types.js";
import { type SchemaOptions, schemaOf, value } from "../../schemas.js";
import { seed } from "../../seed.js";

function messagesFor(schema: JsonSchema | boolean, value: unknown): readonly string[] {
  return relevantProblems(compile(schema)(value)).map((problem) =>
    `${formatPath(problem.path)}: ${describeProblem(problem)}`.replace(/^: /, ""),
  );
}

const inputs: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["pet_id"],
  properties: {
    pet_id: { type: "string", minLength: 1, maxLength: 5 },
    status: { enum: ["active", "archived"] },
    limit: { type: "integer", minimum: 1, maximum: 100 },
    price: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 10, multipleOf: 0.01 },
    tags: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 2, uniqueItems: true },
    born: { type: "string", format: "date" },
    code: { type: "string", pattern: "^[A-Z]{3}$" },
    fixed: { const: "yes" },
    note: { type: ["string", "null"] },
    size: { anyOf: [{ type: "string" }, { type: "integer" }] },
    owner: {
      oneOf: [
        {
          type: "object",
          required: ["kind", "name"],
          properties: { kind: { const: "person" }, name: { type: "string" } },
        },
        {
          type: "object",
          required: ["kind", "tax_no"],
          properties: { kind: { const: "company" }, tax_no: { type: "integer" } },
        },
      ],
    },
    parent: { $ref: "#/$defs/node" },
  },
  $defs: {
    node: {
      type: "object",
      properties: { name: { type: "string" }, parent: { $ref: "#/$defs/node" } },
    },
  },
};

group("messages", () => {
  test.each<readonly [unknown, readonly string[]]>([
    [{ pet_id: "1" }, []],
    [{}, ["pet_id: is required"]],
    [{ pet_id: "" }, ["pet_id: must not be empty"]],
    [{ pet_id: "123456" }, ["pet_id: has 6 characters; at most 5 are allowed"]],
    [{ pet_id: "🐈🐈🐈🐈🐈" }, []],
    [{ pet_id: 5 }, ["pet_id: expected a string, got 5"]],
    [{ pet_id: null }, ["pet_id: expected a string, got null"]],
    [
      { pet_id: "1", status: "activ" },
      ['status: "activ" is not one of "active", "archived"; did you mean "active"?'],
    ],
    [{ pet_id: "1", status: 7 }, ['status: 7 is not one of "active", "archived"']],
    [{ pet_id: "1", limit: "5" }, ['limit: expected an integer, got "5"']],
    [{ pet_id: "1", limit: 0 }, ["limit: 0 is below the minimum of 1"]],
    [{ pet_id: "1", limit: 500 }, ["limit: 500 is above the maximum of 100"]],
    [{ pet_id: "1", limit: 1.5 }, ["limit: expected an integer, got 1.5"]],
    [{ pet_id: "1", price: 0 }, ["price: 0 is not greater than 0"]],
    [{ pet_id: "1", price: 10 }, ["price: 10 is not less than 10"]],
    [{ pet_id: "1", price: 0.29 }, []],
    [{ pet_id: "1", price: 0.295 }, ["price: 0.295 is not a multiple of 0.01"]],
    [{ pet_id: "1", tags: [] }, ["tags: has 0 items; at least 1 needed"]],
    [
      { pet_id: "1", tags: ["a", "b", "a"] },
      ["tags: has 3 items; at most 2 allowed", "tags: has the same item more than once"],
    ],
    [{ pet_id: "1", tags: ["a", 2] }, ["tags[1]: expected a string, got 2"]],
    [{ pet_id: "1", born: "2023-02-29" }, ['born: "2023-02-29" is not a date such as 2026-01-31']],
    [{ pet_id: "1", code: "ab" }, ['code: "ab" does not match the pattern ^[A-Z]{3}$']],
    [{ pet_id: "1", fixed: "no" }, ['fixed: must be "yes", got "no"']],
    [{ pet_id: "1", note: {} }, ["note: expected a string, got an object"]],
    [{ pet_id: "1", size: [] }, ["size: expected a string or an integer, got a list of 0"]],
    [
      { pet_id: "1", owner: { kind: "company", tax_no: "x" } },
      ['owner.tax_no: expected an integer, got "x"'],
    ],
    [
      { pet_id: "1", owner: { kind: "robot" } },
      ['owner.kind: "robot" is not one of "person", "company"'],
    ],
    [
      { pet_id: "1", parent: { parent: { parent: { name: 1 } } } },
      ["parent.parent.parent.name: expected a string, got 1"],
    ],
    [{ pet_id: "1", stats: "x" }, ["stats: unknown input; did you mean status?"]],
    [{ pet_id: "1", petId: "x" }, ["petId: unknown input; did you mean pet_id?"]],
    [
      { pet_id: "1", constructor: 1 },
      [
        "constructor: unknown input; allowed are pet_id, status, limit, price, tags, born, code, fixed, note, size, owner, parent",
      ],
    ],
    [
      JSON.parse('{"pet_id": "1", "__proto__": 1}'),
      [
        "__proto__: unknown input; allowed are pet_id, status, limit, price, tags, born, code, fixed, note, size, owner, parent",
      ],
    ],
    [
      { limit: 500, status: "x" },
      [
        "pet_id: is required",
        'status: "x" is not one of "active", "archived"',
        "limit: 500 is above the maximum of 100",
      ],
    ],
    [[], ["expected an object, got a list of 0"]],
  ])("%j", (value, want) => expect(messagesFor(inputs, value)).toEqual(want));

  // Anything that one of the forms needs is not needed as such.
  const place = {
    anyOf: [
      { type: "object", required: ["href"], properties: { href: { pattern: "^/" } } },
      { type: "object", required: ["latitude", "longitude"] },
      { type: "object", required: ["name"], properties: { name: { type: "string" } } },
    ],
  };
  test.each<readonly [unknown, readonly string[]]>([
    [{}, ["to: needs href, latitude and longitude, or name"]],
    [{ latitude: 1 }, ["to: needs href, longitude, or name"]],
    [{ href: "x" }, ['to.href: "x" does not match the pattern ^/']],
    [{ name: "x" }, []],
    ["x", ['to: expected an object, got "x"']],
  ])("forms that need different fields: %j", (to, want) => {
    const { anyOf } = place;
    expect(messagesFor({ properties: { to: { anyOf } } }, { to })).toEqual(want);
    expect(messagesFor({ properties: { to: { oneOf: anyOf.slice(0, 2) } } }, { to: {} })).toEqual([
      "to: needs href or latitude and longitude",
    ]);
  });

  test("a field that all forms need is required", () => {
    const needs = (...required: string[]) => ({ type: "object", required });
    const anyOf = [needs("features", "stage"), needs("tag", "stage"), needs("project", "stage")];
    expect(messagesFor({ anyOf }, { features: [] })).toEqual(["stage: is required"]);
    expect(messagesFor({ anyOf }, { stage: 1 })).toEqual(["needs features, tag, or project"]);
  });

  test("forms that one field selects, and a problem beside them", () => {
    const shape = (type: string, coordinates: object) => ({
      type: "object",
      required: ["type"],
      properties: { type: { enum: [type] }, coordinates },
    });
    const point = shape("Point", { type: "array", items: { type: "number" } });
    const line = shape("Line", { type: "array", items: { type: "array" } });
    const schema = { properties: { size: { type: "integer" } }, anyOf: [point, line] };
    expect(messagesFor(schema, { type: "Area", coordinates: ["x"], size: "x" })).toEqual([
      'size: expected an integer, got "x"',
      'type: "Area" is not one of "Point", "Line"',
    ]);
    expect(messagesFor(schema, { type: "Point", coordinates: ["x"] })).toEqual([
      'coordinates[0]: expected a number, got "x"',
    ]);
  });

  test.each([
    [{}, "has no fields; at least 1 needed"],
    [{ a: 1, b: 2 }, "has 2 fields; at most 1 allowed"],
  ])("fields are counted: %j", (value, want) => {
    expect(messagesFor({ type: "object", minProperties: 1, maxProperties: 1 }, value)).toEqual([
      want,
    ]);
  });

  test("long values are truncated", () => {
    const [text] = messagesFor({ type: "integer" }, "x".repeat(1000));
    expect(text).toBe(`expected an integer, got "${"x".repeat(40)}…"`);
  });

  test.each<readonly [string, JsonSchema | boolean, unknown, boolean]>([
    ["false allows nothing", false, 1, false],
    ["true allows all", true, 1, true],
    ["an unknown keyword is a note", { "x-note": false, unknown: 1 }, 1, true],
    [
      "patternProperties",
      { patternProperties: { "^x_": { type: "integer" } }, additionalProperties: false },
      { x_a: 1 },
      true,
    ],
    [
      "patternProperties, wrong value",
      { patternProperties: { "^x_": { type: "integer" } } },
      { x_a: "1" },
      false,
    ],
    ["propertyNames", { propertyNames: { pattern: "^[a-z]+$" } }, { A: 1 }, false],
    ["dependentRequired", { dependentRequired: { a: ["b"] } }, { a: 1 }, false],
    ["dependentSchemas", { dependentSchemas: { a: { required: ["b"] } } }, { a: 1, b: 1 }, true],
    ["if, then", { if: { required: ["a"] }, then: { required: ["b"] } }, { a: 1 }, false],
    ["if, else", { if: { required: ["a"] }, else: { required: ["b"] } }, { b: 1 }, true],
    ["not", { not: { type: "string" } }, "x", false],
    ["contains", { contains: { type: "integer" }, maxContains: 1 }, [1, 2], false],
    [
      "prefixItems and items",
      { prefixItems: [{ type: "string" }], items: { type: "integer" } },
      ["a", 1, 2],
      true,
    ],
    ["oneOf, two fit", { oneOf: [{ type: "integer" }, { minimum: 0 }] }, 1, false],
    [
      "an escaped reference",
      { $ref: "#/$defs/a~1b%20c", $defs: { "a/b c": { type: "string" } } },
      1,
      false,
    ],
    ["a reference to nothing", { $ref: "#/$defs/none" }, 1, true],
    ["a schema that is only itself", { $ref: "#" }, 1, false],
    [
      "a named __proto__",
      { properties: { ["__proto__"]: { type: "string" } } },
      JSON.parse('{"__proto__": 1}'),
      false,
    ],
  ])("%s", (_, schema, value, fine) => expect(messagesFor(schema, value).length === 0).toBe(fine));
});

group("formats", () => {
  test.each<readonly [string, string, boolean]>([
    ["date", "2024-02-29", true],
    ["date", "1900-02-29", false],
    ["date", "2024-13-01", false],
    ["date-time", "2024-01-31T23:59:60Z", true],
    ["date-time", "2024-01-31t12:00:00.123+02:00", true],
    ["date-time", "2024-01-31", false],
    ["date-time", "2024-01-31T24:00:00Z", false],
    ["time", "12:00:00Z", true],
    ["time", "12:00", false],
    ["email", "a@b", true],
    ["email", "a b@c", false],
    ["uuid", "123e4567-e89b-12d3-a456-426614174000", true],
    ["uuid", "123e4567e89b12d3a456426614174000", true],
    ["uuid", "123e4567", false],
    ["uri", "https://example.com/ä?x#y", true],
    ["uri", "/relative", false],
    ["ipv4", "127.0.0.1", true],
    ["ipv4", "256.0.0.1", false],
    ["ipv6", "::1", true],
    ["ipv6", "12345::", false],
    ["made-up", "anything", true],
  ])("%s: %j is %s", (format, text, fine) =>
    expect(messagesFor({ format }, text).length === 0).toBe(fine),
  );
});

group("patterns", () => {
  test.each<readonly [string, string, boolean]>([
    ["^[a-z]+(?:-[a-z]+)*$", "red-shoes", true],
    ["^[a-z]+(?:-[a-z]+)*$", "Red", false],
    ["^\\d{4}-\\d{2}$", "2024-01", true],
    ["^(a|b)$", "c", false],
    ["(?<year>\\d+)", "in 2024", true],
    // No JavaScript at all: nothing is refused.
    ["^[a-z", "anything", true],
    // Valid without the u flag only.
    ["^\\-$", "-", true],
  ])("%s against %j is %s", (pattern, text, fine) =>
    expect(createMatcher(pattern)(text)).toBe(fine),
  );

  // Each of these blocks for seconds, or for ever, when it is simply tried.
  test.each([
    ["^(a+)+$", `${"a".repeat(40)}!`],
    ["^(a|a)*$", `${"a".repeat(40)}!`],
    ["^(a*)*b$", "a".repeat(40)],
    ["(x+x+)+y", "x".repeat(40)],
    ["^(?:a?){40}a{40}$", "a".repeat(40)],
    [`^${"a?".repeat(40)}${"a".repeat(40)}$`, "a".repeat(40)],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(60)],
    ["^(a{0,9}){0,9}b$", "a".repeat(80)],
    ["(.*)(.*)(.*)(.*)x", "a".repeat(10_000)],
    ["\\s+$", " ".repeat(200_000) + "x"],
    ["^(\\w+\\s?)*$", "word ".repeat(20) + "!"],
    ["(a)\\1*(a\\1*)*b", "a".repeat(40)],
    // The number of matches of an optional part grows with its repetitions, even for a short text.
    ["^(?:a?){50}b$", "a".repeat(12)],
    ["^(?:a|){60}b$", "a".repeat(12)],
    ["^(?:(?=a)|a?){60}b$", "a".repeat(12)],
    ["^(?:(?<é>a?)){60}b$", "a".repeat(12)],
    // Alternatives without repetition.
    [`^${"(?:a|[ab])".repeat(40)}$`, `${"a".repeat(39)}c`],
    [`^${"(?:a|aa)".repeat(40)}c$`, "a".repeat(60)],
    // More ways through than by one repetition inside another.
    ["^(((a+)+)+)+b$", "a".repeat(20)],
    ["^(?:a?a?a?)*b$", "a".repeat(20)],
    ["^(?:a+)+(?:a+)+(?:a+)+(?:a+)+(?:a+)+(?:a+)+b$", "a".repeat(20)],
    ["^x|a*a*a*a*[bc]$", "a".repeat(1000)],
    // Tried again from every character on.
    ["(?:[ab]{1000}){10}c", "ab".repeat(500_000)],
  ])("%s does not run away", (pattern, text) =>
    expect(typeof createMatcher(pattern)(text)).toBe("boolean"),
  );

  test("short texts are matched against an expensive pattern", () => {
    expect(createMatcher("^(a+)+$")("aaaa!")).toBe(false);
  });

  test.each([
    ["^[a-z0-9]+(?:-[a-z0-9]+)*$", "red-shoes-42!"],
    ["^(?:\\d{1,3}\\.){3}\\d{1,3}$", "192.168.100.200."],
    ["^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$", "00:1b:44:11:3a:b7:"],
    [
      "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d(?:Z|[+-]\\d\\d:\\d\\d)$",
      "2024-01-01T00:00+01:000",
    ],
    ["^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$", "somebody.of.some.length@mail.example.c0m"],
  ])("%s is still checked", (pattern, text) => expect(createMatcher(pattern)(text)).toBe(false));

  test("the budget limits all texts of a value together", () => {
    const schema = { type: "array", items: { type: "string", pattern: "\\s+$" } };
    const blank = Array.from({ length: 50_000 }, () => `${" ".repeat(1400)}x`);
    expect(compile(schema)(["x", ...blank]).length).toBeLessThan(1000);
  });
});

group("recursive schemas", () => {
  const kind = (name: string): JsonSchema => ({
    type: "object",
    required: ["kind"],
    properties: { kind: { const: name }, child: { $ref: "#/$defs/node" } },
  });
  const chain = (levels: number, last: string): object => {
    let node: object = { kind: last };
    for (let level = 0; level < levels; level++) node = { kind: "or", child: node };
    return node;
  };

  // Asked again for each alternative, the last of these nodes is asked about 2 ** 100 times.
  test.each<readonly [string, JsonSchema]>([
    ["anyOf", { anyOf: [kind("and"), kind("or")] }],
    ["oneOf", { oneOf: [kind("and"), kind("or")] }],
    ["allOf", { allOf: [kind("or"), kind("or")] }],
    ["contains", { allOf: [{ properties: { child: { $ref: "#/$defs/node" } } }, kind("or")] }],
  ])("%s of themselves are checked in a time that grows with the value", (_, node) => {
    const check = compile({ $ref: "#/$defs/node", $defs: { node } });
    expect(check(chain(100, "or"))).toEqual([]);
    expect(check(chain(100, "none")).length).toBeGreaterThan(0);
  });

  test("a schema that refers only to itself ends with a problem", () => {
    const check = compile({
      $ref: "#/$defs/node",
      $defs: { node: { anyOf: [{ $ref: "#/$defs/node" }, { $ref: "#/$defs/node" }] } },
    });
    expect(check("text").length).toBeGreaterThan(0);
  });

  test("problems are reported at every path of the same text", () => {
    const check = compile({
      type: "array",
      items: { $ref: "#/$defs/word" },
      $defs: { word: { type: "string", maxLength: 1 } },
    });
    const problems = check(Array.from({ length: 3000 }, () => "ab"));
    expect(problems.map(({ path }) => path[0])).toEqual(Array.from({ length: 3000 }, (_, i) => i));
  });
});

group("compared with other validators", () => {
  const ajv = new Ajv2020({
    strict: false,
    inlineRefs: false,
    validateSchema: false,
    addUsedSchema: false,
  });
  const options: SchemaOptions = { refs: ["#/$defs/named"] };

  test("agrees with Ajv or cfworker on any schema and any value", () => {
    fc.assert(
      fc.property(schemaOf(3, options), schemaOf(1, options), value, (root, named, instance) => {
        const whole =
          typeof root === "boolean" ? root : { ...root, $defs: { named: withoutRefs(named) } };
        // Each of the two has mistakes of its own in corners; nothing else is wrong in the same
        // places.
        const verdicts = [
          ajvSays(whole, instance),
          cfworker(instance, structuredClone(whole) as Schema, "2020-12").valid,
        ];
        expect(verdicts).toContain(compile(whole)(instance).length === 0);
      }),
      { numRuns: 500, seed },
    );
  });

  /** `undefined` where the code that Ajv generates does not run. */
  function ajvSays(schema: JsonSchema | boolean, instance: unknown): boolean | undefined {
    try {
      return ajv.compile(schema)(instance);
    } catch {
      return undefined;
    }
  }

  /** A definition that refers to itself need not end. */
  function withoutRefs(schema: unknown): unknown {
    if (typeof schema !== "object" || schema === null) return schema;
    if (Array.isArray(schema)) return schema.map(withoutRefs);
    return Object.fromEntries(
      Object.entries(schema)
        .filter(([key]) => key !== "$ref")
        .map(([key, part]) => [key, withoutRefs(part)]),
    );
  }
});
