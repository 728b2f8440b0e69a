import type { JsonSchema } from "../../json.js";
import { type Context, isOpenApi31OrLater } from "../context.js";
import { isTrue, type RawObject } from "../raw-object.js";
import { annotationsOf, constraintsOf, type DraftSchema, typesOf } from "./schema-object.js";

/** Keywords that prevent `null` from joining the `type`. */
const APPLICATORS = ["$ref", "allOf", "oneOf", "not", "if"] as const;

/**
 * Makes a schema accept null, as `nullable: true` does. `null` joins `type` and `enum`; beside a
 * reference or a combinator it becomes an alternative. OpenAPI 3.0.3, "Schema Object", and its
 * clarification.
 */
export function makeNullable(schema: JsonSchema): JsonSchema {
  if (acceptsNull(schema)) return schema;
  if (APPLICATORS.some((key) => key in schema)) return addNullAlternative(schema);
  if (schema.anyOf !== undefined)
    return typesOf(schema)
      ? addNullAlternative(schema)
      : { ...schema, anyOf: [...schema.anyOf, { type: "null" }] };
  return addNull(schema);
}

/** True without a type, values and combinators, or with a null alternative. */
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

function addNull(schema: JsonSchema): JsonSchema {
  const joined: DraftSchema = { ...schema };
  const types = typesOf(schema);
  if (types && !types.includes("null")) joined.type = [...types, "null"];
  if (schema.enum && !schema.enum.includes(null)) joined.enum = [...schema.enum, null];
  if ("const" in schema && schema.const !== null) {
    delete joined.const;
    joined.enum = [schema.const, null];
  }
  return joined;
}

function addNullAlternative(schema: JsonSchema): JsonSchema {
  return { ...annotationsOf(schema), anyOf: [constraintsOf(schema), { type: "null" }] };
}

/**
 * `nullable` of 3.0 or `x-nullable` of 2.0. Authors leave `nullable` in documents of any version,
 * and it is honored there.
 */
export function isNullable(c: Context, raw: RawObject): boolean {
  return isTrue(raw.nullable) || (isTrue(raw["x-nullable"]) && !isOpenApi31OrLater(c));
}
