/** Lists that are followed without configuration: as long as they are small and cost little. */
import { isRateLimitExhausted } from "../client/rate-limit-headers.js";
import { ITEM_COUNT, POSITION } from "../response/notes.js";
import type { PaginationMapping, ToolInput } from "../types.js";
import type { NextPage, Page, PagedCall } from "./next-page.js";

/** Bounds of the pages that one call collects. */
export interface PageBounds {
  /** Number of items from which on no further page is requested. */
  readonly maxItems: number;
  /** Maximum number of requests. */
  readonly maxPages: number;
  /** Number of characters from which on no further page is requested. */
  readonly enoughCharacters: number;
  /** Maximum number of characters of all items. */
  readonly maxCharacters: number;
  /** True if nobody configured the pages: they are whole, and requests are neither repeated nor late. */
  readonly isAutomatic: boolean;
}

/** Number of items that a list without configuration collects, and maximum number of its requests. */
const [ITEMS, REQUESTS] = [100, 5];

/** Shares of the size of a result: from which on a list is not small, and that it may have. */
const [ENOUGH_SHARE, MAX_SHARE] = [0.25, 0.5];

/** Milliseconds that the pages after the first may take, all together. */
export const FOLLOWING_MS = 10_000;

/**
 * Bounds of the pages of a call; `undefined` if it gets one page. A caller who gives a position or
 * a number of items gets what was asked for.
 */
export function pageBounds({ server, operation, call }: PagedCall): PageBounds | undefined {
  const { pagination = {} } = operation;
  const { maxItems, isFollowed } = pagination;
  const { followPages, maxResultCharacters } = server.settings;
  if (maxItems !== undefined)
    return {
      maxItems,
      maxPages: 1000,
      enoughCharacters: Infinity,
      maxCharacters: maxResultCharacters,
      isAutomatic: false,
    };
  if (!isFollowed || !followPages || selectsItems(call.input, pagination)) return undefined;
  return {
    maxItems: ITEMS,
    maxPages: REQUESTS,
    enoughCharacters: maxResultCharacters * ENOUGH_SHARE,
    maxCharacters: maxResultCharacters * MAX_SHARE,
    isAutomatic: true,
  };
}

/** True if an input selects a page or the number of its items. */
function selectsItems(input: ToolInput, pagination: PaginationMapping): boolean {
  const { input: size } = pagination.pageSize ?? {};
  const isSize = (name: string): boolean => name === size || ITEM_COUNT.test(name);
  return selectsPage(input, pagination) || givenNames(input).some(isSize);
}

/** True if an input selects another page than the first. */
export function selectsPage(
  input: ToolInput,
  { page, offset, cursor, after }: PaginationMapping,
): boolean {
  const known = [page, offset, cursor, after].map((one) => one?.input);
  return givenNames(input).some((name) => known.includes(name) || POSITION.test(name));
}

const givenNames = (input: ToolInput): readonly string[] =>
  Object.keys(input).filter((name) => input[name] !== undefined);

/**
 * True if a page may be requested that nobody configured: it follows for certain or by a full page,
 * and the API allows more requests.
 */
export function isWorthRequest({ certainty }: NextPage, { headers }: Page): boolean {
  return certainty !== "unknown" && !isRateLimitExhausted(headers);
}
