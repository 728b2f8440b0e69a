import type { AnySchema, SchemaSet } from "./schema-set.js";
import type { Schema, Shape } from "./types.js";

const COMBINATORS = ["allOf", "anyOf", "oneOf"] as const;

/** The shapes that a schema allows, most specific first. All shapes without any type. */
export function shapesOf(schema: AnySchema | undefined, schemas: SchemaSet): readonly Shape[] {
  const types = typesOf(schema, schemas, 0);
  const shapes: Shape[] = [];
  if (types.has("array")) shapes.push("array");
  if (types.has("object")) shapes.push("object");
  if (types.size === 0 || [...types].some((t) => t !== "array" && t !== "object"))
    shapes.push("scalar");
  return types.size === 0 ? ["scalar", "array", "object"] : shapes;
}

/** JSON types of a schema, through references and combinators. */
export function typesOf(
  schema: AnySchema | undefined,
  schemas: SchemaSet,
  depth = 0,
): ReadonlySet<string> {
  const target = schemas.resolve(schema);
  const found = new Set<string>();
  if (typeof target === "boolean" || depth > 8) return found;
  for (const type of toList(target["type"])) found.add(String(type));
  if (found.size === 0) addImplied(target, found);
  if (found.size > 0) return found;
  for (const part of subschemasOf(target))
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

export function subschemasOf(schema: Schema): readonly AnySchema[] {
  return COMBINATORS.flatMap((keyword) => toList(schema[keyword]) as AnySchema[]);
}

export function toList(value: unknown): readonly unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value];
}

/**
 * Declared properties of an object schema, through references and combinators. `open`: additional
 * properties are allowed.
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
      : out.size === 0 && subschemasOf(target).length === 0;
  for (const part of subschemasOf(target)) {
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

/** Schema of an array item. */
export function itemOf(
  schema: AnySchema | undefined,
  index: number,
  schemas: SchemaSet,
  depth = 0,
): AnySchema | undefined {
  const target = schemas.resolve(schema);
  if (typeof target === "boolean" || depth > 8) return undefined;
  const prefix = toList(target["prefixItems"]) as readonly AnySchema[];
  if (prefix[index] !== undefined) return prefix[index];
  if (target["items"] !== undefined) return target["items"] as AnySchema;
  for (const part of subschemasOf(target)) {
    const found = itemOf(part, index, schemas, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A schema without its examples and default. */
export function withoutExamples(schema: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => keyword !== "examples" && keyword !== "default"),
  );
}
