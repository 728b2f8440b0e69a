/** Following pages, if configured: one call, one deadline, one result. */
import { type ApiResponse, isFailure, isSuccess, type RequestOutcome } from "../request/types.js";
import { runWithPauses } from "../data/steps.js";
import { omitUndefined, parsePointer, valueAt } from "../data/values.js";
import { bindRequest } from "../request/bind-request.js";
import { inputNumber } from "./page-size.js";
import { type DecodedContent, decodeInSteps } from "../response/decode.js";
import { nextPage } from "../response/shape.js";
import {
  findItems,
  findNextPage,
  type NextPage,
  type NextPageHint,
  type Page,
  type PagedCall,
} from "./next-page.js";

/** Maximum number of requests of one call. */
const MAX_PAGES = 1000;

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

/**
 * Follows the pages behind a first response until there are `maxItems` items, no more pages, no
 * room in the result, or no time. The items collected by then are the result. A note gives the
 * reason when a page could not be fetched, and `next` has the inputs for the rest, so that nothing
 * is lost.
 * @param send sends the request of a page in the same way as the first one
 * @returns `undefined` when the operation does not follow pages, or the response has no list
 */
export async function followPages<Call extends PagedCall>(
  call: Call,
  first: RequestOutcome,
  send: (call: Call) => Promise<RequestOutcome>,
): Promise<CollectedPages | undefined> {
  const { maxItems } = call.operation.pagination ?? {};
  if (maxItems === undefined) return undefined;
  const decoded = await decodePage(call, first.response);
  if (!decoded) return undefined;
  const collection = new PageCollection(call, decoded, first, maxItems);
  while (collection.mayHaveMore()) {
    call.context.progress?.(collection.progress);
    if (!(await collection.addNextPage(send))) break;
  }
  return collection.combine();
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
    private readonly maxItems: number,
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

  /** True if another page is worth a request. A page that was requested before is a circle. */
  mayHaveMore(): boolean {
    const isFull = this.items.length >= this.maxItems || this.pages >= MAX_PAGES;
    if (!this.next || isFull || this.isCircular || this.emptyPages >= MAX_EMPTY_PAGES) return false;
    const key = JSON.stringify(this.next);
    this.isCircular = this.requested.has(key);
    this.requested.add(key);
    return !this.isCircular;
  }

  /** Requests the next page and adds its items. @returns whether there may be more */
  async addNextPage(send: (call: Call) => Promise<RequestOutcome>): Promise<boolean> {
    const call = this.nextCall();
    if (!call) return false;
    const { response, retries, secrets } = await send(call);
    this.retries += retries;
    for (const secret of secrets) this.secrets.add(secret);
    const decoded = await decodePage(call, response, this.page);
    if (!decoded) {
      this.notes.push(`Only the first ${this.items.length} items are here: ${faultOf(response)}.`);
      return false;
    }
    this.pages++;
    return this.add(decoded);
  }

  /** A page that does not fit into the result would be truncated. Another call fetches it. */
  private add({ page, content, bytes }: DecodedPage): boolean {
    const { maxResultCharacters, maxResponseBytes } = this.paged.server.settings;
    const characters = this.characters + textLength(page.items);
    this.bytes += bytes;
    if (characters > maxResultCharacters || this.bytes > maxResponseBytes) return false;
    this.characters = characters;
    this.isPlainAscii &&= content.isPlainAscii;
    if (isSameList(page.items, this.page.items)) {
      if (this.isFirstPageAgain(page)) return true;
      this.notes.push("The API returned the same items again for the next page.");
      this.isCircular = true;
      return false;
    }
    const room = this.maxItems - this.items.length;
    if (page.items.length > room) return this.addPart(page, room);
    this.items.push(...page.items);
    this.page = page;
    this.emptyPages = page.items.length === 0 ? this.emptyPages + 1 : 0;
    this.next = findNextPage(page);
    return true;
  }

  /** Passes over page 1 after page 0, if both are the first page, as in APIs that count from 1. */
  private isFirstPageAgain(page: Page): boolean {
    const { page: position } = page.operation.pagination ?? {};
    const isSecond =
      position?.firstIsGuess && inputNumber(page.call, position.input) === position.first + 1;
    if (!isSecond) return false;
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
    const bound = bindRequest(operation.request, input, server.apiContext);
    if (!bound.ok) return undefined;
    return { ...this.paged, call: { ...call, input, request: bound.request } };
  }

  /** Combines the pages: the first body with a longer list. **Changes that body in place.** */
  combine(): CollectedPages {
    const { response } = this.paged.operation;
    const fields = response.next && nextPage(this.page.body, response.next);
    const next = { ...fields, ...this.next?.inputs };
    const value = replaceItems(this.first.content.value, response.items ?? "", this.items);
    const note = this.notes.join(" ") || undefined;
    const { isPlainAscii } = this;
    return {
      content: omitUndefined({ kind: "json" as const, value, note, isPlainAscii }),
      next: this.isCircular || Object.keys(next).length === 0 ? null : next,
      ...(this.next?.certainty && { mayBeLast: true }),
      bytes: this.bytes,
      retries: this.retries,
      secrets: [...this.secrets],
    };
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
  const items = findItems(content.value, operation.response);
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
