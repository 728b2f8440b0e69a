import type { JsonSchema } from "../../json.js";
import { annotationsOf, constraintsOf, typesOf, type Draft } from "./types.js";

/** Keywords with which `null` cannot simply join the `type`. */
const APPLICATORS = ["$ref", "allOf", "oneOf", "not", "if"] as const;

/**
 * The schema, or null: what `nullable: true` means. OpenAPI 3.0.3, "Schema Object", and its
 * clarification: null joins `type` and `enum`; beside a reference or a combinator it becomes an
 * alternative.
 */
export function orNull(schema: JsonSchema): JsonSchema {
  if (acceptsNull(schema)) return schema;
  if (APPLICATORS.some((key) => key in schema)) return alternative(schema);
  if (schema.anyOf !== undefined)
    return typesOf(schema)
      ? alternative(schema)
      : { ...schema, anyOf: [...schema.anyOf, { type: "null" }] };
  return nullJoins(schema);
}

/** Something without a type, values or combinators accepts null already. */
function acceptsNull(schema: JsonSchema): boolean {
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf) && anyOf.some((member: unknown) => isNullSchema(member))) return true;
  return (
    type === undefined &&
    !("enum" in schema) &&
    !("const" in schema) &&
    anyOf === undefined &&
    !APPLICATORS.some((key) => key in schema)
  );
}

function isNullSchema(member: unknown): boolean {
  return typeof member === "object" && member !== null && (member as JsonSchema).type === "null";
}

function nullJoins(schema: JsonSchema): JsonSchema {
  const joined: Draft = { ...schema };
  const types = typesOf(schema);
  if (types && !types.includes("null")) joined.type = [...types, "null"];
  if (schema.enum && !schema.enum.includes(null)) joined.enum = [...schema.enum, null];
  if ("const" in schema && schema.const !== null) {
    delete joined.const;
    joined.enum = [schema.const, null];
  }
  return joined;
}

function alternative(schema: JsonSchema): JsonSchema {
  return { ...annotationsOf(schema), anyOf: [constraintsOf(schema), { type: "null" }] };
}
