/** Names where IDs are asked: lookups of values that the API does not know as IDs. */
import { withWholeResults } from "../server/context.js";
import { propertySchema } from "../schema/subschemas.js";
import { needsApproval } from "../approvals/policy.js";
import { startDeadline } from "../client/limits.js";
import { isObject, omitUndefined, ownProperty } from "../data/values.js";
import { formatInput, quoteInput } from "../errors/next-tools.js";
import { rejectedIds } from "../errors/rejected-ids.js";
import type { ApiCall, Failure } from "../request/types.js";
import { addFacts } from "../response/result-facts.js";
import { sanitize } from "../response/shape.js";
import { isIdentifier } from "../tools/identifiers.js";
import type { CallOutcome } from "../tools/definitions.js";
import type { IdLookUp, ItemNames, OperationBinding, ToolDefinition, ToolInput } from "../types.js";
import { formatCandidates, isId, normalizeName, rankCandidates } from "./name-candidates.js";
import { withAllFields } from "./select-fields.js";
import type { PreparedCall, RunningCall } from "./send-authenticated.js";

/** A call whose input has names. */
export interface NamingCall extends RunningCall {
  readonly operation: OperationBinding;
  readonly call: Pick<ApiCall, "tool" | "input">;
}

/** Calls the operation of a tool. */
export type CallOperation = (running: RunningCall) => Promise<CallOutcome>;

/** The input with IDs in place of names, or a text about candidates for the error. */
export type LookedUp =
  | { readonly input: ToolInput; readonly notes: readonly string[] }
  | { readonly text: string };

/** Share of the time until the deadline that lookups may take. */
const TIME_SHARE = 0.5;

/** Maximum number of characters of a name. */
const MAX_NAME_LENGTH = 200;

/**
 * Looks up the values that a failed call gave as IDs and that the API does not know. Exactly one
 * thing with that name gives its ID. A destructive call is not repeated with it.
 * @param callOperation calls the operation of a tool
 * @returns undefined where there is nothing to look up, and where a lookup fails
 */
export async function lookUpNames(
  prepared: PreparedCall,
  failure: Failure,
  callOperation: CallOperation,
): Promise<LookedUp | undefined> {
  const { operation, call } = prepared;
  const { lookUps = {} } = operation;
  if (!mayLookUp(prepared)) return undefined;
  const names = rejectedIds(call, failure).filter(
    (name) => Object.hasOwn(lookUps, name) && mayBeName(call.input[name]),
  );
  return lookUpInTime(prepared, names, callOperation);
}

/** True if the server looks up names, and this call is neither a lookup nor one after it. */
export const mayLookUp = ({ server, hasLookedUp }: RunningCall): boolean =>
  server.settings.lookUpNames && !hasLookedUp;

/** Looks up names within a share of the deadline. */
export async function lookUpInTime(
  naming: NamingCall,
  names: readonly string[],
  callOperation: CallOperation,
): Promise<LookedUp | undefined> {
  const { deadline, context } = naming;
  if (names.length === 0 || deadline.expired) return undefined;
  // Waits of a lookup for the API are not worth it, and the call needs time for its own result.
  const ms = deadline.remainingMs() * TIME_SHARE;
  const own = startDeadline(ms, context.signal, { remainingMs: 0 });
  try {
    return await lookUpEach({ ...naming, deadline: own }, names, callOperation);
  } finally {
    own.dispose();
  }
}

/** True for text that is not only an identifier. */
export function mayBeName(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length <= MAX_NAME_LENGTH &&
    /\p{L}/u.test(value) &&
    !isIdentifier(value.trim())
  );
}

/** A name with the ID of the one thing that has it. */
interface Match {
  readonly name: string;
  /** As the list has it. */
  readonly id: unknown;
  /** As the input takes it. */
  readonly value: unknown;
  readonly sentence: string;
}

/** Looks up one input after the other, those at the beginning of the path first. */
async function lookUpEach(
  prepared: NamingCall,
  names: readonly string[],
  callOperation: CallOperation,
): Promise<LookedUp | undefined> {
  let { input } = prepared.call;
  const matches: Match[] = [];
  for (const name of names) {
    const lookUp = prepared.operation.lookUps![name]!;
    const found = await findThing(prepared, lookUp, name, input, callOperation);
    if (found === undefined || "text" in found) return found;
    if ("isKnown" in found) continue;
    matches.push(found);
    input = { ...input, [name]: found.value };
  }
  if (matches.length === 0) return undefined;
  const { tool } = prepared.call;
  const { readOnlyHint, destructiveHint } = tool.annotations;
  // The user has approved the call with the name, not with the ID.
  const isApproved = needsApproval(tool, prepared.server);
  if ((destructiveHint && !readOnlyHint) || isApproved)
    return { text: destructiveText(tool.name, matches) };
  return {
    input,
    notes: matches.map(
      ({ name, id, sentence }) => `${sentence}; the call used ${quoteInput(name, id)}.`,
    ),
  };
}

type Found = Match | { readonly isKnown: true } | { readonly text: string };

/** Finds the thing with a name. Undefined if the list could not be read, or not all of it. */
async function findThing(
  prepared: NamingCall,
  lookUp: IdLookUp,
  name: string,
  input: ToolInput,
  callOperation: CallOperation,
): Promise<Found | undefined> {
  const text = (input[name] as string).trim();
  const list = findList(prepared, lookUp);
  if (!list) return undefined;
  const { idField } = lookUp;
  const listed = await listItems(prepared, list, lookUp, { input, text }, callOperation);
  const items = listed?.filter((item) => isId(ownProperty(item, idField)));
  if (!items) return undefined;
  if (items.some((item) => String(item[idField]) === text)) return { isKnown: true };
  const fields = list.names.fields.filter((field) => field !== idField);
  const namesakes = fields.map((field) => items.filter((item) => isNamed(item[field], text)));
  const all = new Map(namesakes.flat().map((item) => [String(item[idField]), item]));
  const candidatesOf = (these: Iterable<Item>) => candidates(these, idField, fields);
  const [only, ...others] = all.values();
  const about = { name, text, tool: lookUp.tool, caller: prepared.call.tool.name };
  if (!only) return noMatch(about, fields[0]!, candidatesOf(items));
  if (others.length > 0) return { text: ambiguousText(about, candidatesOf(all.values())) };
  const field = fields.find((_, i) => namesakes[i]!.includes(only))!;
  const id = only[idField];
  const value = toInputType(id, prepared.call.tool, name);
  const sentence = `${name} ${quoteInput(name, text)} is the ${field} of ${quoteInput(name, id)} in ${lookUp.tool}`;
  return { name, id, value, sentence };
}

type Item = Readonly<Record<string, unknown>>;

function isNamed(value: unknown, text: string): boolean {
  return typeof value === "string" && normalizeName(value) === normalizeName(text);
}

function candidates(items: Iterable<Item>, idField: string, fields: readonly string[]) {
  return [...items].map((item) => {
    const label = fields.map((field) => item[field]).find((value) => typeof value === "string");
    return { id: item[idField], name: (label as string | undefined) ?? "" };
  });
}

/** An ID as the input declares it: numbers as text where the input is text. */
function toInputType(id: unknown, { inputSchema }: ToolDefinition, name: string): unknown {
  return takesOnlyText(propertySchema(inputSchema, name)) ? String(id) : id;
}

function takesOnlyText(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, anyOf } = schema;
  return type === "string" || (Array.isArray(anyOf) && anyOf.every(takesOnlyText));
}

interface NameList {
  readonly tool: ToolDefinition;
  readonly names: ItemNames;
}

/** The tool of a lookup, as one that only lists. Undefined if it is not offered or replaced. */
function findList({ server }: NamingCall, { tool: name }: IdLookUp): NameList | undefined {
  const tool = server.tools.get(name);
  if (!tool || !("operations" in tool) || "run" in tool || !tool.annotations.readOnlyHint)
    return undefined;
  const operation = tool.operations.find(({ itemNames }) => itemNames !== undefined);
  const names = operation?.itemNames;
  if (!operation || !names) return undefined;
  const { items, pagination } = names;
  const total = pagination?.total;
  const { lookUps: _, resolve: __, ...list } = withAllFields(operation);
  const response = items === undefined ? {} : { response: { items, ...extraFields(total) } };
  const only = { ...list, ...response, whenProvided: [], ...omitUndefined({ pagination }) };
  const outputSchema = items === undefined ? tool.outputSchema : { type: "object" };
  return { names, tool: { ...tool, operations: [only], ...omitUndefined({ outputSchema }) } };
}

const extraFields = (total: string | undefined) =>
  total === undefined ? {} : { extraFields: { total } };

/** The items that a search for a text returns; of a list without a search, all of them. */
async function listItems(
  prepared: NamingCall,
  { tool, names }: NameList,
  { inputs = {} }: IdLookUp,
  { input, text }: { readonly input: ToolInput; readonly text: string },
  callOperation: CallOperation,
): Promise<readonly Item[] | undefined> {
  const { server, context, info } = prepared;
  const { searchInput, pageSize } = names;
  const shared = Object.entries(inputs).map(([to, from]) => [to, input[from]] as const);
  const given = omitUndefined({
    ...Object.fromEntries(shared),
    ...(pageSize && { [pageSize.input]: pageSize.size }),
    ...(searchInput !== undefined && { [searchInput]: text }),
  });
  context.progress?.(`Looking up ${formatInput("name", text)} with ${tool.name}.`);
  const { pageMemory: _, ...whole } = withWholeResults(server);
  const { outcome, result, isPartial } = await callOperation({
    ...prepared,
    server: whole,
    info: { ...info, tool, input: given },
    hasLookedUp: true,
  });
  const { structuredContent } = result;
  if (outcome !== "ok" || isPartial || !isObject(structuredContent)) return undefined;
  return isObject(structuredContent) ? completeItems(structuredContent) : undefined;
}

/** The items of a list; undefined if it says that there are more. */
function completeItems(list: Readonly<Record<string, unknown>>): readonly Item[] | undefined {
  const { items, next, nextUrl } = list;
  if (!Array.isArray(items) || nextUrl !== undefined) return undefined;
  if (isObject(next) && Object.keys(next).length > 0) return undefined;
  const hasMore = Object.entries(list).some(
    ([name, value]) =>
      typeof value === "number" && /total|count$/i.test(name) && value > items.length,
  );
  return hasMore ? undefined : (items as readonly unknown[]).filter(isObject);
}

/** The value of a lookup, and the tools around it. */
interface Subject {
  readonly name: string;
  readonly text: string;
  /** Tool with the list. */
  readonly tool: string;
  readonly caller: string;
}

type Candidates = Parameters<typeof formatCandidates>[0];

function noMatch(
  { name, text, tool, caller }: Subject,
  field: string,
  items: Candidates,
): { readonly text: string } | undefined {
  const ranked = rankCandidates(text, items);
  if (ranked.length === 0) return undefined;
  const event = `No result of ${tool} has the ${field} ${quoteInput(name, text)}`;
  return {
    text:
      `${event}. Candidates for ${name}: ${formatCandidates(ranked)}. ` +
      `If one of them is meant, call ${caller} again with its ID.`,
  };
}

function ambiguousText({ name, text, caller }: Subject, items: Candidates): string {
  const event = `${name} ${quoteInput(name, text)} is the name of ${items.length} things`;
  return (
    `${event}: ${formatCandidates(items)}. Call ${caller} again with the ID of the right one; ` +
    "if you cannot tell which it is, ask the user."
  );
}

function destructiveText(tool: string, matches: readonly Match[]): string {
  const sentences = matches.map(({ sentence }) => `${sentence}.`);
  const ids = matches.map(({ name, id }) => `${name}: ${quoteInput(name, id)}`).join(", ");
  return [
    ...sentences,
    `Nothing was done with that ID. If it is the right one, call ${tool} with ${ids}.`,
  ].join(" ");
}

/** Calls an operation with IDs in place of names, and says so in its result. */
export async function callWithIds(
  running: RunningCall,
  { input, notes }: Extract<LookedUp, { notes: readonly string[] }>,
  callOperation: CallOperation,
): Promise<CallOutcome> {
  const { info, server } = running;
  const foundInputs = Object.keys(input).filter((name) => input[name] !== info.input[name]);
  const repeated: RunningCall = {
    ...running,
    info: { ...info, input },
    hasLookedUp: true,
    foundInputs,
  };
  const outcome = await callOperation(repeated);
  const sentences = notes.map(server.redact);
  if (outcome.result.isError) return addText(outcome, sentences.join(" "));
  return { ...outcome, ...addFacts(outcome, { notes: sentences }, info.tool.outputSchema) };
}

/** Adds sentences to the text of an error. */
export function addText<Outcome extends CallOutcome>(outcome: Outcome, text: string): Outcome {
  const { result } = outcome;
  const [first, ...others] = result.content;
  if (first?.type !== "text") return outcome;
  const content = [{ ...first, text: `${first.text}\n${sanitize(text)}` }, ...others];
  return { ...outcome, result: { ...result, content } };
}
