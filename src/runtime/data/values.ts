/** JSON values, members of objects, percent-encoded text, and names that resemble another. */
import type { Steps } from "./steps.js";

/** True if a value is a JSON object: not an array and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Splits a JSON pointer into its keys. RFC 6901. */
export function parsePointer(pointer: string): readonly string[] {
  const steps = pointer.split("/").slice(1);
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * Reads the value at a JSON pointer; `undefined` when there is none. The steps of an array are its
 * indices, so `length` is not a step. Its type comes from the API description and is not checked
 * here. RFC 6901.
 */
export function valueAt<Value = unknown>(root: unknown, pointer = ""): Value | undefined {
  let value = root;
  for (const key of parsePointer(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value as Value | undefined;
}

/** Result of parsing JSON without loss. */
export interface ParsedJson {
  readonly value: unknown;
  /** True if it contains strings for numbers that a double cannot represent. */
  readonly hasInexactNumbers: boolean;
}

/**
 * Parses JSON without rounding. An integer beyond 2^53 becomes text with exactly its digits,
 * because IDs are often such integers, and so does a number beyond the range of a double (`1e400`).
 * @throws SyntaxError when the text is not JSON
 */
export function* parseJsonInSteps(text: string): Steps<ParsedJson> {
  const value: unknown = JSON.parse(text);
  yield;
  if (!/\d{16}|[eE][+-]?\d{3}/.test(text)) return { value, hasInexactNumbers: false };
  const quoted = yield* quoteInexactNumbers(text);
  if (quoted === text) return { value, hasInexactNumbers: false };
  yield;
  return { value: JSON.parse(quoted), hasInexactNumbers: true };
}

/** Strings, whose digits are skipped, or numbers with any fraction and exponent. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Number of strings and numbers that one step reads. */
const STEP_TOKENS = 10_000;

function* quoteInexactNumbers(json: string): Steps<string> {
  const parts: string[] = [];
  let [end, count] = [0, 0];
  for (const { 0: token, index } of json.matchAll(STRING_OR_NUMBER)) {
    if (++count % STEP_TOKENS === 0) yield;
    if (!isInexact(token)) continue;
    parts.push(json.slice(end, index), `"${token}"`);
    end = index + token.length;
  }
  return parts.join("") + json.slice(end);
}

/** True for integers beyond 2^53, and for numbers that become infinite or zero. */
function isInexact(token: string): boolean {
  if (token.startsWith('"')) return false;
  const number = Number(token);
  if (/^-?\d{16,}$/.test(token)) return !Number.isSafeInteger(number);
  return !Number.isFinite(number) || (number === 0 && /^-?[\d.]*[1-9]/.test(token));
}

/** True if a member may be undefined. A member of unknown type counts as required. */
type IsOptional<Value> = unknown extends Value ? false : undefined extends Value ? true : false;

/** An object whose members that may be undefined are optional. */
type DefinedMembers<T> = {
  [Key in keyof T as IsOptional<T[Key]> extends true ? never : Key]: T[Key];
} & {
  [Key in keyof T as IsOptional<T[Key]> extends true ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Copies an object without its undefined members. */
export function omitUndefined<T extends object>(object: T): DefinedMembers<T> {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as DefinedMembers<T>;
}

/** Reads a member of its own from a record. Names such as `constructor` occur in documents. */
export function ownProperty<T>(
  record: Readonly<Record<string, T>> | undefined,
  key: string,
): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Decodes a percent-encoded text. Malformed text stays. */
export function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The beginning of a text that is longer than a maximum. */
export function beginningOf(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

/** Writes the first letter of a text in upper case. */
export function capitalize(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

/** True for no value, an empty text, and an empty list or object. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Joins the first `max` items and counts the others: `a, b and 3 more`, `a; b; and 3 more`. */
export function joinFirst(items: readonly string[], max: number, separator = ", "): string {
  const shown = items.slice(0, max).join(separator);
  const omitted = items.length - max;
  if (omitted <= 0) return shown;
  return `${shown}${separator === ", " ? "" : separator.trimEnd()} and ${omitted} more`;
}

/**
 * Finds up to three known names that a mistaken name most likely means, nearest first. Case, `-`
 * and `_` are ignored. Of equally near names, those of the same length are first.
 */
export function nearestNames(
  name: string,
  knownNames: Iterable<string>,
  max = 3,
): readonly string[] {
  if (name.length > 100) return [];
  const normalized = normalize(name);
  const limit = Math.max(1, Math.floor(normalized.length / 3));
  const lengthDifference = (candidate: string): number => Math.abs(candidate.length - name.length);
  return [...knownNames]
    .map((candidate) => ({
      candidate,
      edits: editDistance(normalized, normalize(candidate), limit),
    }))
    .filter(({ edits }) => edits <= limit && edits < normalized.length)
    .sort(
      (a, b) =>
        a.edits - b.edits ||
        lengthDifference(a.candidate) - lengthDifference(b.candidate) ||
        (a.candidate < b.candidate ? -1 : 1),
    )
    .slice(0, max)
    .map(({ candidate }) => candidate);
}

/**
 * True if a name is probably another spelling of a known name, so that a call with it is a mistake:
 * another case or separator, one edit, or two in a long name. Names that differ in their numbers
 * (`line_1`, `line_2`) are two names.
 */
export function isNearMiss(name: string, known: string): boolean {
  const [one, other] = [normalize(name), normalize(known)];
  if (one === other) return true;
  if (one.replace(/\D/g, "") !== other.replace(/\D/g, "")) return false;
  const [shorter = 0, longer = 0] = [one.length, other.length].sort((a, b) => a - b);
  if (shorter >= 8) return editDistance(one, other, 2) <= 2;
  const isPlural = one === `${other}s` || other === `${one}s`;
  return isPlural || (longer >= 4 && editDistance(one, other, 1) <= 1);
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[-_\s.]/g, "");
}

/** Counts the edits (insert, delete, replace, swap neighbors) between two texts, up to `limit`. */
function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return Infinity;
  let above: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped =
        j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
          ? above[j - 2]! + 1
          : Infinity;
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1, swapped));
    }
    [above, row] = [row, next];
  }
  return row[to.length]!;
}

/** Adds an entry as the newest one. The oldest makes room above the maximum. */
export function addNewest(entries: Set<string>, entry: string, max: number): void {
  entries.delete(entry);
  entries.add(entry);
  const [oldest = ""] = entries;
  if (entries.size > max) entries.delete(oldest);
}
