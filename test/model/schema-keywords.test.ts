import { describe, expect, test } from "vitest";
import type { SpecVersion } from "../../src/load/types.js";
import { codesOf, diagnosticsOf, readSchema } from "./documents.js";

const inBody = "#/paths/~1x/post/requestBody/content/application~1json/schema";

describe("keywords with the same meaning in all versions", () => {
  const cases: readonly (readonly [version: SpecVersion, schema: object])[] = [
    ["2.0", { type: "string", minLength: 1, maxLength: 5, pattern: "^a", format: "date" }],
    [
      "3.0",
      { type: "integer", minimum: 1, maximum: 9, multipleOf: 2, format: "int32", default: 4 },
    ],
    [
      "3.0",
      { type: "array", items: { type: "string" }, minItems: 1, maxItems: 2, uniqueItems: true },
    ],
    [
      "3.0",
      {
        type: "object",
        properties: {
          a: { type: "string", readOnly: true },
          b: { type: "string", writeOnly: true },
        },
        required: ["a"],
        additionalProperties: false,
      },
    ],
    [
      "3.0",
      {
        type: "object",
        additionalProperties: { type: "integer" },
        minProperties: 1,
        maxProperties: 4,
      },
    ],
    ["3.0", { oneOf: [{ type: "string" }, { type: "integer" }] }],
    ["3.0", { anyOf: [{ type: "string" }, { type: "integer" }], not: { type: "boolean" } }],
    [
      "3.1",
      { type: ["string", "null"], examples: ["a"], deprecated: true, title: "T", description: "D" },
    ],
    ["3.1", { const: { a: [1] } }],
    [
      "3.1",
      {
        type: "string",
        contentEncoding: "base64",
        contentMediaType: "image/png",
        contentSchema: { type: "string" },
      },
    ],
    [
      "3.1",
      {
        type: "array",
        prefixItems: [{ type: "string" }],
        items: false,
        contains: { type: "string" },
        minContains: 1,
        maxContains: 2,
      },
    ],
    [
      "3.1",
      {
        type: "object",
        patternProperties: { "^x": { type: "string" } },
        propertyNames: { type: "string", pattern: "^[a-z]" },
      },
    ],
    [
      "3.1",
      {
        type: "object",
        dependentRequired: { a: ["b"] },
        dependentSchemas: { a: { required: ["c"] } },
      },
    ],
    ["3.1", { if: { required: ["a"] }, then: { required: ["b"] }, else: false }],
    ["3.1", { type: "object", unevaluatedProperties: false }],
    ["3.1", { type: "array", unevaluatedItems: { type: "string" } }],
    ["3.1", { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }],
    [
      "3.0",
      {
        type: "string",
        xml: { name: "n", attribute: true, prefix: "p", namespace: "urn:x", wrapped: false },
      },
    ],
    ["3.0", { enum: [1, "1", true, null, { a: 1 }, [1], 1.5, ""] }],
  ];
  test.each(cases)("%s %j", (version, schema) => {
    const result = readSchema(schema, version);
    expect(result.schema).toEqual(schema);
    expect(codesOf(result)).toEqual([]);
  });
});

describe("translated keywords", () => {
  const cases: readonly (readonly [given: object, version: SpecVersion, want: object])[] = [
    [
      { type: "integer", minimum: 1, exclusiveMinimum: true },
      "3.0",
      { type: "integer", exclusiveMinimum: 1 },
    ],
    [
      { type: "integer", maximum: 1, exclusiveMaximum: true },
      "2.0",
      { type: "integer", exclusiveMaximum: 1 },
    ],
    [
      { type: "integer", minimum: 1, exclusiveMinimum: false },
      "3.0",
      { type: "integer", minimum: 1 },
    ],
    [{ type: "string", example: "a" }, "3.0", { type: "string", examples: ["a"] }],
    [
      { type: "string", example: "a", examples: ["b"] },
      "3.1",
      { type: "string", examples: ["a", "b"] },
    ],
    [
      { type: "string", examples: { one: { value: "a" } } },
      "3.0",
      { type: "string", examples: ["a"] },
    ],
    [{ type: ["string"] }, "3.1", { type: "string" }],
    [{ type: ["string", "string", "null"] }, "3.1", { type: ["string", "null"] }],
    [{ type: "string", "x-a": 1, "x-mcp-header": "Host" }, "3.0", { type: "string" }],
    [{ properties: { a: {} } }, "3.0", { type: "object", properties: { a: {} } }],
    [{ items: { type: "string" } }, "3.0", { type: "array", items: { type: "string" } }],
    [
      { items: [{ type: "string" }, { type: "integer" }] },
      "2.0",
      { anyOf: [{ type: "string" }, { type: "integer" }] },
    ],
    [
      { type: "array", items: [{ type: "string" }], additionalItems: false },
      "3.1",
      { type: "array", prefixItems: [{ type: "string" }], items: false },
    ],
    [
      { type: "object", dependencies: { a: ["b"], c: { required: ["d"] } } },
      "3.1",
      {
        type: "object",
        dependentRequired: { a: ["b"] },
        dependentSchemas: { c: { required: ["d"] } },
      },
    ],
    [{ type: "object", required: [] }, "3.0", { type: "object" }],
    [{ type: "string", description: "", title: null }, "3.0", { type: "string" }],
    [
      {
        type: "string",
        $schema: "x",
        $comment: "c",
        $id: "https://e.x/a",
        $anchor: "b",
        $defs: { X: {} },
      },
      "3.1",
      { type: "string" },
    ],
    [{ oneOf: [{ type: "string", maxLength: 3 }] }, "3.0", { type: "string", maxLength: 3 }],
    [
      { description: "d", anyOf: [{ type: "string" }] },
      "3.0",
      { description: "d", type: "string" },
    ],
    [{ type: "file" }, "2.0", { type: "string", format: "binary" }],
    [
      { type: "string", xml: { name: "n", "x-y": 1, attribute: "yes" } },
      "3.0",
      { type: "string", xml: { name: "n" } },
    ],
    [{ type: "string", default: null }, "3.1", { type: "string" }],
  ];
  test.each(cases)("%j in %s", (given, version, want) => {
    const result = readSchema(given, version);
    expect(result.schema).toEqual(want);
    expect(result.diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  });
});

describe("invalid keywords", () => {
  const cases: readonly (readonly [given: object, want: object, code: string, at: string])[] = [
    [{ type: "number", minimum: "0;x()" }, { type: "number" }, "model-schema-keyword", "/minimum"],
    [{ type: "number", default: "1;x()" }, { type: "number" }, "model-schema-default", "/default"],
    [
      { type: "integer", default: "10" },
      { type: "integer", default: 10 },
      "model-schema-default",
      "/default",
    ],
    [
      { type: "string", default: 1 },
      { type: "string", default: "1" },
      "model-schema-default",
      "/default",
    ],
    [
      { type: "string", enum: ["a"], default: "b" },
      { type: "string", enum: ["a"] },
      "model-schema-default",
      "/default",
    ],
    ...["{{orderId}}", "${ORDER_ID}", "<order id>"].map(
      (text) =>
        [
          { type: "string", default: text },
          { type: "string" },
          "model-schema-default",
          "/default",
        ] as const,
    ),
    [{ type: "string", minLength: -1 }, { type: "string" }, "model-schema-keyword", "/minLength"],
    [{ type: "string", maxLength: 1.5 }, { type: "string" }, "model-schema-keyword", "/maxLength"],
    [{ type: "number", multipleOf: 0 }, { type: "number" }, "model-schema-keyword", "/multipleOf"],
    [
      { type: "number", exclusiveMinimum: true },
      { type: "number" },
      "model-schema-keyword",
      "/exclusiveMinimum",
    ],
    [
      { type: "string", description: 5 },
      { type: "string" },
      "model-schema-keyword",
      "/description",
    ],
    [{ type: "string", pattern: ["a"] }, { type: "string" }, "model-schema-keyword", "/pattern"],
    [{ type: "string", readOnly: "yes" }, { type: "string" }, "model-schema-keyword", "/readOnly"],
    [
      { type: "object", properties: ["a"] },
      { type: "object" },
      "model-schema-keyword",
      "/properties",
    ],
    [
      { type: "object", properties: { a: "string" } },
      { type: "object", properties: { a: true } },
      "model-schema-keyword",
      "/properties/a",
    ],
    [
      { type: "object", properties: { a: { type: "string", required: true } } },
      { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
      "model-schema-keyword",
      "/properties/a/required",
    ],
    [
      { type: "object", properties: { a: { type: "string", required: false } } },
      { type: "object", properties: { a: { type: "string" } } },
      "model-schema-keyword",
      "/properties/a/required",
    ],
    [{ type: "object", required: "a" }, { type: "object" }, "model-schema-keyword", "/required"],
    [
      { type: "object", required: ["a", 1] },
      { type: "object", required: ["a"] },
      "model-schema-keyword",
      "/required",
    ],
    [
      { type: "array", items: "string" },
      { type: "array", items: true },
      "model-schema-keyword",
      "/items",
    ],
    [{ oneOf: [] }, {}, "model-schema-keyword", "/oneOf"],
    [{ anyOf: { a: 1 } }, {}, "model-schema-keyword", "/anyOf"],
    [{ allOf: "x" }, {}, "model-schema-keyword", "/allOf"],
    [{ $ref: 5 }, {}, "model-schema-keyword", "/$ref"],
    [{ type: "any" }, {}, "model-schema-type", "/type"],
    [{ type: "date" }, { type: "string", format: "date" }, "model-schema-type", "/type"],
    [{ type: "int64" }, { type: "integer", format: "int64" }, "model-schema-type", "/type"],
    [{ type: "String" }, { type: "string" }, "model-schema-type", "/type"],
    [{ type: "file" }, { type: "string", format: "binary" }, "model-schema-type", "/type"],
    [{ type: ["string", "any"] }, {}, "model-schema-type", "/type"],
    [{ type: 5 }, {}, "model-schema-keyword", "/type"],
    [{ type: [] }, {}, "model-schema-keyword", "/type"],
    [
      { type: "string", enum: ["a", "a"] },
      { type: "string", enum: ["a"] },
      "model-schema-enum",
      "/enum",
    ],
    [{ type: "string", enum: [] }, { type: "string" }, "model-schema-enum", "/enum"],
    [{ type: "integer", enum: ["a"] }, { type: "integer" }, "model-schema-enum", "/enum"],
    [
      { type: "integer", enum: ["1", 2] },
      { type: "integer", enum: [1, 2] },
      "model-schema-enum",
      "/enum",
    ],
    [
      { type: "string", enum: [1, true, "a", null] },
      { type: "string", enum: ["1", "true", "a"] },
      "model-schema-enum",
      "/enum",
    ],
    [{ type: "string", enum: "a" }, { type: "string" }, "model-schema-keyword", "/enum"],
    [{ type: "integer", const: "x" }, { type: "integer" }, "model-schema-keyword", "/const"],
    [{ type: "string", maxLenght: 5 }, { type: "string" }, "model-schema-unknown", "/maxLenght"],
    [{ type: "object", id: { type: "string" } }, { type: "object" }, "model-schema-unknown", "/id"],
    [{ type: "string", toString: 5 }, { type: "string" }, "model-schema-unknown", "/toString"],
    [
      { type: "string", $schema: "http://json-schema.org/draft-07/schema#" },
      { type: "string" },
      "model-dialect",
      "/$schema",
    ],
    [
      { type: "string", xml: { nodeType: "node", name: "n" } },
      { type: "string", xml: { name: "n" } },
      "model-schema-keyword",
      "/xml/nodeType",
    ],
    [{ type: "string", xml: "x" }, { type: "string" }, "model-schema-keyword", "/xml"],
  ];
  test.each(cases)("%j", (given, want, code, at) => {
    const result = readSchema(given, "3.0");
    expect(result.schema).toEqual(want);
    expect(diagnosticsOf(result)).toEqual([`${code} ${inBody}${at}`]);
  });
});

test.each(["element", "attribute", "text", "cdata", "none"])("xml.nodeType %s", (nodeType) => {
  const result = readSchema({ type: "string", xml: { nodeType } }, "3.2");
  expect(result.schema).toEqual({ type: "string", xml: { nodeType } });
  expect(result.diagnostics).toEqual([]);
});

test("unknown keywords are annotations from 3.1 on", () => {
  const result = readSchema({ type: "string", optional: true }, "3.1");
  expect(result.schema).toEqual({ type: "string" });
  expect(result.diagnostics.map(({ severity }) => severity)).toEqual(["info"]);
});

test("an invalid schema accepts anything", () => {
  const result = readSchema({ properties: { x: "string" } }, "3.0");
  expect(result.schema.properties).toMatchObject({ x: true });
  expect(diagnosticsOf(result)).toEqual([`model-schema-keyword ${inBody}/properties/x`]);
});

test.each<[given: object, want: object]>([
  [
    { type: "string", readOnly: "true" },
    { type: "string", readOnly: true },
  ],
  [{ type: "string", nullable: "true" }, { type: ["string", "null"] }],
  [{ type: "string", nullable: "false" }, { type: "string" }],
  [
    { type: "number", minimum: 1, exclusiveMinimum: "true" },
    { type: "number", exclusiveMinimum: 1 },
  ],
  [
    { type: "object", additionalProperties: "false" },
    { type: "object", additionalProperties: false },
  ],
  [
    { type: "object", properties: { a: { type: "string", required: "true" } } },
    { type: "object", required: ["a"], properties: { a: { type: "string" } } },
  ],
])("text means the boolean: %j", (given, want) => {
  const { schema, diagnostics } = readSchema(given, "3.0");
  expect(schema).toEqual(want);
  expect(diagnostics.map(({ severity }) => severity)).toEqual(["warning"]);
  expect(diagnostics[0]?.message).toMatch(/"(true|false)"/);
});

test("boolean schemas", () => {
  expect(readSchema(true).schema).toEqual({});
  expect(readSchema(false).schema).toEqual({ not: {} });
  expect(
    readSchema({ $ref: "#/components/schemas/Never" }, "3.1", { Never: false }).model.schemas,
  ).toEqual({ Never: { not: {} } });
});

test("10,000 values are read", () => {
  const values = Array.from({ length: 10_000 }, (_, index) => `v${index}`);
  expect(readSchema({ type: "string", enum: [...values, "v1"] }).schema.enum).toEqual(values);
});

test("property names are not special", () => {
  const properties = JSON.parse(
    '{"__proto__": {"type": "string"}, "constructor": {"type": "integer"}, "toString": {"example": 1}}',
  ) as object;
  const { schema, model } = readSchema({ type: "object", properties });
  expect(Object.keys(schema.properties ?? {})).toEqual(["__proto__", "constructor", "toString"]);
  const written = model.operations[0]?.body?.contents[0]?.schema?.properties;
  expect(Object.getPrototypeOf(written)).toBeNull();
  expect(({} as Record<string, unknown>).type).toBeUndefined();
});

describe("null", () => {
  const named = {
    A: { type: "object", properties: { a: { type: "string" } } },
    E: { type: "string", enum: ["x"] },
    N: { type: "string", nullable: true },
  };
  const ref = { $ref: "#/components/schemas/A" };
  const want = { $ref: "#/$defs/A" };
  const cases: readonly (readonly [given: object, want: object])[] = [
    [{ type: "string", nullable: true }, { type: ["string", "null"] }],
    [{ type: "string", nullable: false }, { type: "string" }],
    [
      { type: "string", nullable: true, enum: ["a"] },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    [
      { type: "string", nullable: true, enum: ["a", null] },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    [
      { type: "string", nullable: true, default: null },
      { type: ["string", "null"], default: null },
    ],
    [{ nullable: true, enum: ["a"] }, { enum: ["a", null] }],
    [{ nullable: true }, {}],
    [{ nullable: true, description: "d" }, { description: "d" }],
    [{ nullable: true, ...ref }, { anyOf: [want, { type: "null" }] }],
    [
      { nullable: true, allOf: [ref], description: "d" },
      { description: "d", anyOf: [want, { type: "null" }] },
    ],
    [{ nullable: true, type: "object", allOf: [ref] }, { anyOf: [want, { type: "null" }] }],
    [
      { nullable: true, oneOf: [ref, { type: "string" }] },
      { anyOf: [{ oneOf: [want, { type: "string" }] }, { type: "null" }] },
    ],
    [
      { nullable: true, anyOf: [ref, { type: "string" }] },
      { anyOf: [want, { type: "string" }, { type: "null" }] },
    ],
    [
      { nullable: true, type: "object", properties: {} },
      { type: ["object", "null"], properties: {} },
    ],
  ];
  test.each(cases)("%j in 3.0", (given, expected) => {
    expect(readSchema(given, "3.0", named).schema).toEqual(expected);
  });

  test("`x-nullable` in 2.0", () => {
    expect(readSchema({ type: "string", "x-nullable": true }, "2.0").schema).toEqual({
      type: ["string", "null"],
    });
    expect(readSchema({ type: "string", "x-nullable": true }, "3.1").schema).toEqual({
      type: "string",
    });
  });

  test("`nullable` in a 3.1 document is read as in 3.0", () => {
    const result = readSchema({ type: "string", nullable: true }, "3.1");
    expect(result.schema).toEqual({ type: ["string", "null"] });
    expect(diagnosticsOf(result)).toEqual([`model-schema-nullable ${inBody}/nullable`]);
  });

  test("a nullable alias is a schema of its own", () => {
    const result = readSchema({ $ref: "#/components/schemas/MaybeA" }, "3.0", {
      ...named,
      MaybeA: { nullable: true, ...ref },
    });
    expect(result.schema).toEqual({ $ref: "#/$defs/MaybeA" });
    expect(result.model.schemas.MaybeA).toEqual({ anyOf: [want, { type: "null" }] });
  });
});
