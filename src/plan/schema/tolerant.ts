import { isObject, type JsonSchema } from "../../json.js";
import { allowsAnything, type AnySchema, resolve, typesOf, type Schemas } from "./refs.js";

/** Levels of properties in a tool's output schema. */
const MAX_LEVELS = 5;
const MAX_PROPERTIES = 150;
/** What a list costs: less than a level, but something, for lists may hold themselves. */
const ITEM = 0.5;
/** Alternatives of one value that are looked at. */
const MAX_ALTERNATIVES = 100;

/** What a value may be, put together from all alternatives of its schema. */
interface Shape {
  readonly types: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, readonly AnySchema[]>;
  readonly items: readonly AnySchema[];
  readonly anything: boolean;
}

/** A shape that is being put together. */
interface Collected {
  readonly types: Set<string>;
  readonly properties: Map<string, AnySchema[]>;
  readonly items: AnySchema[];
  anything: boolean;
  seen: number;
}

/** A schema that is still to be written. */
interface Open {
  readonly alternatives: readonly AnySchema[];
  readonly level: number;
  readonly out: { [keyword: string]: unknown };
}

type Draft = Open["out"];

/**
 * The schema of what an API really sends (DESIGN, section 5.8): types and property names are kept; everything may be null
 * or absent, and formats, patterns, lists of values and limits are gone. Alternatives become one. Shallow properties come
 * first when there are too many; recursion ends by depth.
 * @param root true for the result itself, which is never null
 */
export function tolerant(alternatives: readonly AnySchema[], schemas: Schemas, root: boolean): JsonSchema {
  const out: Draft = {};
  const queue: Open[] = [{ alternatives, level: 0, out }];
  const shared = new Map<string, JsonSchema>();
  let room = MAX_PROPERTIES;
  for (let next = 0; next < queue.length; next++) {
    const { alternatives: list, level, out: draft } = queue[next] as Open;
    const shape = plainShape(list, schemas) ?? shapeOf(list, schemas);
    if (shape.anything || shape.types.size === 0) continue;
    draft.type = typeKeyword(shape.types, root && next === 0);
    if (shape.items.length > 0) draft.items = child(shape.items, level + ITEM, queue, schemas, shared);
    if (level >= MAX_LEVELS || shape.properties.size === 0 || room <= 0) continue;
    const properties: { [name: string]: JsonSchema } = {};
    for (const [name, one] of shape.properties) {
      if (room-- <= 0) break;
      properties[name] = child(one, level + 1, queue, schemas, shared);
    }
    draft.properties = properties;
  }
  return out;
}

const OBJECT: ReadonlySet<string> = new Set(["object"]);
const ARRAY: ReadonlySet<string> = new Set(["array"]);
const NO_PROPERTIES: Shape["properties"] = new Map();

/** The shape of one object or list without alternatives, which most values are. */
function plainShape(list: readonly AnySchema[], schemas: Schemas): Shape | undefined {
  const [first] = list;
  if (list.length !== 1 || !isObject(first)) return undefined;
  const target = resolve(schemas, first);
  if (target.anyOf || target.oneOf || target.allOf || target.prefixItems) return undefined;
  if (target.type === "array") return { types: ARRAY, properties: NO_PROPERTIES, items: itemsOf(target), anything: false };
  if (target.type !== "object") return undefined;
  const properties = new Map<string, readonly AnySchema[]>();
  for (const name in target.properties) {
    const property = target.properties[name] as AnySchema;
    if (isShown(name, property, schemas)) properties.set(name, [property]);
  }
  return { types: OBJECT, properties, items: [], anything: false };
}

/** A plain value is one of a few shared schemas; anything else joins the queue. Deep down, everything is allowed. */
function child(list: readonly AnySchema[], level: number, queue: Open[], schemas: Schemas, shared: Map<string, JsonSchema>): JsonSchema {
  const plain = list.length === 1 ? plainType(list[0] as AnySchema, schemas) : undefined;
  if (plain !== undefined) {
    const known = shared.get(plain) ?? { type: [plain, "null"] };
    shared.set(plain, known);
    return known;
  }
  if (level >= MAX_LEVELS) return {};
  const out: Draft = {};
  queue.push({ alternatives: list, level, out });
  return out;
}

function plainType(schema: AnySchema, schemas: Schemas): string | undefined {
  if (typeof schema === "boolean") return undefined;
  const target = resolve(schemas, schema);
  if (target.anyOf || target.oneOf || target.allOf || typeof target.type !== "string") return undefined;
  if (target.type === "integer") return "number";
  return target.type === "string" || target.type === "number" || target.type === "boolean" ? target.type : undefined;
}

function shapeOf(alternatives: readonly AnySchema[], schemas: Schemas): Shape {
  const shape: Collected = { types: new Set(), properties: new Map(), items: [], anything: false, seen: 0 };
  for (const schema of alternatives) collect(schema, schemas, shape, true, 0);
  return shape;
}

/** @param alone false inside `allOf`, where a part may leave the type to others */
function collect(schema: AnySchema, schemas: Schemas, shape: Collected, alone: boolean, depth: number): void {
  if (schema === false || ++shape.seen > MAX_ALTERNATIVES || depth > 24) return;
  const target = schema === true ? {} : resolve(schemas, schema);
  const types = impliedTypes(target);
  for (const type of types) shape.types.add(type === "integer" ? "number" : type);
  addProperties(target, schemas, shape);
  if (target.items !== undefined || target.prefixItems !== undefined) shape.items.push(...itemsOf(target));
  const choices = [...(target.anyOf ?? []), ...(target.oneOf ?? [])];
  for (const part of target.allOf ?? []) collect(part, schemas, shape, false, depth + 1);
  for (const part of choices) collect(part, schemas, shape, types.length === 0, depth + 1);
  if (alone && types.length === 0 && choices.length === 0 && !target.allOf) shape.anything = shape.anything || !isObject(target.not);
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

function addProperties(schema: JsonSchema, schemas: Schemas, shape: Collected): void {
  for (const name in schema.properties) {
    const property = schema.properties[name] as AnySchema;
    if (!isShown(name, property, schemas)) continue;
    const list = shape.properties.get(name);
    if (!list) shape.properties.set(name, [property]);
    else if (!list.includes(property) && list.length < MAX_ALTERNATIVES) list.push(property);
  }
}

/** `__proto__` is no key that an object literal could have. */
function isShown(name: string, property: AnySchema, schemas: Schemas): boolean {
  if (name === "__proto__" || property === false) return false;
  return property === true || (property.writeOnly !== true && resolve(schemas, property).writeOnly !== true);
}

function itemsOf(schema: JsonSchema): readonly AnySchema[] {
  const items = schema.items === undefined || schema.items === false ? [] : [schema.items];
  if (!schema.prefixItems) return items;
  return [...(schema.prefixItems ?? []), ...items];
}

const ORDER = ["object", "array", "string", "number", "boolean"];

function typeKeyword(types: ReadonlySet<string>, root: boolean): unknown {
  const known = ORDER.filter((type) => types.has(type));
  if (root && known.length === 1) return known[0];
  return root ? known : [...known, "null"];
}

/** What the root of a result is: one object, a list, a plain value; undefined when nobody can say. */
export function rootTypeOf(alternatives: readonly AnySchema[], schemas: Schemas): "object" | "array" | "other" | undefined {
  const shape = shapeOf(alternatives, schemas);
  const types = [...shape.types].filter((type) => type !== "null");
  if (shape.anything || types.length === 0 || alternatives.every((schema) => allowsAnything(schema))) return undefined;
  if (types.length > 1) return "other";
  return types[0] === "object" || types[0] === "array" ? types[0] : "other";
}
