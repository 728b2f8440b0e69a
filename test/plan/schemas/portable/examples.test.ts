import { describe, expect, it } from "vitest";
import { shortExample } from "../../../../src/plan/schemas/portable/keywords.js";

describe("the example of a schema", () => {
  it.each([
    { reason: "a short text", schema: { type: "string", examples: ["a"] }, expected: "a" },
    {
      reason: "the first items of a list",
      schema: { type: "array", items: { type: "string" }, examples: [["a", "b", "c"]] },
      expected: ["a", "b"],
    },
    {
      reason: "the whole list where it must be that long",
      schema: { type: "array", minItems: 3, items: {}, examples: [[1, 2, 3]] },
      expected: [1, 2, 3],
    },
    {
      reason: "an object without declared fields",
      schema: { type: "object", examples: [{ env: "dev" }] },
      expected: { env: "dev" },
    },
    {
      reason: "none where fields or values are declared",
      schema: { type: "object", properties: { env: {} }, examples: [{ env: "dev" }] },
      expected: undefined,
    },
    {
      reason: "none of the wrong type or too long",
      schema: { type: "array", items: { type: "string" }, examples: [[1], ["x".repeat(200)]] },
      expected: undefined,
    },
  ])("$reason", ({ schema, expected }) => {
    expect(shortExample(schema, {})).toEqual(expected);
  });
});
