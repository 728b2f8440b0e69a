/** Notices an API that ignores the page of a call, by the pages that it returned before. */
import { type ApiCall } from "../errors/api-call.js";
import { quoteInput } from "../errors/next-tools.js";
import type { OperationBinding, PaginationMapping } from "../types.js";
import { findItems } from "./next-page.js";

/** Maximum number of remembered pages, of all callers together. */
const MAX_PAGES = 500;

/** Time after which a list may well have changed. */
const LIFETIME_MS = 600_000;

/** Place of a page in a list: an input and its value; `undefined` for the start. */
interface PagePosition {
  readonly input: string;
  readonly value?: unknown;
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
 * @returns the note about a page that brought the items of another one
 */
export function repeatedPageNote(
  { call, operation }: { readonly call: ApiCall; readonly operation: OperationBinding },
  body: unknown,
  memory: PageMemory | undefined,
): string | undefined {
  const { pagination, response } = operation;
  const names = pagination && positionInputs(pagination);
  if (!memory || !pagination || names?.length === 0) return undefined;
  const items = findItems(body, response) ?? findItems(body, { items: pagination.list });
  if (!items?.some(isDistinctive)) return undefined;
  const filters = Object.entries(call.input).filter(([name]) => !names?.includes(name));
  const list = JSON.stringify([call.tool.name, call.mapping.path, filters.toSorted()]);
  const position = positionOf(call, pagination);
  const earlier = memory.compare(list, position, items);
  if (!earlier) return undefined;
  const { input } = position;
  return (
    `${formatPosition(position)} brought the same items as ${formatPosition(earlier)}: ` +
    `the API seems to ignore ${input}, or the list ends before it. ` +
    `Do not call ${call.tool.name} for further pages.`
  );
}

/** True for an item that pages hardly share by accident, as they may share zeros. */
function isDistinctive(item: unknown): boolean {
  return typeof item === "string" || (typeof item === "object" && item !== null);
}

function positionInputs({ page, offset, cursor, after }: PaginationMapping): readonly string[] {
  return [page, offset, cursor, after].flatMap((way) => (way ? [way.input] : []));
}

function positionOf({ input }: ApiCall, pagination: PaginationMapping): PagePosition {
  const names = positionInputs(pagination);
  const name = names.find((one) => input[one] !== undefined) ?? names[0]!;
  const counted = [pagination.page, pagination.offset].find((way) => way?.input === name);
  const value = input[name] ?? counted?.first;
  const isCount = counted !== undefined && value !== "" && Number.isFinite(Number(value));
  return { input: name, value: isCount ? Number(value) : value };
}

function formatPosition({ input, value }: PagePosition): string {
  return value === undefined ? `the call without ${input}` : `${input} ${quoteInput(input, value)}`;
}

/** 53-bit hash of a text (cyrb53). It protects nothing: equal texts are found by it. */
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
