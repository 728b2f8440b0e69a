import type { JsonSchema } from "../../json.js";
import type { Context } from "../context.js";
import { ANNOTATIONS, annotationsOf, typesOf } from "./schema-object.js";

/**
 * The values that a schema allows, when it lists them: itself, by reference, or as a union of such.
 */
export function allowedValues(
  c: Context,
  schema: JsonSchema | boolean,
): readonly unknown[] | undefined {
  return collectThrough(c, schema, (one) => ("const" in one ? [one.const] : one.enum), {
    left: MAX_UNION_MEMBERS,
  });
}

/** True when `schema` says no more than the type that the target of `reference` has anyway. */
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
 * The types that values of a schema have, also when it refers to another or is a union; undefined
 * when any.
 */
function allowedTypes(c: Context, schema: JsonSchema): readonly string[] | undefined {
  return collectThrough(c, schema, typesOf, { left: MAX_UNION_MEMBERS });
}

/** How many members of unions inside unions are looked at. */
const MAX_UNION_MEMBERS = 1000;

/**
 * What `read` finds in a schema, in what it refers to, or in all members of a union; undefined when
 * there is none somewhere.
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
  const all: T[] = [];
  for (const member of schema.anyOf ?? schema.oneOf ?? [true]) {
    const values = collectThrough(c, member, read, budget);
    if (!values) return undefined;
    all.push(...values);
  }
  return all;
}

/** The schema itself, or what it refers to, when that is plain enough to be merged. */
export function inlinableSchema(c: Context, schema: JsonSchema): JsonSchema | undefined {
  if (schema.$ref === undefined) return isSmallEnough(schema) ? schema : undefined;
  const target = referencedSchema(c, schema);
  return target && isInlinable(target) ? { ...target, ...annotationsOf(schema) } : undefined;
}

/** Keywords that a schema which is inlined into others must not have. */
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
/** Wider objects are not copied into everything that extends them. */
const MAX_PROPERTIES = 512;
/**
 * Nor are those with more in them than this: what is copied into several places, on every level,
 * would double with each.
 */
const MAX_SIZE = 5000;

/** True for schemas without combinators and of a bearable size. */
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

/** Of schemas that are finished: parts stand in many of them. */
const sizes = new WeakMap<object, number>();

/**
 * How many objects and lists there are in a value, each counted as often as it would be written.
 */
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
