import type { JsonSchema } from "../../json.js";
import { isObject } from "../../json.js";
import { memoize } from "../text/sentences.js";
import type { ApiModel } from "../../model/types.js";

/** The named schemas of a model. */
export type Schemas = ApiModel["schemas"];
export type AnySchema = JsonSchema | boolean;

const DEFS_PREFIX = "#/$defs/";
/** Maximum `$ref`s followed in a row. Longer chains are loops. */
const MAX_HOPS = 32;

/** Name that a model-form `$ref` points to; undefined without a `$ref`. */
export function refName(schema: JsonSchema): string | undefined {
  const ref = schema.$ref;
  if (ref === undefined) return undefined;
  return typeof ref === "string" && ref.startsWith(DEFS_PREFIX) ? nameOfRef(ref) : undefined;
}

/** Memoized, because each sliced string would be hashed again at every lookup. */
const nameOfRef = memoize((ref) => ref.slice(DEFS_PREFIX.length));

/** The type check excludes what a plain object inherits, such as `constructor`. */
export function namedSchema(schemas: Schemas, name: string): JsonSchema | undefined {
  const schema = schemas[name];
  return typeof schema === "object" && name !== "__proto__" ? schema : undefined;
}

/**
 * Follows `$ref`s to a schema without one. Annotations beside a `$ref` are not merged. Loops and
 * unknown names give `{}`.
 */
export function resolveSchema(schemas: Schemas, schema: JsonSchema): JsonSchema {
  let current: JsonSchema = schema;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const name = refName(current);
    if (name === undefined) return current;
    const next = namedSchema(schemas, name);
    if (next === undefined) return {};
    current = next;
  }
  return {};
}

/** Keywords that contain schemas: one, a list, or a map. */
export const SCHEMA_KEYWORDS: ReadonlyMap<string, "one" | "list" | "map"> = new Map([
  ...[
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
  ].map((key) => [key, "one"] as const),
  ...["allOf", "anyOf", "oneOf", "prefixItems"].map((key) => [key, "list"] as const),
  ...["properties", "patternProperties", "dependentSchemas", "$defs"].map(
    (key) => [key, "map"] as const,
  ),
]);

/**
 * Calls `visit` for every direct subschema. Values of `default`, `enum` and `examples` are not
 * schemas.
 */
function forEachChild(schema: JsonSchema, visit: (child: JsonSchema) => void): void {
  for (const key in schema) {
    const kind = SCHEMA_KEYWORDS.get(key);
    if (kind === undefined) continue;
    const value = schema[key];
    if (kind === "one") visitOne(value, visit);
    else if (kind === "list" && Array.isArray(value))
      for (const child of value) visitOne(child, visit);
    else if (kind === "map" && isObject(value))
      for (const name in value) visitOne(value[name], visit);
  }
}

function visitOne(child: unknown, visit: (child: JsonSchema) => void): void {
  if (isObject(child)) visit(child);
}

/**
 * Names that a schema refers to, at any depth inside it, in order. Iterative, because inline
 * schemas have no maximum depth.
 */
export function referencedNames(schema: JsonSchema): readonly string[] {
  if (hasNoChildren(schema)) return [];
  const direct = refName(schema);
  if (direct !== undefined) return [direct];
  const names = new Set<string>();
  const stack: JsonSchema[] = [schema];
  while (stack.length > 0) {
    const next = stack.pop() as JsonSchema;
    const name = refName(next);
    if (name !== undefined) names.add(name);
    else forEachChild(next, (child) => stack.push(child));
  }
  return [...names];
}

function hasNoChildren(schema: JsonSchema): boolean {
  for (const key in schema) if (key === "$ref" || SCHEMA_KEYWORDS.has(key)) return false;
  return true;
}

/** Types of the `type` keyword; empty without one. */
export function typesOf(schema: JsonSchema): readonly string[] {
  const type = schema.type;
  if (typeof type === "string") return SINGLE_TYPES.get(type) ?? [type];
  return Array.isArray(type)
    ? (type as readonly string[]).filter((t) => typeof t === "string")
    : NO_TYPES;
}

const NO_TYPES: readonly string[] = [];
const SINGLE_TYPES: ReadonlyMap<string, readonly string[]> = new Map(
  ["string", "number", "integer", "boolean", "object", "array", "null"].map((type) => [
    type,
    [type],
  ]),
);

/** True for `true` and for schemas with annotations only. */
export function acceptsAnything(schema: AnySchema): boolean {
  if (typeof schema === "boolean") return schema;
  for (const key in schema) if (!ANNOTATIONS.has(key)) return false;
  return true;
}

const ANNOTATIONS = new Set([
  "description",
  "title",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$comment",
  "xml",
  "externalDocs",
]);
