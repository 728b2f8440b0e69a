/**
 * Names where an ID is wanted: looked up through the tool that lists the things, before the request
 * is put together.
 */
import { nearestNames } from "../nearest-names.js";
import { sanitize } from "../response/sanitize.js";
import { validatorFor } from "../schema/compile.js";
import type { ServerContext } from "../server/context.js";
import type { NameResolution, OperationBinding, ToolDefinition, ToolInput } from "../types.js";
import { type CallOutcome, errorResult } from "../tools/outcome.js";

/**
 * Calls another tool on behalf of this call: within its deadline, and with room for the whole
 * answer.
 */
export type LookUp = (via: ToolDefinition, input: ToolInput) => Promise<CallOutcome>;

export type ResolvedInput =
  | { readonly ok: true; readonly input: ToolInput }
  | { readonly ok: false; readonly outcome: CallOutcome };

/** Candidates that an error names. */
const MAX_CANDIDATES = 5;

interface Candidate {
  readonly id: unknown;
  readonly name: string;
}

/**
 * Puts IDs in the place of names, where inputs take both. What can only be an ID, or turns out to
 * be one, stays as it is; a name must be that of exactly one thing, without regard to case, or the
 * agent is told which there are.
 */
export async function resolveNames(
  app: ServerContext,
  tool: Pick<ToolDefinition, "name">,
  input: ToolInput,
  bindings: OperationBinding["resolve"],
  lookUp: LookUp,
): Promise<ResolvedInput> {
  let resolved = input;
  for (const [name, binding] of Object.entries(bindings ?? {})) {
    const text = resolved[name];
    if (typeof text !== "string" || text.trim() === "") continue;
    const id = parseId(text, binding);
    const result =
      id === undefined
        ? await findId({ app, tool, input, name, text: text.trim(), binding, lookUp })
        : { id };
    if ("outcome" in result) return { ok: false, outcome: result.outcome };
    resolved = { ...resolved, [name]: result.id };
  }
  return { ok: true, input: resolved };
}

/**
 * The value, when its form says that it is an ID: a number, or what the API's pattern or format
 * allows.
 */
function parseId(text: string, { idSchema }: NameResolution): unknown {
  if (!idSchema) return undefined;
  const isNumber = idSchema["type"] === "integer" || idSchema["type"] === "number";
  const value = isNumber && /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text;
  return validatorFor(idSchema)(value).length === 0 ? value : undefined;
}

interface NameSearch {
  readonly app: ServerContext;
  readonly tool: Pick<ToolDefinition, "name">;
  readonly input: ToolInput;
  /** The input that takes the ID. */
  readonly name: string;
  readonly text: string;
  readonly binding: NameResolution;
  readonly lookUp: LookUp;
}

type SearchResult = { readonly id: unknown } | { readonly outcome: CallOutcome };

/** What looks like an ID is asked for as one first; anything else is a name first. */
async function findId(search: NameSearch): Promise<SearchResult> {
  const via = lookupToolOf(search);
  if (!via)
    return {
      outcome: errorResult(
        "invalid",
        `Not sent: ${search.name} takes only an ID here, because ${search.binding.lookupTool} is not available. Pass the ID.`,
      ),
    };
  if (looksLikeId(search.text) && (await exists(search, via))) return { id: search.text };
  const listed = await listCandidates(
    search,
    via,
    search.binding.searchInput === undefined ? {} : { [search.binding.searchInput]: search.text },
  );
  if ("outcome" in listed) return listed;
  const chosen = matchExactly(search, listed.items);
  if (chosen) return chosen;
  const isId = looksLikeId(search.text)
    ? search.binding.idInput === undefined
    : await exists(search, via);
  return isId
    ? { id: search.text }
    : {
        outcome: errorResult(
          "invalid",
          sanitize(unknownNameText(search, await candidatesToOffer(search, via, listed.items))),
        ),
      };
}

/**
 * The tool that looks names up, which must not do the same again. Its own pages are followed for
 * it.
 */
function lookupToolOf({ app, binding }: NameSearch): ToolDefinition | undefined {
  try {
    const via = app.tools.find(binding.lookupTool);
    return "operations" in via ? asListTool(via, binding) : undefined;
  } catch {
    return undefined;
  }
}

function asListTool(via: ToolDefinition, { items, pagination }: NameResolution): ToolDefinition {
  const requests = via.operations.map(({ resolve: _, ...request }) => {
    if (request.response.item !== undefined) return request;
    return {
      ...request,
      ...(items !== undefined && { response: { items } }),
      ...(pagination && { pagination }),
    };
  });
  return {
    ...via,
    operations: requests,
    ...(items !== undefined && { outputSchema: { type: "object" } }),
  };
}

/** One word with a digit in it, as most IDs are and few names. */
function looksLikeId(text: string): boolean {
  return /\d/.test(text) && !/\s/.test(text);
}

async function exists(
  { binding, input, text, lookUp }: NameSearch,
  via: ToolDefinition,
): Promise<boolean> {
  if (binding.idInput === undefined) return false;
  const { result } = await lookUp(via, {
    ...sharedInputsOf(binding, input),
    [binding.idInput]: text,
  });
  return result.isError !== true;
}

function sharedInputsOf({ sharedInputs = [] }: NameResolution, input: ToolInput): ToolInput {
  return Object.fromEntries(
    sharedInputs.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])),
  );
}

async function listCandidates(
  { binding, input, name, text, lookUp }: NameSearch,
  via: ToolDefinition,
  filter: ToolInput,
): Promise<{ readonly items: readonly Candidate[] } | { readonly outcome: CallOutcome }> {
  const outcome = await lookUp(via, { ...sharedInputsOf(binding, input), ...filter });
  const { result } = outcome;
  if (result.isError !== true) return { items: candidatesIn(result.structuredContent, binding) };
  const [block] = result.content;
  return {
    outcome: {
      ...outcome,
      ...errorResult(
        outcome.outcome,
        `Not sent: ${name} ${JSON.stringify(text)} could not be looked up.\n${block?.type === "text" ? block.text : ""}`,
      ),
    },
  };
}

function candidatesIn(
  result: unknown,
  { nameField, idField }: NameResolution,
): readonly Candidate[] {
  const items = (result as { readonly items?: unknown } | undefined)?.items;
  return (Array.isArray(items) ? (items as readonly unknown[]) : []).flatMap((item) => {
    const own =
      typeof item === "object" && item !== null ? (item as Readonly<Record<string, unknown>>) : {};
    const name = own[nameField];
    return own[idField] === undefined || own[idField] === null
      ? []
      : [
          {
            id: own[idField],
            name: typeof name === "string" || typeof name === "number" ? String(name) : "",
          },
        ];
  });
}

/**
 * The one thing of that name, or of that ID; an error when several have the name; nothing when none
 * has.
 */
function matchExactly(search: NameSearch, items: readonly Candidate[]): SearchResult | undefined {
  const { text } = search;
  const same = items.find(({ id }) => String(id) === text);
  if (same) return { id: same.id };
  const named = items.filter(({ name }) => normalizeName(name) === normalizeName(text));
  const ids = [...new Map(named.map((item) => [String(item.id), item])).values()];
  if (ids.length === 0) return undefined;
  return ids.length === 1
    ? { id: ids[0]!.id }
    : { outcome: errorResult("invalid", sanitize(ambiguousNameText(search, ids))) };
}

const normalizeName = (text: string): string => text.normalize("NFC").trim().toLowerCase();

/**
 * What to offer when nothing has the name: a search that found nothing offers nothing, the list
 * does.
 */
async function candidatesToOffer(
  search: NameSearch,
  via: ToolDefinition,
  items: readonly Candidate[],
): Promise<readonly Candidate[]> {
  if (
    items.length > 0 ||
    search.binding.searchInput === undefined ||
    !via.operations.some(
      ({ whenProvided, response }) =>
        response.items !== undefined &&
        !whenProvided.includes(search.binding.searchInput as string),
    )
  )
    return items;
  const listed = await listCandidates(search, via, {});
  return "items" in listed ? listed.items : [];
}

/** Those that are called nearly so, or whose names hold the text, come first. */
function rankCandidates(text: string, items: readonly Candidate[]): readonly Candidate[] {
  const near = nearestNames(text, new Set(items.map(({ name }) => name)), MAX_CANDIDATES);
  const rank = ({ name }: Candidate): number =>
    near.includes(name)
      ? near.indexOf(name)
      : name !== "" &&
          (normalizeName(name).includes(normalizeName(text)) ||
            normalizeName(text).includes(normalizeName(name)))
        ? MAX_CANDIDATES
        : MAX_CANDIDATES + 1;
  return [...items].sort((a, b) => rank(a) - rank(b)).slice(0, MAX_CANDIDATES);
}

const formatCandidates = (items: readonly Candidate[]): string =>
  items.map(({ id, name }) => `${String(id)} (${shorten(name.trim())})`).join(", ");
const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
const quoteShort = (text: string): string => JSON.stringify(shorten(text));

function ambiguousNameText(
  { tool, name, text, binding }: NameSearch,
  items: readonly Candidate[],
): string {
  const of =
    items.length > MAX_CANDIDATES ? `, of which these are the first ${MAX_CANDIDATES}` : "";
  return [
    `Not sent: ${items.length} resources have the ${binding.nameField} ${quoteShort(text)}${of}.`,
    `Candidates for ${name}: ${formatCandidates(items.slice(0, MAX_CANDIDATES))}.`,
    `Next: call ${tool.name} again with the ID of the right one; if you cannot tell which it is, ask the user.`,
  ].join("\n");
}

function unknownNameText(
  { tool, name, text, binding }: NameSearch,
  items: readonly Candidate[],
): string {
  const some = rankCandidates(text, items);
  return [
    `Not sent: no result of ${binding.lookupTool} has the ${binding.nameField} ${quoteShort(text)}.`,
    ...(some.length > 0 ? [`Candidates for ${name}: ${formatCandidates(some)}.`] : []),
    some.length > 0
      ? `Next: call ${tool.name} again with the ID of the right one; if none of them matches, call ${binding.lookupTool} to find it, or ask the user.`
      : `Next: call ${binding.lookupTool} to find the right ID, or ask the user.`,
  ].join("\n");
}
