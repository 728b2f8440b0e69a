/** What the keywords of a schema say about how it has to be written. */
import { isObject, type JsonSchema } from "../../../json.js";
import { quoteText } from "../../../diagnostics/clean.js";
import type { Findings, Where } from "../../findings.js";
import type { AnySchema } from "../refs.js";

/** Keywords that many hosts do not know. */
const REMOVED = new Set([
  "not",
  "if",
  "dependentSchemas",
  "dependentRequired",
  "unevaluatedProperties",
  "unevaluatedItems",
  "patternProperties",
  "propertyNames",
  "contains",
]);

const NOT_PLAIN = new Set([
  ...REMOVED,
  "$ref",
  "properties",
  "items",
  "prefixItems",
  "additionalProperties",
  "allOf",
  "anyOf",
  "oneOf",
]);

/** Nothing inside it, and nothing to remove: most schemas are a type and a text. */
export function isPlain(schema: JsonSchema): boolean {
  if (schema.type === "object" || schema.type === "array") return false;
  for (const key in schema) if (NOT_PLAIN.has(key)) return false;
  return true;
}

/** Says which keywords nobody checks any more. */
export function reportRemoved(schema: JsonSchema, where: Where, findings: Findings): void {
  for (const key in schema) {
    if (!REMOVED.has(key) || schema[key] === undefined || (key === "not" && isForbidden(schema)))
      continue;
    findings.add(
      "plan-schema-keyword",
      `${quoteText(where.label)} uses \`${key}\`, which many hosts do not know; the tool does not check it.`,
      where.place,
    );
  }
}

/** `{ not: {} }` is how the model writes `false`: nothing is valid. */
export function isForbidden(schema: AnySchema): boolean {
  return (
    isObject(schema) &&
    isObject(schema.not) &&
    Object.keys(schema.not).length === 0 &&
    Object.keys(schema).length === 1
  );
}

export const hasEntries = (record: unknown): boolean =>
  isObject(record) && Object.keys(record).length > 0;
export const isEmpty = (schema: JsonSchema): boolean => Object.keys(schema).length === 0;
