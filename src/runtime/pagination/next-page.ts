/** The next page of a response: its inputs, and hints for the agent. */
import { propertiesOf, propertySchema } from "../schema/subschemas.js";
import { canParseUrl } from "../data/urls.js";
import type { ApiDefinition } from "../api-definition.js";
import type {
  ApiCall,
  ApiContext,
  ApiResponse,
  BoundRequest,
  Deadline,
  ResponseHeaders,
} from "../request/types.js";
import { omitUndefined, valueAt } from "../data/values.js";
import { inputOf } from "../request/parameter-source.js";
import type { DecodedContent } from "../response/decode.js";
import { nextPageFacts } from "../response/notes.js";
import type { ResultFacts } from "../response/result-facts.js";
import { finiteNumber, inputNumber, isCapped, isRoundCount, sizeOfPage } from "./page-size.js";
import { nextPage } from "../response/project.js";
import type {
  JsonSchema,
  OperationBinding,
  PaginationMapping,
  RequestMapping,
  ResponseMapping,
  ToolDefinition,
} from "../types.js";
import { rulesOf } from "../security-schemes.js";
import type { GivenValue } from "../schema/coerce-input.js";

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
