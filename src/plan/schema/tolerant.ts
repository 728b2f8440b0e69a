import { isObject, type JsonSchema } from "../../json.js";
import type { Draft as Written } from "./leaf.js";
import { oneTypeEach } from "./one-type.js";
import { type AnySchema, resolve, typesOf, type Schemas } from "./refs.js";

/** Levels of properties in a tool's output schema. */
const MAX_LEVELS = 5;
const MAX_PROPERTIES = 150;
/** What a list costs: less than a level, but something, for lists may hold themselves. */
const ITEM = 0.5;
/** Alternatives of one value that are looked at. */
const MAX_ALTERNATIVES = 100;

/** A schema of the model, or the alternatives of one value. */
type Sent = AnySchema | readonly AnySchema[];

/** What a value may be. Worked out once for a schema, however many results hold it. */
interface Shape {
  /** Written as it stands: plain values, and what may be anything. */
  readonly whole?: JsonSchema;
  /** All types but null: a result says null by leaving the property out. */
  readonly type: readonly string[];
  readonly properties: readonly (readonly [name: string, sent: Sent])[];
  readonly items?: Sent;
}

/** Writes output schemas. */
export interface TolerantWriter {
  schema(sent: AnySchema): JsonSchema;
  /** What the root of a result is: one object, a list, anything else; undefined when nobody can say. */
  rootType(sent: AnySchema): "object" | "array" | "other" | undefined;
}

/**
 * Makes schemas of what APIs really send (DESIGN, section 5.8): types and property names are kept; everything may be
 * absent (the runtime leaves out what is null), and formats, patterns, lists of values and limits are gone; an integer that may be too large
 * for a JSON number may be text, as the runtime gives it then. Alternatives become one. Shallow properties come
 * first when there are too many; recursion ends by depth.
 */
export function tolerantWriter(schemas: Schemas): TolerantWriter {
  const known = new Map<Sent, Shape>();
  const shapeOf = (sent: Sent): Shape => {
    const before = known.get(sent);
    if (before) return before;
    const shape = plainShape(sent, schemas) ?? joinedShape(sent, schemas);
    known.set(sent, shape);
    return shape;
  };
  return {
    schema: (sent) => write(shapeOf(sent), shapeOf),
    rootType: (sent) => rootTypeOf(shapeOf(sent)),
  };
}

/** A shape that is still to be written. */
interface Open {
  readonly shape: Shape;
  readonly level: number;
  readonly out: Written;
}

/** Level by level, so that what is cut when the room is used up lies deep. */
function write(root: Shape, shapeOf: (sent: Sent) => Shape): JsonSchema {
  if (root.whole) return root.whole;
  const out: Written = {};
  const queue: Open[] = [{ shape: root, level: 0, out }];
  let room = MAX_PROPERTIES;
  /** Undefined for what may be anything: open objects and lists say that without words. */
  const child = (sent: Sent, level: number): JsonSchema | undefined => {
    const shape = shapeOf(sent);
    if (shape === ANYTHING) return undefined;
    if (shape.whole) return shape.whole;
    const schema: Written = {};
    if (level < MAX_LEVELS) queue.push({ shape, level, out: schema });
    else typed(schema, shape.type);
    return schema;
  };
  for (let next = 0; next < queue.length; next++) {
    const { shape, level, out: draft } = queue[next] as Open;
    const part = typed(draft, shape.type);
    const items = shape.items === undefined ? undefined : child(shape.items, level + ITEM);
    if (items !== undefined) part("array").items = items;
    if (level >= MAX_LEVELS || room <= 0 || shape.properties.length === 0) continue;
    const properties: { [name: string]: JsonSchema } = {};
    for (const [name, sent] of shape.properties) {
      if (room-- <= 0) break;
      const property = child(sent, level + 1);
      if (property !== undefined) properties[name] = property;
    }
    if (Object.keys(properties).length > 0) part("object").properties = properties;
  }
  return out;
}

/** Writes the types of a value, one type per schema; gives the schema that speaks of one of them. */
function typed(draft: Written, types: readonly string[]): (type: string) => Written {
  if (types.length === 1) draft.type = types[0];
  if (types.length <= 1) return () => draft;
  const alternatives: Written[] = types.map((type) => ({ type }));
  draft.anyOf = alternatives;
  return (type) => alternatives.find((one) => one.type === type) ?? {};
}

const NOTHING: Shape["properties"] = [];
const ANYTHING: Shape = { whole: {}, type: [], properties: NOTHING };
const OBJECT = ["object"];
const ARRAY = ["array"];
const PLAIN: ReadonlyMap<unknown, Shape> = new Map(
  [["string", "string"], ["number", "number"], ["integer", "number"], ["boolean", "boolean"]].map(([type, kept]) => [type, { whole: { type: kept as string }, type: [kept as string], properties: NOTHING }]),
);

/** Integers of 64 bits: beyond 2^53 the runtime gives them as text, because as numbers they would be other integers. */
const LONG: JsonSchema = { type: "integer", format: "int64" };
const LONG_SHAPE: Shape = { whole: { anyOf: [{ type: "string" }, { type: "number" }] }, type: ["string", "number"], properties: NOTHING };
const isLong = (schema: JsonSchema): boolean => (schema.format === "int64" || schema.format === "uint64") && typesOf(schema).includes("integer");

/** An integer that is an ID may have any number of digits, unless it says how many. */
function longIfId(name: string, property: AnySchema, schemas: Schemas): AnySchema {
  if (!/(?:^|[_-])ids?$|[a-z]I[Dd]s?$/.test(name) || property === true || property === false) return property;
  const target = resolve(schemas, property);
  const types = typesOf(target).filter((type) => type !== "null");
  return types.length === 1 && types[0] === "integer" && target.format === undefined && target.maximum === undefined ? LONG : property;
}

/** The shape of one schema without alternatives, which most values have. */
function plainShape(sent: Sent, schemas: Schemas): Shape | undefined {
  if (!isObject(sent) || Array.isArray(sent)) return undefined;
  const target = resolve(schemas, sent as JsonSchema);
  if (target.anyOf || target.oneOf || target.allOf || target.prefixItems) return undefined;
  if (target.type === "array") return { type: ARRAY, properties: NOTHING, ...itemsOf(target.items) };
  if (target.type !== "object") return isLong(target) ? LONG_SHAPE : PLAIN.get(target.type);
  const properties: [string, Sent][] = [];
  for (const name in target.properties) {
    const property = target.properties[name] as AnySchema;
    if (isShown(name, property, schemas)) properties.push([name, longIfId(name, property, schemas)]);
  }
  return { type: OBJECT, properties };
}

const itemsOf = (items: AnySchema | undefined): Pick<Shape, "items"> => (items === undefined || items === false ? {} : { items });

/** A shape that is being put together. */
interface Draft {
  readonly types: Set<string>;
  readonly properties: Map<string, AnySchema[]>;
  readonly items: AnySchema[];
  anything: boolean;
  seen: number;
}

/** The shape of a value that has alternatives: all of their types and properties. */
function joinedShape(sent: Sent, schemas: Schemas): Shape {
  const draft: Draft = { types: new Set(), properties: new Map(), items: [], anything: false, seen: 0 };
  for (const schema of Array.isArray(sent) ? (sent as readonly AnySchema[]) : [sent as AnySchema]) collect(schema, schemas, draft, true, 0);
  if (draft.anything || draft.types.size === 0) return ANYTHING;
  const type = ORDER.filter((one) => draft.types.has(one));
  if (type.length === 0) return ANYTHING;
  if (draft.properties.size === 0 && draft.items.length === 0) return { whole: oneTypeEach({ type }), type, properties: NOTHING };
  return { type, properties: [...draft.properties].map(([name, list]) => [name, alone(list)] as const), ...(draft.items.length > 0 && { items: alone(draft.items) }) };
}

const ORDER = ["object", "array", "string", "number", "boolean"];
const alone = (list: readonly AnySchema[]): Sent => (list.length === 1 ? (list[0] as AnySchema) : list);

/** @param whole false inside `allOf`, where a part may leave the type to others */
function collect(schema: AnySchema, schemas: Schemas, draft: Draft, whole: boolean, depth: number): void {
  if (schema === false || ++draft.seen > MAX_ALTERNATIVES || depth > 24) return;
  const target = schema === true ? {} : resolve(schemas, schema);
  const types = impliedTypes(target);
  for (const type of types) draft.types.add(type === "integer" ? "number" : type);
  if (isLong(target)) draft.types.add("string");
  addProperties(target, schemas, draft);
  for (const item of [...(target.prefixItems ?? []), target.items]) if (item !== undefined && item !== false) draft.items.push(item);
  const choices = [...(target.anyOf ?? []), ...(target.oneOf ?? [])];
  for (const part of target.allOf ?? []) collect(part, schemas, draft, false, depth + 1);
  for (const part of choices) collect(part, schemas, draft, types.length === 0, depth + 1);
  if (whole && types.length === 0 && choices.length === 0 && !target.allOf) draft.anything = draft.anything || !isObject(target.not);
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

function addProperties(schema: JsonSchema, schemas: Schemas, draft: Draft): void {
  for (const name in schema.properties) {
    const written = schema.properties[name] as AnySchema;
    if (!isShown(name, written, schemas)) continue;
    const property = longIfId(name, written, schemas);
    const list = draft.properties.get(name);
    if (!list) draft.properties.set(name, [property]);
    else if (!list.includes(property) && list.length < MAX_ALTERNATIVES) list.push(property);
  }
}

/** Half of a surrogate pair: validators that write a name into a URI throw at it. */
const HALF = /\p{Surrogate}/u;

/** `__proto__` is no key that an object literal could have. */
function isShown(name: string, property: AnySchema, schemas: Schemas): boolean {
  if (name === "__proto__" || property === false || HALF.test(name)) return false;
  return property === true || (property.writeOnly !== true && resolve(schemas, property).writeOnly !== true);
}

function rootTypeOf({ type }: Shape): "object" | "array" | "other" | undefined {
  if (type.length === 0) return undefined;
  return type.length === 1 && (type[0] === "object" || type[0] === "array") ? type[0] : "other";
}
