import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../../src/json.js";
import { DiagnosticCollector } from "../../../../src/plan/diagnostics.js";
import { buildSchemaGraph } from "../../../../src/plan/schemas/graph.js";
import { limitSchemas, MAX_NODES, MAX_SIZE } from "../../../../src/plan/schemas/portable/limits.js";
import { MAX_DEPTH, createProjector } from "../../../../src/plan/schemas/portable/projector.js";
import type { Schemas } from "../../../../src/plan/schemas/refs.js";

const where = { location: { pointer: "#" }, label: "x" };

function project(
  schema: JsonSchema,
  schemas: Schemas = {},
  direction: "input" | "output" = "input",
): { schema: JsonSchema; codes: string[] } {
  const diagnostics = new DiagnosticCollector();
  const { parts: fitted, defs } = limitSchemas(
    [{ schema, usage: where }],
    createProjector(schemas, buildSchemaGraph(schemas), direction, diagnostics),
  );
  const made = fitted[0]!.projection.schema;
  new Ajv2020({ strict: false, validateFormats: false }).compile({ ...made, $defs: defs });
  return {
    schema: Object.keys(defs).length > 0 ? { ...made, $defs: defs } : made,
    codes: diagnostics.list.map((d) => d.code),
  };
}

describe("keywords that stay", () => {
  it.each([
    {
      given: {
        type: "string",
        format: "date",
        minLength: 1,
        maxLength: 9,
        pattern: "^a$",
        default: "a",
      },
    },
    { given: { type: "integer", minimum: 1, maximum: 5, multipleOf: 2, exclusiveMinimum: 0 } },
    { given: { type: "array", items: { type: "string" }, minItems: 1, uniqueItems: true } },
    {
      given: {
        type: "object",
        properties: { a: { type: "string" } },
        required: ["a"],
        additionalProperties: false,
      },
    },
    { given: { type: "object", additionalProperties: { type: "number" } } },
    { given: { anyOf: [{ type: "string" }, { type: "number" }] } },
    { given: { type: "string", examples: ["a"], description: "Some text." } },
  ])("$given", ({ given }) => {
    expect(project(given)).toEqual({ schema: given, codes: [] });
  });
});

describe("keywords that change", () => {
  it.each([
    {
      why: "oneOf is anyOf",
      given: { oneOf: [{ type: "string" }, { type: "number" }] },
      want: { anyOf: [{ type: "string" }, { type: "number" }] },
      codes: [],
    },
    {
      why: "values say their type",
      given: { enum: ["a", "b"] },
      want: { type: "string", enum: ["a", "b"] },
      codes: [],
    },
    {
      why: "values of several types",
      given: { enum: [1, 2.5, "a", null, true] },
      want: {
        anyOf: [
          { type: "number", enum: [1, 2.5] },
          { type: "string", enum: ["a"] },
          { type: "null" },
          { type: "boolean", enum: [true] },
        ],
      },
      codes: [],
    },
    {
      why: "both booleans are no choice",
      given: { type: "boolean", enum: [true, false] },
      want: { type: "boolean" },
      codes: [],
    },
    {
      why: "the empty text alone",
      given: {
        anyOf: [
          { type: "string", enum: [""] },
          { type: "object", properties: { a: {} } },
        ],
      },
      want: {
        anyOf: [
          { type: "string", maxLength: 0 },
          { type: "object", properties: { a: {} } },
        ],
      },
      codes: [],
    },
    {
      why: "the empty text among values",
      given: { type: "string", enum: ["", "a"], maxLength: 9, description: "Pick." },
      want: {
        anyOf: [
          { type: "string", enum: ["a"] },
          { type: "string", maxLength: 0 },
        ],
        description: "Pick.",
      },
      codes: [],
    },
    {
      why: "the empty text, or null",
      given: { type: ["string", "null"], enum: ["", "a", null] },
      want: {
        anyOf: [
          { type: "string", enum: ["a"] },
          { type: "string", maxLength: 0 },
          { type: "null" },
        ],
      },
      codes: [],
    },
    {
      why: "a value each",
      given: { oneOf: [{ const: "a" }, { const: "b" }] },
      want: { type: "string", enum: ["a", "b"] },
      codes: [],
    },
    {
      why: "a value each, with meanings",
      given: {
        type: "integer",
        format: "int32",
        oneOf: [
          { const: 0, title: "NONE", description: "No level." },
          { const: 1, title: "LOW" },
        ],
        description: "Level",
      },
      want: { type: "integer", enum: [0, 1], description: "Level. 0 = No level, 1 = LOW." },
      codes: [],
    },
    {
      why: "a value each, or null",
      given: {
        anyOf: [
          { type: "null" },
          {
            oneOf: [
              { const: 1, title: "A" },
              { const: 2, title: "B" },
            ],
          },
        ],
      },
      want: {
        anyOf: [{ type: "null" }, { type: "integer", enum: [1, 2], description: "1 = A, 2 = B." }],
      },
      codes: [],
    },
    {
      why: "a value each, with much to say",
      given: {
        type: "string",
        oneOf: [{ const: "a", description: "x".repeat(100) }, { const: "b" }],
      },
      want: {
        anyOf: [
          { type: "string", enum: ["a"], description: "x".repeat(100) },
          { type: "string", enum: ["b"] },
        ],
      },
      codes: [],
    },
    {
      why: "a value each, more than one list may hold",
      given: { oneOf: Array.from({ length: 60 }, (_, i) => ({ const: i })) },
      want: { anyOf: Array.from({ length: 60 }, (_, i) => ({ type: "integer", enum: [i] })) },
      codes: [],
    },
    {
      why: "both booleans, without a type",
      given: { enum: [true, false] },
      want: { type: "boolean" },
      codes: [],
    },
    {
      why: "a list of several types says what it holds",
      given: { type: ["array", "null"] },
      want: { anyOf: [{ type: "array", items: {} }, { type: "null" }] },
      codes: [],
    },
    {
      why: "one type each",
      given: { type: ["string", "null"], enum: ["a", null] },
      want: { anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] },
      codes: [],
    },
    {
      why: "each type with its own rules",
      given: { type: ["integer", "string"], minimum: 1, maxLength: 3, description: "Size." },
      want: {
        anyOf: [
          { type: "integer", minimum: 1 },
          { type: "string", maxLength: 3 },
        ],
        description: "Size.",
      },
      codes: [],
    },
    { why: "a list of one type", given: { type: ["string"] }, want: { type: "string" }, codes: [] },
    {
      why: "const is enum",
      given: { type: "string", const: "a" },
      want: { type: "string", enum: ["a"] },
      codes: [],
    },
    {
      why: "a list says what it holds",
      given: { type: "array" },
      want: { type: "array", items: {} },
      codes: [],
    },
    {
      why: "a tuple is a list",
      given: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
      want: {
        type: "array",
        items: { anyOf: [{ type: "string" }, { type: "number" }] },
        maxItems: 2,
        description: "In this order: string, number.",
      },
      codes: ["plan-schema-keyword"],
    },
    {
      why: "readOnly leaves",
      given: {
        type: "object",
        properties: { id: { type: "string", readOnly: true }, a: {} },
        required: ["id", "a"],
      },
      want: { type: "object", properties: { a: {} }, required: ["a"] },
      codes: [],
    },
    {
      why: "no xml, no title",
      given: { type: "string", title: "T", xml: { name: "x" }, externalDocs: {} },
      want: { type: "string" },
      codes: [],
    },
    {
      why: "deprecated is said",
      given: { type: "string", deprecated: true, description: "Old" },
      want: { type: "string", description: "Old. Deprecated." },
      codes: [],
    },
    {
      why: "not goes",
      given: { type: "string", not: { enum: ["a"] } },
      want: { type: "string" },
      codes: ["plan-schema-keyword"],
    },
    {
      why: "if goes",
      given: { type: "object", if: {}, then: {}, else: {} },
      want: { type: "object" },
      codes: ["plan-schema-keyword"],
    },
    {
      why: "a tuple that goes on",
      given: {
        type: "array",
        prefixItems: [{ title: "Name", type: "string" }],
        items: { type: "number" },
      },
      want: {
        type: "array",
        items: { anyOf: [{ type: "string" }, { type: "number" }] },
        description: "In this order: Name.",
      },
      codes: ["plan-schema-keyword"],
    },
    {
      why: "a tuple of one kind",
      given: { type: "array", prefixItems: [{ type: "number" }, { type: "number" }], items: false },
      want: {
        type: "array",
        items: { type: "number" },
        maxItems: 2,
        description: "In this order: number, number.",
      },
      codes: ["plan-schema-keyword"],
    },
    {
      why: "patternProperties beside others forbid nothing",
      given: {
        type: "object",
        properties: { a: {} },
        patternProperties: { "^x-": { type: "string" } },
      },
      want: { type: "object", properties: { a: {} } },
      codes: ["plan-schema-keyword"],
    },
    {
      why: "all that a closed object may hold",
      given: {
        type: "object",
        patternProperties: { "^a": { type: "string" }, "^b": { type: "number" } },
        additionalProperties: false,
      },
      want: {
        type: "object",
        additionalProperties: { anyOf: [{ type: "string" }, { type: "number" }] },
      },
      codes: ["plan-schema-keyword"],
    },
    {
      why: "patterns beside other values",
      given: {
        type: "object",
        patternProperties: { "^a": { type: "string" } },
        additionalProperties: { type: "number" },
      },
      want: {
        type: "object",
        additionalProperties: { anyOf: [{ type: "number" }, { type: "string" }] },
      },
      codes: ["plan-schema-keyword"],
    },
    {
      why: "patternProperties are values",
      given: { type: "object", patternProperties: { "^a": { type: "string" } } },
      want: { type: "object", additionalProperties: { type: "string" } },
      codes: ["plan-schema-keyword"],
    },
    {
      why: "alternatives of required go",
      given: {
        type: "object",
        properties: { a: {}, b: {} },
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
      },
      want: { type: "object", properties: { a: {}, b: {} } },
      codes: ["plan-schema-keyword"],
    },
    {
      why: "unsafe patterns are words",
      given: { type: "string", pattern: "^(a+)+$", description: "Text" },
      want: { type: "string", description: "Text. Pattern: ^(a+)+$" },
      codes: ["plan-schema-pattern"],
    },
    {
      why: "an example stands for a pattern that is too long to say",
      given: {
        type: "string",
        pattern: `^(a+)+${"b?".repeat(80)}$`,
        description: "Text.",
        examples: ["aab"],
      },
      want: { type: "string", description: 'Text. Such as "aab".', examples: ["aab"] },
      codes: ["plan-schema-pattern"],
    },
    {
      why: "a wrong default goes",
      given: { type: "integer", default: "1;x()" },
      want: { type: "integer" },
      codes: ["plan-schema-value"],
    },
    {
      why: "a wrong example goes",
      given: { type: "integer", examples: ["x", 3, 4] },
      want: { type: "integer", examples: [3] },
      codes: [],
    },
    {
      why: "false is no property",
      given: { type: "object", properties: { a: false, b: { not: {} }, c: true } },
      want: { type: "object", properties: { c: {} } },
      codes: [],
    },
    {
      why: "refused names",
      given: {
        type: "object",
        properties: { "filter[x]": {}, ok: {} },
        required: ["filter[x]"],
        additionalProperties: false,
      },
      want: { type: "object", properties: { ok: {} }, description: 'Also takes "filter[x]".' },
      codes: ["plan-schema-property"],
    },
  ])("$why", ({ given, want, codes }) => {
    expect(project(given as JsonSchema)).toEqual({ schema: want, codes });
  });

  it("keeps writeOnly in inputs and drops it from outputs", () => {
    const given = {
      type: "object",
      properties: { a: { type: "string", writeOnly: true }, b: { type: "string", readOnly: true } },
    };
    expect(project(given).schema.properties).toEqual({ a: { type: "string" } });
    expect(project(given, {}, "output").schema.properties).toEqual({ b: { type: "string" } });
  });

  it("names a few values of a long enum", () => {
    const values = Array.from({ length: 10_000 }, (_, i) => `v${i}`);
    expect(project({ type: "string", enum: values, description: "Pick" })).toEqual({
      schema: {
        type: "string",
        description: 'Pick. One of 10000 values, such as "v0", "v1", "v2", "v3", "v4".',
      },
      codes: ["plan-schema-enum"],
    });
  });

  it("flattens and shortens nested descriptions", () => {
    const { schema } = project({
      type: "string",
      description: `See [docs](https://x.y). ${"word ".repeat(100)}`,
    });
    expect(schema.description).toMatch(/^See docs\. word /);
    expect(schema.description!.length).toBeLessThanOrEqual(200);
  });
});

describe("references", () => {
  const schemas: Schemas = {
    Pet: { type: "object", properties: { owner: { $ref: "#/$defs/Owner" } } },
    Owner: { type: "object", description: "A person.", properties: { name: { type: "string" } } },
    Tree: {
      type: "object",
      properties: { children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
    },
    A: { type: "object", properties: { b: { $ref: "#/$defs/B" } } },
    B: { type: "object", properties: { a: { $ref: "#/$defs/A" } } },
    Loop: { $ref: "#/$defs/Loop2" },
    Loop2: { $ref: "#/$defs/Loop" },
  };

  it("are inlined", () => {
    expect(project({ $ref: "#/$defs/Pet" }, schemas).schema).toEqual({
      type: "object",
      properties: {
        owner: {
          type: "object",
          properties: { name: { type: "string" } },
          description: "A person.",
        },
      },
    });
  });

  it("take the annotations beside them", () => {
    expect(
      project({ $ref: "#/$defs/Owner", description: "The owner." }, schemas).schema,
    ).toMatchObject({ description: "The owner.", properties: { name: { type: "string" } } });
  });

  it("stay where they recur", () => {
    expect(project({ $ref: "#/$defs/Tree" }, schemas).schema).toEqual({
      $ref: "#/$defs/Tree",
      $defs: {
        Tree: {
          type: "object",
          properties: { children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
        },
      },
    });
    expect(
      Object.keys(project({ type: "array", items: { $ref: "#/$defs/A" } }, schemas).schema.$defs!),
    ).toEqual(["A", "B"]);
  });

  it("that lead nowhere allow anything", () => {
    expect(project({ $ref: "#/$defs/Missing" }, schemas).schema).toEqual({});
    expect(() => project({ $ref: "#/$defs/Loop" }, schemas)).not.toThrow();
  });

  it("follow long chains without overflowing the stack", () => {
    const chain: Record<string, JsonSchema> = { N5000: { type: "string" } };
    for (let i = 0; i < 5000; i++) chain[`N${i}`] = { $ref: `#/$defs/N${i + 1}` };
    expect(() => project({ $ref: "#/$defs/N0" }, chain)).not.toThrow();
  });
});

describe("bounds", () => {
  const nested = (levels: number): JsonSchema =>
    levels === 0
      ? { type: "string" }
      : { type: "object", properties: { deeper: nested(levels - 1) } };
  const levelsOf = (schema: JsonSchema | undefined): number =>
    schema?.properties ? 1 + levelsOf(schema.properties.deeper as JsonSchema) : 0;

  it("keeps eight levels", () => {
    expect(levelsOf(project(nested(8)).schema)).toBe(8);
    expect(levelsOf(project(nested(2000)).schema)).toBe(MAX_DEPTH / 2);
  });

  it("keeps the type of what it cuts", () => {
    const schema = project(nested(9)).schema;
    let at: JsonSchema = schema;
    while (at.properties) at = at.properties.deeper as JsonSchema;
    expect(at).toEqual({ type: "object" });
  });

  it("keeps that what it cuts is a list of something", () => {
    const deep = (levels: number): JsonSchema =>
      levels === 0
        ? { type: "array", items: { type: "string" } }
        : { type: "object", properties: { deeper: deep(levels - 1) } };
    expect(JSON.stringify(project(deep(8)).schema)).toContain('{"type":"array","items":{}}');
  });

  it("gives up the deepest level of the largest first", () => {
    const wide = (levels: number): JsonSchema =>
      levels === 0
        ? { type: "string" }
        : {
            type: "object",
            properties: Object.fromEntries(
              Array.from({ length: 8 }, (_, i) => [`p${i}`, wide(levels - 1)]),
            ),
          };
    const diagnostics = new DiagnosticCollector();
    const { parts: fitted } = limitSchemas(
      [
        { schema: wide(4), usage: where },
        { schema: nested(3), usage: where },
      ],
      createProjector({}, buildSchemaGraph({}), "input", diagnostics),
    );
    expect(fitted[0]!.levels).toBeGreaterThan(0);
    expect(fitted[1]!.levels).toBeUndefined();
    expect(fitted[0]!.projection.nodes + fitted[1]!.projection.nodes).toBeLessThanOrEqual(
      MAX_NODES,
    );
    expect(JSON.stringify(fitted[0]!.projection.schema).length).toBeLessThan(MAX_SIZE);
    expect(levelsOf(fitted[1]!.projection.schema)).toBe(3);
  });

  it("does not unfold what is shared: two to the power of thirty properties", () => {
    const schemas: Record<string, JsonSchema> = { L0: { type: "string" } };
    for (let i = 1; i <= 30; i++)
      schemas[`L${i}`] = {
        type: "object",
        properties: { a: { $ref: `#/$defs/L${i - 1}` }, b: { $ref: `#/$defs/L${i - 1}` } },
      };
    expect(JSON.stringify(project({ $ref: "#/$defs/L30" }, schemas).schema).length).toBeLessThan(
      MAX_SIZE * 2,
    );
  });
});
