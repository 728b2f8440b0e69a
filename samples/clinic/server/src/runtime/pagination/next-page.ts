/** From one page to the next: what to ask for, and how an agent would ask for it. */
import { valueAt } from "../json.js";
import type { BoundRequest } from "../request/types.js";
import type { PreparedCall } from "../call/call-operation.js";
import type { ResponseHeaders } from "../client/index.js";
import type { PaginationMapping, ResponseMapping } from "../types.js";
import { inputsForLink, nextLinkInField, nextLinkInHeader, sameOriginUrl } from "./next-link.js";

/** A page that an API has sent. */
export interface Page {
  readonly prepared: PreparedCall;
  /** The request that the agent's own input made. */
  readonly origin: BoundRequest;
  readonly headers: ResponseHeaders;
  /** Its JSON, and the list in it. */
  readonly body: unknown;
  readonly items: readonly unknown[];
}

/** How the next page is asked for. */
export interface NextPage {
  /** What an agent would pass; absent when no input can say it. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** The address, when the API gave one that may be called. */
  readonly url?: string;
}

/** The list in an answer; `undefined` when there is none. */
export function findItems(
  answer: unknown,
  { wrap, items }: ResponseMapping,
): readonly unknown[] | undefined {
  const list = wrap === "items" ? answer : items === undefined ? undefined : valueAt(answer, items);
  return Array.isArray(list) ? list : undefined;
}

/**
 * Where a page leads to; `undefined` when it is the last one, or does not say. The API's own word
 * comes before counting.
 */
export function findNextPage(page: Page): NextPage | undefined {
  const { binding } = page.prepared;
  const pages = binding.pagination ?? {};
  return (
    nextByLink(page, pages) ??
    nextByCursor(page, pages) ??
    (isLastPage(page, pages) ? undefined : nextByCounting(page, pages))
  );
}

/** The address of the next page, in the `Link` header or in the answer. */
export function nextByLink(
  { prepared: { app, call, binding }, origin, headers, body }: Page,
  { link }: Pick<PaginationMapping, "link">,
): NextPage | undefined {
  const address =
    nextLinkInHeader(headers.get("link")) ??
    (link === undefined ? undefined : nextLinkInField(valueAt(body, link)));
  if (address === undefined || !URL.canParse(address, call.request.url)) return undefined;
  const target = new URL(address, call.request.url);
  const inputs = inputsForLink(target, origin, binding.request, call.tool, app.api);
  const url = sameOriginUrl(target, origin);
  return inputs || url !== undefined
    ? { ...(inputs && { inputs }), ...(url !== undefined && { url }) }
    : undefined;
}

function nextByCursor({ body }: Page, { cursor }: PaginationMapping): NextPage | undefined {
  const value = cursor && valueAt(body, cursor.pointer);
  return cursor === undefined ||
    value === undefined ||
    value === null ||
    value === "" ||
    value === false
    ? undefined
    : { inputs: { [cursor.input]: value } };
}

/** The API says that there is no more, or the page is not full. */
function isLastPage(
  { prepared: { call }, body, items }: Page,
  { hasMore, total, pageSize, offset, page }: PaginationMapping,
): boolean {
  const says = hasMore === undefined ? undefined : valueAt(body, hasMore);
  if (items.length === 0 || says === false) return true;
  if (says === true) return false;
  const skipped = offset && finiteNumber(call.input[offset.input]);
  const all = total === undefined ? undefined : finiteNumber(valueAt(body, total));
  if (offset && all !== undefined)
    return (skipped ?? offset.first) - offset.first + items.length >= all;
  const wanted =
    pageSize &&
    (finiteNumber(pageSize.input === undefined ? undefined : call.input[pageSize.input]) ??
      pageSize.default);
  if (page && all !== undefined && wanted !== undefined)
    return ((finiteNumber(call.input[page.input]) ?? page.first) - page.first + 1) * wanted >= all;
  return wanted !== undefined && items.length < wanted;
}

function nextByCounting(
  { prepared: { call }, items }: Page,
  { page, offset, after }: PaginationMapping,
): NextPage | undefined {
  if (page)
    return { inputs: { [page.input]: (finiteNumber(call.input[page.input]) ?? page.first) + 1 } };
  if (offset)
    return {
      inputs: {
        [offset.input]: (finiteNumber(call.input[offset.input]) ?? offset.first) + items.length,
      },
    };
  const last = after && valueAt(items.at(-1), after.pointer);
  return after && (typeof last === "string" || typeof last === "number")
    ? { inputs: { [after.input]: last } }
    : undefined;
}

function finiteNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
