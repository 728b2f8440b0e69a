import { isObject, type JsonSchema } from "../../json.js";
import type { SchemaDraft } from "../schemas/portable/keywords.js";
import { splitTypes } from "../schemas/portable/types.js";
import { type AnySchema, resolveSchema, type Schemas, typesOf } from "../schemas/refs.js";

/** Levels of properties in a tool's output schema. */
const MAX_LEVELS = 5;
const MAX_PROPERTIES = 150;
/** What a list costs: less than a level, but something, for lists may hold themselves. */
const ITEM_COST = 0.5;

/** Writes output schemas. */
export interface TolerantWriter {
  schema(sent: AnySchema): JsonSchema;
  /**
   * What the root of a result is: one object, a list, anything else; undefined when nobody can say.
   */
  rootType(sent: AnySchema): "object" | "array" | "other" | undefined;
}

/**
 * Makes schemas of what APIs really send: types and property names are kept; everything may be
 * absent (the runtime leaves out what is null), and formats, patterns, lists of values and limits
 * are gone; an integer that may be too large for a JSON number may be text, as the runtime gives it
 * then. Alternatives become one. Shallow properties come first when there are too many; recursion
 * ends by depth.
 */
export function createTolerantWriter(schemas: Schemas): TolerantWriter {
  const known = new Map<ResponseValue, ValueShape>();
  const shapeOf = (sent: ResponseValue): ValueShape => {
    const before = known.get(sent);
    if (before) return before;
    const shape = simpleShape(sent, schemas) ?? joinedShape(sent, schemas);
    known.set(sent, shape);
    return shape;
  };
  return {
    schema: (sent) => writeShape(shapeOf(sent), shapeOf),
    rootType: (sent) => rootTypeOf(shapeOf(sent)),
  };
}

/** A shape that is still to be written. */
interface PendingShape {
  readonly shape: ValueShape;
  readonly level: number;
  readonly out: SchemaDraft;
}

/** Level by level, so that what is cut when the room is used up lies deep. */
function writeShape(root: ValueShape, shapeOf: (sent: ResponseValue) => ValueShape): JsonSchema {
  if (root.finalSchema) return root.finalSchema;
  const out: SchemaDraft = {};
  const queue: PendingShape[] = [{ shape: root, level: 0, out }];
  let room = MAX_PROPERTIES;
  for (let next = 0; next < queue.length; next++) {
    const { shape, level, out: draft } = queue[next] as PendingShape;
    const part = writeTypes(draft, shape.type);
    const items =
      shape.items === undefined
        ? undefined
        : startPart(shapeOf(shape.items), level + ITEM_COST, queue);
    if (items !== undefined) part("array").items = items;
    if (level >= MAX_LEVELS || room <= 0 || shape.properties.length === 0) continue;
    const properties: { [name: string]: JsonSchema } = {};
    for (const [name, sent] of shape.properties) {
      if (room-- <= 0) break;
      const property = startPart(shapeOf(sent), level + 1, queue);
      if (property !== undefined) properties[name] = property;
    }
    if (Object.keys(properties).length > 0) part("object").properties = properties;
  }
  return out;
}

/**
 * The schema of a part, which may be filled later. Undefined for what may be anything: open objects
 * and lists say that without words.
 */
function startPart(
  shape: ValueShape,
  level: number,
  queue: PendingShape[],
): JsonSchema | undefined {
  if (shape === ANY_SHAPE) return undefined;
  if (shape.finalSchema) return shape.finalSchema;
  const schema: SchemaDraft = {};
  if (level < MAX_LEVELS) queue.push({ shape, level, out: schema });
  else writeTypes(schema, shape.type);
  return schema;
}

/**
 * Writes the types of a value, one type per schema; gives the schema that speaks of one of them.
 */
function writeTypes(draft: SchemaDraft, types: readonly string[]): (type: string) => SchemaDraft {
  if (types.length === 1) draft.type = types[0];
  if (types.length <= 1) return () => draft;
  const alternatives: SchemaDraft[] = types.map((type) => ({ type }));
  draft.anyOf = alternatives;
  return (type) => alternatives.find((one) => one.type === type) ?? {};
}

function rootTypeOf({ type }: ValueShape): "object" | "array" | "other" | undefined {
  if (type.length === 0) return undefined;
  return type.length === 1 && (type[0] === "object" || type[0] === "array") ? type[0] : "other";
}

/** What an API sends as one value: a schema of the model, or alternatives. */
export type ResponseValue = AnySchema | readonly AnySchema[];

/** What a value may be. Worked out once for a schema, however many results hold it. */
export interface ValueShape {
  /** Written as it stands: plain values, and what may be anything. */
  readonly finalSchema?: JsonSchema;
  /** All types but null: a result says null by leaving the property out. */
  readonly type: readonly string[];
  readonly properties: readonly (readonly [name: string, sent: ResponseValue])[];
  readonly items?: ResponseValue;
}

export const NO_PROPERTIES: ValueShape["properties"] = [];
/** Nobody knows what it may be, or it may be everything. */
export const ANY_SHAPE: ValueShape = { finalSchema: {}, type: [], properties: NO_PROPERTIES };
const OBJECT = ["object"];
const ARRAY = ["array"];
const SCALAR_SHAPES: ReadonlyMap<unknown, ValueShape> = new Map(
  [
    ["string", "string"],
    ["number", "number"],
    ["integer", "number"],
    ["boolean", "boolean"],
  ].map(([type, kept]) => [
    type,
    { whole: { type: kept as string }, type: [kept as string], properties: NO_PROPERTIES },
  ]),
);

/**
 * Integers of 64 bits: beyond 2^53 the runtime gives them as text, because as numbers they would be
 * other integers.
 */
const INT64: JsonSchema = { type: "integer", format: "int64" };
const INT64_SHAPE: ValueShape = {
  finalSchema: { anyOf: [{ type: "string" }, { type: "number" }] },
  type: ["string", "number"],
  properties: NO_PROPERTIES,
};
export const isInt64 = (schema: JsonSchema): boolean =>
  (schema.format === "int64" || schema.format === "uint64") && typesOf(schema).includes("integer");

/** An integer that is an ID may have any number of digits, unless it says how many. */
function widenIdInteger(name: string, property: AnySchema, schemas: Schemas): AnySchema {
  if (!/(?:^|[_-])ids?$|[a-z]I[Dd]s?$/.test(name) || property === true || property === false)
    return property;
  const target = resolveSchema(schemas, property);
  const types = typesOf(target).filter((type) => type !== "null");
  return types.length === 1 &&
    types[0] === "integer" &&
    target.format === undefined &&
    target.maximum === undefined
    ? INT64
    : property;
}

/** The shape of one schema without alternatives, which most values have. */
export function simpleShape(sent: ResponseValue, schemas: Schemas): ValueShape | undefined {
  if (!isObject(sent) || Array.isArray(sent)) return undefined;
  const target = resolveSchema(schemas, sent as JsonSchema);
  if (target.anyOf || target.oneOf || target.allOf || target.prefixItems) return undefined;
  if (target.type === "array")
    return { type: ARRAY, properties: NO_PROPERTIES, ...itemsOf(target.items) };
  if (target.type !== "object")
    return isInt64(target) ? INT64_SHAPE : SCALAR_SHAPES.get(target.type);
  return { type: OBJECT, properties: resultProperties(target, schemas) };
}

const itemsOf = (items: AnySchema | undefined): Pick<ValueShape, "items"> =>
  items === undefined || items === false ? {} : { items };

/** The properties that results may have, each as what is sent for it. */
export function resultProperties(schema: JsonSchema, schemas: Schemas): [string, AnySchema][] {
  const shown: [string, AnySchema][] = [];
  for (const name in schema.properties) {
    const property = schema.properties[name] as AnySchema;
    if (isResultProperty(name, property, schemas))
      shown.push([name, widenIdInteger(name, property, schemas)]);
  }
  return shown;
}

/** Half of a surrogate pair: validators that write a name into a URI throw at it. */
const HALF_SURROGATE = /\p{Surrogate}/u;

/** `__proto__` is no key that an object literal could have. */
function isResultProperty(name: string, property: AnySchema, schemas: Schemas): boolean {
  if (name === "__proto__" || property === false || HALF_SURROGATE.test(name)) return false;
  return (
    property === true ||
    (property.writeOnly !== true && resolveSchema(schemas, property).writeOnly !== true)
  );
}

/** Alternatives of one value that are looked at. */
const MAX_ALTERNATIVES = 100;

/** A shape that is being put together. */
interface ShapeDraft {
  readonly types: Set<string>;
  readonly properties: Map<string, AnySchema[]>;
  readonly items: AnySchema[];
  anything: boolean;
  seen: number;
}

/** The shape of a value that has alternatives: all of their types and properties. */
export function joinedShape(sent: ResponseValue, schemas: Schemas): ValueShape {
  const draft: ShapeDraft = {
    types: new Set(),
    properties: new Map(),
    items: [],
    anything: false,
    seen: 0,
  };
  for (const schema of Array.isArray(sent) ? (sent as readonly AnySchema[]) : [sent as AnySchema])
    collectShape(schema, schemas, draft, true, 0);
  if (draft.anything || draft.types.size === 0) return ANY_SHAPE;
  const type = TYPE_ORDER.filter((one) => draft.types.has(one));
  if (type.length === 0) return ANY_SHAPE;
  if (draft.properties.size === 0 && draft.items.length === 0)
    return { finalSchema: splitTypes({ type }), type, properties: NO_PROPERTIES };
  return {
    type,
    properties: [...draft.properties].map(([name, list]) => [name, unwrapOne(list)] as const),
    ...(draft.items.length > 0 && { items: unwrapOne(draft.items) }),
  };
}

const TYPE_ORDER = ["object", "array", "string", "number", "boolean"];
const unwrapOne = (list: readonly AnySchema[]): ResponseValue =>
  list.length === 1 ? (list[0] as AnySchema) : list;

/** @param whole false inside `allOf`, where a part may leave the type to others */
function collectShape(
  schema: AnySchema,
  schemas: Schemas,
  draft: ShapeDraft,
  whole: boolean,
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
  if (whole && types.length === 0 && choices.length === 0 && !target.allOf)
    draft.anything = draft.anything || !isObject(target.not);
}

/** The types a schema names, or gives away by its other keywords. */
function impliedTypes(schema: JsonSchema): readonly string[] {
  const types = typesOf(schema);
  if (types.length > 0) return types;
  const values = "const" in schema ? [schema.const] : schema.enum;
  if (Array.isArray(values)) return [...new Set(values.map(typeOfValue))];
  if (isObject(schema.properties) || isObject(schema.additionalProperties)) return ["object"];
  return schema.items !== undefined || schema.prefixItems !== undefined ? ["array"] : [];
}

function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function addProperties(schema: JsonSchema, schemas: Schemas, draft: ShapeDraft): void {
  for (const [name, property] of resultProperties(schema, schemas)) {
    const list = draft.properties.get(name);
    if (!list) draft.properties.set(name, [property]);
    else if (!list.includes(property) && list.length < MAX_ALTERNATIVES) list.push(property);
  }
}
