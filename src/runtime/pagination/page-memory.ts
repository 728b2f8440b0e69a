/** Detection of APIs that ignore the requested page: pages are compared with those of earlier calls. */
import type { ApiCall } from "../request/types.js";
import { quoteInput } from "../errors/next-tools.js";
import { queryInputs } from "../request/parameter-source.js";
import type { OperationBinding, PaginationMapping } from "../types.js";
import { findItems } from "./next-page.js";

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
