/** From one page to the next: what to ask for, and how an agent would ask for it. */
import { valueAt } from "../shape/pointer.js";
import type { BoundRequest } from "../bind/types.js";
import type { Ready } from "../request.js";
import type { ResponseHeaders } from "../send/index.js";
import type { PageBinding, ReadBinding } from "../types.js";
import { inputsOf, nextInField, nextInHeader, sameOrigin } from "./link.js";

/** A page that an API has sent. */
export interface Page {
  readonly ready: Ready;
  /** The request that the agent's own input made. */
  readonly origin: BoundRequest;
  readonly headers: ResponseHeaders;
  /** Its JSON, and the list in it. */
  readonly answer: unknown;
  readonly items: readonly unknown[];
}

/** How the next page is asked for. */
export interface Next {
  /** What an agent would pass; absent when no input can say it. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** The address, when the API gave one that may be called. */
  readonly url?: string;
}

/** The list in an answer; `undefined` when there is none. */
export function itemsIn(
  answer: unknown,
  { wrap, items }: ReadBinding,
): readonly unknown[] | undefined {
  const list = wrap === "items" ? answer : items === undefined ? undefined : valueAt(answer, items);
  return Array.isArray(list) ? list : undefined;
}

/**
 * Where a page leads to; `undefined` when it is the last one, or does not say. The API's own word
 * comes before counting.
 */
export function nextOf(page: Page): Next | undefined {
  const { binding } = page.ready;
  const pages = binding.pages ?? {};
  return (
    linkOf(page, pages) ??
    byCursor(page, pages) ??
    (isLast(page, pages) ? undefined : byCounting(page, pages))
  );
}

/** The address of the next page, in the `Link` header or in the answer. */
export function linkOf(
  { ready: { app, call, binding }, origin, headers, answer }: Page,
  { link }: Pick<PageBinding, "link">,
): Next | undefined {
  const address =
    nextInHeader(headers.get("link")) ??
    (link === undefined ? undefined : nextInField(valueAt(answer, link)));
  if (address === undefined || !URL.canParse(address, call.request.url)) return undefined;
  const target = new URL(address, call.request.url);
  const inputs = inputsOf(target, origin, binding.send, call.tool, app.api);
  const url = sameOrigin(target, origin);
  return inputs || url !== undefined
    ? { ...(inputs && { inputs }), ...(url !== undefined && { url }) }
    : undefined;
}

function byCursor({ answer }: Page, { cursor }: PageBinding): Next | undefined {
  const value = cursor && valueAt(answer, cursor.at);
  return cursor === undefined ||
    value === undefined ||
    value === null ||
    value === "" ||
    value === false
    ? undefined
    : { inputs: { [cursor.input]: value } };
}

/** The API says that there is no more, or the page is not full. */
function isLast(
  { ready: { call }, answer, items }: Page,
  { more, total, size, offset, page }: PageBinding,
): boolean {
  const says = more === undefined ? undefined : valueAt(answer, more);
  if (items.length === 0 || says === false) return true;
  if (says === true) return false;
  const skipped = offset && numberOf(call.input[offset.input]);
  const all = total === undefined ? undefined : numberOf(valueAt(answer, total));
  if (offset && all !== undefined)
    return (skipped ?? offset.first) - offset.first + items.length >= all;
  const wanted =
    size && (numberOf(size.input === undefined ? undefined : call.input[size.input]) ?? size.usual);
  if (page && all !== undefined && wanted !== undefined)
    return ((numberOf(call.input[page.input]) ?? page.first) - page.first + 1) * wanted >= all;
  return wanted !== undefined && items.length < wanted;
}

function byCounting(
  { ready: { call }, items }: Page,
  { page, offset, after }: PageBinding,
): Next | undefined {
  if (page)
    return { inputs: { [page.input]: (numberOf(call.input[page.input]) ?? page.first) + 1 } };
  if (offset)
    return {
      inputs: {
        [offset.input]: (numberOf(call.input[offset.input]) ?? offset.first) + items.length,
      },
    };
  const last = after && valueAt(items.at(-1), after.at);
  return after && (typeof last === "string" || typeof last === "number")
    ? { inputs: { [after.input]: last } }
    : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
