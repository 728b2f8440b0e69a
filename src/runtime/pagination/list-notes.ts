/** Sentences about the extent of a list: number of items, total of the API, completeness. */
import type { ApiCall, ApiResponse, ResponseHeaders } from "../request/types.js";
import type { ResultFacts } from "../response/result-facts.js";
import { valueAt } from "../data/values.js";
import { propertiesOf } from "../schema/subschemas.js";
import type { OperationBinding, PaginationMapping } from "../types.js";
import { selectsPage } from "./automatic.js";
import { findItems, isLastPage } from "./next-page.js";
import { finiteNumber } from "./page-size.js";

/** Headers with the number of all items, which APIs send beside a list. */
const TOTAL_HEADERS = (
  "x-total-count x-total x-wp-total x-total-items x-total-results " +
  "x-pagination-total-count pagination-count"
).split(" ");

/** The number of all items in a header, with the name of the header. */
export function totalInHeaders(
  headers: Pick<ResponseHeaders, "get">,
): { readonly header: string; readonly total: number } | undefined {
  for (const header of TOTAL_HEADERS) {
    const text = headers.get(header)?.trim() ?? "";
    if (/^\d{1,15}$/.test(text)) return { header, total: Number(text) };
  }
  // Items of a list: `0-24/3573`, `items 0-24/3573`, `*/0`. RFC 9110, section 14.4.
  const range = headers.get("content-range")?.trim() ?? "";
  const [, total] = /^(?!bytes\b)(?:[\w-]{1,40}[ =])?[\d*-]{1,40}\/(\d{1,15})$/.exec(range) ?? [];
  return total === undefined ? undefined : { header: "content-range", total: Number(total) };
}

/**
 * Facts about the list in a single response: that these are all items, or else the total that a
 * header has. A response of more than `maxBytes` may be truncated: only its number of items is
 * said.
 */
export function listFacts(
  { call, operation }: { readonly call: ApiCall; readonly operation: OperationBinding },
  body: unknown,
  { headers, size }: Pick<ApiResponse, "headers" | "size">,
  maxBytes: number,
): ResultFacts {
  const { pagination = {}, response } = operation;
  const items = findItems(body, response) ?? findItems(body, { items: pagination.list });
  if (!items) return {};
  const page = { call, operation, firstRequest: call.request, headers, body, items };
  const isWhole = pagination.isFollowed && !selectsPage(call.input, pagination);
  if (isWhole && isLastPage(page) && hasTotal(page.body, pagination)) return {};
  if (isWhole && isLastPage(page)) return { notes: [allNote(items.length, size > maxBytes)] };
  if (size > maxBytes) return {};
  const stated = totalInHeaders(headers);
  const cursors = cursorHeaders(call.tool, headers);
  const hasRest = stated !== undefined && stated.total !== items.length;
  return {
    notes: [
      ...(hasRest ? [`The total is ${stated.total}, by the header ${stated.header}.`] : []),
      ...cursors.map(([name, value]) => `The API's header ${name}: ${value}`),
    ],
    values: {
      ...(hasRest && { total: stated.total }),
      ...(cursors.length > 0 && { headers: Object.fromEntries(cursors) }),
    },
  };
}

/** Inputs that select a page by a place in the list. */
const PLACE_INPUT =
  /(?:after|before|continuation(?:_?token)?|cursor|marker|(?:next|page|skip|sync)_?token)$/i;

/** Headers with the values of such inputs: `x-start-after` for `startAfter`. */
function cursorHeaders(
  { inputSchema }: ApiCall["tool"],
  headers: ResponseHeaders,
): readonly (readonly [name: string, value: string])[] {
  const inputs = Object.keys(propertiesOf(inputSchema)).filter((name) => PLACE_INPUT.test(name));
  if (inputs.length === 0) return [];
  const places = new Set(inputs.map(letters));
  return [...headers].filter(([name]) =>
    [name, name.replace(/^x-/i, ""), name.replace(/^x-[a-z]{1,20}-/i, "")].some((form) =>
      places.has(letters(form)),
    ),
  );
}

const letters = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, "");

/** True if the data itself has the number of all items. */
const hasTotal = (body: unknown, { total }: PaginationMapping): boolean =>
  total !== undefined && finiteNumber(valueAt(body, total)) !== undefined;

/** @param mayBeCut true for a list that may be too large for the result */
function allNote(count: number, mayBeCut: boolean): string {
  if (mayBeCut) return `The API has ${count} results in all.`;
  return count === 1 ? "This is the only result." : `These are all ${count} results.`;
}

/** Items of a list that a result has. */
export interface ListExtent {
  readonly items: number;
  readonly pages: number;
  /** Number of all items, as the API states it. */
  readonly total: number | undefined;
  /** True if the list has no items after these. */
  readonly isAll: boolean;
  /** True if the result has fields of the response beside the list. */
  readonly hasOtherFields: boolean;
}

/** Describes the items from several pages. */
export function extentNote({ items, pages, total, isAll, hasOtherFields }: ListExtent): string {
  const isShort = total !== undefined && total > items;
  const of = isShort ? ` of ${total}` : "";
  const which = isAll && !isShort ? `These are all ${items}` : `These are the first ${items}${of}`;
  const end = isAll && isShort ? " The API names no further page." : "";
  const fields = hasOtherFields ? " The fields beside the list are those of the last page." : "";
  return `${which} results, from ${pages} pages.${end}${fields}`;
}
