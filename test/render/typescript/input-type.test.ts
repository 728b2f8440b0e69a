import { expect, test } from "vitest";
import { acceptedType } from "../../../src/render/typescript/input-type.js";
import { schemaType } from "../../../src/render/typescript/schema-type.js";
import { ts } from "../../../src/render/code/index.js";
import type { JsonSchema } from "../../../src/json.js";

const named = new Map<string, JsonSchema>([
  ["PetId", { type: "string" }],
  ["Loop", { $ref: "#/$defs/Loop" }],
]);
const id: JsonSchema = { $ref: "#/$defs/PetId" };
const text: JsonSchema = { type: "string" };
const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });

test.each<readonly [string, JsonSchema, JsonSchema | undefined, string]>([
  ["one ID or several", id, { anyOf: [text, list(text)] }, "PetId | PetId[]"],
  [
    "a number or several",
    { type: "integer" },
    { anyOf: [{ type: "integer" }, list({})] },
    "number | number[]",
  ],
  [
    "a number or its digits",
    { type: "integer" },
    { type: ["integer", "string"] },
    "number | string",
  ],
  [
    "a number or a name",
    { type: "integer" },
    { anyOf: [{ type: "integer" }, text] },
    "number | string",
  ],
  [
    "the same kinds",
    { type: ["string", "null"] },
    { anyOf: [text, { type: "null" }] },
    "string | null",
  ],
  ["fewer kinds than the type", { type: ["string", "null"] }, text, "string | null"],
  ["any value", {}, list(text), "unknown"],
  ["a type that only refers to itself", { $ref: "#/$defs/Loop" }, text, "Loop"],
  ["choices", { enum: ["a", 1] }, { enum: ["a", 1] }, '"a" | 1'],
  ["parts of a value", { allOf: [id, { description: "An ID." }] }, text, "PetId"],
  ["a schema without properties", text, undefined, "string"],
])("an input that takes %s", (_, type, schema, expected) => {
  const scope = {
    nameOf: (ref: string) => (ref === "Loop" ? ts`Loop` : ts`PetId`),
    circular: new Set<string>(),
  };
  expect(schemaType(acceptedType(type, schema, named), scope)).toBe(expected);
});
