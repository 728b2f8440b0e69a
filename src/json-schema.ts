/** Walks over JSON Schemas: one list of the keywords that contain schemas. */
import { isObject, type JsonSchema } from "./json.js";

/** Keywords that contain schemas: one, a list, or a map. */
export const SCHEMA_KEYWORDS: ReadonlyMap<string, "one" | "list" | "map"> = new Map([
  ...(
    "items additionalProperties not if then else contains propertyNames unevaluatedItems " +
    "unevaluatedProperties contentSchema"
  )
    .split(" ")
    .map((key) => [key, "one"] as const),
  ...["allOf", "anyOf", "oneOf", "prefixItems"].map((key) => [key, "list"] as const),
  ...["properties", "patternProperties", "dependentSchemas", "$defs"].map(
    (key) => [key, "map"] as const,
  ),
]);

/**
 * Calls `visit` for every direct subschema with its keyword, and with its name in a map. Values of
 * `default`, `enum` and `examples` are not schemas.
 */
export function visitSchema(
  schema: JsonSchema,
  visit: (child: JsonSchema, keyword: string, name?: string) => void,
): void {
  for (const key in schema) {
    const kind = SCHEMA_KEYWORDS.get(key);
    if (kind === undefined) continue;
    const value = schema[key];
    if (kind === "one") {
      if (isObject(value)) visit(value, key);
    } else if (kind === "list" && Array.isArray(value)) {
      for (const child of value) if (isObject(child)) visit(child, key);
    } else if (kind === "map" && isObject(value)) {
      for (const name in value) if (isObject(value[name])) visit(value[name], key, name);
    }
  }
}

/** Keywords whose subschemas apply to the same value as the schema, some only to some values. */
const IN_PLACE = new Set("allOf anyOf oneOf not if then else dependentSchemas".split(" "));

/** Calls `visit` for every direct subschema that applies to the same value. */
export function visitInPlace(schema: JsonSchema, visit: (child: JsonSchema) => void): void {
  visitSchema(schema, (child, keyword) => {
    if (IN_PLACE.has(keyword)) visit(child);
  });
}

/** Members of `allOf`, `anyOf` and `oneOf`, in this order. */
export function compositionParts(schema: JsonSchema): readonly (JsonSchema | boolean)[] {
  const { allOf = [], anyOf = [], oneOf = [] } = schema;
  return [...allOf, ...anyOf, ...oneOf];
}
