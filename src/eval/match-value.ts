import { isObject } from "../json.js";

/** A full date-time of RFC 3339. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i;

/** Text between slashes, which is a regular expression: `/rex/i`. */
const PATTERN = /^\/(.+)\/(i?)$/s;

/**
 * Tests whether a value is what a task expects. Objects may have more than is expected. Numbers and
 * booleans may be text, date-times are compared as points in time, and one value equals a list of
 * it, as in the calls that servers accept.
 * @param expected `*` stands for any value; text between slashes is a pattern for text
 */
export function matchesValue(expected: unknown, actual: unknown): boolean {
  if (actual === undefined) return false;
  if (expected === "*") return true;
  if (Array.isArray(expected)) return matchesList(expected, actual);
  if (isObject(expected)) return matchesObject(expected, actual);
  if (Array.isArray(actual)) return actual.length === 1 && matchesValue(expected, actual[0]);
  return typeof expected === "string"
    ? matchesText(expected, actual)
    : expected === actual || (typeof actual === "string" && String(expected) === actual.trim());
}

function matchesList(expected: readonly unknown[], actual: unknown): boolean {
  const items = asJson(actual);
  if (!Array.isArray(items)) return expected.length === 1 && matchesValue(expected[0], items);
  return (
    items.length === expected.length && expected.every((item, i) => matchesValue(item, items[i]))
  );
}

function matchesObject(expected: Readonly<Record<string, unknown>>, actual: unknown): boolean {
  const value = asJson(actual);
  return (
    isObject(value) &&
    Object.entries(expected).every(
      ([key, part]) => Object.hasOwn(value, key) && matchesValue(part, value[key]),
    )
  );
}

/** The value of JSON text, which some hosts send in place of an object; else the value itself. */
function asJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function matchesText(expected: string, actual: unknown): boolean {
  if (typeof actual === "object") return false;
  const text = String(actual);
  const pattern = patternOf(expected);
  if (pattern) return pattern.test(text);
  if (DATE_TIME.test(expected) && DATE_TIME.test(text))
    return Date.parse(expected) === Date.parse(text);
  return expected.trim() === text.trim();
}

/** The pattern of a text between slashes; undefined for other text and for an invalid pattern. */
export function patternOf(text: string): RegExp | undefined {
  const [, source, flags] = PATTERN.exec(text) ?? [];
  if (source === undefined) return undefined;
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return undefined;
  }
}

/** Tests whether a text has an expected part, in any case, or matches a pattern between slashes. */
export function containsText(expected: string, text: string): boolean {
  const pattern = patternOf(expected);
  return pattern ? pattern.test(text) : text.toLowerCase().includes(expected.toLowerCase());
}

/** Tests whether an expected value leaves the actual one open. */
export function isOpen(expected: unknown): boolean {
  return expected === "*" || (typeof expected === "string" && patternOf(expected) !== undefined);
}

/** Tests a name against one with `*` for any characters: `delete_*`. */
export function matchesGlob(glob: string, name: string): boolean {
  const source = glob
    .split(/\*+/)
    .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${source}$`, "su").test(name);
}
