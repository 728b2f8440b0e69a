import { describeType } from "../diagnostics/index.js";
import { isObject } from "../json.js";
import type { Reporter } from "./diagnostics.js";
import type { Pointer } from "./pointer.js";

/** An unvalidated object of the document. */
export type RawObject = Readonly<Record<string, unknown>>;

/**
 * Reads a string field.
 *
 * All readers of this file treat a missing field and `null` (an empty value in YAML) as absent. A
 * value of another type is absent too, with a warning that states the effect.
 */
export function readString(
  c: Reporter,
  owner: RawObject,
  key: string,
  pointer: Pointer,
): string | undefined {
  const value = ownProperty(owner, key);
  if (typeof value !== "string") return reportWrongType(c, value, key, "a string", pointer);
  return value === "" ? undefined : value;
}

export function readBoolean(
  c: Reporter,
  owner: RawObject,
  key: string,
  pointer: Pointer,
): boolean | undefined {
  const value = readTextBoolean(c, ownProperty(owner, key), pointer.child(key));
  return typeof value === "boolean" ? value : reportWrongType(c, value, key, "a boolean", pointer);
}

/** Reads `"true"` and `"false"` as booleans, with a warning. Returns other values unchanged. */
export function readTextBoolean(c: Reporter, value: unknown, pointer: Pointer): unknown {
  if (!isTextBoolean(value)) return value;
  c.diagnostics.add("model-value-type", pointer, `"${value}" is read as ${value}, without quotes.`);
  return value === "true";
}

/** True for `true`, also as text. */
export function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

/** True for text that can only mean a boolean. */
export function isTextBoolean(value: unknown): value is "true" | "false" {
  return value === "true" || value === "false";
}

/** Reads an array; an empty one when it is absent. */
export function readArray(
  c: Reporter,
  owner: RawObject,
  key: string,
  pointer: Pointer,
): readonly unknown[] {
  const value = ownProperty(owner, key);
  return Array.isArray(value) ? value : (reportWrongType(c, value, key, "an array", pointer) ?? []);
}

/** Reads an object. */
export function readObject(
  c: Reporter,
  owner: RawObject,
  key: string,
  pointer: Pointer,
  effect?: string,
): RawObject | undefined {
  const value = ownProperty(owner, key);
  return isObject(value) ? value : reportWrongType(c, value, key, "an object", pointer, effect);
}

/** The strings of a list. Other values are left out with a warning. */
export function stringsIn(
  c: Reporter,
  values: readonly unknown[],
  pointer: Pointer,
): readonly string[] {
  return values.filter((value, index): value is string => {
    if (typeof value !== "string")
      c.diagnostics.add(
        "model-value-type",
        pointer.child(index),
        `This must be a string, but is ${describeType(value)}; it is left out.`,
      );
    return typeof value === "string";
  });
}

/** An own property, never an inherited one (`constructor`, `__proto__`). */
export function ownProperty(owner: RawObject, key: string): unknown {
  return Object.hasOwn(owner, key) ? owner[key] : undefined;
}

/** An object without a prototype, so that any key of the document is safe. */
export function emptyRecord<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** True for specification extensions: `x-…`. */
export function isExtension(key: string): boolean {
  return key.charCodeAt(0) === 120 && key.charCodeAt(1) === 45;
}

function reportWrongType(
  c: Reporter,
  value: unknown,
  key: string,
  expected: string,
  pointer: Pointer,
  effect = "it is left out",
): undefined {
  if (value !== undefined && value !== null) {
    c.diagnostics.add(
      "model-value-type",
      pointer.child(key),
      `\`${key}\` must be ${expected}, but is ${describeType(value)}; ${effect}.`,
    );
  }
}
