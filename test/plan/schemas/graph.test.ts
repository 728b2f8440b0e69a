import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import { buildSchemaGraph } from "../../../src/plan/schemas/graph.js";
import { matchesSchema } from "../../../src/plan/schemas/values.js";

const to = (...names: string[]): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
});

describe("the graph of named schemas", () => {
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
  ])("%s is recursive: %s", (name, want) => {
    expect(graph.isRecursive(name)).toBe(want);
  });

  it.each([
    { given: ["A"], want: ["A", "B", "C", "D"] },
    { given: ["D"], want: ["D"] },
    { given: ["Out", "Gone", "Nowhere"], want: ["Gone", "Out"] },
  ])("$given leads to $want", ({ given, want }) => {
    expect([...graph.closure(given)].sort()).toEqual(want);
  });

  it("follows thousands of references without overflowing the stack", () => {
    const chain: Record<string, JsonSchema> = {};
    for (let i = 0; i < 20_000; i++) chain[`N${i}`] = to(`N${i + 1}`);
    chain.N20000 = to("N0");
    expect(buildSchemaGraph(chain).isRecursive("N0")).toBe(true);
  });
});

describe("values against their schema", () => {
  it.each([
    { value: 1, schema: { type: "integer" }, want: true },
    { value: 1.5, schema: { type: "integer" }, want: false },
    { value: "1", schema: { type: "number" }, want: false },
    { value: null, schema: { type: ["string", "null"] }, want: true },
    { value: "c", schema: { enum: ["a", "b"] }, want: false },
    { value: { a: [1] }, schema: { const: { a: [1] } }, want: true },
    { value: 5, schema: { maximum: 4 }, want: false },
    { value: 5, schema: { exclusiveMaximum: 5 }, want: false },
    { value: "abc", schema: { maxLength: 2 }, want: false },
    { value: [1, "x"], schema: { type: "array", items: { type: "number" } }, want: false },
    { value: {}, schema: { type: "object", required: ["a"], properties: { a: {} } }, want: false },
    {
      value: {},
      schema: { type: "object", required: ["a"], properties: { a: { readOnly: true } } },
      want: true,
    },
    {
      value: { a: 1 },
      schema: { type: "object", properties: { a: { $ref: "#/$defs/T" } } },
      want: false,
    },
    { value: "x", schema: { anyOf: [{ type: "number" }, { type: "string" }] }, want: true },
  ])("$value fits $schema: $want", ({ value, schema, want }) => {
    expect(matchesSchema(value, schema, { T: { type: "string" } })).toBe(want);
  });
});
