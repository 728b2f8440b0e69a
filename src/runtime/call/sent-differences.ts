/**
 * Differences between what a write has sent and what a read shows after it. Fields of the same name
 * are compared, and an ID with that of the thing it names: `status_id` and `status.id`. Fields that
 * the read lacks, secrets, counters of versions and other forms of the same value are no
 * differences.
 */
import { parseJsonText } from "../data/json-text.js";
import { essence, isForm, isJson } from "../data/media-types.js";
import { isObject, joinFirst, ownProperty, beginningOf } from "../data/values.js";
import { type BoundRequest, headerIn } from "../request/types.js";
import { formatPath, type PathSegment } from "../schema/check.js";
import { isSecretField } from "../schema/secret-name.js";

/** A field whose value is not the one that was sent. */
export interface SentDifference {
  /** Path in the request body; `$` for the whole body. */
  readonly field: string;
  readonly sent: unknown;
  readonly current: unknown;
}

interface ReadValue {
  readonly value: unknown;
  /** True if lists and texts in it are whole. */
  readonly isWhole: boolean;
  /** True if the write may add to what was there before, such as `appendText`. */
  readonly mayAdd?: boolean;
}

/** Maximum number of differences in a note, and maximum number of characters of a value in it. */
const MAX_DIFFERENCES = 5;
const MAX_VALUE = 120;

/** Maximum depth at which fields are compared. */
const MAX_DEPTH = 8;

/** Maximum number of items of lists whose items are compared. */
const MAX_ITEMS = 200;

/** Fields that an API changes with every write. */
const CHANGES_ITSELF =
  /^_?(?:.*version|rev(?:ision)?|e_?tag|generation|(?:last_?)?(?:updated|modified|changed|edited)(?:_?(?:at|on|by|date|time))?|timestamp)$/i;

/** Fields of an item of a request that say how the item of the thing changes. */
const CHANGE_KIND =
  /^_?(?:change_?type|op|operation|action|method|patch_?type|destroy|deleted?|removed?)$/i;

/** A sentence about differences, if there are any. */
export function differenceNote(differences: readonly SentDifference[]): string | undefined {
  if (differences.length === 0) return undefined;
  const parts = differences.map(
    ({ field, sent, current }) =>
      `${field === "$" ? "" : `${field} `}(sent ${show(sent)}, current ${show(current)})`,
  );
  const colon = differences[0]!.field === "$" ? "" : ":";
  return `current differs from what was sent${colon} ${joinFirst(parts, MAX_DIFFERENCES)}.`;
}

const show = (value: unknown): string => beginningOf(JSON.stringify(value), MAX_VALUE);

/** What a request has sent: its body, or the query of a request without one. */
export function sentValue({ url, headers, body }: BoundRequest): unknown {
  if (body === undefined) return Object.fromEntries(new URL(url).searchParams);
  const type = headerIn(headers, "Content-Type") ?? "";
  if (typeof body !== "string") return undefined;
  if (isForm(type)) return Object.fromEntries(new URLSearchParams(body));
  if (!isJson(type) || essence(type) === "application/json-patch+json") return undefined;
  return parseJsonText(body);
}

/** The differences of a read value from a sent one. */
export function differencesFrom(sent: unknown, read: ReadValue): readonly SentDifference[] {
  if (sent === undefined) return [];
  const [given, value] = Array.isArray(sent)
    ? [sent, listOf(read.value)]
    : withoutEnvelopes(sent, read.value);
  return differencesAt(given, { ...read, value }, []);
}

/** The list of a result, which may stand in `items`. */
const listOf = (value: unknown): unknown =>
  isObject(value) && Array.isArray(value["items"]) ? value["items"] : value;

/** Both objects without envelopes that only one of them has: `{pet: {…}}`, `{items: [{…}]}`. */
function withoutEnvelopes(sent: unknown, read: unknown): readonly [unknown, unknown] {
  if (!isObject(sent) || !isObject(read) || shareName(sent, read)) return [sent, read];
  const [inSent, inRead] = [contentOf(sent), contentOf(read)];
  if (inRead && shareName(sent, inRead)) return [sent, inRead];
  if (inSent && shareName(inSent, read)) return [inSent, read];
  return [inSent, inRead];
}

/** The only object in an object, or in its only list. */
function contentOf(value: Record<string, unknown>): Record<string, unknown> | undefined {
  const inner = Object.values(value).map((one) =>
    Array.isArray(one) && one.length === 1 ? (one[0] as unknown) : one,
  );
  const [only, ...others] = inner.filter(isObject);
  return others.length === 0 ? only : undefined;
}

const shareName = (one: object, other: object): boolean =>
  Object.keys(one).some(
    (name) =>
      Object.hasOwn(other, name) || idOf(name, other as Record<string, unknown>) !== undefined,
  );

function differencesAt(
  sent: unknown,
  read: ReadValue,
  path: readonly PathSegment[],
): readonly SentDifference[] {
  const { value, isWhole } = read;
  if (isObject(sent) && isObject(value))
    return path.length >= MAX_DEPTH ? [] : fieldDifferences(sent, { ...read, value }, path);
  const isSame =
    Array.isArray(sent) && Array.isArray(value)
      ? !isWhole || isSameList(sent, value, read.mayAdd)
      : isObject(sent) || isObject(value) || isSameValue(sent, read);
  if (isSame) return [];
  return [{ field: path.length === 0 ? "$" : formatPath(path), sent, current: value }];
}

function fieldDifferences(
  sent: Record<string, unknown>,
  { value: fields, ...read }: ReadValue & { readonly value: Record<string, unknown> },
  path: readonly PathSegment[],
): readonly SentDifference[] {
  return Object.entries(sent).flatMap(([name, value]) => {
    if (isSecretField(name) || CHANGES_ITSELF.test(name)) return [];
    const current = Object.hasOwn(fields, name) ? ownProperty(fields, name) : idOf(name, fields);
    return current === undefined
      ? []
      : differencesAt(value, { ...read, value: current }, [...path, name]);
  });
}

/** The ID of the thing that `status_id` names, if a read has the thing in its place. */
function idOf(name: string, fields: Record<string, unknown>): unknown {
  const [, thing = ""] = /^(.+?)(?:_id|Id)$/.exec(name) ?? [];
  const value = Object.hasOwn(fields, thing) ? ownProperty(fields, thing) : undefined;
  return isObject(value) ? ownProperty(value, "id") : undefined;
}

/** True if both lists have the same items in any order, as far as that can be told. */
function isSameList(sent: readonly unknown[], read: readonly unknown[], mayAdd?: boolean): boolean {
  if (mayAdd && sent.length === 0) return true;
  if (sent.length === 0 || read.length === 0) return sent.length === read.length;
  if (!canCompare(sent, read)) return true;
  if (mayAdd ? sent.length > read.length : sent.length !== read.length) return false;
  if (sent.length > MAX_ITEMS) return true;
  return sent.every((item) => read.some((other) => isSameItem(item, other)));
}

/** Items of the same kind. Objects need a name in common, and must not be changes of items. */
function canCompare(sent: readonly unknown[], read: readonly unknown[]): boolean {
  const areObjects = sent.every(isObject);
  if (areObjects !== read.every(isObject)) return false;
  if (areObjects)
    return (
      shareName(sent[0] as object, read[0] as object) && !sent.some((one) => isChange(one, read))
    );
  return [...sent, ...read].every((item) => typeof item !== "object" || item === null);
}

/** True for an item that says what happens to an item: `{name: "www", changetype: "REPLACE"}`. */
const isChange = (sent: unknown, read: readonly unknown[]): boolean =>
  Object.keys(sent as object).some(
    (name) => CHANGE_KIND.test(name) && !read.some((one) => Object.hasOwn(one as object, name)),
  );

const isSameItem = (sent: unknown, read: unknown): boolean =>
  differencesAt(sent, { value: read, isWhole: true }, []).length === 0;

/** True if two values are the same, one of them is hidden, or both only differ in their form. */
function isSameValue(sent: unknown, { value: read, isWhole, mayAdd }: ReadValue): boolean {
  if (isNothing(sent) || isNothing(read)) return isNothing(sent) === isNothing(read);
  if (Array.isArray(sent) || Array.isArray(read)) return true;
  const [one, other] = [textOf(sent), textOf(read)];
  if (isHidden(other) || (!isWhole && other.includes("… ["))) return true;
  if (isNumeric(one) || isNumeric(other))
    return !isNumeric(one) || !isNumeric(other) || Number(one) === Number(other);
  const areTexts = typeof sent === "string" && typeof read === "string";
  if (!areTexts || isSameInstant(one, other)) return true;
  const [given, current] = [comparableText(one), comparableText(other)];
  return mayAdd ? current.includes(given) : current === given;
}

/** A value as text, and flags as numbers, because APIs convert both. */
const textOf = (value: unknown): string =>
  /^(?:true|false)$/i.test(String(value))
    ? String(Number(/t/i.test(String(value))))
    : String(value);

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (value as unknown[]).length === 0;

/** Masked values: `****1234`, `[redacted]`, `<hidden>`. */
const isHidden = (text: string): boolean =>
  /[*\u2022\u25cf]{3}|x{4,}|^[[<(]?(?:redacted|hidden|masked|encrypted|secret)[\])>]?$/i.test(text);

const isNumeric = (text: string): boolean => /^\s*[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?\s*$/i.test(text);

const DATE = /^\d{4}-\d\d-\d\d/;

const isSameInstant = (one: string, other: string): boolean =>
  DATE.test(one) && DATE.test(other) && Date.parse(one) === Date.parse(other);

/** A text without markup, case, spaces and punctuation, which APIs normalize. */
function comparableText(text: string): string {
  const letters = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
  return letters === "" ? text.trim() : letters;
}
