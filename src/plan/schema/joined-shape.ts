import { isObject, type JsonSchema } from "../../json.js";
import { oneTypeEach } from "./one-type.js";
import { type AnySchema, resolve, typesOf, type Schemas } from "./refs.js";
import { ANYTHING, isLong, NOTHING, type Sent, type Shape, shownProperties } from "./shape.js";

/** Alternatives of one value that are looked at. */
const MAX_ALTERNATIVES = 100;

/** A shape that is being put together. */
interface Draft {
  readonly types: Set<string>;
  readonly properties: Map<string, AnySchema[]>;
  readonly items: AnySchema[];
  anything: boolean;
  seen: number;
}

/** The shape of a value that has alternatives: all of their types and properties. */
export function joinedShape(sent: Sent, schemas: Schemas): Shape {
  const draft: Draft = {
    types: new Set(),
    properties: new Map(),
    items: [],
    anything: false,
    seen: 0,
  };
  for (const schema of Array.isArray(sent) ? (sent as readonly AnySchema[]) : [sent as AnySchema])
    collect(schema, schemas, draft, true, 0);
  if (draft.anything || draft.types.size === 0) return ANYTHING;
  const type = ORDER.filter((one) => draft.types.has(one));
  if (type.length === 0) return ANYTHING;
  if (draft.properties.size === 0 && draft.items.length === 0)
    return { whole: oneTypeEach({ type }), type, properties: NOTHING };
  return {
    type,
    properties: [...draft.properties].map(([name, list]) => [name, alone(list)] as const),
    ...(draft.items.length > 0 && { items: alone(draft.items) }),
  };
}

const ORDER = ["object", "array", "string", "number", "boolean"];
const alone = (list: readonly AnySchema[]): Sent =>
  list.length === 1 ? (list[0] as AnySchema) : list;

/** @param whole false inside `allOf`, where a part may leave the type to others */
function collect(
  schema: AnySchema,
  schemas: Schemas,
  draft: Draft,
  whole: boolean,
  depth: number,
): void {
  if (schema === false || ++draft.seen > MAX_ALTERNATIVES || depth > 24) return;
  const target = schema === true ? {} : resolve(schemas, schema);
  const types = impliedTypes(target);
  for (const type of types) draft.types.add(type === "integer" ? "number" : type);
  if (isLong(target)) draft.types.add("string");
  addProperties(target, schemas, draft);
  for (const item of [...(target.prefixItems ?? []), target.items])
    if (item !== undefined && item !== false) draft.items.push(item);
  const choices = [...(target.anyOf ?? []), ...(target.oneOf ?? [])];
  for (const part of target.allOf ?? []) collect(part, schemas, draft, false, depth + 1);
  for (const part of choices) collect(part, schemas, draft, types.length === 0, depth + 1);
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

function addProperties(schema: JsonSchema, schemas: Schemas, draft: Draft): void {
  for (const [name, property] of shownProperties(schema, schemas)) {
    const list = draft.properties.get(name);
    if (!list) draft.properties.set(name, [property]);
    else if (!list.includes(property) && list.length < MAX_ALTERNATIVES) list.push(property);
  }
}
