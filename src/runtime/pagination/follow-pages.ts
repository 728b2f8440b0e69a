/** Following pages, as configured or while a list is small: one call, one deadline, one result. */
import { nestedDeadline } from "../client/limits.js";
import { type ApiResponse, isFailure, isSuccess, type RequestOutcome } from "../request/types.js";
import { runWithPauses } from "../data/steps.js";
import { omitUndefined, parsePointer, valueAt } from "../data/values.js";
import { bindRequest } from "../request/bind-request.js";
import { FOLLOWING_MS, isWorthRequest, type PageBounds, pageBounds } from "./automatic.js";
import { extentNote, totalInHeaders } from "./list-notes.js";
import { finiteNumber, inputNumber } from "./page-size.js";
import { type DecodedContent, decodeInSteps } from "../response/decode.js";
import { nextPage } from "../response/project.js";
import {
  findItems,
  findNextPage,
  hintOfPage,
  type NextPage,
  type NextPageHint,
  type Page,
  type PagedCall,
} from "./next-page.js";
import { withLargeIntegers } from "../tools/validate-input.js";

/** Maximum number of successive pages without items. Some APIs send them for ever. */
const MAX_EMPTY_PAGES = 3;

type JsonContent = Extract<DecodedContent, { kind: "json" }>;

/** The pages of one call, combined into one response. */
export interface CollectedPages extends NextPageHint {
  readonly content: JsonContent;
  /** Bytes of all responses. */
  readonly bytes: number;
  readonly retries: number;
  readonly secrets: readonly string[];
}

interface DecodedPage {
  readonly page: Page;
  readonly content: JsonContent;
  readonly bytes: number;
}

/** Sends the request of a page in the same way as the first one. */
type SendPage<Call> = (
  call: Call,
  options?: { readonly retry?: boolean },
) => Promise<RequestOutcome>;

/**
 * Follows the pages behind a first response until there are enough items, no more pages, no room in
 * the result, or no time. The items collected by then are the result. A note gives the reason when
 * a page could not be fetched, and `next` has the inputs for the rest, so that nothing is lost.
 * @returns `undefined` when the call gets one page, or the response has no list
 */
export async function followPages<Call extends PagedCall>(
  call: Call,
  first: RequestOutcome,
  send: SendPage<Call>,
): Promise<CollectedPages | undefined> {
  const bounds = pageBounds(call);
  if (!bounds || (bounds.isAutomatic && isLarge(first.response, bounds))) return undefined;
  const decoded = await decodePage(call, first.response);
  if (!decoded || (bounds.isAutomatic && decoded.content.isSequence)) return undefined;
  const collection = new PageCollection(call, decoded, first, bounds);
  if (!bounds.isAutomatic) await collect(call, collection, send);
  else if (collection.isWorthPage) await collectInTime(call, collection, send);
  return bounds.isAutomatic && collection.isFirstPage ? undefined : collection.combine();
}

/** Requests pages until the collection has enough. */
async function collect<Call extends PagedCall>(
  { context }: Call,
  collection: PageCollection<Call>,
  send: SendPage<Call>,
): Promise<void> {
  while (collection.mayHaveMore()) {
    context.progress?.(collection.progress);
    if (!(await collection.addNextPage(send))) break;
  }
}

/** Requests pages that nobody configured: within some seconds, and each once. */
async function collectInTime<Call extends PagedCall>(
  call: Call,
  collection: PageCollection<Call>,
  send: SendPage<Call>,
): Promise<void> {
  const deadline = nestedDeadline(call.deadline, FOLLOWING_MS);
  try {
    await collect(call, collection, (page) => send({ ...page, deadline }, { retry: false }));
  } finally {
    deadline.dispose();
  }
}

/** True for a response that is not small, and for the beginning of a stream. */
function isLarge(response: RequestOutcome["response"], { maxCharacters }: PageBounds): boolean {
  return isFailure(response) || response.cut !== undefined || response.size > 2 * maxCharacters;
}

/** The pages collected so far, and the position of the next one. */
class PageCollection<Call extends PagedCall> {
  private readonly items: unknown[];
  private readonly secrets: Set<string>;
  private readonly requested = new Set<string>();
  private readonly notes: string[];
  /** Last page whose items are all collected. */
  private page: Page;
  private next: NextPage | undefined;
  private isCircular = false;
  private pages = 1;
  private emptyPages = 0;
  private characters: number;
  private bytes: number;
  private retries: number;
  private isPlainAscii: boolean;

  constructor(
    private readonly paged: Call,
    private readonly first: DecodedPage,
    { secrets, retries }: RequestOutcome,
    private readonly bounds: PageBounds,
  ) {
    const { page, content, bytes } = first;
    this.page = page;
    this.next = findNextPage(page);
    this.items = [...page.items];
    this.notes = content.note === undefined ? [] : [content.note];
    this.characters = textLength(page.items);
    this.bytes = bytes;
    this.isPlainAscii = content.isPlainAscii;
    this.secrets = new Set(secrets);
    this.retries = retries;
  }

  get progress(): string {
    const pages = this.pages === 1 ? "1 page" : `${this.pages} pages`;
    return `${this.items.length} items from ${pages} so far.`;
  }

  /** True if there is nothing to say about further pages. */
  get isFirstPage(): boolean {
    return this.pages === 1 && this.notes.length === 0;
  }

  get isWorthPage(): boolean {
    if (!this.next || this.isFull || this.isCircular || this.emptyPages >= MAX_EMPTY_PAGES)
      return false;
    return !this.bounds.isAutomatic || isWorthRequest(this.next, this.page);
  }

  /** True if another page may be requested. A page that was requested before is a circle. */
  mayHaveMore(): boolean {
    if (!this.isWorthPage) return false;
    const key = JSON.stringify(this.next);
    this.isCircular = this.requested.has(key);
    this.requested.add(key);
    return !this.isCircular;
  }

  /** True if there are enough items, or would be too many with another page like these. */
  private get isFull(): boolean {
    const { maxItems, maxPages, enoughCharacters } = this.bounds;
    const expected = this.characters + this.characters / this.pages;
    const isEnough = this.items.length >= maxItems || this.pages >= maxPages;
    return isEnough || expected > enoughCharacters;
  }

  /** Requests the next page and adds its items. @returns whether there may be more */
  async addNextPage(send: SendPage<Call>): Promise<boolean> {
    const call = this.nextCall();
    if (!call) return false;
    const { response, retries, secrets } = await send(call);
    this.retries += retries;
    for (const secret of secrets) this.secrets.add(secret);
    const decoded = await decodePage(call, response, this.page);
    if (!decoded) {
      // A deadline around that of the pages ends them as if the client did.
      const fault = faultOf(this.paged.deadline.expired ?? response);
      this.notes.push(`Only the first ${this.items.length} items are here: ${fault}.`);
      return false;
    }
    this.pages++;
    return this.add(decoded);
  }

  /** A page that does not fit into the result would be truncated. Another call fetches it. */
  private add({ page, content, bytes }: DecodedPage): boolean {
    const { maxResponseBytes } = this.paged.server.settings;
    const { maxCharacters, maxItems, isAutomatic } = this.bounds;
    const characters = this.characters + textLength(page.items);
    this.bytes += bytes;
    if (characters > maxCharacters || this.bytes > maxResponseBytes) return false;
    this.characters = characters;
    this.isPlainAscii &&= content.isPlainAscii;
    if (isSameList(page.items, this.page.items)) {
      if (this.isFirstPageAgain(page)) return true;
      this.pages--;
      this.notes.push("The API returned the same items again for the next page.");
      this.isCircular = true;
      return false;
    }
    const room = maxItems - this.items.length;
    if (!isAutomatic && page.items.length > room) return this.addPart(page, room);
    this.items.push(...page.items);
    this.page = page;
    this.emptyPages = page.items.length === 0 ? this.emptyPages + 1 : 0;
    this.next = findNextPage(page);
    if (isAutomatic && this.next?.certainty) this.next = this.withCertainty(this.next);
    if (this.next && this.emptyPages >= MAX_EMPTY_PAGES)
      this.next = { ...this.next, certainty: "possible" };
    return true;
  }

  /** The next page by all items and the total, or the first page, which is longer than the last. */
  private withCertainty(next: NextPage): NextPage | undefined {
    const { total } = this;
    const { certainty: _, ...certain } = next;
    if (total !== undefined && total > this.items.length) return certain;
    const isShort = this.page.items.length < this.first.page.items.length;
    return isShort || total === this.items.length ? undefined : next;
  }

  /** Number of all items, as the API states it. */
  private get total(): number | undefined {
    const { body, headers, operation } = this.page;
    const pointer = operation.pagination?.total;
    const stated = pointer === undefined ? undefined : finiteNumber(valueAt(body, pointer));
    const total = stated ?? totalInHeaders(headers)?.total;
    return total !== undefined && total >= this.items.length ? total : undefined;
  }

  /** Passes over page 1 after page 0, if both are the first page, as in APIs that count from 1. */
  private isFirstPageAgain(page: Page): boolean {
    const { page: position } = page.operation.pagination ?? {};
    const isSecond =
      position?.firstIsGuess && inputNumber(page.call, position.input) === position.first + 1;
    if (!isSecond) return false;
    this.pages--;
    this.page = page;
    this.next = findNextPage(page);
    return true;
  }

  /**
   * Adds the first items of the last page. An offset continues after them. Other pagination repeats
   * the page.
   */
  private addPart({ call, operation, items }: Page, room: number): false {
    const { offset } = operation.pagination ?? {};
    this.items.push(...items.slice(0, room));
    const start = offset && call.input[offset.input];
    if (offset && typeof start === "number")
      this.next = { inputs: { [offset.input]: start + room } };
    else {
      const items = room === 1 ? "item is" : `${room} items are`;
      this.notes.push(`The last ${items} repeated on the next page (\`next\`).`);
    }
    return false;
  }

  /** The call with the next page's request: the URL that the API gave, otherwise the inputs. */
  private nextCall(): Call | undefined {
    const { operation, server } = this.paged;
    const { call } = this.page;
    const { inputs, url } = this.next ?? {};
    const input = { ...call.input, ...inputs };
    if (url !== undefined)
      return { ...this.paged, call: { ...call, input, request: { ...call.request, url } } };
    const exact = withLargeIntegers(input, this.paged.largeIntegers);
    const bound = bindRequest(operation.request, exact, server.apiContext);
    if (!bound.ok) return undefined;
    return { ...this.paged, call: { ...call, input, request: bound.request } };
  }

  /** Combines the pages: the last body with a longer list. **Changes that body in place.** */
  combine(): CollectedPages {
    const { items: own, wrap } = this.paged.operation.response;
    const { list } = this.paged.operation.pagination ?? {};
    const pointer = own ?? (wrap === "items" ? "" : list) ?? "";
    const value = replaceItems(this.page.body, pointer, this.items);
    const isExtended = this.bounds.isAutomatic && this.pages > 1;
    const extent = isExtended ? [this.extentNote(pointer)] : [];
    const note = [...extent, ...this.notes].join(" ") || undefined;
    const { isPlainAscii } = this;
    return {
      content: omitUndefined({ kind: "json" as const, value, note, isPlainAscii }),
      ...this.hint(),
      bytes: this.bytes,
      retries: this.retries,
      secrets: [...this.secrets],
    };
  }

  /** Hint about the page after the last one. */
  private hint(): NextPageHint {
    if (this.bounds.isAutomatic) return this.isCircular ? {} : hintOfPage(this.page, this.next);
    const { response } = this.paged.operation;
    const fields = response.next && nextPage(this.page.body, response.next);
    const next = { ...fields, ...this.next?.inputs };
    return {
      next: this.isCircular || Object.keys(next).length === 0 ? null : next,
      ...(this.next?.certainty && { mayBeLast: true }),
    };
  }

  private extentNote(pointer: string): string {
    const { pagination = {}, response } = this.paged.operation;
    const { hasMore, total, unfilteredTotal } = pagination;
    const ofList = [hasMore, total, unfilteredTotal];
    const isUnchanged = response.wrap === undefined && response.items === undefined;
    const others = Object.values(response.extraFields ?? {}).filter((one) => !ofList.includes(one));
    return extentNote({
      items: this.items.length,
      pages: this.pages,
      total: this.total,
      isAll: this.next === undefined && !this.isCircular,
      hasOtherFields: others.length > 0 || (isUnchanged && pointer !== ""),
    });
  }
}

/** Decodes a successful response with a list in it. */
async function decodePage(
  { call, operation }: PagedCall,
  response: RequestOutcome["response"],
  previous?: Page,
): Promise<DecodedPage | undefined> {
  if (!isListResponse(response)) return undefined;
  const content = await runWithPauses(decodeInSteps(response, "json", call.mapping.method));
  if (content.kind !== "json") return undefined;
  const items =
    findItems(content.value, operation.response) ??
    findItems(content.value, { items: operation.pagination?.list });
  if (!items) return undefined;
  const firstRequest = previous?.firstRequest ?? call.request;
  const { headers, size } = response;
  const page = { call, operation, firstRequest, headers, body: content.value, items };
  return { page, content, bytes: size };
}

function isListResponse(response: RequestOutcome["response"]): response is ApiResponse {
  return !isFailure(response) && isSuccess(response);
}

function faultOf(response: RequestOutcome["response"]): string {
  if (!isFailure(response))
    return isSuccess(response)
      ? "the next page has no list"
      : `the API responded to the next page with status ${response.status}`;
  if (response.kind === "timeout") return "the deadline expired";
  if (response.kind === "cancelled") return "the call was cancelled";
  if (response.kind === "interrupted") return "the server is stopping";
  return "the next page could not be fetched";
}

function replaceItems(body: unknown, pointer: string, items: readonly unknown[]): unknown {
  const path = parsePointer(pointer);
  const field = path.at(-1);
  if (field === undefined) return items;
  const parent = valueAt(body, pointer.slice(0, pointer.lastIndexOf("/")));
  (parent as Record<string, unknown>)[field] = items;
  return body;
}

/** True if a page repeats the items of the page before it. */
function isSameList(items: readonly unknown[], previous: readonly unknown[]): boolean {
  if (items.length === 0 || items.length !== previous.length) return false;
  return items.every((item, i) => JSON.stringify(item) === JSON.stringify(previous[i]));
}

function textLength(items: readonly unknown[]): number {
  return JSON.stringify(items)?.length ?? 0;
}
