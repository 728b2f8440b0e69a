import { escapeToken, isObject, type JsonSchema } from "../../json.js";
import { resolve, typesOf, type Schemas } from "../schema/refs.js";

/**
 * The named fields of an object schema; those of the parts of an `allOf` are its own. Undefined for
 * anything else.
 */
export function fieldsOf(
  schema: JsonSchema,
  schemas: Schemas,
  depth = 0,
): ReadonlyMap<string, JsonSchema> | undefined {
  const target = resolve(schemas, schema);
  if (
    depth > 8 ||
    target.anyOf ||
    target.oneOf ||
    typesOf(target).some((type) => type !== "object" && type !== "null")
  )
    return undefined;
  const fields = new Map<string, JsonSchema>();
  for (const part of target.allOf ?? []) {
    const own = isObject(part) ? fieldsOf(part, schemas, depth + 1) : undefined;
    if (!own) return undefined;
    for (const [name, field] of own) fields.set(name, field);
  }
  for (const [name, field] of Object.entries(target.properties ?? {})) {
    if (name !== "__proto__" && field !== false) fields.set(name, field === true ? {} : field);
  }
  return fields;
}

/**
 * The items of a list that may hold nothing but objects of one kind; undefined for anything else.
 */
export function itemOf(schema: JsonSchema, schemas: Schemas): JsonSchema | undefined {
  const target = resolve(schemas, schema);
  const types = typesOf(target).filter((type) => type !== "null");
  return types.length === 1 && types[0] === "array" && isObject(target.items) && !target.prefixItems
    ? target.items
    : undefined;
}

/** A field that always says the same says nothing. */
export function isConstant(schema: JsonSchema, schemas: Schemas): boolean {
  const target = resolve(schemas, schema);
  return "const" in target || (Array.isArray(target.enum) && target.enum.length === 1);
}

/** One step of a JSON pointer. RFC 6901. */
export function step(name: string): string {
  return `/${escapeToken(name)}`;
}
