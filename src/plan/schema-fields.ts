import { isObject, type JsonSchema } from "../json.js";
import { type AnySchema, resolveSchema, type Schemas, typesOf } from "./schemas/refs.js";
import { escapePointerToken } from "../json-pointer.js";

/** Fields of an object schema, including those of its `allOf`. Undefined for any other schema. */
export function objectFields(
  schema: JsonSchema,
  schemas: Schemas,
  depth = 0,
): ReadonlyMap<string, JsonSchema> | undefined {
  const target = resolveSchema(schemas, schema);
  if (
    depth > 8 ||
    target.anyOf ||
    target.oneOf ||
    typesOf(target).some((type) => type !== "object" && type !== "null")
  )
    return undefined;
  const fields = new Map<string, JsonSchema>();
  for (const part of target.allOf ?? []) {
    const own = isObject(part) ? objectFields(part, schemas, depth + 1) : undefined;
    if (!own) return undefined;
    for (const [name, field] of own) fields.set(name, field);
  }
  for (const [name, field] of Object.entries(target.properties ?? {})) {
    if (name !== "__proto__" && field !== false) fields.set(name, field === true ? {} : field);
  }
  return fields;
}

/** Schema of the items of a list of objects; undefined for any other schema. */
export function objectListItem(schema: JsonSchema, schemas: Schemas): JsonSchema | undefined {
  const target = resolveSchema(schemas, schema);
  const types = typesOf(target).filter((type) => type !== "null");
  return types.length === 1 && types[0] === "array" && isObject(target.items) && !target.prefixItems
    ? target.items
    : undefined;
}

/** Tests whether a field has only one value. */
export function isConstant(schema: JsonSchema, schemas: Schemas): boolean {
  const target = resolveSchema(schemas, schema);
  return "const" in target || (Array.isArray(target.enum) && target.enum.length === 1);
}

/** Adds the slash and escapes a reference token of a JSON pointer (RFC 6901). */
export function pointerStep(name: string): string {
  return `/${escapePointerToken(name)}`;
}

const MAX_DEPTH = 8;

/** Fields of an object schema and of all its parts and alternatives. */
export function allFields(
  schema: AnySchema,
  schemas: Schemas,
  depth = 0,
): ReadonlyMap<string, AnySchema> {
  if (typeof schema === "boolean" || depth > MAX_DEPTH) return new Map();
  const target = resolveSchema(schemas, schema);
  const parts = [...(target.allOf ?? []), ...(target.anyOf ?? []), ...(target.oneOf ?? [])].flatMap(
    (part) => [...allFields(part, schemas, depth + 1)],
  );
  return new Map([
    ...parts,
    ...Object.entries((target.properties ?? {}) as Readonly<Record<string, AnySchema>>),
  ]);
}

/** Schema of the items of a list; undefined for any other schema. */
export function listItems(schema: AnySchema | undefined, schemas: Schemas): AnySchema | undefined {
  const target = isObject(schema) ? resolveSchema(schemas, schema as JsonSchema) : undefined;
  return target && typesOf(target).includes("array") ? (target.items ?? {}) : undefined;
}

/** Object schema with some of its fields. */
export function selectFields(
  schema: AnySchema,
  isKept: (name: string) => boolean,
  schemas: Schemas,
): JsonSchema {
  const target = typeof schema === "boolean" ? {} : resolveSchema(schemas, schema);
  const fields = [...allFields(schema, schemas)].filter(([name]) => isKept(name));
  const required = (target.required ?? []).filter(isKept);
  return {
    type: target.type === undefined || typeof target.type === "string" ? "object" : target.type,
    ...(target.description !== undefined && { description: target.description }),
    properties: Object.fromEntries(fields),
    ...(required.length > 0 && { required }),
  };
}

/** Object schema with another schema for the items of one of its lists. */
export function replaceItems(
  schema: JsonSchema,
  list: string,
  items: (old: AnySchema) => JsonSchema,
  schemas: Schemas,
): JsonSchema {
  const target = resolveSchema(schemas, schema);
  const properties = Object.fromEntries(
    [...allFields(schema, schemas)].map(([name, field]) =>
      name === list ? [name, replaceListItems(field, items, schemas)] : [name, field],
    ),
  );
  const { allOf: _all, anyOf: _any, oneOf: _one, $ref: _ref, ...rest } = target;
  return { ...rest, type: "object", properties };
}

function replaceListItems(
  list: AnySchema,
  items: (old: AnySchema) => JsonSchema,
  schemas: Schemas,
): JsonSchema {
  const target = typeof list === "boolean" ? {} : resolveSchema(schemas, list);
  return { ...target, items: items((target.items ?? {}) as AnySchema) };
}
