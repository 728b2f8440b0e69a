import { isObject } from "../../json.js";

/** True when a JSON value has one of the types, or when there are no types. */
export function hasType(value: unknown, types: readonly string[] | undefined): boolean {
  return types === undefined || types.some((type) => isOfType(value, type));
}

/**
 * Converts a value to one of the types if that is lossless: YAML parses `1` where a document means
 * `"1"`.
 * @returns undefined when it is not possible
 */
export function coerceValue(value: unknown, types: readonly string[] | undefined): unknown {
  if (hasType(value, types)) return value;
  if (types?.includes("string") && (typeof value === "number" || typeof value === "boolean"))
    return String(value);
  if (typeof value !== "string") return undefined;
  if (types?.includes("boolean") && (value === "true" || value === "false"))
    return value === "true";
  const number = Number(value);
  if (String(number) !== value || !Number.isFinite(number)) return undefined;
  return hasType(number, types) ? number : undefined;
}

/** A key that equal JSON values share, whatever the order of their properties. */
export function valueKey(value: unknown, depth = 32): string {
  if (typeof value !== "object" || value === null || depth === 0)
    return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map((item) => valueKey(item, depth - 1)).join(",")}]`;
  const pairs = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}:${valueKey(item, depth - 1)}`,
  );
  return `{${pairs.sort().join(",")}}`;
}

/** Equality of JSON values up to a maximum depth. Deeper values are unequal. */
export function equalJsonToDepth(a: unknown, b: unknown, depth = 12): boolean {
  if (a === b) return true;
  if (depth === 0 || typeof a !== "object" || typeof b !== "object" || a === null || b === null)
    return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(b, key) &&
      equalJsonToDepth(
        (a as Record<string, unknown>)[key],
        (b as Record<string, unknown>)[key],
        depth - 1,
      ),
  );
}

/** True for a value of one JSON Schema type. */
export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return typeof value === "number" && Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
