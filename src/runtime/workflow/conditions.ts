import { isWithinBudget, createMatcher } from "../schema/bounded-regexp.js";

/**
 * The operators of conditions. Arazzo 1.1, "Condition Evaluation": texts are compared without
 * regard to case, numbers in texts count as numbers, null equals only itself. What is absent is
 * null.
 */
export function equals(left: unknown, right: unknown): boolean {
  const [a, b] = [left ?? null, right ?? null];
  if (a === null || b === null) return a === b;
  if (typeof a === "string" && typeof b === "string") return a.toLowerCase() === b.toLowerCase();
  if (typeof a === "object" || typeof b === "object") return sameJson(a, b);
  const [x, y] = [toNumber(a), toNumber(b)];
  return x !== undefined && y !== undefined ? x === y : a === b;
}

function sameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== others.length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(b, key) &&
      sameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
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

/** Below, at or above zero; `undefined` for what has no order. */
function compare(left: unknown, right: unknown): number | undefined {
  const [x, y] = [toNumber(left), toNumber(right)];
  if (x !== undefined && y !== undefined) return x - y;
  if (typeof left !== "string" || typeof right !== "string") return undefined;
  const [a, b] = [left.toLowerCase(), right.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" &&
    /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\s*$/.test(value)
    ? Number(value)
    : undefined;
}

/** Whether a value by itself counts as holding. */
export function isTruthy(value: unknown): boolean {
  return Boolean(value);
}

/**
 * Whether a text matches a pattern. A pattern that is none matches nothing, and neither does what
 * is absent; one that would take too long on this text is not tried.
 */
export function matchesPattern(value: unknown, pattern: string): boolean {
  if (value === undefined || value === null || !isPattern(pattern)) return false;
  const subject =
    typeof value === "string"
      ? value
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);
  return isWithinBudget(pattern, subject.length) && createMatcher(pattern)(subject);
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return isUnicodePattern(pattern);
  }
}

function isUnicodePattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
