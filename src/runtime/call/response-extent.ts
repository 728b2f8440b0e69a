/** Extent of a write's response: all, a part or nothing of the thing that was written. */
import { propertiesOf, targetOf } from "../schema/subschemas.js";
import { isEmptyValue, isObject } from "../data/values.js";
import type { DecodedContent } from "../response/decode.js";
import type { JsonSchema, ReadBack, ToolDefinition } from "../types.js";

/** `none`: only success. `less`: a part of the thing, such as its ID. `full`: the thing. */
export type Extent = "none" | "less" | "full";

/** Fields that report success, and nothing about a thing. */
const ACKNOWLEDGING =
  /^(?:code|stat(?:us)?|ok|succe(?:ss|eded)|done|result|message|msg|errors?|err(?:or)?_?(?:code|msg|message)|detail|info|data|response|(?:request|trace|correlation)_?id|time(?:stamp|_?ms)?|version)$/i;

/** Objects beside the content of a response, which say nothing about a thing. */
const ABOUT_RESPONSE = /^_?(?:meta(?:data)?|links)$/i;

/** Text that reports success. */
const ACKNOWLEDGEMENT = /^\s*"?(?:ok(?:ay)?|done|success\w*|accepted|true|1)\b[^\n]{0,60}$/i;

/** Minimum number of missing fields with which a response counts as a part of the thing. */
const MISSING_FIELDS = 3;

/** Maximum length of a message. */
const MAX_STATUS_TEXT = 300;

/**
 * Compares a response with the thing.
 * @param reader tool that gets the thing
 */
export function extentOf(
  content: Exclude<DecodedContent, { kind: "malformed" }>,
  reader: ToolDefinition,
  { created }: ReadBack,
): Extent {
  switch (content.kind) {
    case "empty":
      return "none";
    case "text":
      return ACKNOWLEDGEMENT.test(content.text) ? "none" : "full";
    case "binary":
      return "full";
    case "json":
      return extentOfValue(content.value, reader, created !== undefined);
  }
}

function extentOfValue(value: unknown, reader: ToolDefinition, isCreated: boolean): Extent {
  if (!isObject(value))
    return isEmptyValue(value) || typeof value === "boolean"
      ? "none"
      : scalarExtent(value, isCreated);
  const contents = Object.entries(value).filter(
    ([name, field]) => !(isObject(field) && ABOUT_RESPONSE.test(name)),
  );
  const entries = Object.entries(unwrap(Object.fromEntries(contents))).filter(
    ([, field]) => !isEmptyValue(field),
  );
  if (entries.every(([name, field]) => isAcknowledging(name, field))) return "none";
  if (entries.some(([, field]) => typeof field === "object")) return "full";
  const fields = fieldsOf(reader);
  const shared = entries.filter(([name]) => fields.has(name)).length;
  return shared <= 1 && fields.size - shared >= MISSING_FIELDS ? "less" : "full";
}

/** A number or a text alone is the ID of a created thing, or a message. */
function scalarExtent(value: unknown, isCreated: boolean): Extent {
  if (Array.isArray(value)) return "full";
  if (isCreated) return "less";
  return typeof value === "string" && !ACKNOWLEDGEMENT.test(value) ? "full" : "none";
}

/** The only object inside of an envelope, with the fields beside it. */
function unwrap(value: Record<string, unknown>): Record<string, unknown> {
  const objects = Object.entries(value).filter(
    ([, field]) => isObject(field) && !isEmptyValue(field),
  );
  const [only, ...others] = objects;
  if (!only || others.length > 0) return value;
  const { [only[0]]: _, ...beside } = value;
  return { ...beside, ...(only[1] as Record<string, unknown>) };
}

function isAcknowledging(name: string, value: unknown): boolean {
  if (!ACKNOWLEDGING.test(name)) return false;
  if (typeof value === "string") return value.length <= MAX_STATUS_TEXT;
  return typeof value === "boolean" || typeof value === "number";
}

/** Names of the declared fields of the thing, also inside of an envelope. */
function fieldsOf({ outputSchema, operations }: ToolDefinition): ReadonlySet<string> {
  const root = outputSchema ?? {};
  const isFound = operations.some(({ response }) => response.item !== undefined);
  const properties = documentedProperties(root, root);
  const items = isFound ? properties["items"]?.["items"] : undefined;
  const thing = isObject(items) ? documentedProperties(items as JsonSchema, root) : properties;
  const [only, ...others] = Object.values(thing);
  const inner = only && others.length === 0 ? documentedProperties(only, root) : {};
  return new Set(Object.keys(Object.keys(inner).length > 0 ? inner : thing));
}

const documentedProperties = (
  schema: JsonSchema,
  root: JsonSchema,
): Readonly<Record<string, JsonSchema>> => propertiesOf(targetOf(schema["$ref"], root) ?? schema);
