import { MAX_DESCRIPTION } from "../describe/tool.js";
import type { Subject } from "../kind.js";
import type { ToolName } from "../name/index.js";
import { planRequest, planTool, type PlannedRequest, type ToolContext } from "../tool.js";
import type { PlannedTool, PlanOptions } from "../types.js";
import { collectionsOf } from "./collections.js";
import { formFind, type Find, type Refusal } from "./find.js";
import { planFindResult, type FindResult } from "./find-result.js";
import { labelOf, planFind } from "./find-tool.js";
import { TaskNames } from "./names.js";
import { refuseUpdate, updatePairs, type Update } from "./update.js";

/** A tool with the operations it was made from, the most general first. */
export interface TaskTool {
  readonly tool: PlannedTool;
  readonly requests: readonly PlannedRequest[];
}

/** Which operations are one tool, and why others are not. */
interface Merges {
  readonly finds: ReadonlyMap<Subject, { readonly find: Find; readonly result: FindResult }>;
  readonly updates: ReadonlyMap<Subject, Update>;
  readonly refusals: readonly Refusal[];
}

const NONE: Merges = { finds: new Map(), updates: new Map(), refusals: [] };

/**
 * Forms tasks and plans their tools (DESIGN, section 5.3): list, search and get of one resource become one `find_…` tool, PATCH and
 * PUT of one thing one `update_…` tool, and every other operation has a tool of its own, always so with `--granularity operation`.
 * Tools come where the first of their operations stands in the document.
 * @param toolsetOf of an operation; a merged tool is where its most general operation belongs
 */
export function planTasks(subjects: readonly Subject[], names: ReadonlyMap<Subject, ToolName>, toolsetOf: (subject: Subject) => string, granularity: PlanOptions["granularity"], context: ToolContext): readonly TaskTool[] {
  const planned = new Map<Subject, PlannedRequest>();
  const request = (subject: Subject): PlannedRequest => {
    const known = planned.get(subject) ?? planRequest(subject, context);
    planned.set(subject, known);
    return known;
  };
  const merges = granularity !== "operation" ? mergesOf(subjects, request, context) : NONE;
  const taskNames = new TaskNames(names, context.namespace === undefined ? "" : `${context.namespace}_`);
  const done = new Set<unknown>();
  const tools: TaskTool[] = [];
  for (const subject of subjects) {
    const find = merges.finds.get(subject);
    const update = merges.updates.get(subject);
    const merge = find ?? update;
    if (merge && done.has(merge)) continue;
    done.add(merge);
    if (find) tools.push(findTask(find.find, find.result, taskNames, toolsetOf, context));
    else if (update) tools.push(updateTask(update, request, taskNames, toolsetOf(update.patch), context));
    else tools.push({ tool: planTool(request(subject), names.get(subject) as ToolName, toolsetOf(subject), context), requests: [request(subject)] });
  }
  return withRefusals(tools, merges.refusals);
}

function mergesOf(subjects: readonly Subject[], request: (subject: Subject) => PlannedRequest, context: ToolContext): Merges {
  const open = subjects.filter(({ operation }) => !context.alone.has(operation));
  const finds = new Map<Subject, { find: Find; result: FindResult }>();
  const refusals: Refusal[] = [];
  for (const collection of collectionsOf(open)) {
    const formed = formFind(collection, request, context);
    refusals.push(...formed.refusals);
    const result = formed.find && planFindResult(formed.find, context);
    if (!formed.find || result === undefined) continue;
    const [base, ...others] = formed.find.members.map((member) => member.request.subject) as [Subject, ...Subject[]];
    if (typeof result === "string") refusals.push(...others.map((subject) => ({ subject, base, why: result })));
    else {
      const entry = { find: formed.find, result };
      for (const subject of [base, ...others]) finds.set(subject, entry);
    }
  }
  const pairs = updatePairs(open).map((update) => ({ update, refusal: refuseUpdate(update, request, context) }));
  refusals.push(...pairs.flatMap(({ refusal }) => refusal ?? []));
  const updates = new Map(pairs.flatMap(({ update, refusal }) => (refusal ? [] : [[update.patch, update] as const, [update.put, update] as const])));
  return { finds, updates, refusals };
}

function findTask(find: Find, result: FindResult, names: TaskNames, toolsetOf: (subject: Subject) => string, context: ToolContext): TaskTool {
  const requests = find.members.map((member) => member.request);
  const base = (requests[0] as PlannedRequest).subject;
  return { tool: planFind(find, result, names.ofFind(find), toolsetOf(base), context), requests };
}

function updateTask(update: Update, request: (subject: Subject) => PlannedRequest, names: TaskNames, toolset: string, context: ToolContext): TaskTool {
  const { patch, put } = update;
  const tool = planTool(request(patch), names.ofUpdate(update), toolset, context);
  const { method, path, operationId, place } = put.operation;
  const reason = `Stands for ${labelOf(put)} too: it takes the same and returns the same; PATCH changes only what is given.`;
  return { tool: { ...tool, operations: [...tool.operations, { ...(operationId !== undefined && { operationId }), method, path, place }], reasons: [...tool.reasons, reason] }, requests: [request(patch)] };
}

/** The rule that stopped a merge stands with both sides of it; a list and a search that stay apart name each other. */
function withRefusals(tools: readonly TaskTool[], refusals: readonly Refusal[]): readonly TaskTool[] {
  if (refusals.length === 0) return tools;
  const toolOf = new Map(tools.flatMap(({ tool }) => tool.operations.map((operation) => [keyOf(operation), tool.definition.name] as const)));
  const notes = new Map<string, Note[]>();
  const add = ({ operation }: Subject, other: Subject, { why, siblings }: Refusal, use: string): void => {
    const sibling = toolOf.get(keyOf(other.operation));
    const note = { reason: `Not one tool with ${labelOf(other)}: ${why}.`, ...(siblings && sibling !== undefined && { sentence: `${use} use ${sibling}.` }) };
    notes.set(keyOf(operation), [...(notes.get(keyOf(operation)) ?? []), note]);
  };
  for (const refusal of refusals) {
    add(refusal.subject, refusal.base, refusal, "To list without a search,");
    add(refusal.base, refusal.subject, refusal, "To search,");
  }
  return tools.map((task) => noted(task, task.tool.operations.flatMap((operation) => notes.get(keyOf(operation)) ?? [])));
}

interface Note {
  readonly reason: string;
  /** For the tool's description. */
  readonly sentence?: string;
}

function noted(task: TaskTool, notes: readonly Note[]): TaskTool {
  if (notes.length === 0) return task;
  const { tool } = task;
  const description = [tool.definition.description, ...notes.flatMap(({ sentence }) => sentence ?? [])].join(" ");
  const definition = description.length <= MAX_DESCRIPTION ? { ...tool.definition, description } : tool.definition;
  return { ...task, tool: { ...tool, definition, reasons: [...tool.reasons, ...notes.map(({ reason }) => reason)] } };
}

const keyOf = ({ method, path, place }: { readonly method: string; readonly path: string; readonly place: { readonly pointer: string } }): string => `${method} ${path} ${place.pointer}`;
