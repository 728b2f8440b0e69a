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
};
const text = { type: "string" };
const long = { anyOf: [{ type: "string" }, { type: "number" }] };
const tolerantPet = { id: long, name: text, status: text };

const outputOf = (responses: readonly Response[], output?: "strict") =>
  planned(operation("GET /pets", { responses }), { schemas }, output ? { output } : {});

describe("tolerant output", () => {
  it.each([
    {
      why: "an object",
      given: pet,
      want: { type: "object", properties: tolerantPet },
      wrap: undefined,
    },
    {
      why: "a name",
      given: { $ref: "#/$defs/Pet" },
      want: { type: "object", properties: tolerantPet },
      wrap: undefined,
    },
    {
      why: "a list",
      given: { type: "array", items: { $ref: "#/$defs/Pet" } },
      want: {
        type: "object",
        properties: {
          items: { type: "array", items: { type: "object", properties: tolerantPet } },
        },
        required: ["items"],
      },
      wrap: "items",
    },
    {
      why: "a scalar",
      given: { type: "string", format: "date" },
      want: { type: "object", properties: { value: text }, required: ["value"] },
      wrap: "value",
    },
    {
      why: "a list or an object",
      given: { anyOf: [{ type: "array", items: { type: "string" } }, pet] },
      want: {
        type: "object",
        properties: {
          value: {
            anyOf: [
              { type: "object", properties: tolerantPet },
              { type: "array", items: text },
            ],
          },
        },
        required: ["value"],
      },
      wrap: "value",
    },
    {
      why: "alternatives become one",
      given: {
        oneOf: [
          pet,
          { type: "object", properties: { id: { type: "string" }, bark: { type: "boolean" } } },
        ],
      },
      want: {
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
      why: "integers that may be too large for a number",
      given: {
        type: "object",
        properties: {
          n: { type: "integer" },
          id: { type: "integer" },
          petId: { type: "integer", format: "int32" },
          owner_id: { type: ["integer", "null"] },
          page_ids: { type: "array", items: { type: "integer", format: "int64" } },
          valid: { type: "integer" },
        },
      },
      want: {
        type: "object",
        properties: {
          n: { type: "number" },
          id: long,
          petId: { type: "number" },
          owner_id: long,
          page_ids: { type: "array", items: long },
          valid: { type: "number" },
        },
      },
      wrap: undefined,
    },
    {
      why: "allOf becomes one",
      given: { allOf: [{ $ref: "#/$defs/Pet" }, { properties: { age: { type: "number" } } }] },
      want: { type: "object", properties: { ...tolerantPet, age: { type: "number" } } },
      wrap: undefined,
    },
    {
      why: "a map",
      given: { type: "object", additionalProperties: { type: "string" } },
      want: { type: "object" },
      wrap: undefined,
    },
    {
      why: "writeOnly leaves",
      given: { type: "object", properties: { secret: { type: "string", writeOnly: true }, a: {} } },
      want: { type: "object" },
      wrap: undefined,
    },
    {
      why: "names that no URI can hold leave",
      given: {
        type: "object",
        properties: { "\ud800": { type: "string" }, a: { type: "string" } },
      },
      want: { type: "object", properties: { a: text } },
      wrap: undefined,
    },
    {
      why: "null or an object",
      given: { type: ["object", "null"], properties: { a: { type: "string" } } },
      want: { type: "object", properties: { a: text } },
      wrap: undefined,
    },
  ])("$why", ({ given, want, wrap }) => {
    const { tool } = outputOf([ok(given as JsonSchema)]);
    expect(tool.definition.outputSchema).toEqual(want);
    expect(tool.definition.operations[0]!.response).toEqual(wrap ? { wrap } : {});
  });

  it.each([
    { why: "nothing", responses: [ok(undefined, "204")] },
    { why: "no responses", responses: [] },
    { why: "text", responses: [ok({ type: "string" }, "200", "text/plain")] },
    {
      why: "bytes",
      responses: [ok({ type: "string", format: "binary" }, "200", "application/octet-stream")],
    },
    { why: "anything", responses: [ok({})] },
    { why: "an error", responses: [ok(pet, "404")] },
  ])("$why has none", ({ responses }) => {
    const { tool } = outputOf(responses);
    expect(tool.definition.outputSchema).toBeUndefined();
    expect(tool.output).toBeUndefined();
  });

  it("takes default when no success is declared, and 2XX", () => {
    for (const status of ["default", "2XX", "201"])
      expect(outputOf([ok(pet, status)]).tool.definition.outputSchema).toBeDefined();
  });

  it("does not ask for the wrapper of what may be empty", () => {
    const { tool } = outputOf([ok({ type: "array", items: {} }), ok(undefined, "204")]);
    expect(tool.definition.outputSchema).toEqual({
      type: "object",
      properties: { items: { type: "array" } },
    });
  });

  it("joins success responses that differ, and says so", () => {
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
    expect(JSON.stringify(schema).match(/"p\d+"/g)!.length).toBe(150);
  });

  it("is satisfied by what drifts", () => {
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

  it("is worked out once for a named schema", () => {
    const one = outputOf([ok({ type: "array", items: { $ref: "#/$defs/Pet" } })]);
    expect(one.tool.output).toEqual({
      type: "object",
      properties: { items: { type: "array", items: { $ref: "#/$defs/Pet" } } },
      required: ["items"],
    });
    expect(one.plan.types).toEqual([{ name: "Pet", schema: pet }]);
  });
});

describe("strict output", () => {
  it("keeps what the document says", () => {
    const { tool } = outputOf([ok({ $ref: "#/$defs/Pet" })], "strict");
    expect(tool.definition.outputSchema).toEqual(pet);
  });

  it("keeps recursion", () => {
    const { tool } = outputOf([ok({ $ref: "#/$defs/Node" })], "strict");
    expect(tool.definition.outputSchema).toMatchObject({ type: "object", $ref: "#/$defs/Node" });
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
