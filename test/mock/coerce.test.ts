import { describe, expect, test } from "vitest";
import { coerce, shapesOf } from "../../src/mock/coerce.js";
import { type AnySchema, SchemaSet } from "../../src/mock/schemas.js";
import type { Raw } from "../../src/mock/styles.js";

const schemas = new SchemaSet(
  {
    Id: { type: "integer" },
    Loop: { $ref: "#/$defs/Loop" },
    Tree: { type: "object", properties: { next: { $ref: "#/$defs/Tree" }, n: { type: "number" } } },
  },
  "request",
);

describe("coerce", () => {
  const rows: readonly [Raw, AnySchema, unknown][] = [
    ["42", { type: "integer" }, 42],
    ["42", { type: "string" }, "42"],
    ["-1.5e3", { type: "number" }, -1500],
    ["4x", { type: "integer" }, "4x"],
    ["true", { type: "boolean" }, true],
    ["yes", { type: "boolean" }, "yes"],
    ["", { type: ["integer", "null"] }, null],
    ["null", { type: ["string", "null"], maxLength: 2 }, null],
    ["42", { type: ["string", "integer"] }, 42],
    ["42", { $ref: "#/$defs/Id" }, 42],
    ["42", { anyOf: [{ type: "integer", minimum: 50 }, { type: "string" }] }, "42"],
    ["2", { enum: [1, 2] }, 2],
    ["2", { const: "2" }, "2"],
    ["x", true, "x"],
    ["x", { $ref: "#/$defs/Loop" }, "x"],
    [["1", "2"], { type: "array", items: { type: "integer" } }, [1, 2]],
    [
      ["1", "b"],
      { type: "array", prefixItems: [{ type: "integer" }], items: { type: "string" } },
      [1, "b"],
    ],
    [
      new Map<string, Raw>([
        ["a", "1"],
        ["b", "1"],
      ]),
      {
        type: "object",
        properties: { a: { type: "integer" } },
        additionalProperties: { type: "string" },
      },
      { a: 1, b: "1" },
    ],
    [
      new Map<string, Raw>([["next", new Map([["n", "1"]])]]),
      { $ref: "#/$defs/Tree" },
      { next: { n: 1 } },
    ],
  ];
  test.each(rows)("%j by %j", (raw, schema, want) =>
    expect(coerce(raw, schema, schemas)).toEqual(want),
  );

  test("a property named __proto__ stays a property", () => {
    const value = coerce(new Map([["__proto__", "1"]]), { type: "object" }, schemas) as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe("shapesOf", () => {
  const rows: readonly [AnySchema, readonly string[]][] = [
    [{ type: "string" }, ["scalar"]],
    [{ type: ["array", "null"] }, ["array", "scalar"]],
    [{ anyOf: [{ type: "object" }, { type: "integer" }] }, ["object", "scalar"]],
    [{ properties: {} }, ["object"]],
    [{}, ["scalar", "array", "object"]],
  ];
  test.each(rows)("%j", (schema, want) => expect(shapesOf(schema, schemas)).toEqual(want));
});
