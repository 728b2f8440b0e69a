import type { PathSegment } from "../schema/check.js";

/** A part that was omitted to make a value fit. */
export interface Omission {
  readonly path: readonly PathSegment[];
  readonly kind: "items" | "fields" | "characters";
  readonly omitted: number;
  readonly total: number;
}

/** A truncated value, with the parts that were omitted. */
interface Truncated {
  readonly value: unknown;
  readonly omissions: readonly Omission[];
}

/** Minimum number of characters of a truncated text. */
const MIN_TEXT = 40;

/**
 * Truncates a value to about `budget` characters of JSON. Lists lose items from their end, long
 * texts their end, and objects with very many properties the last of them. Small parts are kept,
 * large parts share the remaining budget.
 */
export function truncate(value: unknown, budget: number): Truncated {
  const omissions: Omission[] = [];
  return { value: truncateValue(value, budget, [], omissions), omissions };
}

function truncateValue(
  value: unknown,
  budget: number,
  path: readonly PathSegment[],
  omissions: Omission[],
): unknown {
  if (sizeOf(value) <= budget) return value;
  if (typeof value === "string") return truncateText(value, budget, path, omissions);
  if (Array.isArray(value)) return truncateList(value, budget, path, omissions);
  if (typeof value !== "object" || value === null) return value;
  return truncateObject(value, budget, path, omissions);
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

function truncateText(
  text: string,
  budget: number,
  path: readonly PathSegment[],
  omissions: Omission[],
): string {
  const kept = text.slice(0, Math.max(MIN_TEXT, budget - MIN_TEXT)).replace(/[\ud800-\udbff]$/, "");
  if (kept.length + MIN_TEXT >= text.length) return text;
  const omitted = text.length - kept.length;
  omissions.push({ path, kind: "characters", omitted, total: text.length });
  return `${kept}… [${omitted} more characters]`;
}

function truncateList(
  list: readonly unknown[],
  budget: number,
  path: readonly PathSegment[],
  omissions: Omission[],
): readonly unknown[] {
  const kept: unknown[] = [];
  let remaining = budget - 2;
  for (const item of list) {
    const size = sizeOf(item) + 1;
    if (size > remaining && kept.length > 0) break;
    kept.push(
      size > remaining ? truncateValue(item, remaining, [...path, kept.length], omissions) : item,
    );
    remaining -= size;
  }
  if (kept.length < list.length)
    omissions.push({ path, kind: "items", omitted: list.length - kept.length, total: list.length });
  return kept;
}

function truncateObject(
  object: object,
  budget: number,
  path: readonly PathSegment[],
  omissions: Omission[],
): object {
  const entries = Object.entries(object).map(([key, value]) => ({
    key,
    value,
    size: sizeOf(value) + key.length + 4,
  }));
  const shares = allocate(
    entries.map(({ size }) => size),
    budget - 2,
  );
  const kept = entries.flatMap(({ key, value }, i) => {
    const share = shares[i]! - key.length - 4;
    return share < 1
      ? []
      : [[key, truncateValue(value, share, [...path, key], omissions)] as const];
  });
  if (kept.length < entries.length)
    omissions.push({
      path,
      kind: "fields",
      omitted: entries.length - kept.length,
      total: entries.length,
    });
  return Object.fromEntries(kept);
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
