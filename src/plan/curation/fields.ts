import { isObject, type JsonSchema } from "../../json.js";
import { type AnySchema, resolve, type Schemas, typesOf } from "../schema/refs.js";

const MAX_DEPTH = 8;

/** The fields of an object schema, of all its parts and alternatives together. */
export function fieldsOf(
  schema: AnySchema,
  schemas: Schemas,
  depth = 0,
): ReadonlyMap<string, AnySchema> {
  if (typeof schema === "boolean" || depth > MAX_DEPTH) return new Map();
  const target = resolve(schemas, schema);
  const parts = [...(target.allOf ?? []), ...(target.anyOf ?? []), ...(target.oneOf ?? [])].flatMap(
    (part) => [...fieldsOf(part, schemas, depth + 1)],
  );
  return new Map([
    ...parts,
    ...Object.entries((target.properties ?? {}) as Readonly<Record<string, AnySchema>>),
  ]);
}

/** The schema of a list's items; undefined when it is no list. */
export function itemsOf(schema: AnySchema | undefined, schemas: Schemas): AnySchema | undefined {
  const target = isObject(schema) ? resolve(schemas, schema as JsonSchema) : undefined;
  return target && typesOf(target).includes("array") ? (target.items ?? {}) : undefined;
}

/** An object schema with some of its fields only. */
export function withFields(
  schema: AnySchema,
  isKept: (name: string) => boolean,
  schemas: Schemas,
): JsonSchema {
  const target = typeof schema === "boolean" ? {} : resolve(schemas, schema);
  const fields = [...fieldsOf(schema, schemas)].filter(([name]) => isKept(name));
  const required = (target.required ?? []).filter(isKept);
  return {
    type: target.type === undefined || typeof target.type === "string" ? "object" : target.type,
    ...(target.description !== undefined && { description: target.description }),
    properties: Object.fromEntries(fields),
    ...(required.length > 0 && { required }),
  };
}

/** An object schema in which one list has items of another schema. */
export function withItems(
  schema: JsonSchema,
  list: string,
  items: (old: AnySchema) => JsonSchema,
  schemas: Schemas,
): JsonSchema {
  const target = resolve(schemas, schema);
  const properties = Object.fromEntries(
    [...fieldsOf(schema, schemas)].map(([name, field]) =>
      name === list ? [name, listOf(field, items, schemas)] : [name, field],
    ),
  );
  const { allOf: _all, anyOf: _any, oneOf: _one, $ref: _ref, ...rest } = target;
  return { ...rest, type: "object", properties };
}

function listOf(
  list: AnySchema,
  items: (old: AnySchema) => JsonSchema,
  schemas: Schemas,
): JsonSchema {
  const target = typeof list === "boolean" ? {} : resolve(schemas, list);
  return { ...target, items: items((target.items ?? {}) as AnySchema) };
}
