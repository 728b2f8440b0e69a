import { escapePointerToken } from "../../json-pointer.js";
import { compositionParts } from "../../json-schema.js";
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import {
  memoizeBySchema,
  acceptsAnything,
  type AnySchema,
  resolveSchema,
  type Schemas,
} from "./refs.js";

/** The fields of an object schema that consists of named fields only. */
export interface FlatObject {
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  /** Minimum and maximum number of fields. */
  readonly minProperties: number;
  readonly maxProperties: number;
  /** Alternatives constrain which fields go together. The flat form loses them. */
  readonly isWeakened: boolean;
  /** The schema accepts fields that it does not name. */
  readonly isOpen: boolean;
}

const MAX_FLATTEN_DEPTH = 16;

/**
 * Flattens a body into fields. Undefined unless it is an object with named fields only, without
 * alternatives of its own. An object or null counts as the object, `allOf` of such objects as their
 * union.
 */
export function flattenObject(
  schemas: Schemas,
  schema: JsonSchema,
  depth = 0,
): FlatObject | undefined {
  const target = resolveSchema(schemas, schema);
  if (depth > MAX_FLATTEN_DEPTH || target.not !== undefined || isMapSchema(target))
    return undefined;
  const types = typesOf(target).filter((type) => type !== "null");
  const isObjectType = types.length === 0 || (types.length === 1 && types[0] === "object");
  if (!isObjectType || "enum" in target || "const" in target) return undefined;
  const choice = [target.anyOf, target.oneOf].filter((list) => list !== undefined);
  const object = nullableObject(choice, target);
  if (object) return flattenObject(schemas, object, depth + 1);
  if (!choice.flat().every((part) => isConstraint(part))) return undefined;
  return unionOfObjects(schemas, target, choice.length > 0, depth);
}

/** True for objects with arbitrary keys, which must be one input. */
function isMapSchema(schema: JsonSchema): boolean {
  const additional = schema.additionalProperties;
  const unevaluated = schema.unevaluatedProperties;
  return (
    [additional, unevaluated].some(
      (candidate) => candidate === true || (isObject(candidate) && !forbidsEverything(candidate)),
    ) || schema.patternProperties !== undefined
  );
}

/** Keywords with conditional schemas. */
const CONDITION_KEYWORDS = ["then", "else"] as const;

/** Schemas that conditions add. The flat form cannot express the conditions. */
function conditionsOf(target: JsonSchema): readonly JsonSchema[] {
  const dependent = Object.values(
    (target.dependentSchemas ?? {}) as Readonly<Record<string, unknown>>,
  );
  return [...CONDITION_KEYWORDS.map((key) => target[key]), ...dependent].filter(
    isObject,
  ) as readonly JsonSchema[];
}

const forbidsEverything = (schema: JsonSchema): boolean =>
  isObject(schema.not) && acceptsAnything(schema.not as JsonSchema);

/** `X or null`. */
function nullableObject(
  choice: readonly (readonly AnySchema[])[],
  target: JsonSchema,
): JsonSchema | undefined {
  if (choice.length !== 1 || target.properties || target.allOf) return undefined;
  const parts = (choice[0] ?? []).filter((part) => !(isObject(part) && part.type === "null"));
  return parts.length === 1 && isObject(parts[0]) ? parts[0] : undefined;
}

/** `{required: [a]}`: constrains which fields go together and adds none. */
function isConstraint(part: AnySchema): boolean {
  return (
    isObject(part) &&
    Object.keys(part).every((key) =>
      ["required", "not", "description", "title", "type"].includes(key),
    )
  );
}

function unionOfObjects(
  schemas: Schemas,
  target: JsonSchema,
  isWeakened: boolean,
  depth: number,
): FlatObject | undefined {
  const parts = (target.allOf ?? []).map((part) =>
    isObject(part) ? flattenObject(schemas, part, depth + 1) : undefined,
  );
  if (parts.some((part) => part === undefined)) return undefined;
  const objects = parts as readonly FlatObject[];
  const properties = new Map([
    ...objects.flatMap((object) => [...object.properties]),
    ...namedProperties(target),
  ]);
  for (const part of conditionsOf(target)) {
    for (const [name, property] of namedProperties(resolveSchema(schemas, part))) {
      if (!properties.has(name)) properties.set(name, property);
    }
  }
  if (properties.size === 0 && depth === 0) return undefined;
  const required = [
    ...objects.flatMap((object) => [...object.required]),
    ...(target.required ?? []),
  ];
  const { minProperties, maxProperties } = target;
  return {
    properties,
    required: new Set(required),
    minProperties: Math.max(
      typeof minProperties === "number" ? minProperties : 0,
      ...objects.map((object) => object.minProperties),
    ),
    maxProperties: Math.min(
      typeof maxProperties === "number" ? maxProperties : Number.POSITIVE_INFINITY,
      ...objects.map((object) => object.maxProperties),
    ),
    isWeakened: isWeakened || hasConditions(target) || objects.some((object) => object.isWeakened),
    isOpen:
      target.additionalProperties === undefined &&
      target.unevaluatedProperties === undefined &&
      objects.every((object) => object.isOpen),
  };
}

const hasConditions = (target: JsonSchema): boolean =>
  ["if", "dependentSchemas", "dependentRequired", "propertyNames"].some(
    (key) => target[key] !== undefined,
  );

function namedProperties({ properties = {} }: JsonSchema): [string, JsonSchema][] {
  return Object.entries(properties).flatMap(([name, property]): [string, JsonSchema][] => {
    if (property === true) return [[name, {}]];
    return isObject(property) ? [[name, property]] : [];
  });
}

type ObjectFields = ReadonlyMap<string, JsonSchema>;

/** Fields of an object schema, including those of its `allOf`. Undefined for any other schema. */
export const objectFields: (schema: JsonSchema, schemas: Schemas) => ObjectFields | undefined =
  memoizeBySchema((schema, schemas) => readObjectFields(schema, schemas, 0));

function readObjectFields(
  schema: JsonSchema,
  schemas: Schemas,
  depth: number,
): ObjectFields | undefined {
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
    const own = isObject(part) ? readObjectFields(part, schemas, depth + 1) : undefined;
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

type Fields = ReadonlyMap<string, AnySchema>;

/** Fields of an object schema and of all its parts and alternatives. */
export const allFields = (schema: AnySchema, schemas: Schemas): Fields =>
  typeof schema === "boolean" ? new Map() : fieldsOfObject(schema, schemas);

const fieldsOfObject = memoizeBySchema((schema, schemas) => readFields(schema, schemas, 0));

function readFields(schema: AnySchema, schemas: Schemas, depth: number): Fields {
  if (typeof schema === "boolean" || depth > MAX_DEPTH) return new Map();
  const target = resolveSchema(schemas, schema);
  const parts = compositionParts(target).flatMap((part) => [
    ...readFields(part, schemas, depth + 1),
  ]);
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
