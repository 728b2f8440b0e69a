// pagination: files of the runtime of mcp-gen as one module, each after those that it uses.

import { isRateLimitExhausted, nestedDeadline } from "./client.js";
import {
  canParseUrl, isObject, omitUndefined, parsePointer, runWithPauses, valueAt,
} from "./data.js";
import { quoteInput } from "./errors.js";
import {
  type ApiCall, type ApiContext, type ApiResponse, bindRequest, type BoundRequest, type Deadline,
  inputOf, isFailure, isSuccess, queryInputs, type RequestOutcome, type ResponseHeaders,
} from "./request.js";
import {
  type DecodedContent, decodeInSteps, ITEM_COUNT, nextPage, nextPageFacts, POSITION,
  type ResultFacts,
} from "./response.js";
import { type GivenValue, propertiesOf, propertySchema } from "./schema.js";
import { withLargeIntegers } from "./tools.js";
import {
  type ApiDefinition, type JsonSchema, type OperationBinding, type PaginationMapping,
  type RequestMapping, type ResponseMapping, rulesOf, type ToolDefinition, type ToolInput,
} from "./types.js";

// ---- pagination/page-size.ts ----
// Numbers of items in pages: requested, usual, and full.

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

// ---- pagination/next-page.ts ----
// The next page of a response: its inputs, and hints for the agent.

/** The parts of a prepared call that pagination needs. */
export interface PagedCall {
  readonly server: {
    readonly apiContext: ApiContext;
    readonly settings: {
      readonly maxResultCharacters: number;
      readonly maxResponseBytes: number;
      readonly followPages: boolean;
    };
  };
  readonly call: ApiCall;
  readonly operation: OperationBinding;
  readonly deadline: Deadline;
  readonly context: { progress?(message: string): void };
  readonly largeIntegers?: readonly GivenValue[];
}

/** One page of a list, with the call that requested it. */
export interface Page {
  readonly call: ApiCall;
  readonly operation: OperationBinding;
  /** Request built from the agent's own input, which links are compared with. */
  readonly firstRequest: BoundRequest;
  readonly headers: ResponseHeaders;
  readonly body: unknown;
  /** Items of the list in the body. */
  readonly items: readonly unknown[];
}

/** The request of the next page. */
export interface NextPage {
  /** Inputs that an agent would pass; absent when inputs cannot express the page. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** URL that the API gave, when it has the origin of the API. */
  readonly url?: string;
  /**
   * Absent if the response shows that there is such a page; `possible` if the number of items
   * suggests it.
   */
  readonly certainty?: "possible" | "unknown";
}

/** Advice about the page after a single response. */
export interface NextPageHint {
  /** Value of `next` in the result; `null` for no next page, absent where the response decides. */
  readonly next?: Readonly<Record<string, unknown>> | null;
  /** True if the response does not show whether there is a next page. */
  readonly mayBeLast?: boolean;
  /** Inputs of the next page, where the result has no `next`. */
  readonly facts?: ResultFacts;
}

/** Finds the list in a response body; `undefined` when there is none. */
export function findItems(
  body: unknown,
  { wrap, items }: ResponseMapping,
): readonly unknown[] | undefined {
  if (wrap !== "items" && items === undefined) return undefined;
  const list = wrap === "items" ? body : valueAt(body, items as string);
  return Array.isArray(list) ? list : undefined;
}

/**
 * Finds the request of the next page; `undefined` after the last page. A link takes precedence over
 * a cursor, and a cursor over counting.
 */
export function findNextPage(page: Page): NextPage | undefined {
  const pagination = page.operation.pagination ?? {};
  const announced = nextByAnyLink(page, pagination) ?? nextByCursor(page, pagination);
  if (announced) return announced;
  if (isAnnouncedEnd(page, pagination)) return undefined;
  const continuation = continuationOf(page, pagination);
  const next = continuation === "last" ? undefined : nextByCounting(page, pagination);
  const isCertain = continuation === "last" || continuation === "more";
  return next && !isCertain ? { ...next, certainty: continuation } : next;
}

/** True if the body has the field of the link or the cursor, and there is no next page in it. */
function isAnnouncedEnd({ body }: Page, { link, cursor, hasMore }: PaginationMapping): boolean {
  if (hasMore !== undefined && valueAt(body, hasMore) === true) return false;
  const fields = [link, cursor?.pointer].filter((pointer) => pointer !== undefined);
  const values = fields.map((pointer) => valueAt(body, pointer));
  return values.some((value) => value === null || value === false || value === "");
}

/**
 * True if a response shows that no items follow its own: by a link or cursor that is empty, a flag,
 * a total, or fewer items than a page has.
 */
export function isLastPage(page: Page): boolean {
  const { pagination = {} } = page.operation;
  const { link, cursor, linkHeader } = pagination;
  if (page.items.length === 0 || findNextPage(page)) return false;
  if (isAnnouncedEnd(page, pagination) || continuationOf(page, pagination) === "last") return true;
  const hasPointer = (link ?? cursor ?? linkHeader) !== undefined;
  return hasPointer && !isRoundCount(page.items.length);
}

/** Finds the inputs of the next page, for the result of a call that requests a single page. */
export function nextPageHint(
  { call, operation }: Pick<PagedCall, "call" | "operation">,
  { headers }: Pick<ApiResponse, "headers">,
  content: DecodedContent,
): NextPageHint {
  const { link, list, cursor } = operation.pagination ?? {};
  if (content.kind !== "json") return {};
  const body = content.value;
  const items = findItems(body, operation.response) ?? findItems(body, { items: list });
  if (items && isBehindEnd({ body, items, operation })) return { next: null };
  const mayLink = (link ?? list ?? cursor) !== undefined || headers.has("link");
  if (!mayLink) return {};
  const firstRequest = call.request;
  const page: Page = { call, operation, firstRequest, headers, body, items: items ?? [] };
  const next = list === undefined ? nextByAnyLink(page, { link, cursor }) : findNextPage(page);
  return hintOfPage(page, next);
}

/** Hint about the page after a page that is the last one of a result. */
export function hintOfPage(
  { call, operation, body, items }: Page,
  next: NextPage | undefined,
): NextPageHint {
  const { pagination, response } = operation;
  const { list } = pagination ?? {};
  if (!next && isBehindEnd({ body, items, operation })) return { next: null };
  if (!next || next.certainty === "unknown") return {};
  if (!next.inputs) return { facts: linkFacts(next, call) };
  if (pagination && list === undefined) {
    const fields = response.next && nextPage(body, response.next);
    const mayBeLast = next.certainty !== undefined;
    return { next: { ...fields, ...next.inputs }, ...(mayBeLast && { mayBeLast }) };
  }
  return nextInputsHint({ call, operation }, next.inputs, next.certainty !== undefined);
}

/** Hint with the inputs of the next page: in the data, if the tool's own list shape has them. */
export function nextInputsHint(
  { call: { tool, input }, operation: { response } }: Pick<PagedCall, "call" | "operation">,
  inputs: Readonly<Record<string, unknown>>,
  mayBeLast: boolean,
): NextPageHint {
  const isOwnShape = (response.wrap ?? response.items) !== undefined;
  if (isOwnShape && Object.hasOwn(propertiesOf(tool.outputSchema ?? {}), "next"))
    return { next: inputs, mayBeLast };
  return { facts: nextPageFacts(inputs, tool, input, mayBeLast) };
}

/** Facts about a next page that only a URL of the API selects. */
function linkFacts({ url }: NextPage, { tool }: ApiCall): ResultFacts {
  const note = `There are more results, but no input of ${tool.name} selects the next page: ${url}`;
  return { notes: [note], values: { nextUrl: url } };
}

/** Reads the URL of the next page from the `Link` header or the body. */
function nextByLink(
  { call, operation, firstRequest, headers, body }: Page,
  { link }: Pick<PaginationMapping, "link">,
): NextPage | undefined {
  const field = link === undefined ? undefined : valueAt(body, link);
  const address = nextLinkInHeader(headers.get("link")) ?? nextLinkInField(field);
  if (address === undefined || !canParseUrl(address, call.request.url)) return undefined;
  const target = new URL(address, call.request.url);
  const inputs = inputsForLink(target, firstRequest, operation.request, call.tool, call.api);
  const url = sameOriginUrl(target, firstRequest);
  return inputs || url !== undefined ? omitUndefined({ inputs, url }) : undefined;
}

/** Reads the URL of the next page, also from the field of the cursor, which then is in its query. */
function nextByAnyLink(
  page: Page,
  { link, cursor }: Pick<PaginationMapping, "link" | "cursor">,
): NextPage | undefined {
  const own = nextByLink(page, { link });
  if (own || !cursor) return own;
  const found = nextByLink(page, { link: cursor.pointer });
  return found?.inputs && Object.hasOwn(found.inputs, cursor.input) ? found : undefined;
}

/** Reads the cursor from the body. APIs mark the last page with null, false or an empty text. */
function nextByCursor(page: Page, { cursor }: PaginationMapping): NextPage | undefined {
  if (!cursor || isBehindEnd(page)) return undefined;
  const value = valueAt(page.body, cursor.pointer) ?? "";
  return value === "" || value === false ? undefined : { inputs: { [cursor.input]: value } };
}

/** True for a page without items whose cursor is a position: APIs count on behind the end. */
function isBehindEnd({
  body,
  items,
  operation: { pagination },
}: Pick<Page, "body" | "items" | "operation">): boolean {
  const { cursor, hasMore } = pagination ?? {};
  if (!cursor || items.length > 0) return false;
  const isMore = hasMore !== undefined && valueAt(body, hasMore) === true;
  return typeof valueAt(body, cursor.pointer) === "number" && !isMore;
}

/**
 * Determines from the response whether a page follows: by a flag, a total, or the size of the page.
 * Absent fields are ignored.
 */
function continuationOf(
  { call, body, items }: Page,
  { hasMore, total, unfilteredTotal, pageSize, offset, page }: PaginationMapping,
): "last" | "more" | "possible" | "unknown" {
  const more = hasMore === undefined ? undefined : valueAt(body, hasMore);
  if (items.length === 0 || more === false) return "last";
  if (more === true) return "more";
  const size = pageSize && sizeOfPage(call, pageSize);
  const count = (pointer: string | undefined): number | undefined =>
    pointer === undefined ? undefined : finiteNumber(valueAt(body, pointer));
  const [totalItems, allItems] = [count(total), count(unfilteredTotal)];
  const skipped = skippedItems(call, offset, page, size);
  const end = skipped === undefined ? undefined : skipped + items.length;
  const isTotal =
    totalItems !== undefined &&
    totalItems >= items.length &&
    !(totalItems === items.length && isPageCount(total, items.length, size));
  if (end !== undefined && isTotal) {
    if (end >= totalItems) return "last";
    return asksForAll(call, pageSize) ? "possible" : "more";
  }
  if (end !== undefined && allItems !== undefined && end >= allItems) return "last";
  if (size === undefined) return isRoundCount(items.length) ? "possible" : "unknown";
  const isShort = items.length < size && !isCapped(call, pageSize, items.length);
  return isShort ? "last" : "possible";
}

/** True for the sizes -1 and 0: the items may be groups of those that the total counts. */
const asksForAll = (call: ApiCall, pageSize: PaginationMapping["pageSize"]): boolean =>
  pageSize !== undefined && (inputNumber(call, pageSize.input) ?? 1) <= 0;

/** True for a `count` that may be that of a full page. */
function isPageCount(
  pointer: string | undefined,
  count: number,
  size: number | undefined,
): boolean {
  const isFull = size === undefined ? isRoundCount(count) : count >= size;
  return isFull && /\/count$/.test(pointer ?? "");
}

/** Number of items before a page; `undefined` if it is unknown. */
function skippedItems(
  call: ApiCall,
  offset: PaginationMapping["offset"],
  page: PaginationMapping["page"],
  size: number | undefined,
): number | undefined {
  if (offset) return (inputNumber(call, offset.input) ?? offset.first) - offset.first;
  if (!page) return undefined;
  const pages = (inputNumber(call, page.input) ?? page.first) - page.first;
  if (pages === 0) return 0;
  if (page.firstIsGuess) return undefined;
  return size === undefined ? undefined : pages * size;
}

const CURSOR_INPUT = /(?:cursor|skip_?token|page_?token|next_?token|marker)$/i;

function nextByCounting(
  { call, items }: Page,
  { page, offset, after }: PaginationMapping,
): NextPage | undefined {
  const counted = page?.input ?? offset?.input;
  // A page that a cursor selected has no number.
  if (Object.keys(call.input).some((name) => name !== counted && CURSOR_INPUT.test(name)))
    return undefined;
  if (page) return countedInput(call, page, 1);
  if (offset) return countedInput(call, offset, items.length);
  const lastKey = after && valueAt(items.at(-1), after.pointer);
  const isId = typeof lastKey === "string" || typeof lastKey === "number";
  return after && isId ? { inputs: { [after.input]: lastKey } } : undefined;
}

/** Adds to the value of an input. A number remains a string if the input takes a string. */
function countedInput(
  call: ApiCall,
  { input, first }: { readonly input: string; readonly first: number },
  step: number,
): NextPage {
  const value = (inputNumber(call, input) ?? first) + step;
  const isText = [propertySchema(call.tool.inputSchema, input)["type"]].flat().includes("string");
  return { inputs: { [input]: isText ? String(value) : value } };
}

/**
 * Reads the `rel="next"` target of a `Link` header; `undefined` when there is none. RFC 8288,
 * section 3.
 */
export function nextLinkInHeader(header: string | null): string | undefined {
  for (const [, target = "", parameters = ""] of (header ?? "").matchAll(
    /<([^<>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^\s",;]*))?)*)/g,
  )) {
    const [, quoted, unquoted] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]*))/i.exec(parameters) ?? [];
    if ((quoted ?? unquoted ?? "").toLowerCase().split(/\s+/).includes("next")) return target;
  }
  return undefined;
}

/**
 * Reads a link from a field of the body: a text, or an object with one, as in HAL and JSON:API. A
 * word without a slash is a cursor, not a link.
 */
function nextLinkInField(value: unknown): string | undefined {
  if (typeof value === "string") return /^(https?:\/\/|\/|\?)/i.test(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const { href, url } = value as { readonly href?: unknown; readonly url?: unknown };
  return nextLinkInField([href, url].find((link) => typeof link === "string"));
}

/**
 * Returns the URL of the next page, if it has the origin of the API. The request carries
 * credentials.
 */
function sameOriginUrl(target: URL, { url }: BoundRequest): string | undefined {
  const nextUrl = new URL(target);
  nextUrl.hash = "";
  const hasCredentials = nextUrl.username !== "" || nextUrl.password !== "";
  return nextUrl.origin === new URL(url).origin && !hasCredentials ? nextUrl.href : undefined;
}

/**
 * Finds the inputs that an agent passes for a linked page: those that set the query parameters that
 * differ from the first request. `undefined` when inputs cannot express the link.
 */
function inputsForLink(
  target: URL,
  { url }: BoundRequest,
  { query = {} }: RequestMapping,
  { inputSchema }: Pick<ToolDefinition, "inputSchema">,
  api: ApiDefinition,
): Record<string, unknown> | undefined {
  const [currentQuery, nextQuery] = [new URL(url).searchParams, target.searchParams];
  const inputs = new Map<string, unknown>();
  for (const name of new Set(nextQuery.keys())) {
    const values = nextQuery.getAll(name);
    if (values.join("\n") === currentQuery.getAll(name).join("\n") || isCredential(name, api))
      continue;
    const source = Object.hasOwn(query, name) ? query[name] : undefined;
    const input = source && inputOf(source);
    const value =
      input === undefined || values.length > 1
        ? undefined
        : parseQueryValue(values[0] as string, propertySchema(inputSchema, input));
    if (input === undefined || value === undefined) return undefined;
    inputs.set(input, value);
  }
  return inputs.size > 0 ? Object.fromEntries(inputs) : undefined;
}

function isCredential(name: string, { securitySchemes }: ApiDefinition): boolean {
  return Object.values(securitySchemes).some((scheme) => {
    const place = rulesOf(scheme).place(scheme);
    return place?.in === "query" && place.name === name;
  });
}

/** Parses a query value by the type of its input. Lists and objects have no unambiguous form. */
function parseQueryValue(text: string, { type }: JsonSchema): unknown {
  const types = [type ?? "string"].flat();
  if (types.includes("string")) return text;
  if (
    (types.includes("integer") || types.includes("number")) &&
    text.trim() !== "" &&
    Number.isFinite(Number(text))
  )
    return Number(text);
  return types.includes("boolean") && (text === "true" || text === "false")
    ? text === "true"
    : undefined;
}

// ---- pagination/page-memory.ts ----
// Detection of APIs that ignore the requested page: pages are compared with those of earlier calls.

/** Maximum number of remembered pages, of all callers together. */
const MAX_PAGES = 500;

/** Time after which a list may well have changed. */
const LIFETIME_MS = 600_000;

/** Place of a page in a list: an input and its value; `undefined` for the start. */
interface PagePosition {
  readonly input: string;
  /** Value for comparisons; that of the first page, if none was sent. */
  readonly value?: unknown;
  /** Value in the call. */
  readonly sent?: unknown;
}

/** Fingerprints of the last pages of one caller. Holds neither inputs nor items. */
export interface PageMemory {
  /**
   * Remembers a page.
   * @param list identifies the list: the tool and its inputs without the position
   * @returns position of an earlier page with the same items, if there is one
   */
  compare(
    list: string,
    position: PagePosition,
    items: readonly unknown[],
  ): PagePosition | undefined;
  /** Forgets the pages of the caller. A write may move items to other pages. */
  clear(): void;
  /** Returns the memory of one caller, who is not compared with others. */
  forCaller(caller: string): PageMemory;
}

interface Entry {
  readonly position: PagePosition;
  readonly expiresAt: number;
}

/** Creates a memory. There are no timers: the oldest pages make room for new ones. */
export function createPageMemory(now: () => number = () => performance.now()): PageMemory {
  const entries = new Map<string, Entry>();

  function remember(key: string, position: PagePosition): void {
    entries.delete(key);
    entries.set(key, { position, expiresAt: now() + LIFETIME_MS });
    for (const oldest of entries.keys()) {
      if (entries.size <= MAX_PAGES) return;
      entries.delete(oldest);
    }
  }

  const memoryFor = (caller: string): PageMemory => ({
    forCaller: memoryFor,
    compare(list, position, items) {
      const key = `${caller}\n${fingerprint(list)}\n${fingerprint(JSON.stringify(items))}`;
      const entry = entries.get(key);
      const earlier = entry && entry.expiresAt > now() ? entry.position : undefined;
      if (earlier && isAfter(position, earlier)) return earlier;
      remember(key, position);
      return undefined;
    },
    clear() {
      for (const key of entries.keys()) if (key.startsWith(`${caller}\n`)) entries.delete(key);
    },
  });
  return memoryFor("");
}

/** True for another page that does not lie before the earlier one. Cursors have no order. */
function isAfter({ input, value }: PagePosition, earlier: PagePosition): boolean {
  if (input !== earlier.input) return true;
  if (typeof value === "number" && typeof earlier.value === "number") return value > earlier.value;
  return value !== undefined && value !== earlier.value;
}

/**
 * Compares the page in a response with the pages of earlier calls.
 * @returns a note, if the page has the items of another one
 */
export function repeatedPageNote(
  { call, operation }: { readonly call: ApiCall; readonly operation: OperationBinding },
  body: unknown,
  memory: PageMemory | undefined,
): string | undefined {
  const { pagination = {}, response } = operation;
  const inputs = positionInputs(pagination, call);
  if (!memory || inputs.length === 0) return undefined;
  const items =
    findItems(body, response) ?? findItems(body, { items: pagination.list }) ?? onlyList(body);
  if (!items?.some(isDistinctive)) return undefined;
  const isFilter = (name: string): boolean => !inputs.some(({ input }) => input === name);
  const filters = Object.entries(call.input).filter(([name]) => isFilter(name));
  const list = JSON.stringify([call.tool.name, call.mapping.path, filters.toSorted()]);
  const position = positionOf(call, inputs);
  const earlier = memory.compare(list, position, items);
  if (!earlier) return undefined;
  if (isFirstPage(position, earlier, pagination)) return firstPageNote(position, earlier);
  const { input } = position;
  return (
    `${formatPosition(position)} has the same items as ${formatPosition(earlier)}: ` +
    `the API seems to ignore ${input}, or the list ends before it. ` +
    `Do not call ${call.tool.name} for further pages.`
  );
}

/** True for page 1 with the items of page 0, if nothing documents that pages are counted from 0. */
function isFirstPage(
  { input, value }: PagePosition,
  earlier: PagePosition,
  { page }: PaginationMapping,
): boolean {
  if (!page?.firstIsGuess || input !== page.input) return false;
  return earlier.value === page.first && value === page.first + 1;
}

/** An API that ignores the page is recognized by the page after it. */
function firstPageNote(position: PagePosition, earlier: PagePosition): string {
  const [first, same] = [formatPosition(position), formatPosition(earlier)];
  const next = `${position.input} ${Number(position.value) + 1}`;
  return (
    `${first} seems to be the first page: it has the same items as ${same}. ` +
    `The next page, if there is one, is ${next}.`
  );
}

/** True for a text or an object. Different pages may well have the same numbers. */
function isDistinctive(item: unknown): boolean {
  return typeof item === "string" || (typeof item === "object" && item !== null);
}

/** The list in a response that has one. */
export function onlyList(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  if (typeof body !== "object" || body === null) return undefined;
  const [list, ...others] = Object.values(body).filter((value) => Array.isArray(value));
  return others.length === 0 ? (list as readonly unknown[] | undefined) : undefined;
}

/** Input that selects a page, and its value on the first page; absent for cursors. */
interface PositionInput {
  readonly input: string;
  readonly first?: number;
}

/** Names of inputs that select a page, for operations whose pagination is not known. */
export const PAGE = /^page(?:_?(?:number|no|num))?$/i;
export const OFFSET = /^(?:offset|skip)$/i;
const CURSOR = /^(?:cursor|(?:page|next|continuation)_?token)$/i;

function positionInputs(
  { page, offset, cursor, after }: PaginationMapping,
  { mapping }: ApiCall,
): readonly PositionInput[] {
  const known = [page, offset, cursor, after].flatMap((position): PositionInput[] =>
    position ? [position] : [],
  );
  if (known.length > 0) return known;
  return queryInputs(mapping).flatMap((input): PositionInput[] => {
    // The first page may be 0 or 1, so that only later ones are compared.
    if (PAGE.test(input)) return [{ input, first: 1 }];
    if (OFFSET.test(input)) return [{ input, first: 0 }];
    return CURSOR.test(input) ? [{ input }] : [];
  });
}

function positionOf({ input }: ApiCall, inputs: readonly PositionInput[]): PagePosition {
  const { input: name, first } = inputs.find((one) => input[one.input] !== undefined) ?? inputs[0]!;
  const sent = input[name] ?? undefined;
  const value = sent ?? first;
  const isCount = first !== undefined && value !== "" && Number.isFinite(Number(value));
  return { input: name, value: isCount ? Math.max(Number(value), first) : value, sent };
}

function formatPosition({ input, sent }: PagePosition): string {
  return sent === undefined ? `the call without ${input}` : `${input} ${quoteInput(input, sent)}`;
}

/** 53-bit hash of a text (cyrb53). It is not for security; it identifies equal texts. */
function fingerprint(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}

// ---- pagination/automatic.ts ----
// Lists that are followed without configuration: as long as they are small and cost little.

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

// ---- pagination/list-notes.ts ----
// Sentences about the extent of a list: number of items, total of the API, completeness.

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

// ---- pagination/follow-pages.ts ----
// Following pages, as configured or while a list is small: one call, one deadline, one result.

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

// ---- pagination/possible-rest.ts ----
// Lists that may be incomplete although their response does not say so.

/** Fields of a response that tell how many items or pages there are. */
const PAGING_FIELD =
  /^(?:total|has_?(?:more|next)|is_?(?:last|truncated)|more|next|(?:last|next|total)_?\w*|\w*cursor|page_?count|pages|count|links?|_links)$|_?total$|Total$/i;

/**
 * Hint about a list that has as many items as a page, if its operation documents no paging and the
 * response has no information about it.
 */
export function possibleRest(
  { call, operation }: { readonly call: ApiCall; readonly operation: OperationBinding },
  body: unknown,
  headers: Pick<ResponseHeaders, "get" | "has">,
): NextPageHint | undefined {
  const { pagination, response } = operation;
  if (pagination || response.next || headers.has("link")) return undefined;
  const inputs = queryInputs(call.mapping);
  const sizeInput = inputs.find((name) => ITEM_COUNT.test(name));
  const positions = [OFFSET, PAGE].flatMap((names) => inputs.filter((name) => names.test(name)));
  if (sizeInput === undefined && positions.length === 0) return undefined;
  const count = (findItems(body, response) ?? onlyList(body))?.length ?? 0;
  if (count === 0) return undefined;
  const total = totalInHeaders(headers)?.total;
  const isFirst = !positions.some((name) => isGiven(name, call));
  if (total !== undefined && total <= count) return undefined;
  const hasRest = isFirst && total !== undefined;
  if (!hasRest && (!isPageSize(count, sizeInput, call) || hasPagingFields(body))) return undefined;
  const given = positions.toSorted((a, b) => Number(isGiven(b, call)) - Number(isGiven(a, call)));
  const next = given.map((name) => nextPosition(name, count, call)).find((inputs) => inputs);
  if (next) return nextInputsHint({ call, operation }, next, !hasRest);
  const more = [...positions, sizeInput].filter((name) => name !== undefined).join(" or ");
  if (hasRest)
    return {
      facts: {
        notes: [
          `The list has ${count} ${count === 1 ? "item" : "items"}: use ${more} to see the others.`,
        ],
      },
    };
  const event =
    `The list has exactly ${count} ${count === 1 ? "item" : "items"}, ` +
    "and the API does not say whether these are all";
  return { facts: { notes: [`${event}. There may be more: use ${more} to see them.`] } };
}

/** True if a list is a full page of the requested or the default size, or of a usual one. */
function isPageSize(
  count: number,
  sizeInput: string | undefined,
  { input, tool }: ApiCall,
): boolean {
  if (count === 0) return false;
  const asked = sizeInput === undefined ? undefined : input[sizeInput];
  const known = Number(asked ?? propertySchema(tool.inputSchema, sizeInput ?? "")["default"]);
  if (!(known > 0)) return isRoundCount(count);
  if (count >= known) return count === known || isRoundCount(count);
  return asked !== undefined && count >= 100 && isRoundCount(count);
}

/** True if the body, or an object in it, has a field about the whole list. */
function hasPagingFields(body: unknown): boolean {
  if (!isObject(body)) return false;
  return Object.entries(body).some(
    ([name, value]) =>
      (!Array.isArray(value) && PAGING_FIELD.test(name)) ||
      (isObject(value) && Object.keys(value).some((inner) => PAGING_FIELD.test(inner))),
  );
}

function isGiven(name: string, { input }: ApiCall): boolean {
  return input[name] !== undefined;
}

/** Inputs of the next page; `undefined` if the number of this page is unknown. */
function nextPosition(
  name: string,
  count: number,
  { input, tool }: ApiCall,
): ToolInput | undefined {
  const isOffset = OFFSET.test(name);
  const given =
    input[name] ?? propertySchema(tool.inputSchema, name)["default"] ?? (isOffset ? 0 : undefined);
  const position = given === "" || given === undefined ? NaN : Number(given);
  if (!Number.isSafeInteger(position) || position < 0) return undefined;
  const next = position + (isOffset ? count : 1);
  return {
    [name]: propertySchema(tool.inputSchema, name)["type"] === "string" ? String(next) : next,
  };
}
