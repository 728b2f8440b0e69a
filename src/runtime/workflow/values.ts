/** Values of workflows: texts, conditions, and replacements in payloads. */
import { parsePointer } from "../data/values.js";
import { percentEncode } from "../request/serialize.js";
import { createMatcher, isWithinBudget } from "../schema/bounded-regexp.js";
import { jsonEquals } from "../schema/scalar-keywords.js";

/**
 * Concatenates values as text. Objects and arrays become JSON. Arazzo 1.1, "Runtime Expressions".
 */
export function concatText(...parts: readonly unknown[]): string {
  return parts.map(toText).join("");
}

/** A value as text: JSON for objects and arrays, the empty string for an absent value. */
export function toText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A value for a string inside a JSON text. Objects and arrays replace the whole string. */
export function embedInJson(value: unknown): unknown {
  return typeof value === "object" || value === undefined ? value : toText(value);
}

/** A value for an XML text or attribute. It is escaped, unless it is XML. */
export function embedInXml(value: unknown): string {
  const text = toText(value);
  if (text.trimStart().startsWith("<")) return text;
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&apos;");
}

/** A value for a query or a form, percent-encoded. */
export function embedInQuery(value: unknown): string {
  return percentEncode(toText(value));
}

/**
 * A value for a string literal of a JSONPath query, in either kind of quotes. A literal may escape
 * only its own as `\"` or `\'`. RFC 9535, section 2.3.1.1.
 */
export function embedInJsonPath(value: unknown): string {
  const json = JSON.stringify(toText(value)).slice(1, -1);
  return json.replace(/\\"/g, "\\u0022").replace(/'/g, "\\u0027");
}

/**
 * A deep copy without undefined members and items. These are inputs that were not provided and
 * outputs of steps that did not run.
 */
export function withoutUndefined<Value>(value: Value): Value {
  if (Array.isArray(value))
    return value.filter((item) => item !== undefined).map(withoutUndefined) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .map(([key, part]) => [key, withoutUndefined<unknown>(part)]),
  ) as Value;
}

/**
 * The `==` of conditions. Strings are compared case-insensitively, numeric strings count as
 * numbers, null equals only null. An absent value is null. Arazzo 1.1, "Condition Evaluation".
 */
export function equals(left: unknown, right: unknown): boolean {
  const [a, b] = [left ?? null, right ?? null];
  if (a === null || b === null) return a === b;
  if (typeof a === "string" && typeof b === "string") return a.toLowerCase() === b.toLowerCase();
  if (typeof a === "object" || typeof b === "object") return jsonEquals(a, b);
  const [x, y] = [toNumber(a), toNumber(b)];
  return x !== undefined && y !== undefined ? x === y : a === b;
}

/** The `<` of conditions. Values that cannot be ordered do not satisfy it. */
export function lessThan(left: unknown, right: unknown): boolean {
  return (compare(left, right) ?? 0) < 0;
}

/** The `>` of conditions. Values that cannot be ordered do not satisfy it. */
export function greaterThan(left: unknown, right: unknown): boolean {
  return (compare(left, right) ?? 0) > 0;
}

/** The `<=` of conditions. Values that cannot be ordered do not satisfy it. */
export function lessOrEqual(left: unknown, right: unknown): boolean {
  return (compare(left, right) ?? 1) <= 0;
}

/** The `>=` of conditions. Values that cannot be ordered do not satisfy it. */
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

/** True if a condition that is a single value is met. */
export function isTruthy(value: unknown): boolean {
  return Boolean(value);
}

/**
 * True if a value matches a regular expression. False for an absent value, for an invalid
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

type Container = Record<string, unknown> | unknown[];

/**
 * A copy of a payload with replaced values, by JSON pointer. Missing members are added; an invalid
 * index changes nothing. Each object or list is copied once, whatever the number of replacements.
 * Arazzo 1.1, "Payload Replacement Object".
 */
export function applyReplacements(
  payload: unknown,
  replacements: Readonly<Record<string, unknown>>,
): unknown {
  const root: Record<string, unknown> = { payload };
  const copies = new Set<unknown>([root]);
  for (const [pointer, value] of Object.entries(replacements))
    replaceAt(root, ["payload", ...parsePointer(pointer)], value, copies);
  return root["payload"];
}

function replaceAt(
  root: Container,
  path: readonly string[],
  value: unknown,
  copies: Set<unknown>,
): void {
  let container = root;
  for (const [i, step] of path.entries()) {
    const key = memberKey(container, step);
    if (key === undefined) return;
    const isLast = i === path.length - 1;
    const member = isLast ? value : ownCopy(memberOf(container, key), copies);
    setMember(container, key, member);
    container = member as Container;
  }
}

/** The key of a member. `-` is the position after the last item. */
function memberKey(container: Container, step: string): string | undefined {
  if (!Array.isArray(container)) return step;
  if (step === "-") return String(container.length);
  return /^\d+$/.test(step) && Number(step) <= container.length ? String(Number(step)) : undefined;
}

function memberOf(container: Container, key: string): unknown {
  return Object.hasOwn(container, key) ? (container as Record<string, unknown>)[key] : undefined;
}

/** An object or list that only this payload references: a copy, unless it is already one. */
function ownCopy(value: unknown, copies: Set<unknown>): Container {
  if (copies.has(value)) return value as Container;
  const copy: Container = Array.isArray(value)
    ? [...(value as unknown[])]
    : Object.fromEntries(typeof value === "object" && value !== null ? Object.entries(value) : []);
  copies.add(copy);
  return copy;
}

/** Sets a member, in which `__proto__` is an ordinary name. */
function setMember(container: Container, key: string, value: unknown): void {
  Object.defineProperty(container, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}
