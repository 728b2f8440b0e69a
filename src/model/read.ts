import { isObject } from "../json.js";
import type { At } from "./at.js";
import type { Context } from "./context.js";
import { kindOf } from "./findings.js";
import { isSuspicious, reportSuspicious } from "./suspicious.js";

/** A raw object of the document. Nothing about its fields is known. */
export type Raw = Readonly<Record<string, unknown>>;

/**
 * Typed readers of a raw object's fields. A missing field or `null` (an empty value in YAML) is
 * absent; a value of another type is left out with a warning, unless so much hangs on it that the
 * document is unusable.
 */
export function text(c: Context, owner: Raw, key: string, at: At): string | undefined {
  const value = own(owner, key);
  if (typeof value !== "string") return absentOr(c, value, key, "text", at);
  if (isSuspicious(value)) reportSuspicious(c, value, at.child(key));
  return value === "" ? undefined : value;
}

export function flag(c: Context, owner: Raw, key: string, at: At): boolean | undefined {
  const value = own(owner, key);
  return typeof value === "boolean" ? value : absentOr(c, value, key, "true or false", at);
}

/** A list that the document can do without. */
export function list(c: Context, owner: Raw, key: string, at: At): readonly unknown[] {
  const value = own(owner, key);
  return Array.isArray(value) ? value : (absentOr(c, value, key, "a list", at) ?? []);
}

/** An object that the document can do without. */
export function record(c: Context, owner: Raw, key: string, at: At): Raw | undefined {
  const value = own(owner, key);
  return isObject(value) ? value : absentOr(c, value, key, "an object", at);
}

/** A list without which operations would come out wrong: another type is an error. */
export function neededList(c: Context, owner: Raw, key: string, at: At): readonly unknown[] {
  const value = own(owner, key);
  return Array.isArray(value) ? value : (absentOrFail(c, value, key, "a list", at) ?? []);
}

/** An object without which operations would come out wrong: another type is an error. */
export function neededRecord(c: Context, owner: Raw, key: string, at: At): Raw | undefined {
  const value = own(owner, key);
  return isObject(value) ? value : absentOrFail(c, value, key, "an object", at);
}

/** The strings among a list; anything else is left out with a warning. */
export function texts(c: Context, values: readonly unknown[], at: At): readonly string[] {
  return values.filter((value, index): value is string => {
    if (typeof value !== "string")
      c.findings.add(
        "model-value-type",
        at.child(index),
        `This must be text, but is ${kindOf(value)}; it is left out.`,
      );
    return typeof value === "string";
  });
}

/** An own property, never an inherited one (`constructor`, `__proto__`). */
export function own(owner: Raw, key: string): unknown {
  return Object.hasOwn(owner, key) ? owner[key] : undefined;
}

/** An object without a prototype, so that any key of the document is just a key. */
export function bare<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** Specification extensions: `x-…`. */
export function isExtension(key: string): boolean {
  return key.charCodeAt(0) === 120 && key.charCodeAt(1) === 45;
}

function absentOr(c: Context, value: unknown, key: string, wanted: string, at: At): undefined {
  if (value !== undefined && value !== null) {
    c.findings.add(
      "model-value-type",
      at.child(key),
      `\`${key}\` must be ${wanted}, but is ${kindOf(value)}; it is left out.`,
    );
  }
}

function absentOrFail(c: Context, value: unknown, key: string, wanted: string, at: At): undefined {
  if (value !== undefined && value !== null) {
    c.findings.add(
      "model-structure",
      at.child(key),
      `\`${key}\` must be ${wanted}, but is ${kindOf(value)}.`,
    );
  }
}
