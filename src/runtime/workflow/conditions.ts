import { createMatcher, isWithinBudget } from "../schema/bounded-regexp.js";
import { jsonEquals } from "../schema/equality.js";
import { toText } from "./values.js";

/**
 * The `==` of conditions. Strings are compared case-insensitively, numeric strings count as numbers,
 * null equals only null. An absent value is null. Arazzo 1.1, "Condition Evaluation".
 */
export function equals(left: unknown, right: unknown): boolean {
  const [a, b] = [left ?? null, right ?? null];
  if (a === null || b === null) return a === b;
  if (typeof a === "string" && typeof b === "string") return a.toLowerCase() === b.toLowerCase();
  if (typeof a === "object" || typeof b === "object") return jsonEquals(a, b);
  const [x, y] = [toNumber(a), toNumber(b)];
  return x !== undefined && y !== undefined ? x === y : a === b;
}

export function lessThan(left: unknown, right: unknown): boolean {
  return (compare(left, right) ?? 0) < 0;
}

export function greaterThan(left: unknown, right: unknown): boolean {
  return (compare(left, right) ?? 0) > 0;
}

export function lessOrEqual(left: unknown, right: unknown): boolean {
  return (compare(left, right) ?? 1) <= 0;
}

export function greaterOrEqual(left: unknown, right: unknown): boolean {
  return (compare(left, right) ?? -1) >= 0;
}

/** Negative, zero or positive. Undefined when the values cannot be ordered. */
function compare(left: unknown, right: unknown): number | undefined {
  const [x, y] = [toNumber(left), toNumber(right)];
  if (x !== undefined && y !== undefined) return x - y;
  if (typeof left !== "string" || typeof right !== "string") return undefined;
  const [a, b] = [left.toLowerCase(), right.toLowerCase()];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  const isNumeric = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\s*$/.test(value);
  return isNumeric ? Number(value) : undefined;
}

/** Whether a condition that is a single value is met. */
export function isTruthy(value: unknown): boolean {
  return Boolean(value);
}

/**
 * Whether a value matches a regular expression. False for an absent value, for an invalid
 * expression, and for one that could take too long on this value.
 */
export function matchesPattern(value: unknown, pattern: string): boolean {
  if (value === undefined || value === null) return false;
  if (!isValidPattern(pattern, "") && !isValidPattern(pattern, "u")) return false;
  const text = toText(value);
  return isWithinBudget(pattern, text.length) && createMatcher(pattern)(text);
}

function isValidPattern(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
