import { expect, test } from "vitest";
import type { SchemaOf } from "../../../src/runtime/tools/schema-types.js";

/** Input of a generated tool, with values of one kind and of several. */
interface Input {
  id: string | number;
  text?: string;
  limit?: number | null;
  tags?: string | string[];
  any?: unknown;
  /** Of a document that uses one input as an object and as a text. */
  both?: ({ tags?: string[] } & string) | { [key: string]: unknown };
}

const properties = {
  id: { anyOf: [{ type: "string" }, { type: "integer" }] },
  text: { type: "string" },
  limit: { type: ["integer", "null"] },
  tags: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
  any: {},
  both: { type: "object" },
} as const;

// The compiler checks these: `npm run typecheck` fails where an expected error does not occur.
const schemas: readonly SchemaOf<Input>[] = [
  { type: "object", properties, required: ["id"] },
  { type: "object", properties: { ...properties, any: { type: "string" } } },
  // @ts-expect-error a kind of value that the type lacks
  { properties: { ...properties, text: { type: "boolean" } } },
  // @ts-expect-error the same for an input that may be absent
  { properties: { ...properties, text: { type: "object" } } },
  // @ts-expect-error the same in an alternative
  { properties: { ...properties, tags: { anyOf: [{ type: "string" }, { type: "object" }] } } },
  // @ts-expect-error one of the kinds of the type
  { properties: { ...properties, id: { type: "string" } } },
  // @ts-expect-error the same with null
  { properties: { ...properties, limit: { type: "integer" } } },
  // @ts-expect-error a missing input
  { properties: { id: {}, text: {}, limit: {}, tags: {} } },
  // @ts-expect-error an input that the type lacks
  { properties: { ...properties, other: {} } },
  // @ts-expect-error a required input that may be absent
  { properties, required: ["text"] },
];

test("schemas of inputs are compared with their types", () => {
  expect(schemas).toHaveLength(10);
});
