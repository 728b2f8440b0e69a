/** Truncates values to a number of characters of JSON. */
import type { PathSegment } from "../schema/check.js";
import { LONG_TEXT } from "./shape.js";

/** A part that was omitted to make a value fit. */
export interface Omission {
  readonly path: readonly PathSegment[];
  readonly kind: "items" | "fields" | "characters";
  readonly omitted: number;
  readonly total: number;
  /** Number of the step of a run whose result the path is in, counted from 1. */
  readonly step?: number;
}

interface Truncated {
  readonly value: unknown;
  readonly omissions: readonly Omission[];
}

/** Minimum number of characters of a truncated text. */
const MIN_TEXT = 40;

/** Part of a truncated text that is its end, and the maximum number of its characters. */
const END_SHARE = 0.1;
const MAX_END = 500;

/** Number of characters up to which a value is hardly truncated. */
const MIN_VALUE = 2 * MIN_TEXT;

/** Maximum number of items of a list whose large items are truncated so that no item is omitted. */
const MAX_SHARING = 20;

/** Minimum number of characters of an item that is truncated for that. */
const MIN_ITEM = 200;

/**
 * Truncates a value to about `budget` characters of JSON. Lists are truncated at their end, short
 * ones inside their few large items or the last one that fits in part, long texts before their end,
 * and objects with very many properties lose the last ones. Small parts are kept. Large parts share
 * the remaining budget.
 */
export function truncate(value: unknown, budget: number): Truncated {
  const truncation: Truncation = { omissions: [], sizes: new JsonSizes() };
  return {
    value: truncateValue(value, budget, [], truncation),
    omissions: truncation.omissions,
  };
}

interface Truncation {
  readonly omissions: Omission[];
  readonly sizes: JsonSizes;
}

/** Lengths of the JSON of values. Those of objects and lists are computed once, on every level. */
class JsonSizes {
  readonly #known = new Map<object, number>();

  of(value: unknown): number {
    if (typeof value === "string" && value.length > LONG_TEXT) return value.length + 2;
    if (typeof value !== "object" || value === null || "toJSON" in value)
      return JSON.stringify(value)?.length ?? 0;
    const known = this.#known.get(value) ?? this.#measure(value);
    this.#known.set(value, known);
    return known;
  }

  #measure(value: object): number {
    let size = 1;
    if (Array.isArray(value)) for (const item of value) size += this.of(item) + 1;
    else
      for (const [key, member] of Object.entries(value)) size += key.length + 4 + this.of(member);
    return Math.max(size, 2);
  }
}

function truncateValue(
  value: unknown,
  budget: number,
  path: readonly PathSegment[],
  truncation: Truncation,
): unknown {
  if (truncation.sizes.of(value) <= budget) return value;
  if (typeof value === "string") return truncateText(value, budget, path, truncation);
  if (Array.isArray(value)) return truncateList(value, budget, path, truncation);
  if (typeof value !== "object" || value === null) return value;
  return truncateObject(value, budget, path, truncation);
}

function truncateText(
  text: string,
  budget: number,
  path: readonly PathSegment[],
  { omissions }: Truncation,
): string {
  const room = Math.max(MIN_TEXT, budget - MIN_TEXT);
  const end = text.slice(text.length - endLength(room)).replace(/^[\udc00-\udfff]/, "");
  const kept = text.slice(0, room - end.length).replace(/[\ud800-\udbff]$/, "");
  const omitted = text.length - kept.length - end.length;
  if (omitted <= MIN_TEXT) return text;
  omissions.push({ path, kind: "characters", omitted, total: text.length });
  return `${kept}… [${omitted} more characters]${end === "" ? "" : ` …${end}`}`;
}

/** Characters of the end of a text that is truncated; 0 where they would say nothing. */
function endLength(room: number): number {
  const length = Math.min(MAX_END, Math.floor(room * END_SHARE));
  return length < MIN_TEXT ? 0 : length;
}

function truncateList(
  list: readonly unknown[],
  budget: number,
  path: readonly PathSegment[],
  truncation: Truncation,
): readonly unknown[] {
  const shares = sharesOfItems(list, budget - 2, truncation);
  if (shares)
    return list.map((item, i) => truncateValue(item, shares[i]! - 1, [...path, i], truncation));
  const kept: unknown[] = [];
  let remaining = budget - 2;
  for (const item of list) {
    const size = truncation.sizes.of(item) + 1;
    const least = list.length > MAX_SHARING ? Infinity : MIN_ITEM;
    if (size > remaining && kept.length > 0 && remaining < least) break;
    kept.push(
      size > remaining ? truncateValue(item, remaining, [...path, kept.length], truncation) : item,
    );
    remaining -= size;
    if (remaining <= 0) break;
  }
  const omitted = list.length - kept.length;
  if (omitted > 0) truncation.omissions.push({ path, kind: "items", omitted, total: list.length });
  return kept;
}

/**
 * Shares of the items of a short list, of which few are larger than theirs. Undefined for others:
 * there the first items are kept whole.
 */
function sharesOfItems(
  list: readonly unknown[],
  budget: number,
  { sizes }: Truncation,
): readonly number[] | undefined {
  if (list.length > MAX_SHARING) return undefined;
  const wanted = list.map((item) => sizes.of(item) + 1);
  const shares = allocate(wanted, budget);
  const cut = shares.filter((share, i) => share < wanted[i]!);
  return cut.length * 2 <= list.length && cut.every((share) => share >= MIN_ITEM)
    ? shares
    : undefined;
}

function truncateObject(
  object: object,
  budget: number,
  path: readonly PathSegment[],
  truncation: Truncation,
): object {
  const keys = Object.keys(object);
  const members = object as Readonly<Record<string, unknown>>;
  const kept = fittingMembers(members, keys, budget - 2, truncation.sizes);
  const shares = allocate(
    kept.map(({ size }) => size),
    budget - 2,
  );
  const truncated = kept.map(({ key, value }, i) => {
    const share = shares[i]! - key.length - 4;
    return [key, truncateValue(value, share, [...path, key], truncation)] as const;
  });
  const omitted = keys.length - kept.length;
  if (omitted > 0) truncation.omissions.push({ path, kind: "fields", omitted, total: keys.length });
  return Object.fromEntries(truncated);
}

/** A member of an object, and the length of its JSON. */
interface SizedMember {
  readonly key: string;
  readonly value: unknown;
  readonly size: number;
}

/** The first members that fit into a budget, if their values are truncated. */
function fittingMembers(
  object: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  budget: number,
  sizes: JsonSizes,
): readonly SizedMember[] {
  const members: SizedMember[] = [];
  let total = 0;
  for (const key of keys) {
    const value = object[key];
    const size = sizes.of(value) + key.length + 4;
    total += Math.min(size, key.length + 4 + MIN_VALUE);
    if (total > budget) break;
    members.push({ key, value, size });
  }
  return members;
}

/** Shares the budget among parts. The smallest go first; the rest is left to the larger ones. */
function allocate(sizes: readonly number[], budget: number): readonly number[] {
  const shares = sizes.map(() => 0);
  const smallestFirst = sizes
    .map((size, i) => ({ size, i }))
    .sort((a, b) => a.size - b.size || a.i - b.i);
  let remaining = budget;
  smallestFirst.forEach(({ size, i }, served) => {
    const share = Math.min(size, Math.floor(remaining / (sizes.length - served)));
    shares[i] = share;
    remaining -= share;
  });
  return shares;
}
