import type { JsonSchema } from "../../json.js";

/** A schema under construction. */
export type DraftSchema = { -readonly [K in keyof JsonSchema]: JsonSchema[K] };

/**
 * Keywords that only describe. All others constrain. JSON Schema 2020-12 validation, section 9, and
 * OpenAPI's `xml`.
 */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "xml",
]);

/** True when no instance can violate the schema. */
export function isAnnotationOnly(schema: JsonSchema): boolean {
  for (const key in schema) if (!ANNOTATIONS.has(key)) return false;
  return true;
}

/** The annotations of a schema, without its constraints. */
export function annotationsOf(schema: JsonSchema): JsonSchema {
  const annotations: DraftSchema = {};
  for (const key in schema) if (ANNOTATIONS.has(key)) annotations[key] = schema[key];
  return annotations;
}

/** A schema without its annotations. */
export function constraintsOf(schema: JsonSchema): JsonSchema {
  const constraints: DraftSchema = {};
  for (const key in schema) if (!ANNOTATIONS.has(key)) constraints[key] = schema[key];
  return constraints;
}

export function typesOf(schema: JsonSchema): readonly string[] | undefined {
  const { type } = schema;
  return typeof type === "string" ? [type] : type;
}

/** `type` in its shortest form. */
export function toTypeKeyword(types: readonly string[]): string | readonly string[] {
  return types.length === 1 && types[0] !== undefined ? types[0] : types;
}
