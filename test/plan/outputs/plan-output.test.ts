import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import type { Response } from "../../../src/model/types.js";
import { codesOf, ok, operation, planned } from "../fixtures.js";

const pet: JsonSchema = {
  type: "object",
  required: ["id"],
  properties: {
    id: { type: "integer", format: "int64", minimum: 1 },
    name: { type: "string", maxLength: 5, pattern: "^a" },
    status: { type: "string", enum: ["a"] },
  },
};
const schemas: Record<string, JsonSchema> = {
  Pet: pet,
  Node: {
    type: "object",
    properties: {
      next: { $ref: "#/$defs/Node" },
      list: { type: "array", items: { $ref: "#/$defs/Node" } },
    },
  },
  Lists: { type: "array", items: { $ref: "#/$defs/Lists" } },
  Closed: { ...pet, additionalProperties: false },
};
const text = { type: "string" };
const long = { anyOf: [{ type: "string" }, { type: "number" }] };
const tolerantPet = { id: long, name: text, status: text };

const outputOf = (responses: readonly Response[], output?: "strict") =>
  planned(operation("GET /pets", { responses }), { schemas }, output ? { output } : {});

describe("tolerant output", () => {
  it.each([
    {
      reason: "an object",
      input: pet,
      expected: { type: "object", properties: tolerantPet },
      wrap: undefined,
    },
    {
      reason: "a name",
      input: { $ref: "#/$defs/Pet" },
      expected: { type: "object", properties: tolerantPet },
      wrap: undefined,
    },
    {
      reason: "a list",
      input: { type: "array", items: { $ref: "#/$defs/Pet" } },
      expected: {
        type: "object",
        properties: {
          items: { type: "array", items: { type: "object", properties: tolerantPet } },
        },
        required: ["items"],
      },
      wrap: "items",
    },
    {
      reason: "a scalar",
      input: { type: "string", format: "date" },
      expected: { type: "object", properties: { value: text } },
      wrap: "value",
    },
    {
      reason: "a list or an object",
      input: { anyOf: [{ type: "array", items: { type: "string" } }, pet] },
      expected: {
        type: "object",
        properties: {
          value: {
            anyOf: [
              { type: "object", properties: tolerantPet },
              { type: "array", items: text },
            ],
          },
        },
      },
      wrap: "value",
    },
    {
      reason: "alternatives become one",
      input: {
        oneOf: [
          pet,
          { type: "object", properties: { id: { type: "string" }, bark: { type: "boolean" } } },
        ],
      },
      expected: {
        type: "object",
        properties: {
          ...tolerantPet,
          id: { anyOf: [{ type: "string" }, { type: "number" }] },
          bark: { type: "boolean" },
        },
      },
      wrap: undefined,
    },
    {
      reason: "integers that may be too large for a number, and IDs of either kind",
      input: {
        type: "object",
        properties: {
          n: { type: "integer" },
          id: { type: "integer" },
          petId: { type: "integer", format: "int32" },
          owner_id: { type: ["integer", "null"] },
          page_ids: { type: "array", items: { type: "integer", format: "int64" } },
          tagIds: { type: "array", items: { type: "string" } },
          run_id: { type: "number" },
          uuid: { type: "string", format: "uuid" },
          valid: { type: "integer" },
          deleted_id: { type: "boolean" },
        },
      },
      expected: {
        type: "object",
        properties: {
          n: { type: "number" },
          id: long,
          petId: long,
          owner_id: long,
          page_ids: { type: "array", items: long },
          tagIds: { type: "array", items: long },
          run_id: long,
          uuid: long,
          valid: { type: "number" },
          deleted_id: { type: "boolean" },
        },
      },
      wrap: undefined,
    },
    {
      reason: "lists keep the nulls of their items",
      input: {
        type: "object",
        properties: {
          names: { type: "array", items: { type: ["string", "null"] } },
          pets: { type: "array", items: { oneOf: [{ type: "null" }, { $ref: "#/$defs/Pet" }] } },
        },
      },
      expected: {
        type: "object",
        properties: {
          names: { type: "array", items: { anyOf: [text, { type: "null" }] } },
          pets: {
            type: "array",
            items: { anyOf: [{ type: "object", properties: tolerantPet }, { type: "null" }] },
          },
        },
      },
      wrap: undefined,
    },
    {
      reason: "allOf becomes one",
      input: { allOf: [{ $ref: "#/$defs/Pet" }, { properties: { age: { type: "number" } } }] },
      expected: { type: "object", properties: { ...tolerantPet, age: { type: "number" } } },
      wrap: undefined,
    },
    {
      reason: "a map",
      input: { type: "object", additionalProperties: { type: "string" } },
      expected: { type: "object" },
      wrap: undefined,
    },
    {
      reason: "writeOnly leaves",
      input: { type: "object", properties: { secret: { type: "string", writeOnly: true }, a: {} } },
      expected: { type: "object" },
      wrap: undefined,
    },
    {
      reason: "names that no URI can hold leave",
      input: {
        type: "object",
        properties: { "\ud800": { type: "string" }, a: { type: "string" } },
      },
      expected: { type: "object", properties: { a: text } },
      wrap: undefined,
    },
    {
      reason: "null or an object",
      input: { type: ["object", "null"], properties: { a: { type: "string" } } },
      expected: { type: "object", properties: { a: text } },
      wrap: undefined,
    },
  ])("$reason", ({ input, expected, wrap }) => {
    const { tool } = outputOf([ok(input as JsonSchema)]);
    expect(tool.definition.outputSchema).toEqual(expected);
    expect(tool.definition.operations[0]!.response).toEqual(wrap ? { wrap } : {});
  });

  it.each([
    { reason: "nothing", responses: [ok(undefined, "204")] },
    {
      reason: "a file, and JSON while it is not ready",
      responses: [ok({ type: "string" }, "200", "image/png"), ok({ type: "object" }, "202")],
    },
    { reason: "no responses", responses: [] },
    { reason: "text", responses: [ok({ type: "string" }, "200", "text/plain")] },
    {
      reason: "bytes",
      responses: [ok({ type: "string", format: "binary" }, "200", "application/octet-stream")],
    },
    {
      reason: "bytes that are described as JSON",
      responses: [ok({ type: "string", format: "binary" })],
    },
    { reason: "anything", responses: [ok({})] },
    { reason: "an error", responses: [ok(pet, "404")] },
  ])("$reason has none", ({ responses }) => {
    const { tool } = outputOf(responses);
    expect(tool.definition.outputSchema).toBeUndefined();
    expect(tool.output).toBeUndefined();
  });

  it("uses default when no success is declared, and 2XX", () => {
    for (const status of ["default", "2XX", "201"])
      expect(outputOf([ok(pet, status)]).tool.definition.outputSchema).toBeDefined();
  });

  it("does not require the wrapper when the result may be empty", () => {
    const { tool } = outputOf([ok({ type: "array", items: {} }), ok(undefined, "204")]);
    expect(tool.definition.outputSchema).toEqual({
      type: "object",
      properties: { items: { type: "array" } },
    });
  });

  it("joins different success responses and reports it", () => {
    const { tool, plan } = outputOf([
      ok({ type: "object", properties: { a: { type: "string" } } }),
      ok({ type: "object", properties: { b: { type: "string" } } }, "202"),
    ]);
    expect(tool.definition.outputSchema).toEqual({
      type: "object",
      properties: { a: text, b: text },
    });
    expect(codesOf(plan)).toEqual(["plan-output-union"]);
  });

  it("ends recursion by depth", () => {
    for (const name of ["Node", "Lists"]) {
      const { tool } = outputOf([ok({ $ref: `#/$defs/${name}` })]);
      expect(JSON.stringify(tool.definition.outputSchema).length).toBeLessThan(5000);
      expect(JSON.stringify(tool.definition.outputSchema)).not.toContain("$ref");
    }
  });

  it("keeps shallow properties when there are too many", () => {
    const wide = (levels: number): JsonSchema => ({
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 20 }, (_, i) => [
          `p${i}`,
          levels === 0 ? { type: "string" } : wide(levels - 1),
        ]),
      ),
    });
    const schema = outputOf([ok(wide(3))]).tool.definition.outputSchema as JsonSchema;
    expect(Object.keys(schema.properties!)).toHaveLength(20);
    const { length } = JSON.stringify(schema).match(/"p\d+"/g)!;
    expect(length).toBeGreaterThan(110);
    expect(length).toBeLessThan(190);
  });

  it("cuts a schema in the same place when a neighbor gets one more property", () => {
    const object = (count: number, value: JsonSchema): JsonSchema => ({
      type: "object",
      properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, value])),
    });
    const users = (count: number): unknown => {
      const user = object(count, { type: "string" });
      const properties = { a: user, b: user, c: user, d: user, e: user, f: user };
      const response = ok({
        type: "object",
        properties: { ...properties, last: object(90, user) },
      });
      const schema = outputOf([response]).tool.definition.outputSchema as JsonSchema;
      return schema.properties!["last"];
    };
    expect(users(23)).toEqual(users(22));
    expect(users(22)).not.toEqual(users(12));
  });

  it("accepts drifting responses", () => {
    const validate = new Ajv2020({ strict: false }).compile(
      outputOf([ok(pet)]).tool.definition.outputSchema as object,
    );
    for (const value of [
      {},
      { id: 1.5, name: "longer than five", status: "new" },
      { id: 0, extra: [1] },
    ])
      expect(validate(value)).toBe(true);
  });

  it("is planned once per named schema", () => {
    const one = outputOf([ok({ type: "array", items: { $ref: "#/$defs/Pet" } })]);
    expect(one.tool.output).toEqual({
      type: "object",
      properties: { items: { type: "array", items: { $ref: "#/$defs/Pet" } } },
      required: ["items"],
    });
    expect(one.plan.types).toEqual([{ name: "Pet", schema: pet, toolset: "pets" }]);
  });
});

describe("strict output", () => {
  it("keeps the schema of the document", () => {
    const { tool } = outputOf([ok({ $ref: "#/$defs/Pet" })], "strict");
    expect(tool.definition.outputSchema).toEqual(pet);
  });

  it("keeps recursion", () => {
    const { tool } = outputOf([ok({ $ref: "#/$defs/Node" })], "strict");
    expect(tool.definition.outputSchema).toMatchObject({ type: "object", $ref: "#/$defs/Node" });
  });

  it.each<readonly [string, JsonSchema]>([
    ["a closed object", { ...pet, additionalProperties: false }],
    ["a map", { ...pet, additionalProperties: text }],
    ["a named closed object", { $ref: "#/$defs/Closed" }],
  ])("allows notes in %s", (_, schema) => {
    const { tool } = outputOf([ok(schema)], "strict");
    expect(tool.definition.outputSchema).toEqual(pet);
  });

  it("has no alternatives at the root", () => {
    const { tool, plan } = outputOf(
      [ok({ oneOf: [pet, { type: "object", properties: { b: { type: "string" } } }] })],
      "strict",
    );
    expect(tool.definition.outputSchema).toEqual({
      type: "object",
      properties: { ...tolerantPet, b: text },
    });
    expect(codesOf(plan)).toEqual(["plan-schema-keyword"]);
  });
});
