import { isObject, type JsonSchema } from "../../json.js";
import { acceptsAnything, type AnySchema, resolveSchema, typesOf, type Schemas } from "./refs.js";

/** The fields of an object schema that consists of named fields only. */
export interface FlatObject {
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  /** Minimum and maximum number of fields. */
  readonly minProperties: number;
  readonly maxProperties: number;
  /** Alternatives constrain which fields go together. The flat form loses them. */
  readonly isWeakened: boolean;
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
