import type { AnySchema, SchemaSet } from "./schemas.js";
import type { Raw, Shape } from "./styles.js";
import type { Schema } from "./types.js";

const NESTED = ["allOf", "anyOf", "oneOf"] as const;

/** The shapes that a schema allows, most specific first; all of them when it says nothing. */
export function shapesOf(schema: AnySchema | undefined, schemas: SchemaSet): readonly Shape[] {
  const types = typesOf(schema, schemas, 0);
  const shapes: Shape[] = [];
  if (types.has("array")) shapes.push("array");
  if (types.has("object")) shapes.push("object");
  if (types.size === 0 || [...types].some((t) => t !== "array" && t !== "object"))
    shapes.push("scalar");
  return types.size === 0 ? ["scalar", "array", "object"] : shapes;
}

/** JSON types that a schema mentions, through references and combinators. */
export function typesOf(
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  depth = 0,
): ReadonlySet<string> {
  const target = schemas.resolve(schema);
  const found = new Set<string>();
  if (typeof target === "boolean" || depth > 8) return found;
  for (const type of listOf(target["type"])) found.add(String(type));
  if (found.size === 0) addImplied(target, found);
  if (found.size > 0) return found;
  for (const part of partsOf(target))
    for (const type of typesOf(part, schemas, depth + 1)) found.add(type);
  return found;
}

function addImplied(schema: Schema, found: Set<string>): void {
  const values =
    "const" in schema
      ? [schema["const"]]
      : Array.isArray(schema["enum"])
        ? (schema["enum"] as unknown[])
        : [];
  for (const value of values)
    found.add(value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
  if (schema["properties"] !== undefined) found.add("object");
  if (schema["items"] !== undefined) found.add("array");
}

export function partsOf(schema: Schema): readonly AnySchema[] {
  return NESTED.flatMap((keyword) => listOf(schema[keyword]) as AnySchema[]);
}

export function listOf(value: unknown): readonly unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value];
}

/**
 * Names an object schema declares, through references and combinators. `open`: it accepts others
 * too.
 */
export function propertiesOf(
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  depth = 0,
): { readonly schemas: ReadonlyMap<string, AnySchema>; readonly open: boolean } {
  const target = schemas.resolve(schema);
  const out = new Map<string, AnySchema>();
  if (typeof target === "boolean" || depth > 8) return { schemas: out, open: target !== false };
  for (const [name, property] of Object.entries(
    (target["properties"] ?? {}) as Record<string, AnySchema>,
  ))
    out.set(name, property);
  let open =
    target["additionalProperties"] !== undefined
      ? target["additionalProperties"] !== false
      : out.size === 0 && partsOf(target).length === 0;
  for (const part of partsOf(target)) {
    const inner = propertiesOf(part, schemas, depth + 1);
    for (const [name, property] of inner.schemas) if (!out.has(name)) out.set(name, property);
    open ||=
      inner.open &&
      target["additionalProperties"] !== false &&
      inner.schemas.size === 0 &&
      out.size === 0;
  }
  return { schemas: out, open };
}

/**
 * Gives text its type: the first reading that the schema accepts, or the most literal one.
 * A bare `42` is a number where the schema wants one, and a string where it wants that.
 */
export function coerce(
  raw: Raw,
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  depth = 0,
): unknown {
  if (typeof raw === "string") return coerceText(raw, schema, schemas);
  if (depth > 20) return undefined;
  if (Array.isArray(raw))
    return (raw as Raw[]).map((item, index) =>
      coerce(item, itemOf(schema, index, schemas), schemas, depth + 1),
    );
  return coerceObject(raw as ReadonlyMap<string, Raw>, schema, schemas, depth);
}

function coerceObject(
  raw: ReadonlyMap<string, Raw>,
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  depth: number,
): unknown {
  const { schemas: properties } = propertiesOf(schema, schemas);
  const target = schemas.resolve(schema);
  const rest =
    typeof target === "object"
      ? (target["additionalProperties"] as AnySchema | undefined)
      : undefined;
  return objectFrom(
    [...raw].map(([name, value]) => [
      name,
      coerce(value, properties.get(name) ?? rest, schemas, depth + 1),
    ]),
  );
}

/**
 * Like `Object.fromEntries`; in its own place because keys come from the wire and may be
 * `__proto__`.
 */
export function objectFrom(
  entries: readonly (readonly [string, unknown])[],
): Record<string, unknown> {
  return Object.fromEntries(entries);
}

/** Schema of one item of an array. */
export function itemOf(
  schema: AnySchema | undefined,
  index: number,
  schemas: SchemaSet,
  depth = 0,
): AnySchema | undefined {
  const target = schemas.resolve(schema);
  if (typeof target === "boolean" || depth > 8) return undefined;
  const prefix = listOf(target["prefixItems"]) as readonly AnySchema[];
  if (prefix[index] !== undefined) return prefix[index];
  if (target["items"] !== undefined) return target["items"] as AnySchema;
  for (const part of partsOf(target)) {
    const found = itemOf(part, index, schemas, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function coerceText(text: string, schema: AnySchema | undefined, schemas: SchemaSet): unknown {
  const types = typesOf(schema, schemas);
  if (types.size === 0) return text;
  const readings = [...literalReadings(text, types), text];
  const typed = types.has("string") ? readings : readings.slice(0, -1);
  const accepted = typed.findIndex((reading) => schemas.accepts(reading, schema));
  return typed.length > 0 ? typed[Math.max(accepted, 0)] : text;
}

function literalReadings(text: string, types: ReadonlySet<string>): readonly unknown[] {
  const out: unknown[] = [];
  if ((types.has("integer") || types.has("number")) && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/u.test(text))
    out.push(Number(text));
  if (types.has("boolean") && (text === "true" || text === "false")) out.push(text === "true");
  if (types.has("null") && (text === "" || text === "null")) out.push(null);
  if (types.has("object") || types.has("array")) out.push(...jsonReadings(text));
  return out;
}

/**
 * Objects and arrays inside of text: OpenAPI leaves open how they are written, and servers that
 * take them take JSON.
 */
function jsonReadings(text: string): readonly unknown[] {
  if (!/^\s*[[{]/u.test(text)) return [];
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
