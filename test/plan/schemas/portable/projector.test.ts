import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../../src/json.js";
import { DiagnosticCollector } from "../../../../src/plan/diagnostics.js";
import { buildSchemaGraph, type Schemas } from "../../../../src/plan/schemas/refs.js";
import {
  limitSchemas,
  MAX_NODES,
  MAX_SIZE,
  MAX_DEPTH,
} from "../../../../src/plan/schemas/portable/projection.js";
import { createProjector } from "../../../../src/plan/schemas/portable/projector.js";

const where = { location: { pointer: "#" }, label: "x" };

function project(
  schema: JsonSchema,
  schemas: Schemas = {},
  direction: "input" | "output" = "input",
): { schema: JsonSchema; codes: string[] } {
  const diagnostics = new DiagnosticCollector();
  const { parts: fitted, defs } = limitSchemas(
    [{ schema, usage: where }],
    createProjector(schemas, buildSchemaGraph(schemas), direction, {
      diagnostics,
      origins: new WeakMap(),
    }),
  );
  const made = fitted[0]!.projection.schema;
  new Ajv2020({ strict: false, validateFormats: false }).compile({ ...made, $defs: defs });
  return {
    schema: Object.keys(defs).length > 0 ? { ...made, $defs: defs } : made,
    codes: diagnostics.list.flatMap(({ code, severity }) => (severity === "info" ? [] : [code])),
  };
}

describe("a relation", () => {
  const text = { type: "string", description: "Some text." };
  const schemas = {
    Role: {
      type: "object",
      required: ["id", "made", "name"],
      properties: {
        id: text,
        name: { ...text, enum: ["a", "b"] },
        made: { ...text, readOnly: true },
        tags: { type: "array", items: text },
        users: { type: "array", items: { $ref: "#/$defs/User" } },
        owner: { anyOf: [text, { $ref: "#/$defs/User" }] },
      },
    },
    User: {
      type: "object",
      properties: { id: { type: "integer" }, role: { $ref: "#/$defs/Role" } },
    },
    Range: { type: "object", properties: { from: text, role: { $ref: "#/$defs/Role" } } },
  } as unknown as Schemas;
  const role = { $ref: "#/$defs/Role" };
  const brief = {
    type: "object",
    required: ["id", "name"],
    properties: {
      id: { type: "string" },
      name: { type: "string", enum: ["a", "b"] },
      tags: { type: "array", items: {} },
      users: { type: "array", items: {} },
      owner: { anyOf: [{ type: "string" }, { type: "object" }] },
    },
  };

  it.each([
    ["has the ID first, and the thing in brief", { anyOf: [role, { type: "string" }] }, "string"],
    ["may be a number", { oneOf: [{ type: "integer" }, role] }, "integer"],
  ] as const)("%s", (_, schema, type) => {
    expect(project(schema as unknown as JsonSchema, schemas)).toEqual({
      schema: { anyOf: [{ type }, brief] },
      codes: [],
    });
  });

  it.each([
    ["of a word and settings", { anyOf: [{ type: "string", enum: ["auto"] }, role] }],
    ["of a text and an object without an ID", { anyOf: [text, { $ref: "#/$defs/Range" }] }],
  ])("is not a choice %s", (_, schema) => {
    expect(project(schema as unknown as JsonSchema, schemas).schema["$defs"]).toHaveProperty(
      "Role",
    );
  });

  it("is whole in a result", () => {
    const schema = { anyOf: [{ type: "string" }, role] } as unknown as JsonSchema;
    expect(project(schema, schemas, "output").schema["$defs"]).toHaveProperty("Role");
  });
});

describe("keywords that stay", () => {
  it.each([
    {
      input: {
        type: "string",
        format: "date",
        minLength: 1,
        maxLength: 9,
        pattern: "^a$",
        default: "a",
      },
    },
    { input: { type: "integer", minimum: 1, maximum: 5, multipleOf: 2, exclusiveMinimum: 0 } },
    { input: { type: "array", items: { type: "string" }, minItems: 1, uniqueItems: true } },
    {
      input: {
        type: "object",
        properties: { a: { type: "string" } },
        required: ["a"],
        additionalProperties: false,
      },
    },
    { input: { type: "object", additionalProperties: { type: "number" } } },
    { input: { anyOf: [{ type: "string" }, { type: "number" }] } },
    { input: { type: "string", examples: ["a"], description: "Some text." } },
  ])("$input", ({ input }) => {
    expect(project(input)).toEqual({ schema: input, codes: [] });
  });
});

describe("keywords that change", () => {
  it.each([
    {
      reason: "oneOf is anyOf",
      input: { oneOf: [{ type: "string" }, { type: "number" }] },
      expected: { anyOf: [{ type: "string" }, { type: "number" }] },
      codes: [],
    },
    {
      reason: "limits of another type",
      input: { type: "integer", format: "int32", minLength: 0, maxLength: 0, minimum: 1 },
      expected: { type: "integer", format: "int32", minimum: 1 },
      codes: [],
    },
    {
      reason: "limits of one of two types",
      input: { type: ["string", "null"], maxLength: 9, minimum: 1 },
      expected: { anyOf: [{ type: "string", maxLength: 9 }, { type: "null" }] },
      codes: [],
    },
    {
      reason: "values say their type",
      input: { enum: ["a", "b"] },
      expected: { type: "string", enum: ["a", "b"] },
      codes: [],
    },
    {
      reason: "values of several types",
      input: { enum: [1, 2.5, "a", null, true] },
      expected: {
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
      reason: "both booleans are no choice",
      input: { type: "boolean", enum: [true, false] },
      expected: { type: "boolean" },
      codes: [],
    },
    {
      reason: "the empty text alone",
      input: {
        anyOf: [
          { type: "string", enum: [""] },
          { type: "object", properties: { a: {} } },
        ],
      },
      expected: {
        anyOf: [
          { type: "string", maxLength: 0 },
          { type: "object", properties: { a: {} } },
        ],
      },
      codes: [],
    },
    {
      reason: "the empty text among values",
      input: { type: "string", enum: ["", "a"], maxLength: 9, description: "Pick." },
      expected: {
        anyOf: [
          { type: "string", enum: ["a"] },
          { type: "string", maxLength: 0 },
        ],
        description: "Pick.",
      },
      codes: [],
    },
    {
      reason: "the empty text, or null",
      input: { type: ["string", "null"], enum: ["", "a", null] },
      expected: {
        anyOf: [
          { type: "string", enum: ["a"] },
          { type: "string", maxLength: 0 },
          { type: "null" },
        ],
      },
      codes: [],
    },
    {
      reason: "a value each",
      input: { oneOf: [{ const: "a" }, { const: "b" }] },
      expected: { type: "string", enum: ["a", "b"] },
      codes: [],
    },
    {
      reason: "a value each, with meanings",
      input: {
        type: "integer",
        format: "int32",
        oneOf: [
          { const: 0, title: "NONE", description: "No level." },
          { const: 1, title: "LOW" },
        ],
        description: "Level",
      },
      expected: { type: "integer", enum: [0, 1], description: "Level. 0 = No level, 1 = LOW." },
      codes: [],
    },
    {
      reason: "a value each, or null",
      input: {
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
      expected: {
        anyOf: [{ type: "null" }, { type: "integer", enum: [1, 2], description: "1 = A, 2 = B." }],
      },
      codes: [],
    },
    {
      reason: "a value each, with much to say",
      input: {
        type: "string",
        oneOf: [{ const: "a", description: "x".repeat(100) }, { const: "b" }],
      },
      expected: {
        anyOf: [
          { type: "string", enum: ["a"], description: "x".repeat(100) },
          { type: "string", enum: ["b"] },
        ],
      },
      codes: [],
    },
    {
      reason: "a value each, more than one list may hold",
      input: { oneOf: Array.from({ length: 60 }, (_, i) => ({ const: i })) },
      expected: { anyOf: Array.from({ length: 60 }, (_, i) => ({ type: "integer", enum: [i] })) },
      codes: [],
    },
    {
      reason: "both booleans, without a type",
      input: { enum: [true, false] },
      expected: { type: "boolean" },
      codes: [],
    },
    {
      reason: "a list of several types says what it holds",
      input: { type: ["array", "null"] },
      expected: { anyOf: [{ type: "array", items: {} }, { type: "null" }] },
      codes: [],
    },
    {
      reason: "one type each",
      input: { type: ["string", "null"], enum: ["a", null] },
      expected: { anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] },
      codes: [],
    },
    {
      reason: "a type without values is left out",
      input: { type: ["string", "null"], enum: ["a", "b"], description: "Size." },
      expected: { type: "string", enum: ["a", "b"], description: "Size." },
      codes: [],
    },
    {
      reason: "each type with its own rules",
      input: { type: ["integer", "string"], minimum: 1, maxLength: 3, description: "Size." },
      expected: {
        anyOf: [
          { type: "integer", minimum: 1 },
          { type: "string", maxLength: 3 },
        ],
        description: "Size.",
      },
      codes: [],
    },
    {
      reason: "a list of one type",
      input: { type: ["string"] },
      expected: { type: "string" },
      codes: [],
    },
    {
      reason: "const is enum",
      input: { type: "string", const: "a" },
      expected: { type: "string", enum: ["a"] },
      codes: [],
    },
    {
      reason: "a list says what it holds",
      input: { type: "array" },
      expected: { type: "array", items: {} },
      codes: [],
    },
    {
      reason: "a tuple is a list",
      input: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
      expected: {
        type: "array",
        items: { anyOf: [{ type: "string" }, { type: "number" }] },
        maxItems: 2,
        description: "In this order: string, number.",
      },
      codes: ["plan-schema-keyword"],
    },
    {
      reason: "readOnly leaves",
      input: {
        type: "object",
        properties: { id: { type: "string", readOnly: true }, a: {} },
        required: ["id", "a"],
      },
      expected: { type: "object", properties: { a: {} }, required: ["a"] },
      codes: [],
    },
    {
      reason: "no xml, no title",
      input: { type: "string", title: "T", xml: { name: "x" }, externalDocs: {} },
      expected: { type: "string" },
      codes: [],
    },
    {
      reason: "deprecated is said",
      input: { type: "string", deprecated: true, description: "Old" },
      expected: { type: "string", description: "Old. Deprecated." },
      codes: [],
    },
    {
      reason: "not goes",
      input: { type: "string", not: { enum: ["a"] } },
      expected: { type: "string" },
      codes: ["plan-schema-keyword"],
    },
    {
      reason: "if goes",
      input: { type: "object", if: {}, then: {}, else: {} },
      expected: { type: "object" },
      codes: ["plan-schema-keyword"],
    },
    {
      reason: "a tuple that goes on",
      input: {
        type: "array",
        prefixItems: [{ title: "Name", type: "string" }],
        items: { type: "number" },
      },
      expected: {
        type: "array",
        items: { anyOf: [{ type: "string" }, { type: "number" }] },
        description: "In this order: Name.",
      },
      codes: ["plan-schema-keyword"],
    },
    {
      reason: "a tuple of one kind",
      input: { type: "array", prefixItems: [{ type: "number" }, { type: "number" }], items: false },
      expected: {
        type: "array",
        items: { type: "number" },
        maxItems: 2,
        description: "In this order: number, number.",
      },
      codes: ["plan-schema-keyword"],
    },
    {
      reason: "patternProperties beside others forbid nothing",
      input: {
        type: "object",
        properties: { a: {} },
        patternProperties: { "^x-": { type: "string" } },
      },
      expected: { type: "object", properties: { a: {} } },
      codes: ["plan-schema-keyword"],
    },
    {
      reason: "all that a closed object may hold",
      input: {
        type: "object",
        patternProperties: { "^a": { type: "string" }, "^b": { type: "number" } },
        additionalProperties: false,
      },
      expected: {
        type: "object",
        additionalProperties: { anyOf: [{ type: "string" }, { type: "number" }] },
      },
      codes: ["plan-schema-keyword"],
    },
    {
      reason: "patterns beside other values",
      input: {
        type: "object",
        patternProperties: { "^a": { type: "string" } },
        additionalProperties: { type: "number" },
      },
      expected: {
        type: "object",
        additionalProperties: { anyOf: [{ type: "number" }, { type: "string" }] },
      },
      codes: ["plan-schema-keyword"],
    },
    {
      reason: "patternProperties are values",
      input: { type: "object", patternProperties: { "^a": { type: "string" } } },
      expected: { type: "object", additionalProperties: { type: "string" } },
      codes: ["plan-schema-keyword"],
    },
    {
      reason: "alternatives of required go",
      input: {
        type: "object",
        properties: { a: {}, b: {} },
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
      },
      expected: { type: "object", properties: { a: {}, b: {} } },
      codes: ["plan-schema-keyword"],
    },
    {
      reason: "unsafe patterns are words",
      input: { type: "string", pattern: "^(a+)+$", description: "Text" },
      expected: { type: "string", description: "Text. Pattern: ^(a+)+$" },
      codes: ["plan-schema-pattern"],
    },
    {
      reason: "an example in place of a pattern",
      input: { type: "string", pattern: "usr_8f3k2m9q", description: "Text" },
      expected: { type: "string", description: "Text. Example: usr_8f3k2m9q" },
      codes: ["plan-schema-pattern"],
    },
    {
      reason: "an example stands for a pattern that is too long to say",
      input: {
        type: "string",
        pattern: `^(a+)+${"b?".repeat(80)}$`,
        description: "Text.",
        examples: ["aab"],
      },
      expected: { type: "string", description: 'Text. Such as "aab".', examples: ["aab"] },
      codes: ["plan-schema-pattern"],
    },
    {
      reason: "a wrong default goes",
      input: { type: "integer", default: "1;x()" },
      expected: { type: "integer" },
      codes: ["plan-schema-value"],
    },
    {
      reason: "a wrong example goes",
      input: { type: "integer", examples: ["x", 3, 4] },
      expected: { type: "integer", examples: [3] },
      codes: [],
    },
    {
      reason: "false is no property",
      input: { type: "object", properties: { a: false, b: { not: {} }, c: true } },
      expected: { type: "object", properties: { c: {} } },
      codes: [],
    },
    {
      reason: "refused names",
      input: {
        type: "object",
        properties: { "filter[x]": {}, ok: {} },
        required: ["filter[x]"],
        additionalProperties: false,
      },
      expected: {
        type: "object",
        properties: { ok: {} },
        additionalProperties: true,
        description: 'Also takes "filter[x]".',
      },
      codes: ["plan-schema-property"],
    },
  ])("$reason", ({ input, expected, codes }) => {
    expect(project(input as JsonSchema)).toEqual({ schema: expected, codes });
  });

  it("keeps writeOnly in inputs and drops it from outputs", () => {
    const input = {
      type: "object",
      properties: { a: { type: "string", writeOnly: true }, b: { type: "string", readOnly: true } },
    };
    expect(project(input).schema.properties).toEqual({ a: { type: "string" } });
    expect(project(input, {}, "output").schema.properties).toEqual({ b: { type: "string" } });
  });

  it("describes the first values of a long enum", () => {
    const values = Array.from({ length: 10_000 }, (_, i) => `v${i}`);
    expect(project({ type: "string", enum: values, description: "Pick" })).toEqual({
      schema: {
        type: "string",
        description: 'Pick. One of 10000 values, such as "v0", "v1", "v2", "v3", "v4".',
      },
      codes: ["plan-schema-enum"],
    });
  });

  it.each<readonly [string, readonly string[], boolean]>([
    ["describes a sentence beside values", ["low", "any other level of the server"], true],
    ["keeps values of several words", ["low", "Not started yet"], false],
    ["keeps values that are all sentences", ["I own a car and drive", "I do not own a car"], false],
  ])("%s", (_, values, isDescribed) => {
    const described = {
      type: "string",
      description: 'Documented values: "low", "any other level of the server".',
    };
    expect(project({ type: "string", enum: [...values] })).toEqual({
      schema: isDescribed ? described : { type: "string", enum: values },
      codes: isDescribed ? ["plan-schema-enum"] : [],
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

  it("keep the annotations beside them", () => {
    expect(
      project({ $ref: "#/$defs/Owner", description: "The owner." }, schemas).schema,
    ).toMatchObject({ description: "The owner.", properties: { name: { type: "string" } } });
  });

  it("stay when they are recursive", () => {
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

  it("accept anything when they are broken", () => {
    expect(project({ $ref: "#/$defs/Missing" }, schemas).schema).toEqual({});
    expect(() => project({ $ref: "#/$defs/Loop" }, schemas)).not.toThrow();
  });

  it("follow long chains without overflowing the stack", () => {
    const chain: Record<string, JsonSchema> = { N5000: { type: "string" } };
    for (let i = 0; i < 5000; i++) chain[`N${i}`] = { $ref: `#/$defs/N${i + 1}` };
    expect(() => project({ $ref: "#/$defs/N0" }, chain)).not.toThrow();
  });
});

describe("limits", () => {
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

  it("keeps the type of truncated schemas", () => {
    const schema = project(nested(9)).schema;
    let at: JsonSchema = schema;
    while (at.properties) at = at.properties.deeper as JsonSchema;
    expect(at).toEqual({ type: "object" });
  });

  it("gives truncated alternatives of unknown type no type", () => {
    const deep = (levels: number): JsonSchema =>
      levels === 0
        ? { anyOf: [{ properties: { a: { type: "string" } } }, { type: "null" }] }
        : { type: "object", properties: { deeper: deep(levels - 1) } };
    let at: JsonSchema = project(deep(8)).schema;
    while (at.properties) at = at.properties.deeper as JsonSchema;
    expect(Object.keys(at)).toEqual([]);
  });

  it("keeps the items of truncated lists", () => {
    const deep = (levels: number): JsonSchema =>
      levels === 0
        ? { type: "array", items: { type: "string" } }
        : { type: "object", properties: { deeper: deep(levels - 1) } };
    expect(JSON.stringify(project(deep(8)).schema)).toContain('{"type":"array","items":{}}');
  });

  it("removes the deepest level of the largest schema first", () => {
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
      createProjector({}, buildSchemaGraph({}), "input", { diagnostics, origins: new WeakMap() }),
    );
    expect(fitted[0]!.levels).toBeGreaterThan(0);
    expect(fitted[1]!.levels).toBeUndefined();
    expect(fitted[0]!.projection.nodes + fitted[1]!.projection.nodes).toBeLessThanOrEqual(
      MAX_NODES,
    );
    expect(JSON.stringify(fitted[0]!.projection.schema).length).toBeLessThan(MAX_SIZE);
    expect(levelsOf(fitted[1]!.projection.schema)).toBe(3);
  });

  it("does not expand shared schemas: 2^30 properties", () => {
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
