import { isObject, type JsonSchema } from "../../json.js";
import { type AnySchema, resolve, typesOf, type Schemas } from "./refs.js";

/** What an API sends as one value: a schema of the model, or alternatives. */
export type Sent = AnySchema | readonly AnySchema[];

/** What a value may be. Worked out once for a schema, however many results hold it. */
export interface Shape {
  /** Written as it stands: plain values, and what may be anything. */
  readonly whole?: JsonSchema;
  /** All types but null: a result says null by leaving the property out. */
  readonly type: readonly string[];
  readonly properties: readonly (readonly [name: string, sent: Sent])[];
  readonly items?: Sent;
}

export const NOTHING: Shape["properties"] = [];
/** Nobody knows what it may be, or it may be everything. */
export const ANYTHING: Shape = { whole: {}, type: [], properties: NOTHING };
const OBJECT = ["object"];
const ARRAY = ["array"];
const PLAIN: ReadonlyMap<unknown, Shape> = new Map(
  [
    ["string", "string"],
    ["number", "number"],
    ["integer", "number"],
    ["boolean", "boolean"],
  ].map(([type, kept]) => [
    type,
    { whole: { type: kept as string }, type: [kept as string], properties: NOTHING },
  ]),
);

/**
 * Integers of 64 bits: beyond 2^53 the runtime gives them as text, because as numbers they would be
 * other integers.
 */
const LONG: JsonSchema = { type: "integer", format: "int64" };
const LONG_SHAPE: Shape = {
  whole: { anyOf: [{ type: "string" }, { type: "number" }] },
  type: ["string", "number"],
  properties: NOTHING,
};
export const isLong = (schema: JsonSchema): boolean =>
  (schema.format === "int64" || schema.format === "uint64") && typesOf(schema).includes("integer");

/** An integer that is an ID may have any number of digits, unless it says how many. */
function longIfId(name: string, property: AnySchema, schemas: Schemas): AnySchema {
  if (!/(?:^|[_-])ids?$|[a-z]I[Dd]s?$/.test(name) || property === true || property === false)
    return property;
  const target = resolve(schemas, property);
  const types = typesOf(target).filter((type) => type !== "null");
  return types.length === 1 &&
    types[0] === "integer" &&
    target.format === undefined &&
    target.maximum === undefined
    ? LONG
    : property;
}

/** The shape of one schema without alternatives, which most values have. */
export function plainShape(sent: Sent, schemas: Schemas): Shape | undefined {
  if (!isObject(sent) || Array.isArray(sent)) return undefined;
  const target = resolve(schemas, sent as JsonSchema);
  if (target.anyOf || target.oneOf || target.allOf || target.prefixItems) return undefined;
  if (target.type === "array")
    return { type: ARRAY, properties: NOTHING, ...itemsOf(target.items) };
  if (target.type !== "object") return isLong(target) ? LONG_SHAPE : PLAIN.get(target.type);
  return { type: OBJECT, properties: shownProperties(target, schemas) };
}

const itemsOf = (items: AnySchema | undefined): Pick<Shape, "items"> =>
  items === undefined || items === false ? {} : { items };

/** The properties that results may have, each as what is sent for it. */
export function shownProperties(schema: JsonSchema, schemas: Schemas): [string, AnySchema][] {
  const shown: [string, AnySchema][] = [];
  for (const name in schema.properties) {
    const property = schema.properties[name] as AnySchema;
    if (isShown(name, property, schemas)) shown.push([name, longIfId(name, property, schemas)]);
  }
  return shown;
}

/** Half of a surrogate pair: validators that write a name into a URI throw at it. */
const HALF = /\p{Surrogate}/u;

/** `__proto__` is no key that an object literal could have. */
function isShown(name: string, property: AnySchema, schemas: Schemas): boolean {
  if (name === "__proto__" || property === false || HALF.test(name)) return false;
  return (
    property === true ||
    (property.writeOnly !== true && resolve(schemas, property).writeOnly !== true)
  );
}
