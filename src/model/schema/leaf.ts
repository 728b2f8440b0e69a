import { isObject, type JsonSchema } from "../../json.js";
import { isSuspicious } from "../suspicious.js";
import { isJsonType } from "./type-names.js";
import { hasType } from "./values.js";

/**
 * Checks of keywords that mean the same in every version, and are kept as they are when they pass.
 */
const CHECKS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ...["title", "description"].map((key) => [key, isHonestText] as const),
  ...["format", "pattern"].map((key) => [key, isText] as const),
  ...["readOnly", "writeOnly", "deprecated", "uniqueItems"].map((key) => [key, isFlag] as const),
  ...["minLength", "maxLength", "minItems", "maxItems"].map((key) => [key, isCount] as const),
  ...["minimum", "maximum"].map((key) => [key, Number.isFinite] as const),
  ["type", (value: unknown) => typeof value === "string" && isJsonType(value)],
  // Checked against the type, below.
  ["enum", (value: unknown) => Array.isArray(value) && value.length > 0],
  ["default", (value: unknown) => typeof value !== "object"],
]);

/**
 * True for a schema that is the same in model form: no schemas inside, nothing to translate,
 * nothing wrong. Most of a document is made of these, and they are used as they are, without a
 * copy.
 */
export function isPlainLeaf(raw: unknown): raw is JsonSchema {
  if (!isObject(raw)) return false;
  for (const key in raw) {
    const check = CHECKS.get(key);
    if (check === undefined || !check(raw[key])) return false;
  }
  return fits(raw as JsonSchema);
}

/** Values against the type: strings only, the rest takes the long way. */
function fits({ type, enum: values, default: fallback }: JsonSchema): boolean {
  if (values !== undefined && (type !== "string" || !areDistinctTexts(values))) return false;
  if (fallback === undefined) return true;
  return (
    typeof type === "string" &&
    hasType(fallback, [type]) &&
    (values === undefined || values.includes(fallback))
  );
}

/** What nearly every `enum` is. */
export function areDistinctTexts(values: readonly unknown[]): boolean {
  if (!values.every((value) => typeof value === "string")) return false;
  return values.length === 1 || new Set(values).size === values.length;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isHonestText(value: unknown): boolean {
  return typeof value === "string" && value !== "" && !isSuspicious(value);
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean";
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
