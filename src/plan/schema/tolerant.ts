import { isObject, type JsonSchema } from "../../json.js";
import { type AnySchema, resolve, typesOf, type Schemas } from "./refs.js";

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

/** A schema that is still to be written: one, or the alternatives of one value. */
interface Open {
  readonly sent: AnySchema | readonly AnySchema[];
  readonly level: number;
  readonly out: Draft;
}

type Draft = { [keyword: string]: unknown };

/** What all output schemas of a plan share: named schemas recur all over an API. */
interface Shapes {
  readonly schemas: Schemas;
  readonly known: Map<AnySchema | readonly AnySchema[], Shape>;
}

/** What the writing of one output schema shares. */
interface Writing extends Shapes {
  readonly queue: Open[];
  /** Properties that may still be added. */
  room: number;
}

/** Writes output schemas. */
export interface TolerantWriter {
  /** @param root true for the result itself, which is never null */
  schema(sent: AnySchema, root: boolean): JsonSchema;
  /** What the root of a result is: one object, a list, a plain value; undefined when nobody can say. */
  rootType(sent: AnySchema): "object" | "array" | "other" | undefined;
}

export function tolerantWriter(schemas: Schemas): TolerantWriter {
  const shapes: Shapes = { schemas, known: new Map() };
  return { schema: (sent, root) => tolerant(sent, shapes, root), rootType: (sent) => rootTypeOf(sent, shapes) };
}

/**
 * The schema of what an API really sends (DESIGN, section 5.8): types and property names are kept; everything may be null
 * or absent, and formats, patterns, lists of values and limits are gone. Alternatives become one. Shallow properties come
 * first when there are too many; recursion ends by depth.
 */
function tolerant(sent: AnySchema, shapes: Shapes, root: boolean): JsonSchema {
  const out: Draft = {};
  const writing: Writing = { ...shapes, queue: [{ sent, level: 0, out }], room: MAX_PROPERTIES };
  for (let next = 0; next < writing.queue.length; next++) {
    const open = writing.queue[next] as Open;
    if (!writePlain(open, writing)) writeShape(open, shapeOf(open.sent, writing), writing);
  }
  if (root && Array.isArray(out.type)) out.type = out.type.length === 2 ? out.type[0] : out.type.slice(0, -1);
  return out;
}

/** Types with null, the same arrays everywhere. */
const OBJECT = ["object", "null"];
const ARRAY = ["array", "null"];

/** One object or list without alternatives, which most values are. */
function writePlain({ sent, level, out }: Open, writing: Writing): boolean {
  if (!isObject(sent) || Array.isArray(sent)) return false;
  const target = resolve(writing.schemas, sent as JsonSchema);
  if (target.anyOf || target.oneOf || target.allOf || target.prefixItems) return false;
  if (target.type === "array") {
    out.type = ARRAY;
    if (target.items !== undefined && target.items !== false) out.items = child(target.items, level + ITEM, writing);
    return true;
  }
  if (target.type !== "object") return false;
  out.type = OBJECT;
  if (level >= MAX_LEVELS || !target.properties || writing.room <= 0) return true;
  const properties: { [name: string]: JsonSchema } = {};
  let any = false;
  for (const name in target.properties) {
    const property = target.properties[name] as AnySchema;
    if (!isShown(name, property, writing.schemas)) continue;
    if (writing.room-- <= 0) break;
    properties[name] = child(property, level + 1, writing);
    any = true;
  }
  if (any) out.properties = properties;
  return true;
}

function writeShape({ level, out }: Open, shape: Shape, writing: Writing): void {
  if (shape.anything || shape.types.size === 0) return;
  out.type = [...ORDER.filter((type) => shape.types.has(type)), "null"];
  if (shape.items.length > 0) out.items = child(shape.items, level + ITEM, writing);
  if (level >= MAX_LEVELS || shape.properties.size === 0 || writing.room <= 0) return;
  const properties: { [name: string]: JsonSchema } = {};
  for (const [name, list] of shape.properties) {
    if (writing.room-- <= 0) break;
    properties[name] = child(list, level + 1, writing);
  }
  out.properties = properties;
}

/** Plain values, each the same object wherever it occurs. */
const PLAIN: Readonly<Record<string, JsonSchema>> = {
  string: { type: ["string", "null"] },
  number: { type: ["number", "null"] },
  integer: { type: ["number", "null"] },
  boolean: { type: ["boolean", "null"] },
};

/** A plain value is written at once, anything else joins the queue. Deep down, everything is allowed. */
function child(sent: AnySchema | readonly AnySchema[], level: number, writing: Writing): JsonSchema {
  const only = Array.isArray(sent) && sent.length === 1 ? (sent[0] as AnySchema) : (sent as AnySchema | readonly AnySchema[]);
  const plain = isObject(only) && !Array.isArray(only) ? plainSchema(only as JsonSchema, writing.schemas) : undefined;
  if (plain) return plain;
  if (level >= MAX_LEVELS) return {};
  const out: Draft = {};
  writing.queue.push({ sent: only, level, out });
  return out;
}

function plainSchema(schema: JsonSchema, schemas: Schemas): JsonSchema | undefined {
  const target = resolve(schemas, schema);
  if (typeof target.type !== "string" || target.anyOf || target.oneOf || target.allOf) return undefined;
  return Object.hasOwn(PLAIN, target.type) ? PLAIN[target.type] : undefined;
}

function shapeOf(sent: AnySchema | readonly AnySchema[], { schemas, known }: Shapes): Shape {
  const before = known.get(sent);
  if (before) return before;
  const shape: Collected = { types: new Set(), properties: new Map(), items: [], anything: false, seen: 0 };
  for (const schema of Array.isArray(sent) ? (sent as readonly AnySchema[]) : [sent as AnySchema]) collect(schema, schemas, shape, true, 0);
  known.set(sent, shape);
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

function rootTypeOf(sent: AnySchema, shapes: Shapes): "object" | "array" | "other" | undefined {
  const plain = isObject(sent) ? resolve(shapes.schemas, sent).type : undefined;
  if (plain === "object" || plain === "array") return plain;
  const shape = shapeOf(sent, shapes);
  const types = [...shape.types].filter((type) => type !== "null");
  if (shape.anything || types.length === 0) return undefined;
  if (types.length > 1) return "other";
  return types[0] === "object" || types[0] === "array" ? types[0] : "other";
}
