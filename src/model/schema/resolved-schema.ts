import { describeType } from "../../diagnostics/index.js";
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import type { Context } from "../context.js";
import { Pointer } from "../pointer.js";
import { type Problem, quote } from "../diagnostics.js";
import { circularReferencePath, describeBrokenReference } from "../references.js";
import { ANNOTATIONS, annotationsOf } from "./schema-object.js";
import { visitInPlace } from "../../json-schema.js";

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
  return (
    types.length === 0 || allowedTypes(c, reference)?.every((type) => types.includes(type)) === true
  );
}

/**
 * The types of a schema, also by reference or as a union.
 * @returns undefined for any type
 */
function allowedTypes(c: Context, schema: JsonSchema): readonly string[] | undefined {
  const read = (one: JsonSchema) => (one.type === undefined ? undefined : typesOf(one));
  return collectThrough(c, schema, read, { left: MAX_UNION_MEMBERS });
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
    return collectThrough(c, c.schemas.dereference(c, schema) ?? true, read, budget);
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
  const target = c.schemas.dereference(c, schema);
  return target && isInlinable(target) ? { ...target, ...annotationsOf(schema) } : undefined;
}

/** Keywords that exclude inlining. */
const NOT_INLINABLE =
  "$ref allOf anyOf oneOf not if dependentSchemas unevaluatedProperties unevaluatedItems".split(
    " ",
  );
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

/**
 * The reason why a schema is unknown: it is not a schema, or its reference does not resolve or is
 * circular. Undefined for a usable or absent schema. Parts of it may still be broken.
 */
export function findSchemaProblem(c: Context, raw: unknown, pointer: Pointer): Problem | undefined {
  if (raw === undefined || raw === null || typeof raw === "boolean") return undefined;
  if (!isObject(raw))
    return {
      code: "model-schema-keyword",
      location: pointer.location,
      message: `A schema must be an object, but this is ${describeType(raw)}`,
    };
  const target = c.references.follow(raw, pointer);
  if ("reason" in target) return describeBrokenReference(c, target, "schema");
  if (!isObject(target.value) && typeof target.value !== "boolean")
    return {
      code: "model-ref-target",
      location: pointer.child("$ref").location,
      message: `\`$ref\` ${quote(String(raw.$ref))} points to ${describeType(target.value)}, not to a schema`,
    };
  return isObject(target.value)
    ? findSelfInclusion(c, target.value.allOf, target.pointer)
    : undefined;
}

/** A member of `allOf` that `load` has found to include the schema itself. */
function findSelfInclusion(c: Context, allOf: unknown, pointer: Pointer): Problem | undefined {
  if (!Array.isArray(allOf)) return undefined;
  for (const [index, member] of allOf.entries()) {
    const ref: unknown = isObject(member) ? member.$ref : undefined;
    if (typeof ref !== "string") continue;
    if (c.document.brokenRefs?.get(ref)?.code === "load-ref-circular")
      return describeBrokenReference(
        c,
        { reason: "circular", chain: [ref], pointer: pointer.child("allOf").child(index) },
        "schema",
      );
  }
  return undefined;
}

/**
 * Breaks each cycle of schemas that refer to themselves without a property or an item in between
 * (`A: { anyOf: [A] }`), with a warning. No value can be validated against them, and validators
 * loop. JSON Schema 2020-12 core, section 9.4.1.
 */
export function breakCircularSchemas(c: Context, schemas: Record<string, JsonSchema>): void {
  const done = new Set<string>();
  for (const key of Object.keys(schemas)) if (!done.has(key)) visit(c, schemas, key, done);
}

/** Depth-first search without recursion. `path` leads from the start to the current schema. */
function visit(
  c: Context,
  schemas: Record<string, JsonSchema>,
  start: string,
  done: Set<string>,
): void {
  const path: { readonly key: string; readonly next: Iterator<string> }[] = [];
  const onPath = new Set<string>();
  const enter = (key: string): void => {
    path.push({ key, next: inPlaceReferences(schemas[key]).values() });
    onPath.add(key);
    done.add(key);
  };
  enter(start);
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const step = top.next.next();
    if (step.done) {
      path.pop();
      onPath.delete(top.key);
    } else if (onPath.has(step.value)) {
      breakCircle(c, schemas, [...path.map(({ key }) => key), step.value]);
    } else if (!done.has(step.value)) {
      enter(step.value);
    }
  }
}

function breakCircle(
  c: Context,
  schemas: Record<string, JsonSchema>,
  path: readonly string[],
): void {
  const circle = path.slice(path.indexOf(path.at(-1) ?? ""));
  const isBroken = circle.some((key) => Object.keys(schemas[key] ?? {}).length === 0);
  const [first = ""] = circle;
  if (isBroken) return;
  schemas[first] = {};
  const message = `${circularReferencePath(circle)}: validating a value would never end; any value is accepted.`;
  const pointer = c.schemas.entryOf(first)?.pointer ?? Pointer.root;
  c.diagnostics.add("model-ref-circular", pointer, message);
}

/** The named schemas that apply to the same instance as this one. */
function inPlaceReferences(schema: unknown, references = new Set<string>()): ReadonlySet<string> {
  if (!isObject(schema)) return references;
  if (typeof schema.$ref === "string") references.add(schema.$ref.slice("#/$defs/".length));
  visitInPlace(schema, (part) => inPlaceReferences(part, references));
  return references;
}
