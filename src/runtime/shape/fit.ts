import type { Step } from "../schema/index.js";

/** What was left out to make a value fit. */
export interface Omission {
  readonly path: readonly Step[];
  readonly kind: "items" | "fields" | "characters";
  readonly left: number;
  readonly of: number;
}

export interface Fitted {
  readonly value: unknown;
  readonly omissions: readonly Omission[];
}

/** Text is not cut shorter than this. */
const leastText = 40;

/**
 * Cuts a value down to about `budget` characters of JSON, at boundaries: lists lose items from
 * their end, long texts their end, objects with very many properties the last of them. Small parts
 * stay whole, large ones share what remains.
 */
export function fit(value: unknown, budget: number): Fitted {
  const omissions: Omission[] = [];
  return { value: shrink(value, budget, [], omissions), omissions };
}

function shrink(
  value: unknown,
  budget: number,
  path: readonly Step[],
  omissions: Omission[],
): unknown {
  if (sizeOf(value) <= budget) return value;
  if (typeof value === "string") return shrinkText(value, budget, path, omissions);
  if (Array.isArray(value)) return shrinkList(value, budget, path, omissions);
  return typeof value === "object" && value !== null
    ? shrinkObject(value, budget, path, omissions)
    : value;
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

function shrinkText(
  text: string,
  budget: number,
  path: readonly Step[],
  omissions: Omission[],
): string {
  const kept = text
    .slice(0, Math.max(leastText, budget - leastText))
    .replace(/[\ud800-\udbff]$/, "");
  if (kept.length + leastText >= text.length) return text;
  omissions.push({ path, kind: "characters", left: text.length - kept.length, of: text.length });
  return `${kept}… [${text.length - kept.length} more characters]`;
}

function shrinkList(
  list: readonly unknown[],
  budget: number,
  path: readonly Step[],
  omissions: Omission[],
): readonly unknown[] {
  const kept: unknown[] = [];
  let left = budget - 2;
  for (const item of list) {
    const size = sizeOf(item) + 1;
    if (size > left && kept.length > 0) break;
    kept.push(size > left ? shrink(item, left, [...path, kept.length], omissions) : item);
    left -= size;
  }
  if (kept.length < list.length)
    omissions.push({ path, kind: "items", left: list.length - kept.length, of: list.length });
  return kept;
}

function shrinkObject(
  object: object,
  budget: number,
  path: readonly Step[],
  omissions: Omission[],
): object {
  const entries = Object.entries(object).map(([key, value]) => ({
    key,
    value,
    size: sizeOf(value) + key.length + 4,
  }));
  const shares = sharesOf(
    entries.map(({ size }) => size),
    budget - 2,
  );
  const kept = entries.flatMap(({ key, value }, i) => {
    const share = shares[i]! - key.length - 4;
    return share < 1 ? [] : [[key, shrink(value, share, [...path, key], omissions)] as const];
  });
  if (kept.length < entries.length)
    omissions.push({
      path,
      kind: "fields",
      left: entries.length - kept.length,
      of: entries.length,
    });
  return Object.fromEntries(kept);
}

/**
 * How much of the budget each part gets: the smallest are served first, and what they do not need
 * goes to the larger ones.
 */
function sharesOf(sizes: readonly number[], budget: number): readonly number[] {
  const shares = sizes.map(() => 0);
  const smallestFirst = sizes
    .map((size, i) => ({ size, i }))
    .sort((a, b) => a.size - b.size || a.i - b.i);
  let left = budget;
  smallestFirst.forEach(({ size, i }, served) => {
    const share = Math.min(size, Math.floor(left / (sizes.length - served)));
    shares[i] = share;
    left -= share;
  });
  return shares;
}
