import type { JsonSchema } from "../../json.js";
import type { Context } from "../context.js";
import { ANNOTATIONS, annotationsOf, typesOf } from "./schema-object.js";

/** The values that a schema lists: itself, by reference, or as a union of such lists. */
export function allowedValues(
  c: Context,
  schema: JsonSchema | boolean,
): readonly unknown[] | undefined {
  return collectThrough(c, schema, (one) => ("const" in one ? [one.const] : one.enum), {
    left: MAX_UNION_MEMBERS,
  });
}

/** True when `schema` only repeats the type that the target of `reference` already has. */
export function addsNoConstraint(c: Context, schema: JsonSchema, reference: JsonSchema): boolean {
  if (schema.$ref !== undefined) return schema.$ref === reference.$ref;
  for (const key in schema) if (key !== "type" && !ANNOTATIONS.has(key)) return false;
  const types = typesOf(schema);
  const target = types && allowedTypes(c, reference);
  return (
    types === undefined || (target !== undefined && target.every((type) => types.includes(type)))
  );
}

/**
 * The types of a schema, also by reference or as a union.
 * @returns undefined for any type
 */
function allowedTypes(c: Context, schema: JsonSchema): readonly string[] | undefined {
  return collectThrough(c, schema, typesOf, { left: MAX_UNION_MEMBERS });
}

/** Maximum members inspected of unions inside unions. */
const MAX_UNION_MEMBERS = 1000;

/**
 * Collects the result of `read` from a schema, its target, or all members of a union.
 * @returns undefined when a part has no result
 */
function collectThrough<T>(
  c: Context,
  schema: JsonSchema | boolean,
  read: (schema: JsonSchema) => readonly T[] | undefined,
  budget: { left: number },
): readonly T[] | undefined {
  if (typeof schema === "boolean" || budget.left-- <= 0) return undefined;
  const found = read(schema);
  if (found) return found;
  if (schema.$ref !== undefined)
    return collectThrough(c, referencedSchema(c, schema) ?? true, read, budget);
  const collected: T[] = [];
  for (const member of schema.anyOf ?? schema.oneOf ?? [true]) {
    const values = collectThrough(c, member, read, budget);
    if (!values) return undefined;
    collected.push(...values);
  }
  return collected;
}

/** The schema itself, or its target, if it is plain enough to be merged. */
export function inlinableSchema(c: Context, schema: JsonSchema): JsonSchema | undefined {
  if (schema.$ref === undefined) return isSmallEnough(schema) ? schema : undefined;
  const target = referencedSchema(c, schema);
  return target && isInlinable(target) ? { ...target, ...annotationsOf(schema) } : undefined;
}

/** Keywords that exclude inlining. */
const NOT_INLINABLE = [
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "dependentSchemas",
  "unevaluatedProperties",
  "unevaluatedItems",
];
/** Maximum properties of an inlined object. */
const MAX_PROPERTIES = 512;
/** Maximum size of an inlined schema. Copies on every level would double with each. */
const MAX_SIZE = 5000;

/** True for small schemas without combinators. */
export function isInlinable(schema: JsonSchema): boolean {
  return (
    NOT_INLINABLE.every((key) => !(key in schema)) &&
    Object.keys(schema.properties ?? {}).length <= MAX_PROPERTIES &&
    isSmallEnough(schema)
  );
}

function isSmallEnough(schema: JsonSchema): boolean {
  return sizeOf(schema) <= MAX_SIZE;
}

/** Sizes of converted schemas, which occur in many others. */
const sizes = new WeakMap<object, number>();

/** The number of objects and arrays in a value, with repeated ones counted each time. */
function sizeOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let size = sizes.get(value);
  if (size === undefined)
    sizes.set(
      value,
      (size = Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 1)),
    );
  return size;
}

function referencedSchema(c: Context, { $ref }: JsonSchema): JsonSchema | undefined {
  const entry = $ref === undefined ? undefined : c.schemas.entryOf($ref.slice("#/$defs/".length));
  return entry && c.schemas.schemaOf(c, entry);
}
