/** Resolution of names to IDs by a lookup tool, before the request is bound. */
import { nearestNames } from "../nearest-names.js";
import { sanitize } from "../response/sanitize.js";
import { validatorFor } from "../schema/compile.js";
import type { ServerContext } from "../server/context.js";
import type { NameResolution, OperationBinding, ToolDefinition, ToolInput } from "../types.js";
import { type CallOutcome, errorResult } from "../tools/outcome.js";

/** Calls a lookup tool on behalf of a call, within its deadline and without truncation. */
export type LookUp = (via: ToolDefinition, input: ToolInput) => Promise<CallOutcome>;

export type ResolvedInput =
  | { readonly ok: true; readonly input: ToolInput }
  | { readonly ok: false; readonly outcome: CallOutcome };

/** Maximum number of candidates in an error text. */
const MAX_CANDIDATES = 5;

interface Candidate {
  readonly id: unknown;
  readonly name: string;
}

/**
 * Replaces names by IDs in inputs that accept both. A value that is an ID stays. A name must match
 * exactly one resource, without regard to case. Otherwise the agent gets the candidates.
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
 * Parses a value whose form is that of an ID: a number, or a text that satisfies the schema of IDs.
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
  /** Input that takes the ID. */
  readonly name: string;
  readonly text: string;
  readonly binding: NameResolution;
  readonly lookUp: LookUp;
}

type SearchResult = { readonly id: unknown } | { readonly outcome: CallOutcome };

/** Finds the ID. A text that looks like an ID is looked up as an ID first, any other as a name. */
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

/** Returns the lookup tool, without its own name resolution. Its pages are followed. */
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

/** Whether a text is one word with a digit, as most IDs are and few names. */
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
 * Matches an ID or a name. Several resources of one name are an error; no match returns
 * `undefined`.
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

/** Lists candidates for an unknown name. A search without results is replaced by the whole list. */
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

/** Ranks candidates: similar names first, then names that contain the text. */
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
