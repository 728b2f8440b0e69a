/**
 * How the keys of a value are to be read: as keywords, as names that an author chose, or as a list.
 */
export interface Context {
  readonly mode: "keywords" | "names" | "list";
  /** The key under which the value stands. */
  readonly of: string;
}

/** What stands at one key. `literal` data is never searched for references. */
export type Slot =
  | { readonly kind: "literal" | "payload" | "text" }
  | { readonly kind: "mapping" }
  | {
      readonly kind: "part";
      readonly context: Context;
      readonly schema: boolean;
      readonly later: boolean;
    };

/** Keys whose objects map names of the author's choice to parts. */
const maps = new Set([
  "paths", "webhooks", "responses", "properties", "patternProperties", "$defs", "definitions", "schemas", "parameters", "examples", "requestBodies",
  "headers", "securitySchemes", "securityDefinitions", "links", "callbacks", "pathItems", "content", "encoding", "dependentSchemas", "variables",
  "mediaTypes", "additionalOperations",
]); // prettier-ignore
const schemaMaps = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "schemas",
  "dependentSchemas",
]);
const schemaKeys = new Set([
  "schema",
  "items",
  "additionalProperties",
  "not",
  "itemSchema",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const schemaLists = new Set(["allOf", "anyOf", "oneOf", "prefixItems", "items"]);
/** Keys whose values are data of the API, in which `$ref` means nothing. */
const data = new Set(["default", "const", "enum"]);
/** Data, too, but a whole example is often kept in a file. */
const payloads = new Set(["example", "value"]);

/** Reads one key of a value in its context. */
export function slotOf(context: Context, key: string, value: unknown): Slot {
  if (context.mode === "names") return part("keywords", key, schemaMaps.has(context.of));
  if (context.mode === "list")
    return part(
      Array.isArray(value) ? "list" : "keywords",
      context.of,
      schemaLists.has(context.of),
    );
  if (key.startsWith("x-") || data.has(key)) return { kind: "literal" };
  if (payloads.has(key)) return { kind: "payload" };
  if (key === "description" || key === "summary") return { kind: "text" };
  if (key === "mapping") return { kind: "mapping" };
  if (Array.isArray(value))
    return key === "examples" ? { kind: "literal" } : part("list", key, false);
  return {
    ...part(maps.has(key) ? "names" : "keywords", key, schemaKeys.has(key)),
    later: key === "callbacks",
  };
}

function part(
  mode: Context["mode"],
  of: string,
  schema: boolean,
): Slot & { readonly kind: "part" } {
  return { kind: "part", context: { mode, of }, schema, later: false };
}
