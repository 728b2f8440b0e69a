/** Calls with a list of IDs: one call for each, and one result. */
import { parseContainerText } from "../data/json-text.js";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { isObject, omitUndefined } from "../data/values.js";
import { addValues } from "../response/result-facts.js";
import { coerceOutput } from "../schema/coerce-output.js";
import {
  type AnyTool,
  type BuiltInTool,
  type CallOutcome,
  errorResult,
} from "../tools/definitions.js";
import type {
  JsonSchema,
  OperationBinding,
  SeveralIds,
  ToolDefinition,
  ToolInput,
} from "../types.js";
import { coercionFacts } from "../response/notes.js";
import { invalidInput } from "./build-result.js";
import { includedNames } from "./included-lists.js";
import { notSent, runAtOnce, textOfOne } from "./run-at-once.js";

/** Maximum number of IDs of one call. */
const MAX_IDS = 20;

/** Maximum number of requests of one call. */
const MAX_REQUESTS = 40;

/** A tool as it is called for one ID, and the IDs of a call that has a list of them. */
interface SplitCall {
  readonly tool: ToolDefinition;
  readonly binding: OperationBinding & { readonly severalIds: SeveralIds };
  /** Lists by input. */
  readonly lists: Readonly<Record<string, readonly unknown[]>>;
  readonly args: unknown;
}

/** The IDs of one of several calls, by input. */
type Ids = Readonly<Record<string, unknown>>;

/** Calls the tool for one ID, with a share of the size of a result. */
type CallOne = (tool: ToolDefinition, args: unknown, share: number) => Promise<CallOutcome>;

/**
 * Calls a tool for each ID of a list, within the deadline of one call. Reads are in parallel, and a
 * failure stands in the place of its ID. Writes are one after the other, up to the first failure
 * that is not about its ID alone.
 * @returns `undefined` for a tool that takes one ID
 */
export async function callForEach(
  given: AnyTool | BuiltInTool,
  args: unknown,
  timeoutMs: number,
  callOne: CallOne,
): Promise<CallOutcome | undefined> {
  const split = splitCall(given, args);
  if (!split) return undefined;
  const { tool, binding, lists } = split;
  const [input] = Object.keys(lists);
  if (input === undefined) return callOne(tool, split.args, 1);
  const wrong = listProblem(lists);
  const calls = wrong === undefined ? idsOfCalls(lists) : [];
  const included = includedNames(binding, args as ToolInput).length;
  const problem = wrong ?? countProblem(calls.length, included);
  if (problem !== undefined) return invalidInput(given, [{ input, problem }]);
  const endsAt = performance.now() + (tool.timeoutMs ?? timeoutMs);
  const callFor = (ids: Ids): Promise<CallOutcome> => {
    const remaining = Math.max(1, Math.ceil(endsAt - performance.now()));
    return callOne(
      { ...withoutWaiting(tool), timeoutMs: remaining },
      { ...(split.args as object), ...ids },
      1 / calls.length,
    );
  };
  const { isWrite } = binding.severalIds;
  const outcomes = await (isWrite ? runInOrder(calls, callFor) : runAtOnce(calls, callFor));
  return combine(split, calls, outcomes, given as ToolDefinition);
}

/** Finds the lists of IDs in the arguments of a call; hosts may send them as JSON text. */
function splitCall(tool: AnyTool | BuiltInTool, args: unknown): SplitCall | undefined {
  const binding = "operations" in tool ? tool.operations.find(takesSeveral) : undefined;
  if (!binding || !("operations" in tool)) return undefined;
  const { input, others = [] } = binding.severalIds;
  const inputs = [input, ...others];
  const given = isObject(args) ? args : {};
  const lists = inputs.flatMap((name) => {
    const list = listIn(given[name]);
    return list ? [[name, list] as const] : [];
  });
  const single = lists.flatMap(([name, ids]) => (ids.length === 1 ? [[name, ids[0]]] : []));
  return {
    tool: toolOfOneId(tool, inputs),
    binding,
    lists: Object.fromEntries(lists.filter(([, { length }]) => length !== 1)),
    args: single.length === 0 ? args : { ...given, ...(Object.fromEntries(single) as object) },
  };
}

/** The IDs of each call: those of one list, or of several in pairs, each once. */
function idsOfCalls(lists: SplitCall["lists"]): readonly Ids[] {
  const [longest = []] = Object.values(lists).toSorted((a, b) => b.length - a.length);
  const calls = longest.map((_, i) =>
    Object.fromEntries(Object.entries(lists).map(([name, ids]) => [name, ids[i]])),
  );
  return [...new Map(calls.map((ids) => [JSON.stringify(ids), ids])).values()];
}

const takesSeveral = (
  binding: OperationBinding,
): binding is OperationBinding & { readonly severalIds: SeveralIds } =>
  binding.severalIds !== undefined;

function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const parsed = parseContainerText(value);
  return Array.isArray(parsed) ? parsed : undefined;
}

/** Tools with the schema of one ID. Their validators are compiled once, and not by each call. */
const toolsOfOneId = new WeakMap<ToolDefinition, ToolDefinition>();

function toolOfOneId(tool: ToolDefinition, inputs: readonly string[]): ToolDefinition {
  let single = toolsOfOneId.get(tool);
  if (!single) toolsOfOneId.set(tool, (single = inputs.reduce(withoutList, tool)));
  return single;
}

/** The tool with the schema of one ID, which its values are validated against. */
function withoutList(tool: ToolDefinition, input: string): ToolDefinition {
  const properties = tool.inputSchema["properties"] as Readonly<Record<string, JsonSchema>>;
  const { anyOf, ...about } = properties[input] ?? {};
  const forms = Array.isArray(anyOf) ? (anyOf as readonly JsonSchema[]).slice(0, -1) : [];
  const schema = forms.length === 1 ? { ...forms[0], ...about } : { anyOf: forms, ...about };
  return {
    ...tool,
    inputSchema: { ...tool.inputSchema, properties: { ...properties, [input]: schema } },
  };
}

/** The tool without waiting for work that it starts, which would take that time for each ID. */
function withoutWaiting(tool: ToolDefinition): ToolDefinition {
  const operations = tool.operations.map((one) =>
    one.job ? { ...one, job: { ...one.job, waitMs: 0 } } : one,
  );
  return { ...tool, operations };
}

function listProblem(lists: SplitCall["lists"]): string | undefined {
  const all = Object.values(lists);
  if (all.some(({ length }) => length === 0)) return "is an empty list; pass at least one ID";
  if (all.flat().some((id) => typeof id === "object")) return "has an item that is not an ID";
  const [first, ...others] = Object.entries(lists).map(
    ([name, ids]) => [name, ids.length] as const,
  );
  const other = others.find(([, length]) => length !== first![1]);
  if (other)
    return `has ${first![1]} IDs, and ${other[0]} has ${other[1]}; lists of one call are taken in pairs`;
  return undefined;
}

/**
 * @param count number of calls
 * @param lists number of lists that are read with each thing
 */
function countProblem(count: number, lists: number): string | undefined {
  if (count > MAX_IDS) return `has ${count} IDs, and a call takes ${MAX_IDS} at most`;
  const requests = count * (1 + lists);
  return requests > MAX_REQUESTS
    ? `has ${count} IDs with ${lists} lists each; pass fewer, a call sends ${MAX_REQUESTS} requests at most`
    : undefined;
}

async function runInOrder(
  calls: readonly Ids[],
  callFor: (ids: Ids) => Promise<CallOutcome>,
): Promise<readonly CallOutcome[]> {
  const outcomes: CallOutcome[] = [];
  let isStopped = false;
  for (const ids of calls) {
    const outcome: CallOutcome = isStopped
      ? notSent("a call before it failed")
      : await callFor(ids);
    isStopped ||= outcome.result.isError === true && !REJECTIONS_OF_ID.has(outcome.status ?? 0);
    outcomes.push(outcome);
  }
  return outcomes;
}

/** Statuses of APIs that reject one ID and have done nothing; the others concern every call. */
const REJECTIONS_OF_ID: ReadonlySet<number> = new Set([400, 403, 404, 409, 410, 412, 422]);

/** One result of several. It is an error if every call failed. */
function combine(
  { binding }: SplitCall,
  calls: readonly Ids[],
  outcomes: readonly CallOutcome[],
  { outputSchema }: ToolDefinition,
): CallOutcome {
  const [first] = outcomes;
  const failed = outcomes.filter(({ result }) => result.isError);
  const figures = omitUndefined({
    status: first?.status,
    bytes: sumOf(outcomes.map(({ bytes }) => bytes)),
    retries: sumOf(outcomes.map(({ retries }) => retries)),
  });
  if (failed.length === outcomes.length) {
    const errors = outcomes.map(({ result }, i) => `${idsText(calls[i]!)}: ${textOfOne(result)}`);
    return { ...errorResult(first?.outcome ?? "invalid", errors.join("\n")), ...figures };
  }
  const items = outcomes.map(({ result }, i) => itemOf(result, calls[i]!, binding));
  const note = `${failed.length} of ${calls.length} IDs have no result. Their items have an error.`;
  const notes = failed.length > 0 ? [note] : [];
  const blocks = outcomes.flatMap(({ result }) =>
    result.content.filter(({ type }) => type !== "text"),
  );
  return { outcome: "ok", result: resultOf(items, notes, blocks, outputSchema), ...figures };
}

const idsText = (ids: Ids): string =>
  Object.entries(ids)
    .map(([name, id]) => `${name} ${JSON.stringify(id)}`)
    .join(", ");

function sumOf(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, number) => sum + number, 0);
}

/** The item of one ID: what a call with this ID alone returns, or its error. */
function itemOf(
  result: CallToolResult,
  ids: Ids,
  { severalIds: { isWrite }, response }: SplitCall["binding"],
): Record<string, unknown> {
  if (result.isError) return { ...ids, error: textOfOne(result) };
  const structured = result.structuredContent;
  if (!isObject(structured)) return { ...ids, result: textOfOne(result) };
  if (response.item === undefined) return isWrite ? { ...ids, ...structured } : structured;
  const { items, ...facts } = structured;
  const [item] = Array.isArray(items) ? (items as readonly unknown[]) : [];
  if (!isObject(item)) return { ...ids, ...structured };
  return addValues(item, pathsInItem(facts), undefined);
}

/** Facts of a list of one item, with the paths of its fields as the item has them. */
function pathsInItem({
  nullFields,
  ...facts
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!Array.isArray(nullFields)) return omitUndefined({ ...facts, nullFields });
  const paths = nullFields.map((path) => String(path).replace(/^items\[0?\]\.?/, ""));
  return { ...facts, nullFields: paths };
}

/** The items as both forms of a result. */
function resultOf(
  items: readonly unknown[],
  notes: readonly string[],
  blocks: readonly ContentBlock[],
  outputSchema: JsonSchema | undefined,
): CallToolResult {
  const data = { items, ...(notes.length > 0 && { notes }) };
  const text = { type: "text" as const, text: JSON.stringify({ items }) };
  const lines = notes.map((note) => ({ type: "text" as const, text: `Note: ${note}` }));
  const content = [text, ...lines, ...blocks];
  if (!outputSchema) return { content, structuredContent: data };
  const coerced = coerceOutput(data, outputSchema);
  if (!coerced.ok) return { content };
  const { notes: differences = [], values = {} } = coercionFacts(coerced);
  const all = [...notes, ...differences.filter((note) => note !== undefined)];
  const structuredContent = {
    ...(coerced.value as Record<string, unknown>),
    ...values,
    ...(all.length > 0 && { notes: all }),
  };
  return { content, structuredContent };
}
