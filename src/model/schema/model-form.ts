import { isObject, type JsonSchema } from "../../json.js";
import { isSuspicious } from "../suspicious-text.js";
import { isSchemaType } from "./type-names.js";
import { hasType } from "./json-values.js";

/**
 * Checks for keywords that mean the same in every version. A keyword that passes is kept unchanged.
 */
const CHECKS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ...["title", "description"].map((key) => [key, isSafeText] as const),
  ["pattern", isNonEmptyString],
  ["format", (value: unknown) => isNonEmptyString(value) && !isSchemaType(value)],
  ...["readOnly", "writeOnly", "deprecated", "uniqueItems"].map((key) => [key, isBoolean] as const),
  ...["minLength", "maxLength", "minItems", "maxItems"].map((key) => [key, isCount] as const),
  ...["minimum", "maximum"].map((key) => [key, Number.isFinite] as const),
  ["type", (value: unknown) => typeof value === "string" && isSchemaType(value)],
  // Checked against the type in `hasFittingValues`.
  ["enum", (value: unknown) => Array.isArray(value) && value.length > 0],
  ["default", (value: unknown) => typeof value !== "object"],
]);

/**
 * True for a schema that is already in model form: no subschemas, nothing to translate, nothing
 * invalid. Most schemas of a document are such leaves and are used without a copy.
 */
export function isInModelForm(raw: unknown): raw is JsonSchema {
  if (!isObject(raw)) return false;
  for (const key in raw) {
    const check = CHECKS.get(key);
    if (check === undefined || !check(raw[key])) return false;
  }
  return hasFittingValues(raw as JsonSchema);
}

/**
 * Checks values against the type for strings only, and a format of dates only without a
 * description, which can contradict it. Other cases are converted.
 */
function hasFittingValues({
  type,
  format,
  description,
  enum: values,
  default: fallback,
}: JsonSchema): boolean {
  if (description !== undefined && format?.startsWith("date") === true) return false;
  // A table in the description may state the meanings of the values.
  if (values !== undefined && description?.includes("|")) return false;
  if (values !== undefined && (type !== "string" || !areDistinctStrings(values))) return false;
  if (fallback === undefined) return true;
  return (
    typeof type === "string" &&
    hasType(fallback, [type]) &&
    (values === undefined || values.includes(fallback))
  );
}

/** True for distinct strings, which almost every `enum` has. */
export function areDistinctStrings(values: readonly unknown[]): boolean {
  if (!values.every((value) => typeof value === "string")) return false;
  return values.length === 1 || new Set(values).size === values.length;
}

function isNonEmptyString(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isSafeText(value: unknown): boolean {
  return typeof value === "string" && value !== "" && !isSuspicious(value);
}

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
