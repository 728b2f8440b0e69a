import { isOfType } from "../../json.js";

/** True when a JSON value has one of the types, or when there are no types. */
export function hasType(value: unknown, types: readonly string[]): boolean {
  return types.length === 0 || types.some((type) => isOfType(value, type));
}

/** True for a text that is only a variable of a template: `{{orderId}}`, `${ID}`, `<order id>`. */
export const isTemplateVariable = (value: unknown): boolean =>
  typeof value === "string" &&
  /^(?:\{\{[^{}]*\}\}|\$\{[^{}]*\}|<[^<> _-]*[ _-][^<>]*>)$/.test(value);

/**
 * Converts a value to one of the types if that is lossless: YAML parses `1` where a document means
 * `"1"`.
 * @returns undefined when it is not possible
 */
export function coerceValue(value: unknown, types: readonly string[]): unknown {
  if (hasType(value, types)) return value;
  if (types.includes("string") && (typeof value === "number" || typeof value === "boolean"))
    return String(value);
  if (typeof value !== "string") return undefined;
  if (types.includes("boolean") && (value === "true" || value === "false")) return value === "true";
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

/** The meaning of a `type` value in JSON Schema 2020-12. */
interface ResolvedType {
  readonly type: string;
  readonly format?: string;
}

const JSON_TYPES = new Set(["null", "boolean", "object", "array", "number", "string", "integer"]);

/** Type names that no version has, with the type that authors mean. */
const TYPE_ALIASES: ReadonlyMap<string, ResolvedType> = new Map([
  ...["str", "text", "char", "password", "enum", "unicode"].map(
    (name) => [name, { type: "string" }] as const,
  ),
  ..."uuid email uri url ipv4 ipv6 hostname byte binary date time"
    .split(" ")
    .map((name) => [name, { type: "string", format: name === "url" ? "uri" : name }] as const),
  ...["datetime", "date-time", "timestamp"].map(
    (name) => [name, { type: "string", format: "date-time" }] as const,
  ),
  ...["int", "long", "short", "bigint"].map((name) => [name, { type: "integer" }] as const),
  ...["int32", "int64"].map((name) => [name, { type: "integer", format: name }] as const),
  ...["float", "double"].map((name) => [name, { type: "number", format: name }] as const),
  ...["decimal", "numeric"].map((name) => [name, { type: "number" }] as const),
  ["bool", { type: "boolean" }],
  ...["list", "tuple"].map((name) => [name, { type: "array" }] as const),
  ...["map", "dict", "hash", "json", "struct"].map((name) => [name, { type: "object" }] as const),
  ...["nil", "none", "nulltype"].map((name) => [name, { type: "null" }] as const),
]);

/** Swagger 2.0's type of uploads and downloads. */
const FILE: ResolvedType = { type: "string", format: "binary" };

/** True for the seven types of JSON Schema. */
export function isSchemaType(name: string): boolean {
  return JSON_TYPES.has(name);
}

/**
 * The meaning of a type that JSON Schema does not have.
 * @returns undefined for an unknown one (`any`, `T`)
 */
export function resolveTypeAlias(name: string): ResolvedType | undefined {
  const lower = name.toLowerCase();
  if (lower === "file") return FILE;
  return JSON_TYPES.has(lower) ? { type: lower } : TYPE_ALIASES.get(lower);
}
