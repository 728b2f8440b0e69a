import { describeType } from "../../diagnostics/index.js";
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { type Context, isOpenApi31OrLater } from "../context.js";
import type { Pointer } from "../pointer.js";
import { isTrue, type RawObject } from "../raw-object.js";
import { hasType, isSchemaType, isTemplateVariable } from "./json-values.js";

/** A schema under construction. */
export type DraftSchema = { -readonly [K in keyof JsonSchema]: JsonSchema[K] };

/**
 * Keywords that only describe. All others constrain. JSON Schema 2020-12 validation, section 9, and
 * OpenAPI's `xml`.
 */
export const ANNOTATIONS: ReadonlySet<string> = new Set(
  "title description default examples deprecated readOnly writeOnly xml".split(" "),
);

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

/** `type` in its shortest form. */
export function toTypeKeyword(types: readonly string[]): string | readonly string[] {
  return types.length === 1 && types[0] !== undefined ? types[0] : types;
}

/** One schema object being read. */
export interface KeywordContext {
  readonly c: Context;
  readonly raw: RawObject;
  readonly pointer: Pointer;
  readonly out: DraftSchema;
  /** Converts a subschema. */
  readonly convert: (c: Context, raw: unknown, pointer: Pointer) => DraftSchema | boolean;
}

/** Reads one keyword of `raw` into `out`, or reports why it is left out. */
export type KeywordReader = (step: KeywordContext, value: unknown, key: string) => void;

/** Reports a keyword with an invalid value. */
export function reportInvalidKeyword(
  step: KeywordContext,
  key: string,
  expected: string,
  value: unknown,
): void {
  const message = `\`${key}\` must be ${expected}, but is ${describeType(value)}; it is left out.`;
  step.c.diagnostics.add("model-schema-keyword", step.pointer.child(key), message);
}

/** Keywords that prevent `null` from joining the `type`. */
const APPLICATORS = ["$ref", "allOf", "oneOf", "not", "if"] as const;

/**
 * Makes a schema accept null, as `nullable: true` does. `null` is added to `type` and `enum`; with
 * a reference or a combinator it becomes an alternative. OpenAPI 3.0.3, "Schema Object", and its
 * clarification.
 */
export function makeNullable(schema: JsonSchema): JsonSchema {
  if (acceptsNull(schema)) return schema;
  if (APPLICATORS.some((key) => key in schema)) return addNullAlternative(schema);
  if (schema.anyOf !== undefined)
    return schema.type === undefined
      ? { ...schema, anyOf: [...schema.anyOf, { type: "null" }] }
      : addNullAlternative(schema);
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
  if (types.length > 0 && !types.includes("null")) joined.type = [...types, "null"];
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

/**
 * Checks for keywords that mean the same in every version. A keyword that passes is kept unchanged.
 */
const CHECKS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ...["title", "description"].map((key) => [key, isNonEmptyString] as const),
  // One with two backslashes may be escaped twice.
  ["pattern", (value: unknown) => isNonEmptyString(value) && !value.includes("\\\\")],
  ["format", (value: unknown) => isNonEmptyString(value) && !isSchemaType(value)],
  ...["readOnly", "writeOnly", "deprecated", "uniqueItems"].map((key) => [key, isBoolean] as const),
  ...["minLength", "maxLength", "minItems", "maxItems"].map((key) => [key, isCount] as const),
  ...["minimum", "maximum"].map((key) => [key, Number.isFinite] as const),
  ["type", (value: unknown) => typeof value === "string" && isSchemaType(value)],
  // Checked against the type in `hasFittingValues`.
  ["enum", (value: unknown) => Array.isArray(value) && value.length > 0],
  ["default", (value: unknown) => typeof value !== "object" && !isTemplateVariable(value)],
]);

/**
 * True for a schema that is already in model form: no subschemas, nothing to translate, nothing
 * invalid. Most schemas of a document are such leaves and are used without a copy.
 */
export function isInModelForm(raw: unknown): raw is JsonSchema {
  if (!isObject(raw)) return false;
  for (const key in raw) {
    const check = CHECKS.get(key);
    if (check === undefined || !check(raw[key])) return false;
  }
  return hasFittingValues(raw as JsonSchema);
}

/**
 * Checks values against the type for strings only, and a format of dates only without a
 * description, which can contradict it. Other cases are converted.
 */
function hasFittingValues({
  type,
  format,
  description,
  enum: values,
  default: fallback,
}: JsonSchema): boolean {
  if (description !== undefined && format?.startsWith("date") === true) return false;
  // A table in the description may state the meanings of the values.
  if (values !== undefined && description?.includes("|")) return false;
  if (values !== undefined && (type !== "string" || !areDistinctStrings(values))) return false;
  if (fallback === undefined) return true;
  return (
    typeof type === "string" &&
    hasType(fallback, [type]) &&
    (values === undefined || values.includes(fallback))
  );
}

/** True for distinct strings, which almost every `enum` has. */
export function areDistinctStrings(values: readonly unknown[]): boolean {
  if (!values.every((value) => typeof value === "string")) return false;
  return values.length === 1 || new Set(values).size === values.length;
}

function isNonEmptyString(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
