/** Numbers of items in pages: requested, usual, and full. */
import type { ApiCall } from "../request/types.js";
import type { PaginationMapping } from "../types.js";

/** Number of items of a full page. APIs read 0 and negative numbers as their default or as all. */
export function sizeOfPage(
  call: ApiCall,
  { input, default: defaultSize }: NonNullable<PaginationMapping["pageSize"]>,
): number | undefined {
  const isGiven = input !== undefined && call.input[input] !== undefined;
  const size = isGiven ? inputNumber(call, input) : defaultSize;
  return size !== undefined && size > 0 ? size : undefined;
}

/** True if a requested page is shorter than requested, but as long as the maximum of an API. */
export function isCapped(
  { input }: ApiCall,
  pageSize: PaginationMapping["pageSize"],
  count: number,
): boolean {
  return input[pageSize?.input ?? ""] !== undefined && count >= 100 && isRoundCount(count);
}

/** True for a number of items that APIs choose as the size of their pages. */
export function isRoundCount(count: number): boolean {
  return ROUND_COUNTS.has(count) || (count > 0 && count % 500 === 0);
}

const ROUND_COUNTS: ReadonlySet<number> = new Set([10, 20, 25, 30, 50, 100, 200, 250]);

/** Value of an input as a number; `undefined` if it is none. */
export function inputNumber({ input }: ApiCall, name: string | undefined): number | undefined {
  const value = name === undefined ? undefined : input[name];
  const isDigits = typeof value === "string" && /^\d{1,15}$/.test(value);
  return finiteNumber(isDigits ? Number(value) : value);
}

/** A value that is a finite number; otherwise `undefined`. */
export function finiteNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
