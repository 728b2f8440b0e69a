/**
 * Following pages, where the owner of the server wants that: one call, one deadline, one result.
 */
import { bind, type BoundRequest } from "../bind/index.js";
import { type Content, read } from "../read/index.js";
import type { Outcome, Ready } from "../request.js";
import { type ApiResponse, isFailure, isSuccess } from "../send/index.js";
import { valueAt } from "../shape/pointer.js";
import { nextNote } from "../shape/notes.js";
import { nextPage } from "../shape/project.js";
import { itemsIn, linkOf, type Next, nextOf, type Page } from "./next.js";

/**
 * Requests of one call; and pages without items after each other, which some APIs send and others
 * send for ever.
 */
const mostPages = 1000;
const mostEmpty = 3;

type JsonContent = Extract<Content, { kind: "json" }>;

/** The pages of one call as one answer. */
export interface Paged {
  readonly content: JsonContent;
  /** What leads on from here; `null` on the last page. */
  readonly next: Readonly<Record<string, unknown>> | null;
  /** Bytes of all answers. */
  readonly bytes: number;
  readonly retries: number;
  readonly secrets: readonly string[];
}

/** What was collected so far, and where it ended. */
interface Collected {
  readonly first: JsonContent;
  readonly items: unknown[];
  /** The last page of which all items are there. */
  page: Page;
  next: Next | undefined;
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
export interface LeadsOn {
  readonly next?: Readonly<Record<string, unknown>> | null;
  readonly note?: string;
}

/**
 * What an agent has to pass for the page after this answer, when the API says it by a link, a
 * cursor, or that there is more.
 */
export function leadsOn(ready: Ready, { headers }: ApiResponse, content: Content): LeadsOn {
  const { binding, call } = ready;
  const { link, list } = binding.pages ?? {};
  if (content.kind !== "json" || (link === undefined && list === undefined && !headers.has("link")))
    return {};
  const items = list === undefined ? undefined : valueAt(content.value, list);
  const page: Page = {
    ready,
    origin: call.request,
    headers,
    answer: content.value,
    items: Array.isArray(items) ? (items as readonly unknown[]) : [],
  };
  const { inputs } =
    (list === undefined ? linkOf(page, { ...(link !== undefined && { link }) }) : nextOf(page)) ??
    {};
  if (!inputs) return {};
  if (binding.pages && list === undefined)
    return {
      next: { ...(binding.read.next && nextPage(content.value, binding.read.next)), ...inputs },
    };
  const note = nextNote({ next: inputs }, call.tool);
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
  ready: Ready,
  first: Outcome,
  send: (ready: Ready) => Promise<Outcome>,
): Promise<Paged | undefined> {
  const { maxItems } = ready.binding.pages ?? {};
  const opened = maxItems === undefined ? undefined : pageOf(ready, first, ready.call.request);
  if (maxItems === undefined || !opened) return undefined;
  const { page, content, size } = opened;
  const all: Collected = {
    first: content,
    items: [...page.items],
    page,
    next: nextOf(page),
    empty: 0,
    note: content.note,
    characters: textLength(page.items),
    bytes: size,
    retries: first.retries,
    plain: content.plain,
    secrets: first.secrets,
  };
  const asked = new Set<string>();
  for (
    let pages = 1;
    all.next && all.items.length < maxItems && all.empty < mostEmpty && pages < mostPages;
    pages++
  ) {
    const key = JSON.stringify(all.next);
    if (asked.has(key)) return { ...result(ready, all), next: null }; // It leads in a circle.
    asked.add(key);
    ready.context.progress?.(
      `${all.items.length} items from ${pages} ${pages === 1 ? "page" : "pages"} so far.`,
    );
    if (!(await add(all, maxItems, ready, send))) break;
  }
  return result(ready, all);
}

interface Opened {
  readonly page: Page;
  readonly content: JsonContent;
  readonly size: number;
}

/** A successful answer with a list in it. */
function pageOf(ready: Ready, { answer }: Outcome, origin: BoundRequest): Opened | undefined {
  if (isFailure(answer) || !isSuccess(answer)) return undefined;
  const content = read(answer, true, ready.call.send.method);
  const items = content.kind === "json" ? itemsIn(content.value, ready.binding.read) : undefined;
  return content.kind === "json" && items
    ? {
        page: { ready, origin, headers: answer.headers, answer: content.value, items },
        content,
        size: answer.size,
      }
    : undefined;
}

/** Adds the next page. @returns whether there may be more */
async function add(
  all: Collected,
  maxItems: number,
  { app }: Ready,
  send: (ready: Ready) => Promise<Outcome>,
): Promise<boolean> {
  const ready = requestOf(all);
  if (!ready) return false;
  const outcome = await send(ready);
  all.retries += outcome.retries;
  all.secrets = [...new Set([...all.secrets, ...outcome.secrets])];
  const opened = pageOf(ready, outcome, all.page.origin);
  if (!opened)
    return stop(all, `Only the first ${all.items.length} items are here: ${fault(outcome)}.`);
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
  all.plain &&= content.plain;
  const room = maxItems - all.items.length;
  if (page.items.length > room) return cut(all, page, room);
  all.items.push(...page.items);
  all.page = page;
  all.empty = page.items.length === 0 ? all.empty + 1 : 0;
  all.next = nextOf(page);
  return true;
}

/**
 * The last page is not needed in full. Counted items go on where they were cut; otherwise the same
 * page comes again.
 */
function cut(all: Collected, page: Page, room: number): false {
  const { offset } = page.ready.binding.pages ?? {};
  all.items.push(...page.items.slice(0, room));
  const at = offset && page.ready.call.input[offset.input];
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

function stop(all: Collected, note: string): false {
  all.note = [all.note, note].filter(Boolean).join(" ");
  return false;
}

function fault({ answer }: Outcome): string {
  if (!isFailure(answer))
    return isSuccess(answer)
      ? "the next page has no list"
      : `the next page was answered with status ${answer.status}`;
  return answer.kind === "timeout"
    ? "the time was up"
    : answer.kind === "cancelled"
      ? "the call was cancelled"
      : "the next page could not be fetched";
}

/** The call with the next page's request: the address that the API gave, else the inputs. */
function requestOf({ page: { ready }, next }: Collected): Ready | undefined {
  const { app, call, binding } = ready;
  const input = { ...call.input, ...next?.inputs };
  if (next?.url !== undefined)
    return { ...ready, call: { ...call, input, request: { ...call.request, url: next.url } } };
  const bound = bind(binding.send, input, app.context);
  return bound.ok ? { ...ready, call: { ...call, input, request: bound.request } } : undefined;
}

/**
 * One answer that holds all items: the first one with a longer list. **Changes its value in
 * place.**
 */
function result(
  { binding }: Ready,
  { first, items, page, next, note, plain, bytes, retries, secrets }: Collected,
): Paged {
  const leads = {
    ...(binding.read.next && nextPage(page.answer, binding.read.next)),
    ...next?.inputs,
  };
  const value = withItems(first.value, binding.read.items ?? "", items);
  return {
    content: { kind: "json", value, plain, ...(note !== undefined && { note }) },
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
