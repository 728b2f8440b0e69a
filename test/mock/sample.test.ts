import { describe, expect, test } from "vitest";
import { textForPattern } from "../../src/mock/sample-pattern.js";
import { sampleText } from "../../src/mock/sample-text.js";
import { sample, type SampleOptions } from "../../src/mock/sample.js";
import { type AnySchema, SchemaSet } from "../../src/mock/schema-set.js";
import { sampleInput } from "../../src/mock/tool-inputs.js";

const named: Record<string, AnySchema> = {
  Pet: {
    type: "object",
    required: ["name"],
    properties: {
      id: { type: "string", readOnly: true },
      name: { type: "string" },
      secret: { type: "string", writeOnly: true },
    },
  },
  Node: {
    type: "object",
    required: ["value"],
    properties: {
      value: { type: "integer" },
      children: { type: "array", items: { $ref: "#/$defs/Node" } },
    },
  },
  Endless: {
    type: "object",
    required: ["next"],
    properties: { next: { $ref: "#/$defs/Endless" } },
  },
  Circle: { $ref: "#/$defs/Circle" },
};

describe("exact samples", () => {
  const rows: readonly [string, AnySchema, unknown, SampleOptions?][] = [
    ["example first", { type: "string", examples: ["Rex"], default: "x" }, "Rex"],
    ["default next", { type: "integer", default: 20 }, 20],
    [
      "an example that breaks the schema is passed over",
      { type: "integer", examples: ["many"], minimum: 3 },
      3,
    ],
    ["const", { const: { a: 1 } }, { a: 1 }],
    ["enum", { type: "string", enum: ["cat", "dog"] }, "cat"],
    [
      "text by name",
      { type: "object", properties: { name: { type: "string" } } },
      { name: "name" },
    ],
    ["bounds", { type: "integer", minimum: 10, maximum: 12 }, 10],
    ["exclusive bounds", { type: "integer", exclusiveMinimum: 10 }, 11],
    ["upper bound only", { type: "integer", maximum: -5 }, -5],
    ["multiples", { type: "number", multipleOf: 0.1, minimum: 0.25 }, 0.3],
    ["narrow numbers", { type: "number", exclusiveMinimum: 0, maximum: 0.1 }, 0.05],
    ["an open interval", { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 0.2 }, 0.1],
    ["a half-open interval", { type: "number", minimum: 0.2, exclusiveMaximum: 0.4 }, 0.3],
    ["required only", { $ref: "#/$defs/Node" }, { value: 1 }, { fill: "required" }],
    ["any value", true, "text"],
    ["null alone", { type: "null" }, null],
    ["a value before null", { anyOf: [{ type: "null" }, { type: "integer" }] }, 1],
    ["a reference to itself", { $ref: "#/$defs/Circle" }, "text"],
    [
      "a map shows one entry",
      { type: "object", additionalProperties: { type: "integer" } },
      { key1: 1 },
    ],
  ];
  test.each(rows)("%s", (_, schema, want, options) =>
    expect(sample(schema, new SchemaSet(named, "request"), options)).toEqual(want),
  );

  test("properties of the other direction are omitted", () => {
    expect(sample({ $ref: "#/$defs/Pet" }, new SchemaSet(named, "request"))).toEqual({
      name: "name",
      secret: "secret",
    });
    expect(sample({ $ref: "#/$defs/Pet" }, new SchemaSet(named, "response"))).toEqual({
      id: "id",
      name: "name",
    });
  });
});

describe("samples are valid", () => {
  const formats = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uri",
    "url",
    "uri-reference",
    "uri-template",
    "uuid",
    "json-pointer",
    "relative-json-pointer",
    "regex",
    "byte",
  ];
  const rows: readonly [string, AnySchema][] = [
    ...formats.map((format): [string, AnySchema] => [
      `format ${format}`,
      { type: "array", items: { type: "string", format }, minItems: 3 },
    ]),
    ["lengths", { type: "string", minLength: 12, maxLength: 12 }],
    ["short text", { type: "string", maxLength: 1 }],
    [
      "pattern and length",
      { type: "string", pattern: "^[A-Z]{2}\\d+$", minLength: 9, maxLength: 40 },
    ],
    [
      "distinct items",
      { type: "array", minItems: 4, uniqueItems: true, items: { type: "string" } },
    ],
    [
      "distinct enums",
      { type: "array", minItems: 2, maxItems: 2, uniqueItems: true, items: { enum: ["a", "b"] } },
    ],
    [
      "tuple",
      {
        type: "array",
        prefixItems: [{ type: "integer" }, { type: "boolean" }],
        items: false,
        minItems: 2,
      },
    ],
    ["contains", { type: "array", contains: { const: 7 }, items: { type: "integer" } }],
    [
      "allOf",
      {
        allOf: [
          { $ref: "#/$defs/Pet" },
          {
            type: "object",
            required: ["age"],
            properties: { age: { type: "integer", minimum: 5 } },
          },
        ],
      },
    ],
    [
      "allOf narrows a property",
      {
        allOf: [
          { properties: { a: { type: "string" } }, required: ["a"] },
          { properties: { a: { enum: ["x"] } } },
        ],
      },
    ],
    [
      "oneOf by constant",
      {
        oneOf: [
          { type: "object", required: ["kind"], properties: { kind: { const: "cat" } } },
          {
            type: "object",
            required: ["kind", "bark"],
            properties: { kind: { const: "dog" }, bark: { type: "boolean" } },
          },
        ],
      },
    ],
    [
      "oneOf that only later ones satisfy",
      {
        type: "object",
        required: ["b"],
        properties: { b: { type: "integer" } },
        oneOf: [
          { properties: { b: { type: "string" } } },
          { properties: { b: { type: "integer" } } },
        ],
      },
    ],
    [
      "anyOf beside properties",
      {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "string" } },
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
      },
    ],
    [
      "minProperties",
      { type: "object", minProperties: 3, additionalProperties: { type: "boolean" } },
    ],
    [
      "few properties",
      {
        type: "object",
        maxProperties: 1,
        properties: { a: { type: "string" }, b: { type: "string" } },
      },
    ],
    [
      "few properties besides a required one",
      {
        type: "object",
        maxProperties: 2,
        required: ["c"],
        properties: { a: { type: "string" }, b: { type: "string" }, c: {} },
      },
    ],
    [
      "property names",
      { type: "object", minProperties: 2, propertyNames: { pattern: "^x-[a-z]+$" } },
    ],
    [
      "required without a schema",
      { type: "object", required: ["a"], additionalProperties: { type: "integer" } },
    ],
    ["recursive", { $ref: "#/$defs/Node" }],
    ["no type at all", { minimum: 4 }],
    [
      "hostile names",
      {
        type: "object",
        required: ["__proto__", "constructor"],
        properties: { constructor: { type: "integer" }, ["__proto__"]: { type: "integer" } },
      },
    ],
  ];
  test.each(rows)("%s", (_, schema) => {
    for (const fill of ["all", "required"] as const) {
      const schemas = new SchemaSet(named, "request");
      const value = sample(schema, schemas, { fill });
      expect({ value, faults: schemas.check(value, schema, "") }).toEqual({ value, faults: [] });
    }
  });

  test("infinite required nesting is bounded", () => {
    const schemas = new SchemaSet(named, "request");
    expect(JSON.stringify(sample({ $ref: "#/$defs/Endless" }, schemas)).length).toBeLessThan(500);
  });

  test("wide and deep schemas stay small", () => {
    const wide: Record<string, AnySchema> = {};
    for (let i = 0; i < 30; i++)
      wide[`T${i}`] = {
        type: "object",
        required: ["a", "b"],
        properties: {
          a: { $ref: `#/$defs/T${(i + 1) % 30}` },
          b: { $ref: `#/$defs/T${(i + 7) % 30}` },
        },
      };
    expect(
      JSON.stringify(sample({ $ref: "#/$defs/T0" }, new SchemaSet(wide, "response"))).length,
    ).toBeLessThan(20_000);
  });
});

describe("texts for patterns", () => {
  const patterns = [
    "^[a-z]+$",
    "^\\d{3}-\\d{4}$",
    "^(cat|dog)$",
    "^(?:a|b)+c?$",
    "^[^@]+@[^@]+$",
    "^[A-Za-z0-9_-]{22}$",
    "^\\+?[1-9]\\d{1,14}$",
    "^#[0-9a-fA-F]{6}$",
    "^v\\d+(\\.\\d+){2}$",
    "^(?<year>\\d{4})$",
    "^\\S+$",
    "^\\/[\\w.-]*$",
    "\\.pdf$",
    "^$",
    "^\\x41\\u0042$",
    "^[\\s\\S]{3,}$",
    "^pet_[0-9A-HJKMNP-TV-Z]{8}$",
  ];
  test.each(patterns)("%s", (pattern) => {
    for (const n of [0, 1, 5])
      expect(textForPattern(pattern, 0, n)).toMatch(new RegExp(pattern, "u"));
  });
  test.each(["(?=a)b", "(?!x)", "\\1", "\\p{L}", "a{99999}", "(", "[a"])(
    "beyond it: %s",
    (pattern) => expect(textForPattern(pattern)).toBeUndefined(),
  );
  test("a match that would take years is given up", () => {
    const slow = { type: "string", pattern: "^(?!A)(?:a+)+$" };
    const hint = "a".repeat(40);
    expect(sampleText(slow, 1, hint)).toBe(`${hint} 1`);
  });
});

describe("sampleInput", () => {
  const schema = {
    type: "object",
    additionalProperties: false,
    required: ["pet_id"],
    properties: {
      pet_id: { type: "string" },
      limit: { type: "integer", maximum: 100 },
      owner: { $ref: "#/$defs/Owner" },
    },
    $defs: {
      Owner: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string" }, boss: { $ref: "#/$defs/Owner" } },
      },
    },
  };
  test("minimal and full", () => {
    const { minimal, full, problems } = sampleInput(schema);
    expect(minimal).toEqual({ pet_id: "pet id" });
    expect(full).toMatchObject({
      pet_id: "pet id",
      limit: 1,
      owner: { name: "name", boss: { name: "name" } },
    });
    expect(problems).toEqual([]);
  });
  test("strings are not empty where the pattern would allow it", () => {
    const texts = (...patterns: readonly string[]) =>
      sampleInput({
        type: "object",
        required: patterns,
        properties: Object.fromEntries(
          patterns.map((pattern) => [pattern, { type: "string", pattern }]),
        ),
      }).minimal;
    expect(texts(".*", "^[a-z]*$", "^$")).toEqual({
      ".*": expect.stringMatching(/./),
      "^[a-z]*$": expect.stringMatching(/^[a-z]+$/),
      "^$": "",
    });
  });
  test("reports schemas that cannot be sampled", () => {
    const { problems } = sampleInput({
      type: "object",
      required: ["a"],
      properties: { a: { type: "string", pattern: "^(?=.*x)(?=.*y).{5}$" } },
    });
    expect(problems.map((p) => p.split(":")[0])).toEqual(["minimal /a", "full /a"]);
  });
});
