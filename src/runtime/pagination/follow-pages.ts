/**
 * Following pages, where the owner of the server wants that: one call, one deadline, one result.
 */
import { bindRequest, type BoundRequest } from "../request/bind-request.js";
import { type DecodedContent, decodeResponse } from "../response/decode.js";
import type { RequestOutcome, PreparedCall } from "../call/call-operation.js";
import { type ApiResponse, isFailure, isSuccess } from "../client/index.js";
import { valueAt } from "../json.js";
import { nextPageNote } from "../response/notes.js";
import { nextPage } from "../response/project.js";
import { findItems, nextByLink, type NextPage, findNextPage, type Page } from "./next-page.js";

/**
 * Requests of one call; and pages without items after each other, which some APIs send and others
 * send for ever.
 */
const MAX_PAGES = 1000;
const MAX_EMPTY_PAGES = 3;

type JsonContent = Extract<DecodedContent, { kind: "json" }>;

/** The pages of one call as one answer. */
export interface CollectedPages {
  readonly content: JsonContent;
  /** What leads on from here; `null` on the last page. */
  readonly next: Readonly<Record<string, unknown>> | null;
  /** Bytes of all answers. */
  readonly bytes: number;
  readonly retries: number;
  readonly secrets: readonly string[];
}

/** What was collected so far, and where it ended. */
interface Collection {
  readonly first: JsonContent;
  readonly items: unknown[];
  /** The last page of which all items are there. */
  page: Page;
  next: NextPage | undefined;
  /** Pages without items at the end. */
  empty: number;
  note: string | undefined;
  characters: number;
  bytes: number;
  retries: number;
  plain: boolean;
  secrets: readonly string[];
}

/**
 * Where a single answer leads: what belongs under `next` in the result, or, where the result has no
 * such place, a note.
 */
export interface NextPageHint {
  readonly next?: Readonly<Record<string, unknown>> | null;
  readonly note?: string;
}

/**
 * What an agent has to pass for the page after this answer, when the API says it by a link, a
 * cursor, or that there is more.
 */
export function nextPageHint(
  ready: PreparedCall,
  { headers }: ApiResponse,
  content: DecodedContent,
): NextPageHint {
  const { binding, call } = ready;
  const { link, list } = binding.pagination ?? {};
  if (content.kind !== "json" || (link === undefined && list === undefined && !headers.has("link")))
    return {};
  const items = list === undefined ? undefined : valueAt(content.value, list);
  const page: Page = {
    prepared: ready,
    origin: call.request,
    headers,
    body: content.value,
    items: Array.isArray(items) ? (items as readonly unknown[]) : [],
  };
  const { inputs } =
    (list === undefined
      ? nextByLink(page, { ...(link !== undefined && { link }) })
      : findNextPage(page)) ?? {};
  if (!inputs) return {};
  if (binding.pagination && list === undefined)
    return {
      next: {
        ...(binding.response.next && nextPage(content.value, binding.response.next)),
        ...inputs,
      },
    };
  const note = nextPageNote({ next: inputs }, call.tool);
  return note === undefined ? {} : { note };
}

/**
 * Follows the pages behind a first answer until there are `maxItems` items, no more pages, no room
 * in the result, or no time. What was collected by then is the result; when something stood in the
 * way, a note says what, and `next` leads to the rest, so that nothing is lost.
 * @param send sends the request of a page, as the first one was
 * @returns `undefined` when there is nothing to follow
 */
export async function followPages(
  prepared: PreparedCall,
  first: RequestOutcome,
  send: (prepared: PreparedCall) => Promise<RequestOutcome>,
): Promise<CollectedPages | undefined> {
  const { maxItems } = prepared.binding.pagination ?? {};
  const opened =
    maxItems === undefined ? undefined : openPage(prepared, first, prepared.call.request);
  if (maxItems === undefined || !opened) return undefined;
  const { page, content, size } = opened;
  const collection: Collection = {
    first: content,
    items: [...page.items],
    page,
    next: findNextPage(page),
    empty: 0,
    note: content.note,
    characters: textLength(page.items),
    bytes: size,
    retries: first.retries,
    plain: content.isPlainAscii,
    secrets: first.secrets,
  };
  const asked = new Set<string>();
  for (
    let pages = 1;
    collection.next &&
    collection.items.length < maxItems &&
    collection.empty < MAX_EMPTY_PAGES &&
    pages < MAX_PAGES;
    pages++
  ) {
    const key = JSON.stringify(collection.next);
    if (asked.has(key)) return { ...combinePages(prepared, collection), next: null }; // It leads in a circle.
    asked.add(key);
    prepared.context.progress?.(
      `${collection.items.length} items from ${pages} ${pages === 1 ? "page" : "pages"} so far.`,
    );
    if (!(await addNextPage(collection, maxItems, prepared, send))) break;
  }
  return combinePages(prepared, collection);
}

interface OpenedPage {
  readonly page: Page;
  readonly content: JsonContent;
  readonly size: number;
}

/** A successful answer with a list in it. */
function openPage(
  ready: PreparedCall,
  { response }: RequestOutcome,
  origin: BoundRequest,
): OpenedPage | undefined {
  if (isFailure(response) || !isSuccess(response)) return undefined;
  const content = decodeResponse(response, true, ready.call.mapping.method);
  const items =
    content.kind === "json" ? findItems(content.value, ready.binding.response) : undefined;
  return content.kind === "json" && items
    ? {
        page: { prepared: ready, origin, headers: response.headers, body: content.value, items },
        content,
        size: response.size,
      }
    : undefined;
}

/** Adds the next page. @returns whether there may be more */
async function addNextPage(
  all: Collection,
  maxItems: number,
  { app }: PreparedCall,
  send: (ready: PreparedCall) => Promise<RequestOutcome>,
): Promise<boolean> {
  const ready = nextPageCall(all);
  if (!ready) return false;
  const outcome = await send(ready);
  all.retries += outcome.retries;
  all.secrets = [...new Set([...all.secrets, ...outcome.secrets])];
  const opened = openPage(ready, outcome, all.page.origin);
  if (!opened)
    return stopWithNote(
      all,
      `Only the first ${all.items.length} items are here: ${describeFault(outcome)}.`,
    );
  const { page, content, size } = opened;
  const characters = textLength(page.items);
  all.bytes += size;
  // What the result cannot hold would be cut off: it is better fetched by another call.
  if (
    all.characters + characters > app.settings.maxResultCharacters ||
    all.bytes > app.settings.maxResponseBytes
  )
    return false;
  all.characters += characters;
  all.plain &&= content.isPlainAscii;
  const room = maxItems - all.items.length;
  if (page.items.length > room) return addPartialPage(all, page, room);
  all.items.push(...page.items);
  all.page = page;
  all.empty = page.items.length === 0 ? all.empty + 1 : 0;
  all.next = findNextPage(page);
  return true;
}

/**
 * The last page is not needed in full. Counted items go on where they were cut; otherwise the same
 * page comes again.
 */
function addPartialPage(all: Collection, page: Page, room: number): false {
  const { offset } = page.prepared.binding.pagination ?? {};
  all.items.push(...page.items.slice(0, room));
  const at = offset && page.prepared.call.input[offset.input];
  if (offset && typeof at === "number") all.next = { inputs: { [offset.input]: at + room } };
  else
    all.note = [
      all.note,
      `The last ${room} items are the first of the next page, which \`next\` leads to.`,
    ]
      .filter(Boolean)
      .join(" ");
  return false;
}

function stopWithNote(all: Collection, note: string): false {
  all.note = [all.note, note].filter(Boolean).join(" ");
  return false;
}

function describeFault({ response }: RequestOutcome): string {
  if (!isFailure(response))
    return isSuccess(response)
      ? "the next page has no list"
      : `the next page was answered with status ${response.status}`;
  return response.kind === "timeout"
    ? "the time was up"
    : response.kind === "cancelled"
      ? "the call was cancelled"
      : "the next page could not be fetched";
}

/** The call with the next page's request: the address that the API gave, else the inputs. */
function nextPageCall({ page: { prepared }, next }: Collection): PreparedCall | undefined {
  const { app, call, binding } = prepared;
  const input = { ...call.input, ...next?.inputs };
  if (next?.url !== undefined)
    return { ...prepared, call: { ...call, input, request: { ...call.request, url: next.url } } };
  const bound = bindRequest(binding.request, input, app.apiContext);
  return bound.ok ? { ...prepared, call: { ...call, input, request: bound.request } } : undefined;
}

/**
 * One answer that holds all items: the first one with a longer list. **Changes its value in
 * place.**
 */
function combinePages(
  { binding }: PreparedCall,
  { first, items, page, next, note, plain, bytes, retries, secrets }: Collection,
): CollectedPages {
  const leads = {
    ...(binding.response.next && nextPage(page.body, binding.response.next)),
    ...next?.inputs,
  };
  const value = withItems(first.value, binding.response.items ?? "", items);
  return {
    content: { kind: "json", value, isPlainAscii: plain, ...(note !== undefined && { note }) },
    next: Object.keys(leads).length > 0 ? leads : null,
    bytes,
    retries,
    secrets,
  };
}

function withItems(answer: unknown, pointer: string, items: readonly unknown[]): unknown {
  const cut = pointer.lastIndexOf("/");
  if (cut < 0) return items;
  const parent = valueAt(answer, pointer.slice(0, cut)) as Record<string, unknown>;
  parent[
    pointer
      .slice(cut + 1)
      .replaceAll("~1", "/")
      .replaceAll("~0", "~")
  ] = items;
  return answer;
}

function textLength(items: readonly unknown[]): number {
  return JSON.stringify(items)?.length ?? 0;
}
