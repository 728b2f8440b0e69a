/** Counts of the values in a long list, so that an agent need not count them, or request them again. */
import { formatPath, type PathSegment } from "../schema/check.js";
import { isObject } from "../data/values.js";
import type { Omission } from "./truncate.js";

/** Number of items from which on a list is counted. */
const MIN_COUNTED_ITEMS = 30;
/** Longer lists would take a noticeable part of a call. */
const MAX_COUNTED_ITEMS = 20_000;
const MAX_COUNTED_FIELDS = 4;
const MAX_DISTINCT = 6;
const MAX_COUNTED_LENGTH = 40;
/** Levels below the root at which a list is looked for. */
const MAX_LIST_LEVELS = 3;

interface LongList {
  readonly path: readonly PathSegment[];
  readonly items: readonly Record<string, unknown>[];
}

/**
 * States how often each value of a field with few values occurs in the longest list of objects:
 * `Counted in these 301 items of rrsets: type (A 299, NS 1, SOA 1).` Fields are counted that are
 * true, false or a short text in every item.
 * @param value the whole result, before it is truncated
 */
export function valueCountsNote(
  value: unknown,
  omissions: readonly Omission[] = [],
): string | undefined {
  const list = longestList(value, []);
  if (!list) return undefined;
  const { path, items } = list;
  const counts = Object.keys(items[0] ?? {})
    .flatMap((field) => countsOf(items, field) ?? [])
    .slice(0, MAX_COUNTED_FIELDS);
  if (counts.length === 0) return undefined;
  const name = formatPath(path);
  const where = name === "" || name === "items" ? "" : ` of ${name}`;
  const isCut = omissions.some(({ path: at }) => formatPath(at) === name);
  const which = isCut
    ? `all ${items.length} items${where}, with the omitted ones`
    : `these ${items.length} items${where}`;
  return `Counted in ${which}: ${counts.join("; ")}.`;
}

/** `type (A 299, NS 1, SOA 1)`; undefined for a field of another kind, or with one value only. */
function countsOf(items: LongList["items"], field: string): string | undefined {
  const counts = new Map<string, number>();
  for (const item of items) {
    const value = Object.hasOwn(item, field) ? item[field] : undefined;
    if (!isCountable(value)) return undefined;
    const text = typeof value === "string" ? shownText(value) : String(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    if (counts.size > MAX_DISTINCT) return undefined;
  }
  if (counts.size < 2) return undefined;
  const byCount = [...counts].toSorted(([, a], [, b]) => b - a);
  return `${field} (${byCount.map(([text, count]) => `${text} ${count}`).join(", ")})`;
}

const isCountable = (value: unknown): boolean =>
  typeof value === "boolean" || (typeof value === "string" && value.length <= MAX_COUNTED_LENGTH);

/** Text that is more than a word is quoted. */
const shownText = (text: string): string =>
  /^[\p{L}_][\p{L}\p{N}_.:/-]*$/u.test(text) ? text : JSON.stringify(text);

/** The longest list of objects in a value, itself or below a few objects and lists of one. */
function longestList(value: unknown, path: readonly PathSegment[]): LongList | undefined {
  if (Array.isArray(value) && value.length !== 1) return asLongList(value, path);
  if (!Array.isArray(value) && !isObject(value)) return undefined;
  if (path.length >= MAX_LIST_LEVELS) return undefined;
  let longest: LongList | undefined;
  for (const [key, member] of Object.entries(value)) {
    const segment = Array.isArray(value) ? Number(key) : key;
    const found = longestList(member, [...path, segment]);
    if (found && found.items.length > (longest?.items.length ?? 0)) longest = found;
  }
  return longest;
}

function asLongList(list: readonly unknown[], path: LongList["path"]): LongList | undefined {
  const isLong = list.length >= MIN_COUNTED_ITEMS && list.length <= MAX_COUNTED_ITEMS;
  return isLong && list.every(isObject) ? { path, items: list } : undefined;
}
