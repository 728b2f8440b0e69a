/** Resolution of names to IDs by a lookup tool, before the request is bound. */
import { type FieldPath, readField } from "../data/field-paths.js";
import { isObject, omitUndefined } from "../data/values.js";
import { sanitize } from "../response/shape.js";
import { validatorFor } from "../schema/compile.js";
import { contextOfTool } from "../server/api-contexts.js";
import { type ServerContext, withWholeResults } from "../server/context.js";
import { type CallOutcome, errorResult } from "../tools/definitions.js";
import type {
  NameResolution,
  OperationBinding,
  ResponseMapping,
  ToolDefinition,
  ToolInput,
} from "../types.js";
import {
  type Candidate,
  formatCandidate,
  formatCandidates,
  hasName,
  isId,
  isUrl,
  MAX_CANDIDATES,
  rankCandidates,
  shorten,
} from "./name-candidates.js";
import { withAllFields } from "./select-fields.js";
import { forwardedTo, type RunningCall } from "./send-authenticated.js";

/** Calls a lookup tool on behalf of a call, within its deadline and without truncation. */
type LookUp = (tool: ToolDefinition, input: ToolInput) => Promise<CallOutcome>;

/**
 * Creates the function that calls other tools to resolve names. Their results are not truncated,
 * because a name is compared with all items.
 * @param callOperation calls the operation of a tool
 */
export function createLookUp(
  running: RunningCall,
  callOperation: (lookUp: RunningCall) => Promise<CallOutcome>,
): LookUp {
  return (tool, input) => {
    running.context.progress?.(`Looking it up with ${tool.name}.`);
    // The tool may be that of another API, whose address and credentials the lookup has.
    const server = withWholeResults(contextOfTool(running.server, tool));
    const forwarded = forwardedTo(tool, running.context.forwarded);
    const info = { ...running.info, tool, input, forwarded };
    return callOperation({ ...running, server, info, hasLookedUp: true });
  };
}

type ResolvedInput =
  | { readonly ok: true; readonly input: ToolInput }
  | { readonly ok: false; readonly outcome: CallOutcome };

/**
 * Replaces names by IDs in inputs that accept both. A value that is an ID stays. A name must match
 * exactly one resource, without regard to case. Otherwise the agent gets the candidates.
 */
export async function resolveNames(
  server: ServerContext,
  tool: Pick<ToolDefinition, "name">,
  input: ToolInput,
  resolutions: OperationBinding["resolve"],
  lookUp: LookUp,
): Promise<ResolvedInput> {
  let resolved = input;
  for (const [name, resolution] of Object.entries(resolutions ?? {})) {
    const value = resolved[name];
    if (typeof value !== "string" || value.trim() === "") continue;
    const id = parseId(value, resolution);
    const search = { server, tool, input, name, text: value.trim(), resolution, lookUp };
    const result = id === undefined ? await findId(search) : { id };
    if ("outcome" in result) return { ok: false, outcome: result.outcome };
    resolved = { ...resolved, [name]: result.id };
  }
  return { ok: true, input: resolved };
}

/** Parses a value that can be an ID: a number, or a string that satisfies `idSchema`. */
function parseId(text: string, { idSchema }: NameResolution): unknown {
  if (!idSchema) return undefined;
  const isNumber = idSchema["type"] === "integer" || idSchema["type"] === "number";
  const value = isNumber && /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text;
  return validatorFor(idSchema)(value).length === 0 ? value : undefined;
}

interface NameSearch {
  readonly server: ServerContext;
  readonly tool: Pick<ToolDefinition, "name">;
  readonly input: ToolInput;
  /** Input that takes the ID. */
  readonly name: string;
  readonly text: string;
  readonly resolution: NameResolution;
  readonly lookUp: LookUp;
}

type SearchResult = { readonly id: unknown } | { readonly outcome: CallOutcome };

/** Finds the ID. A text that looks like an ID is looked up as an ID first, any other as a name. */
async function findId(search: NameSearch): Promise<SearchResult> {
  const { text, resolution } = search;
  const lookupTool = findLookupTool(search);
  const isIdLike = looksLikeId(text);
  // A server without the lookup tool can still send IDs.
  if (!lookupTool && isIdLike) return { id: text };
  if (!lookupTool) return { outcome: errorResult("invalid", missingToolText(search)) };
  if (isIdLike && (await isExistingId(search, lookupTool))) return { id: text };
  const { searchInput, idInput } = resolution;
  const isSearched =
    searchInput !== undefined && !(isUrl(text) && canListAll(lookupTool, searchInput));
  const filter = isSearched ? { [searchInput]: text } : {};
  const listing = await listCandidates(search, lookupTool, filter);
  if ("outcome" in listing) return listing;
  const match = matchExactly(search, listing.items);
  if (match) return match;
  const isId = isIdLike ? idInput === undefined : await isExistingId(search, lookupTool);
  if (isId) return { id: text };
  const candidates = await candidatesToOffer(search, lookupTool, listing.items);
  const offered = matchExactly(search, candidates);
  if (offered) return offered;
  return { outcome: errorResult("invalid", sanitize(unknownNameText(search, candidates))) };
}

/** Returns the lookup tool, without its own name resolution. Its pages are followed. */
function findLookupTool({ server, resolution }: NameSearch): ToolDefinition | undefined {
  const tool = server.tools.get(resolution.lookupTool);
  return tool && "operations" in tool ? asListTool(tool, resolution) : undefined;
}

function asListTool(tool: ToolDefinition, { items, pagination }: NameResolution): ToolDefinition {
  const response: ResponseMapping | undefined = items === undefined ? undefined : { items };
  const operations = tool.operations.map((one) => {
    const { resolve: _, ...operation } = withAllFields(one);
    if (operation.response.item !== undefined) return operation;
    return { ...operation, ...omitUndefined({ response, pagination }) };
  });
  const outputSchema = items === undefined ? tool.outputSchema : { type: "object" };
  return { ...tool, operations, ...omitUndefined({ outputSchema }) };
}

/** True if a text is one word with a digit, as most IDs are and few names. */
function looksLikeId(text: string): boolean {
  return /\d/.test(text) && !/\s/.test(text);
}

async function isExistingId(
  { resolution, input, text, lookUp }: NameSearch,
  tool: ToolDefinition,
): Promise<boolean> {
  const { idInput } = resolution;
  if (idInput === undefined) return false;
  const { result } = await lookUp(tool, { ...sharedInputsOf(resolution, input), [idInput]: text });
  return result.isError !== true;
}

function sharedInputsOf({ sharedInputs = [] }: NameResolution, input: ToolInput): ToolInput {
  return omitUndefined(Object.fromEntries(sharedInputs.map((name) => [name, input[name]])));
}

async function listCandidates(
  { resolution, input, name, text, lookUp }: NameSearch,
  tool: ToolDefinition,
  filter: ToolInput,
): Promise<{ readonly items: readonly Candidate[] } | { readonly outcome: CallOutcome }> {
  const outcome = await lookUp(tool, { ...sharedInputsOf(resolution, input), ...filter });
  const { result } = outcome;
  if (result.isError !== true) return { items: candidatesIn(result.structuredContent, resolution) };
  const [block] = result.content;
  const reason = block?.type === "text" ? block.text : "";
  const failure = `Not sent: ${name} ${JSON.stringify(text)} could not be looked up.\n${reason}`;
  return { outcome: { ...outcome, ...errorResult(outcome.outcome, failure) } };
}

function candidatesIn(
  result: unknown,
  { nameField, nameFields = [nameField], idField }: NameResolution,
): readonly Candidate[] {
  const items = isObject(result) ? result["items"] : undefined;
  if (!Array.isArray(items)) return [];
  return (items as readonly unknown[]).flatMap((item) => {
    const fields = isObject(item) ? item : {};
    const id = fields[idField];
    const [name = "", ...otherNames] = nameFields.flatMap((path) => namesAt(fields, path));
    return isId(id) ? [{ id, name, otherNames }] : [];
  });
}

/** Names in a field: texts and numbers. */
function namesAt(item: object, path: FieldPath): readonly string[] {
  return [readField(item, path)]
    .flat()
    .flatMap((name) => (typeof name === "string" || typeof name === "number" ? String(name) : []));
}

/**
 * Matches an ID, a candidate as it was offered, or a name; `undefined` without a match. Several
 * matches are an error.
 */
function matchExactly(search: NameSearch, items: readonly Candidate[]): SearchResult | undefined {
  const { text } = search;
  const byId = items.find((item) => String(item.id) === text || formatCandidate(item) === text);
  if (byId) return { id: byId.id };
  const namesakes = items.filter((item) => hasName(item, text));
  const [first, ...others] = new Map(namesakes.map((item) => [String(item.id), item])).values();
  if (!first) return undefined;
  if (others.length === 0) return { id: first.id };
  const message = sanitize(ambiguousNameText(search, [first, ...others]));
  return { outcome: errorResult("invalid", message) };
}

/** Lists candidates for an unknown name. A search without results is replaced by the whole list. */
async function candidatesToOffer(
  search: NameSearch,
  tool: ToolDefinition,
  items: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const { searchInput } = search.resolution;
  if (items.length > 0 || searchInput === undefined) return items;
  if (!canListAll(tool, searchInput)) return items;
  const listing = await listCandidates(search, tool, {});
  return "items" in listing ? listing.items : [];
}

/** True if the list can be read without a search. */
const canListAll = (tool: ToolDefinition, searchInput: string): boolean =>
  tool.operations.some(
    ({ whenProvided, response }) =>
      (response.items !== undefined || response.wrap === "items") &&
      !whenProvided.includes(searchInput),
  );

function missingToolText({ name, resolution }: NameSearch): string {
  const reason = `because ${resolution.lookupTool} is not available`;
  return `Not sent: ${name} takes only an ID here, ${reason}. Pass the ID.`;
}

function ambiguousNameText(
  { tool, name, text, resolution }: NameSearch,
  items: readonly Candidate[],
): string {
  const isPartial = items.length > MAX_CANDIDATES;
  const first = isPartial ? `, of which these are the first ${MAX_CANDIDATES}` : "";
  const match = `the ${resolution.nameField} ${JSON.stringify(shorten(text))}`;
  return [
    `Not sent: ${items.length} resources have ${match}${first}.`,
    `Candidates for ${name}: ${formatCandidates(items)}.`,
    `Next: call ${tool.name} again with the ID of the right one; ` +
      "if you cannot tell which it is, ask the user.",
  ].join("\n");
}

function unknownNameText(
  { server, tool, name, text, resolution }: NameSearch,
  items: readonly Candidate[],
): string {
  const { lookupTool, nameField } = resolution;
  const isOffered = server.tools.lookUp(lookupTool) !== undefined;
  const candidates = rankCandidates(text, items);
  const source = isOffered ? `no result of ${lookupTool}` : "nothing";
  const summary = `Not sent: ${source} has the ${nameField} ${JSON.stringify(shorten(text))}.`;
  if (candidates.length === 0)
    return isOffered
      ? `${summary}\nNext: call ${lookupTool} to find the right ID, or ask the user.`
      : `${summary}\nNext: ask the user.`;
  return [
    summary,
    `Candidates for ${name}: ${formatCandidates(candidates)}.`,
    `Next: call ${tool.name} again with the ID of the right one; if none of them matches, ` +
      (isOffered ? `call ${lookupTool} to find it, or ask the user.` : "ask the user."),
  ].join("\n");
}
