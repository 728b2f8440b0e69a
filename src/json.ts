/** Parsed JSON data. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue };

/**
 * JSON Schema 2020-12 object schema. Boolean schemas are `JsonSchema | boolean`.
 * https://json-schema.org/draft/2020-12/json-schema-core
 */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema | boolean>>;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  /** Model form: the meaning of each value of `enum`, where the document states it. */
  readonly "x-enum-meanings"?: Readonly<Record<string, string>>;
  readonly properties?: Readonly<Record<string, JsonSchema | boolean>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly (JsonSchema | boolean)[];
  readonly allOf?: readonly (JsonSchema | boolean)[];
  readonly anyOf?: readonly (JsonSchema | boolean)[];
  readonly oneOf?: readonly (JsonSchema | boolean)[];
  readonly not?: JsonSchema | boolean;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly deprecated?: boolean;
}

/** True for a JSON object (not null, not an array). */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Types of the `type` keyword; empty without one. */
export function typesOf({ type }: JsonSchema): readonly string[] {
  if (typeof type === "string") return SINGLE_TYPES.get(type) ?? [type];
  return Array.isArray(type)
    ? (type as readonly string[]).filter((name) => typeof name === "string")
    : NO_TYPES;
}

const NO_TYPES: readonly string[] = [];
const SINGLE_TYPES: ReadonlyMap<string, readonly string[]> = new Map(
  ["string", "number", "integer", "boolean", "object", "array", "null"].map((type) => [
    type,
    [type],
  ]),
);

/** True for a value of one type of JSON Schema. */
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

const MAX_COMPARED_DEPTH = 64;

/** Equality of JSON values. Values nested more than 64 levels deep are unequal. */
export function isSameJson(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (depth > MAX_COMPARED_DEPTH || typeof a !== "object" || typeof b !== "object") return false;
  if (a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as JsonMembers, b as JsonMembers];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSameJson(left[key], right[key], depth + 1))
  );
}

type JsonMembers = Readonly<Record<string, unknown>>;

/** Object type whose possibly undefined members are optional. */
type OmitUndefined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/**
 * Copies an object without its undefined members and keeps the order of the others.
 * `omitUndefined({ a: 1, b: undefined })` is `{ a: 1 }`.
 */
export function omitUndefined<const T extends object>(object: T): OmitUndefined<T> {
  const defined: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    const value = (object as JsonMembers)[key];
    if (value === undefined) continue;
    if (key === "__proto__") Object.defineProperty(defined, key, { ...ownProperty, value });
    else defined[key] = value;
  }
  return defined as OmitUndefined<T>;
}

/** An assignment to `__proto__` would set the prototype. */
const ownProperty = { configurable: true, enumerable: true, writable: true };

/** Parses a text as a JSON object; undefined for any other text. A byte order mark is ignored. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const data: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    return isObject(data) ? data : undefined;
  } catch {
    return undefined;
  }
}
