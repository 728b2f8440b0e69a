import { isObject, type JsonSchema } from "../../json.js";
import { acceptsAnything, type AnySchema, resolveSchema, typesOf, type Schemas } from "./refs.js";

/** The fields of an object schema, when it is nothing but its fields. */
export interface FlatObject {
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  /** How many fields there must be, and may be. */
  readonly minProperties: number;
  readonly maxProperties: number;
  /** Which fields go together is said by alternatives that the flat form cannot keep. */
  readonly isWeakened: boolean;
}

const MAX_DEPTH = 16;

/**
 * Whether a body can be spread over inputs: an object with named fields, none but these, without
 * alternatives of its own. A choice between an object and null counts as the object; `allOf` of
 * such objects as their union.
 */
export function flattenObject(
  schemas: Schemas,
  schema: JsonSchema,
  depth = 0,
): FlatObject | undefined {
  const target = resolveSchema(schemas, schema);
  if (depth > MAX_DEPTH || target.not !== undefined || isMapSchema(target)) return undefined;
  const types = typesOf(target).filter((type) => type !== "null");
  if (
    types.length > 1 ||
    (types.length === 1 && types[0] !== "object") ||
    "enum" in target ||
    "const" in target
  )
    return undefined;
  const choice = [target.anyOf, target.oneOf].filter((list) => list !== undefined);
  const only = nullableObject(choice, target);
  if (only) return flattenObject(schemas, only, depth + 1);
  if (!choice.flat().every((part) => isConstraint(part))) return undefined;
  return unionOfObjects(schemas, target, choice.length > 0, depth);
}

/** Further properties by any name: their input must be the whole object. */
function isMapSchema(schema: JsonSchema): boolean {
  const rest = schema.additionalProperties;
  const left = schema.unevaluatedProperties;
  return (
    [rest, left].some((one) => one === true || (isObject(one) && !isNeverSchema(one))) ||
    schema.patternProperties !== undefined
  );
}

/** Keywords by which some fields call for others, or bring them along. */
const CONDITION_KEYWORDS = ["then", "else"] as const;

/** What conditions add. Under which of them, the flat form cannot say. */
function conditionsOf(target: JsonSchema): readonly JsonSchema[] {
  const dependent = Object.values(
    (target.dependentSchemas ?? {}) as Readonly<Record<string, unknown>>,
  );
  return [...CONDITION_KEYWORDS.map((key) => target[key]), ...dependent].filter(
    isObject,
  ) as readonly JsonSchema[];
}

const isNeverSchema = (schema: JsonSchema): boolean =>
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

/** `{required: [a]}`: says which fields go together, and adds none. */
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
  loosened: boolean,
  depth: number,
): FlatObject | undefined {
  const parts = (target.allOf ?? []).map((part) =>
    isObject(part) ? flattenObject(schemas, part, depth + 1) : undefined,
  );
  if (parts.some((part) => part === undefined)) return undefined;
  const views = parts as readonly FlatObject[];
  const own = ownProperties(target);
  const properties = new Map([...views.flatMap((view) => [...view.properties]), ...own]);
  for (const [name, property] of conditionsOf(target).flatMap((part) =>
    ownProperties(resolveSchema(schemas, part)),
  ))
    if (!properties.has(name)) properties.set(name, property);
  if (properties.size === 0 && depth === 0) return undefined;
  const least = Math.max(
    ...[target.minProperties, ...views.map((view) => view.minProperties)].map((count) =>
      typeof count === "number" ? count : 0,
    ),
  );
  const most = Math.min(
    ...[target.maxProperties, ...views.map((view) => view.maxProperties)].map((count) =>
      typeof count === "number" ? count : Infinity,
    ),
  );
  return {
    properties,
    required: new Set([...views.flatMap((view) => [...view.required]), ...(target.required ?? [])]),
    minProperties: least,
    maxProperties: most,
    isWeakened: loosened || hasConditions(target) || views.some((view) => view.isWeakened),
  };
}

const hasConditions = (target: JsonSchema): boolean =>
  ["if", "dependentSchemas", "dependentRequired", "propertyNames"].some(
    (key) => target[key] !== undefined,
  );

function ownProperties({ properties = {} }: JsonSchema): [string, JsonSchema][] {
  return Object.entries(properties).flatMap(([name, property]): [string, JsonSchema][] =>
    property === true ? [[name, {}]] : isObject(property) ? [[name, property]] : [],
  );
}
