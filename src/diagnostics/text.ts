import { nearestNames as nearestOf } from "../runtime/data/values.js";

/**
 * Characters that are removed from document text before it reaches a terminal or a generated file.
 * Control characters other than tab and line feed can rewrite the screen. Bidirectional controls
 * disguise text. Invisible characters (fillers, operators, tags, variation selectors) can hide text
 * that only a model reads; those with a legitimate use are removed only in rows of three or more.
 * Unicode: Bidi_Control, Default_Ignorable_Code_Point.
 */
const unsafeCharacters = new RegExp(
  [
    String.raw`[\u034f\u115f\u1160\u180b-\u180f\u200c\u200d\ufe00-\ufe0f]{3,}`,
    String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e` +
      String.raw`\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]`,
    String.raw`[\udb40-\udb43][\udc00-\udfff]`,
    String.raw`\ud82f[\udca0-\udca3]`,
    String.raw`\ud834[\udd73-\udd7a]`,
  ].join("|"),
  "g",
);

/**
 * Characters other than printable ASCII, tab and line feed. Most texts have none, and this test is
 * cheap.
 */
const uncommonCharacters = /[^\t\n -~]/;

/**
 * Removes control, bidirectional and invisible characters from document text. Line feeds and tabs
 * stay; CRLF becomes LF.
 */
export function sanitizeText(text: string): string {
  return uncommonCharacters.test(text) ? text.replace(unsafeCharacters, "") : text;
}

/** Replaces invisible characters by JSON escapes (`\u200b`), for messages about them. */
export function escapeInvisible(text: string): string {
  return text.replace(unsafeCharacters, (match) =>
    match.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** Sanitizes text and joins its lines, so that document text cannot imitate a line of output. */
export function toSingleLine(text: string): string {
  return sanitizeText(text.replace(/[\r\n\t\u2028\u2029]+/g, " ")).trim();
}

/**
 * Quotes document text for a message: sanitized, on one line, truncated to `max` characters.
 * `quoteText('a"b')` is `"a\"b"`.
 */
export function quoteText(text: string, max = 120): string {
  const characters = [...toSingleLine(text.slice(0, max * 4))];
  const cut = characters.length > max || text.length > max * 4;
  return `"${characters.slice(0, max).join("").replace(/["\\]/g, "\\$&")}${cut ? "…" : ""}"`;
}

/** The type of a value for a message that must not repeat the value: `a string`, `an array`. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Phrases for types of JSON Schema in messages about values that users write in YAML. */
export const TYPE_PHRASES: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

/** Formats a number as `12,345`, independent of the locale. */
export function formatNumber(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Formats a number with its noun: `1 tool`, `2,400 tools`. */
export function formatCount(value: number, noun: string): string {
  return `${formatNumber(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** Finds the candidate that a misspelled word most likely means; undefined when none is close. */
export function closestMatch(word: string, candidates: Iterable<string>): string | undefined {
  return nearestOf(word, candidates, 1)[0];
}

/** `; did you mean x?`, or the empty string without a close candidate. */
export function suggestionFor(word: string, candidates: Iterable<string>): string {
  const best = closestMatch(word, candidates);
  return best === undefined ? "" : `; did you mean ${best}?`;
}
