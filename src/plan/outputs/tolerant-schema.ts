import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { type SchemaDraft, jsonTypeOf, splitTypes } from "../schemas/portable/types.js";
import {
  type AnySchema,
  refName,
  resolveSchema,
  type SchemaOrigins,
  type Schemas,
} from "../schemas/refs.js";
import { isIdName } from "../../runtime/schema/id-name.js";

/** Maximum levels of properties in an output schema. */
const MAX_LEVELS = 5;
/** Properties of an output schema, in rounded numbers (`roundCount`). */
const MAX_PROPERTIES = 150;
/** Cost of a list in levels. Not zero, because lists can be recursive. */
const ITEM_COST = 0.5;

/** A value of a response: a schema of the model, or alternatives. */
type ResponseValue = AnySchema | readonly AnySchema[];

/** Possible forms of a value. Computed once per schema. */
interface ValueShape {
  /** Complete schema of scalars and of values that may be anything. */
  readonly finalSchema?: JsonSchema;
  /** All types except null, because results omit null properties. */
  readonly type: readonly string[];
  readonly properties: readonly (readonly [name: string, value: ResponseValue])[];
  readonly items?: ResponseValue;
  /** Items of lists keep their nulls, because each has its place. */
  readonly isNullable?: true;
  /** Named schema of the value, or of its only alternative to null. */
  readonly name?: string | undefined;
}

/** Writes output schemas. */
export interface TolerantWriter {
  schema(value: AnySchema): JsonSchema;
  /** Type of the root of a result; undefined when it is unknown. */
  rootType(value: AnySchema): "object" | "array" | "other" | undefined;
}

/**
 * Creates schemas that real responses satisfy. Types and property names stay. All properties are
 * optional, because the runtime removes nulls. Formats, patterns, enums and limits are removed.
 * Integers that may exceed a JSON number may be strings, as the runtime returns them, and IDs may
 * be both. Alternatives are merged. When there are too many properties, shallow ones take
 * precedence; recursion ends by depth.
 * @param origins receives the named schemas that parts were made from
 */
export function createTolerantWriter(schemas: Schemas, origins: SchemaOrigins): TolerantWriter {
  const cache = new Map<ResponseValue, ValueShape>();
  const shapeOf = (value: ResponseValue): ValueShape => {
    const cached = cache.get(value);
    if (cached) return cached;
    const found = simpleShape(value, schemas) ?? joinedShape(value, schemas);
    const shape = found.finalSchema ? found : { ...found, name: namedPart(value) };
    cache.set(value, shape);
    return shape;
  };
  return {
    schema: (value) => writeShape(shapeOf(value), shapeOf, origins),
    rootType: (value) => rootTypeOf(shapeOf(value)),
  };
}

/** A shape that is still to be written. */
interface PendingShape {
  readonly shape: ValueShape;
  readonly level: number;
  readonly draft: SchemaDraft;
}

/** Name of the schema that a value refers to, alone or as the only alternative to null. */
function namedPart(value: ResponseValue, depth = 0): string | undefined {
  if (typeof value === "boolean" || Array.isArray(value) || depth > 8) return undefined;
  const schema = value as JsonSchema;
  const name = refName(schema);
  const parts = schema.allOf ?? schema.anyOf ?? schema.oneOf;
  if (name !== undefined || !parts) return name;
  const others = parts.filter((part) => !isObject(part) || part.type !== "null");
  return others.length === 1 ? namedPart(others[0] as AnySchema, depth + 1) : undefined;
}

/** Writes breadth-first, so that deep parts are omitted when the limit is reached. */
function writeShape(
  root: ValueShape,
  shapeOf: (value: ResponseValue) => ValueShape,
  origins: SchemaOrigins,
): JsonSchema {
  if (root.finalSchema) return root.finalSchema;
  const rootDraft: SchemaDraft = {};
  if (root.name !== undefined) origins.set(rootDraft, root.name);
  const queue: PendingShape[] = [{ shape: root, level: 0, draft: rootDraft }];
  let remaining = MAX_PROPERTIES;
  for (let next = 0; next < queue.length; next++) {
    const { shape, level, draft } = queue[next] as PendingShape;
    const part = writeTypes(draft, shape.type);
    const item = shape.items === undefined ? undefined : shapeOf(shape.items);
    const items = item && startPart(item, level + ITEM_COST, queue, origins);
    if (items !== undefined)
      part("array").items = item?.isNullable ? { anyOf: [items, { type: "null" }] } : items;
    if (level >= MAX_LEVELS || remaining <= 0 || shape.properties.length === 0) continue;
    const properties: { [name: string]: JsonSchema } = {};
    const written = shape.properties.slice(0, remaining);
    remaining -= roundCount(shape.properties.length);
    for (const [name, value] of written) {
      const property = startPart(shapeOf(value), level + 1, queue, origins);
      if (property !== undefined) properties[name] = property;
    }
    if (Object.keys(properties).length > 0) part("object").properties = properties;
  }
  return rootDraft;
}

/**
 * Rounds a number of properties to steps of four, and larger ones to coarser steps. With rounded
 * numbers, one more property of a schema rarely changes where its neighbors are cut.
 */
function roundCount(count: number): number {
  const step = Math.max(4, 2 ** (Math.floor(Math.log2(count)) - 1));
  return Math.max(1, Math.round(count / step) * step);
}

/**
 * Starts the schema of a part, which may be completed later. Undefined for parts that accept
 * anything, because open objects and lists already do.
 */
function startPart(
  shape: ValueShape,
  level: number,
  queue: PendingShape[],
  origins: SchemaOrigins,
): JsonSchema | undefined {
  if (shape === ANY_SHAPE) return undefined;
  if (shape.finalSchema) return shape.finalSchema;
  const draft: SchemaDraft = {};
  if (shape.name !== undefined) origins.set(draft, shape.name);
  if (level < MAX_LEVELS) queue.push({ shape, level, draft });
  else writeTypes(draft, shape.type);
  return draft;
}

/** Writes types, one per schema; returns a function that gives the schema of one of them. */
function writeTypes(draft: SchemaDraft, types: readonly string[]): (type: string) => SchemaDraft {
  if (types.length === 1) draft.type = types[0];
  if (types.length <= 1) return () => draft;
  const alternatives: SchemaDraft[] = types.map((type) => ({ type }));
  draft.anyOf = alternatives;
  return (type) => alternatives.find((alternative) => alternative.type === type) ?? {};
}

function rootTypeOf({ type }: ValueShape): "object" | "array" | "other" | undefined {
  if (type.length === 0) return undefined;
  return type.length === 1 && (type[0] === "object" || type[0] === "array") ? type[0] : "other";
}

const NO_PROPERTIES: ValueShape["properties"] = [];
/** Shape of unknown values and of values that may be anything. */
const ANY_SHAPE: ValueShape = { finalSchema: {}, type: [], properties: NO_PROPERTIES };
const OBJECT = ["object"];
const ARRAY = ["array"];
const scalarShape = (type: string): ValueShape => ({
  finalSchema: { type },
  type: [type],
  properties: NO_PROPERTIES,
});
const SCALAR_SHAPES: ReadonlyMap<unknown, ValueShape> = new Map([
  ["string", scalarShape("string")],
  ["number", scalarShape("number")],
  ["integer", scalarShape("number")],
  ["boolean", scalarShape("boolean")],
]);

/**
 * 64-bit integers, and IDs. Beyond 2^53 the runtime returns integers as strings, because numbers
 * would be rounded.
 */
const INT64: JsonSchema = { type: "integer", format: "int64" };
const INT64_SHAPE: ValueShape = {
  finalSchema: { anyOf: [{ type: "string" }, { type: "number" }] },
  type: ["string", "number"],
  properties: NO_PROPERTIES,
};
const isInt64 = (schema: JsonSchema): boolean =>
  (schema.format === "int64" || schema.format === "uint64") && typesOf(schema).includes("integer");

/** Either kind of ID: APIs send text where they document numbers, and the other way round. */
function widenId(name: string, property: AnySchema, schemas: Schemas): AnySchema {
  if (!isIdName(name) || property === true || property === false) return property;
  const target = resolveSchema(schemas, property);
  const types = typesOf(target).filter((type) => type !== "null");
  if (types.length !== 1) return property;
  if (types[0] === "array" && target.items !== undefined)
    return { type: "array", items: widenId(name, target.items, schemas) };
  return ID_TYPES.has(types[0] as string) ? INT64 : property;
}

const ID_TYPES: ReadonlySet<string> = new Set(["string", "integer", "number"]);

/** Shape of a schema without alternatives. */
function simpleShape(value: ResponseValue, schemas: Schemas): ValueShape | undefined {
  if (!isObject(value) || Array.isArray(value)) return undefined;
  const target = resolveSchema(schemas, value as JsonSchema);
  if (target.anyOf || target.oneOf || target.allOf || target.prefixItems) return undefined;
  if (target.type === "array")
    return { type: ARRAY, properties: NO_PROPERTIES, ...itemsOf(target.items) };
  if (target.type !== "object")
    return isInt64(target) ? INT64_SHAPE : SCALAR_SHAPES.get(target.type);
  return { type: OBJECT, properties: resultProperties(target, schemas) };
}

const itemsOf = (items: AnySchema | undefined): Pick<ValueShape, "items"> =>
  items === undefined || items === false ? {} : { items };

/** Properties that a result can have, with their schemas. */
function resultProperties(schema: JsonSchema, schemas: Schemas): [string, AnySchema][] {
  const result: [string, AnySchema][] = [];
  for (const name in schema.properties) {
    const property = schema.properties[name] as AnySchema;
    if (isResultProperty(name, property, schemas))
      result.push([name, widenId(name, property, schemas)]);
  }
  return result;
}

/** Half of a surrogate pair. Validators that write property names into URIs throw at it. */
const HALF_SURROGATE = /\p{Surrogate}/u;

/** Excludes `__proto__`, which an object literal cannot have as a key. */
function isResultProperty(name: string, property: AnySchema, schemas: Schemas): boolean {
  if (name === "__proto__" || property === false || HALF_SURROGATE.test(name)) return false;
  return (
    property === true ||
    (property.writeOnly !== true && resolveSchema(schemas, property).writeOnly !== true)
  );
}

/** Maximum alternatives of one value inspected. */
const MAX_ALTERNATIVES = 100;

/** A shape under construction. */
interface ShapeDraft {
  readonly types: Set<string>;
  readonly properties: Map<string, AnySchema[]>;
  readonly items: AnySchema[];
  anything: boolean;
  seen: number;
}

/** Shape of a value with alternatives: their types and properties together. */
function joinedShape(value: ResponseValue, schemas: Schemas): ValueShape {
  const draft: ShapeDraft = {
    types: new Set(),
    properties: new Map(),
    items: [],
    anything: false,
    seen: 0,
  };
  const alternatives = [value].flat() as readonly AnySchema[];
  for (const schema of alternatives) collectShape(schema, schemas, draft, true, 0);
  if (draft.anything || draft.types.size === 0) return ANY_SHAPE;
  const type = TYPE_ORDER.filter((candidate) => draft.types.has(candidate));
  if (type.length === 0) return ANY_SHAPE;
  const nullable = draft.types.has("null") && { isNullable: true as const };
  if (draft.properties.size === 0 && draft.items.length === 0)
    return { finalSchema: splitTypes({ type }), type, properties: NO_PROPERTIES, ...nullable };
  return {
    type,
    ...nullable,
    properties: [...draft.properties].map(([name, list]) => [name, unwrapOne(list)] as const),
    ...(draft.items.length > 0 && { items: unwrapOne(draft.items) }),
  };
}

const TYPE_ORDER = ["object", "array", "string", "number", "boolean"];
const unwrapOne = (list: readonly AnySchema[]): ResponseValue =>
  list.length === 1 ? (list[0] as AnySchema) : list;

/**
 * Adds a schema and its alternatives to a draft.
 * @param isWhole false inside `allOf`, where another part may state the type
 */
function collectShape(
  schema: AnySchema,
  schemas: Schemas,
  draft: ShapeDraft,
  isWhole: boolean,
  depth: number,
): void {
  if (schema === false || ++draft.seen > MAX_ALTERNATIVES || depth > 24) return;
  const target = schema === true ? {} : resolveSchema(schemas, schema);
  const types = impliedTypes(target);
  for (const type of types) draft.types.add(type === "integer" ? "number" : type);
  if (isInt64(target)) draft.types.add("string");
  addProperties(target, schemas, draft);
  for (const item of [...(target.prefixItems ?? []), target.items])
    if (item !== undefined && item !== false) draft.items.push(item);
  const choices = [...(target.anyOf ?? []), ...(target.oneOf ?? [])];
  for (const part of target.allOf ?? []) collectShape(part, schemas, draft, false, depth + 1);
  for (const part of choices) collectShape(part, schemas, draft, types.length === 0, depth + 1);
  if (isWhole && types.length === 0 && choices.length === 0 && !target.allOf)
    draft.anything = draft.anything || !isObject(target.not);
}

/** Types that a schema states or that its keywords imply. */
function impliedTypes(schema: JsonSchema): readonly string[] {
  const types = typesOf(schema);
  if (types.length > 0) return types;
  const values = "const" in schema ? [schema.const] : schema.enum;
  if (Array.isArray(values)) return [...new Set(values.map(jsonTypeOf))];
  if (isObject(schema.properties) || isObject(schema.additionalProperties)) return ["object"];
  return schema.items !== undefined || schema.prefixItems !== undefined ? ["array"] : [];
}

function addProperties(schema: JsonSchema, schemas: Schemas, draft: ShapeDraft): void {
  for (const [name, property] of resultProperties(schema, schemas)) {
    const list = draft.properties.get(name);
    if (!list) draft.properties.set(name, [property]);
    else if (!list.includes(property) && list.length < MAX_ALTERNATIVES) list.push(property);
  }
}
