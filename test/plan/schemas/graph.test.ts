import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import { buildSchemaGraph } from "../../../src/plan/schemas/refs.js";
import { matchesSchema } from "../../../src/plan/schemas/values.js";

const to = (...names: string[]): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
});

describe("graph of named schemas", () => {
  const graph = buildSchemaGraph({
    A: to("B"),
    B: to("C", "D"),
    C: to("B"),
    D: { type: "string" },
    Self: to("Self"),
    Out: { default: { $ref: "#/$defs/A" }, enum: [{ $ref: "#/$defs/A" }] },
    Gone: to("Nowhere"),
  });

  it.each([
    ["A", false],
    ["B", true],
    ["C", true],
    ["D", false],
    ["Self", true],
    ["Out", false],
    ["Gone", false],
  ])("%s is recursive: %s", (name, expected) => {
    expect(graph.isRecursive(name)).toBe(expected);
  });

  it.each([
    { input: ["A"], expected: ["A", "B", "C", "D"] },
    { input: ["D"], expected: ["D"] },
    { input: ["Out", "Gone", "Nowhere"], expected: ["Gone", "Out"] },
  ])("closure of $input is $expected", ({ input, expected }) => {
    expect([...graph.closure(input)].sort()).toEqual(expected);
  });

  it("follows thousands of references without overflowing the stack", () => {
    const chain: Record<string, JsonSchema> = {};
    for (let i = 0; i < 20_000; i++) chain[`N${i}`] = to(`N${i + 1}`);
    chain.N20000 = to("N0");
    expect(buildSchemaGraph(chain).isRecursive("N0")).toBe(true);
  });
});

describe("matchesSchema", () => {
  it.each([
    { value: 1, schema: { type: "integer" }, expected: true },
    { value: 1.5, schema: { type: "integer" }, expected: false },
    { value: "1", schema: { type: "number" }, expected: false },
    { value: null, schema: { type: ["string", "null"] }, expected: true },
    { value: "c", schema: { enum: ["a", "b"] }, expected: false },
    { value: { a: [1] }, schema: { const: { a: [1] } }, expected: true },
    { value: 5, schema: { maximum: 4 }, expected: false },
    { value: 5, schema: { exclusiveMaximum: 5 }, expected: false },
    { value: "abc", schema: { maxLength: 2 }, expected: false },
    { value: [1, "x"], schema: { type: "array", items: { type: "number" } }, expected: false },
    {
      value: {},
      schema: { type: "object", required: ["a"], properties: { a: {} } },
      expected: false,
    },
    {
      value: {},
      schema: { type: "object", required: ["a"], properties: { a: { readOnly: true } } },
      expected: true,
    },
    {
      value: { a: 1 },
      schema: { type: "object", properties: { a: { $ref: "#/$defs/T" } } },
      expected: false,
    },
    { value: "x", schema: { anyOf: [{ type: "number" }, { type: "string" }] }, expected: true },
  ])("$value matches $schema: $expected", ({ value, schema, expected }) => {
    expect(matchesSchema(value, schema, { T: { type: "string" } })).toBe(expected);
  });
});
