/**
 * Names where an ID is wanted: looked up through the tool that lists the things, before the request
 * is put together.
 */
import type { App } from "./app.js";
import { type Ended, failed } from "./ended.js";
import { nearest } from "./nearest.js";
import { clean } from "./shape/clean.js";
import type { RequestBinding, ResolveBinding, ToolDefinition } from "./types.js";
import { type Input, validatorOf } from "./validate.js";

/**
 * Calls another tool on behalf of this call: within its deadline, and with room for the whole
 * answer.
 */
export type LookUp = (via: ToolDefinition, input: Input) => Promise<Ended>;

export type Resolved =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly ended: Ended };

/** Candidates that an error names. */
const mostCandidates = 5;

interface Item {
  readonly id: unknown;
  readonly name: string;
}

/**
 * Puts IDs in the place of names, where inputs take both. What can only be an ID, or turns out to
 * be one, stays as it is; a name must be that of exactly one thing, without regard to case, or the
 * agent is told which there are.
 */
export async function resolveNames(
  app: App,
  tool: Pick<ToolDefinition, "name">,
  input: Input,
  bindings: NonNullable<RequestBinding["resolve"]>,
  lookUp: LookUp,
): Promise<Resolved> {
  let resolved = input;
  for (const [name, binding] of Object.entries(bindings)) {
    const given = resolved[name];
    if (typeof given !== "string" || given.trim() === "") continue;
    const id = idIn(given, binding);
    const found =
      id === undefined
        ? await idOf({ app, tool, input, name, text: given.trim(), binding, lookUp })
        : { id };
    if ("ended" in found) return { ok: false, ended: found.ended };
    resolved = { ...resolved, [name]: found.id };
  }
  return { ok: true, input: resolved };
}

/**
 * The value, when its form says that it is an ID: a number, or what the API's pattern or format
 * allows.
 */
function idIn(text: string, { ids }: ResolveBinding): unknown {
  if (!ids) return undefined;
  const isNumber = ids["type"] === "integer" || ids["type"] === "number";
  const value = isNumber && /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text;
  return validatorOf(ids)(value).length === 0 ? value : undefined;
}

interface Search {
  readonly app: App;
  readonly tool: Pick<ToolDefinition, "name">;
  readonly input: Input;
  /** The input that takes the ID. */
  readonly name: string;
  readonly text: string;
  readonly binding: ResolveBinding;
  readonly lookUp: LookUp;
}

type Found = { readonly id: unknown } | { readonly ended: Ended };

/** What looks like an ID is asked for as one first; anything else is a name first. */
async function idOf(search: Search): Promise<Found> {
  const via = viaOf(search);
  if (!via)
    return {
      ended: failed(
        "invalid",
        `Not sent: ${search.name} takes no names here, because ${search.binding.via} is not served. Give the ID.`,
      ),
    };
  if (looksLikeId(search.text) && (await exists(search, via))) return { id: search.text };
  const listed = await lookedUp(
    search,
    via,
    search.binding.text === undefined ? {} : { [search.binding.text]: search.text },
  );
  if ("ended" in listed) return listed;
  const chosen = choose(search, listed.items);
  if (chosen) return chosen;
  const isId = looksLikeId(search.text)
    ? search.binding.get === undefined
    : await exists(search, via);
  return isId
    ? { id: search.text }
    : { ended: failed("invalid", clean(unknown(search, await someOf(search, via, listed.items)))) };
}

/**
 * The tool that looks names up, which must not do the same again. Its own pages are followed for
 * it.
 */
function viaOf({ app, binding }: Search): ToolDefinition | undefined {
  try {
    const via = app.catalogue.find(binding.via);
    return "requests" in via ? listing(via, binding) : undefined;
  } catch {
    return undefined;
  }
}

function listing(via: ToolDefinition, { items, pages }: ResolveBinding): ToolDefinition {
  const requests = via.requests.map(({ resolve: _, ...request }) => {
    if (request.read.item !== undefined) return request;
    return { ...request, ...(items !== undefined && { read: { items } }), ...(pages && { pages }) };
  });
  return { ...via, requests, ...(items !== undefined && { outputSchema: { type: "object" } }) };
}

/** One word with a digit in it, as most IDs are and few names. */
function looksLikeId(text: string): boolean {
  return /\d/.test(text) && !/\s/.test(text);
}

async function exists(
  { binding, input, text, lookUp }: Search,
  via: ToolDefinition,
): Promise<boolean> {
  if (binding.get === undefined) return false;
  const { result } = await lookUp(via, { ...passed(binding, input), [binding.get]: text });
  return result.isError !== true;
}

function passed({ pass = [] }: ResolveBinding, input: Input): Input {
  return Object.fromEntries(
    pass.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])),
  );
}

async function lookedUp(
  { binding, input, name, text, lookUp }: Search,
  via: ToolDefinition,
  filter: Input,
): Promise<{ readonly items: readonly Item[] } | { readonly ended: Ended }> {
  const ended = await lookUp(via, { ...passed(binding, input), ...filter });
  const { result } = ended;
  if (result.isError !== true) return { items: itemsOf(result.structuredContent, binding) };
  const [block] = result.content;
  return {
    ended: {
      ...ended,
      ...failed(
        ended.outcome,
        `Not sent: ${name} ${JSON.stringify(text)} could not be looked up.\n${block?.type === "text" ? block.text : ""}`,
      ),
    },
  };
}

function itemsOf(result: unknown, { match, id }: ResolveBinding): readonly Item[] {
  const items = (result as { readonly items?: unknown } | undefined)?.items;
  return (Array.isArray(items) ? (items as readonly unknown[]) : []).flatMap((item) => {
    const own =
      typeof item === "object" && item !== null ? (item as Readonly<Record<string, unknown>>) : {};
    const name = own[match];
    return own[id] === undefined || own[id] === null
      ? []
      : [
          {
            id: own[id],
            name: typeof name === "string" || typeof name === "number" ? String(name) : "",
          },
        ];
  });
}

/**
 * The one thing of that name, or of that ID; an error when several have the name; nothing when none
 * has.
 */
function choose(search: Search, items: readonly Item[]): Found | undefined {
  const { text } = search;
  const same = items.find(({ id }) => String(id) === text);
  if (same) return { id: same.id };
  const named = items.filter(({ name }) => plain(name) === plain(text));
  const ids = [...new Map(named.map((item) => [String(item.id), item])).values()];
  if (ids.length === 0) return undefined;
  return ids.length === 1
    ? { id: ids[0]!.id }
    : { ended: failed("invalid", clean(ambiguous(search, ids))) };
}

const plain = (text: string): string => text.normalize("NFC").trim().toLowerCase();

/**
 * What to offer when nothing has the name: a search that found nothing offers nothing, the list
 * does.
 */
async function someOf(
  search: Search,
  via: ToolDefinition,
  items: readonly Item[],
): Promise<readonly Item[]> {
  if (
    items.length > 0 ||
    search.binding.text === undefined ||
    !via.requests.some(
      ({ given, read }) =>
        read.items !== undefined && !given.includes(search.binding.text as string),
    )
  )
    return items;
  const listed = await lookedUp(search, via, {});
  return "items" in listed ? listed.items : [];
}

/** Those that are called nearly so, or whose names hold the text, come first. */
function candidates(text: string, items: readonly Item[]): readonly Item[] {
  const near = nearest(text, new Set(items.map(({ name }) => name)), mostCandidates);
  const rank = ({ name }: Item): number =>
    near.includes(name)
      ? near.indexOf(name)
      : name !== "" && (plain(name).includes(plain(text)) || plain(text).includes(plain(name)))
        ? mostCandidates
        : mostCandidates + 1;
  return [...items].sort((a, b) => rank(a) - rank(b)).slice(0, mostCandidates);
}

const shown = (items: readonly Item[]): string =>
  items.map(({ id, name }) => `${String(id)} (${short(name.trim())})`).join(", ");
const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
const quoted = (text: string): string => JSON.stringify(short(text));

function ambiguous({ tool, name, text, binding }: Search, items: readonly Item[]): string {
  const of =
    items.length > mostCandidates ? `, of which these are the first ${mostCandidates}` : "";
  return [
    `Not sent: ${items.length} things have the ${binding.match} ${quoted(text)}${of}.`,
    `Candidates for ${name}: ${shown(items.slice(0, mostCandidates))}.`,
    `Next: call ${tool.name} again with the ID of the right one; if you cannot tell which it is, ask the user.`,
  ].join("\n");
}

function unknown({ tool, name, text, binding }: Search, items: readonly Item[]): string {
  const some = candidates(text, items);
  return [
    `Not sent: nothing that ${binding.via} returns has the ${binding.match} ${quoted(text)}.`,
    ...(some.length > 0 ? [`Candidates for ${name}: ${shown(some)}.`] : []),
    some.length > 0
      ? `Next: call ${tool.name} again with the ID of the right one; if none of them is meant, call ${binding.via} to find it, or ask the user.`
      : `Next: call ${binding.via} to find the right ID, or ask the user.`,
  ].join("\n");
}
