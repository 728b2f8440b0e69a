import { MAX_DESCRIPTION } from "../describe/tool.js";
import type { Subject } from "../kind.js";
import type { ToolName } from "../name/index.js";
import { planRequest, type PlannedRequest, type ToolContext } from "../tool.js";
import type { PlannedTool, PlanOptions } from "../types.js";
import type { Find, Refusal } from "./find.js";
import type { FindResult } from "./find-result.js";
import { planFind } from "./find-tool.js";
import { forcedTask, type Formed, type Forming } from "./forced.js";
import { mergesOf, NO_MERGES } from "./merges.js";
import { TaskNames } from "./names.js";
import { singleTask } from "./single.js";
import { updateTool } from "./update-tool.js";
import { labelOf } from "./words.js";

/** A tool with the operations it was made from, the most general first. */
export interface TaskTool {
  readonly tool: PlannedTool;
  readonly requests: readonly PlannedRequest[];
}

/**
 * Forms tasks and plans their tools (DESIGN, section 5.3): what people want as one tool is one; list, search and get of one resource
 * become one `find_…` tool, PATCH and PUT of one thing one `update_…` tool, and every other operation has a tool of its own, always so
 * with `--granularity operation`.
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
  const forced = forcedTasks(subjects, { request, toolsetOf, context });
  const settled = (subject: Subject): boolean => forced.has(subject) || context.alone.has(subject.operation);
  const merges = granularity !== "operation" ? mergesOf(subjects, settled, request, context) : NO_MERGES;
  const taskNames = new TaskNames(names, [...new Set(forced.values())].map(({ name }) => name), context.namespace === undefined ? "" : `${context.namespace}_`);
  const done = new Set<unknown>();
  const tools: TaskTool[] = [];
  for (const subject of subjects) {
    const task = forced.get(subject);
    const find = merges.finds.get(subject);
    const update = merges.updates.get(subject);
    const merge = task ?? find ?? update;
    if (merge && done.has(merge)) continue;
    done.add(merge);
    if (task) tools.push(task.write());
    else if (find) tools.push(findTask(find.find, find.result, taskNames, toolsetOf, context));
    else if (update) tools.push(updateTool(update, request(update.patch), taskNames.ofUpdate(update), toolsetOf(update.patch), context));
    else tools.push(singleTask(request(subject), names.get(subject) as ToolName, toolsetOf(subject), context));
  }
  return withRefusals(tools, merges.refusals, subjects);
}

/** The tools that people put together, by each of their operations. */
function forcedTasks(subjects: readonly Subject[], forming: Forming): ReadonlyMap<Subject, Formed> {
  const { merges } = forming.context;
  if (merges.length === 0) return new Map();
  const of = new Map(subjects.map((subject) => [subject.operation, subject]));
  return new Map(
    merges.flatMap((wanted) => {
      const own = wanted.operations.flatMap((operation) => of.get(operation) ?? []);
      const task = own.length > 0 ? forcedTask(wanted, own, forming) : undefined;
      return task ? own.map((subject) => [subject, task] as const) : [];
    }),
  );
}

function findTask(find: Find, result: FindResult, names: TaskNames, toolsetOf: (subject: Subject) => string, context: ToolContext): TaskTool {
  const requests = find.members.map((member) => member.request);
  const base = (requests[0] as PlannedRequest).subject;
  return { tool: planFind(find, result, names.ofFind(find), toolsetOf(base), context), requests };
}

/** What a tool says about the other one, when they stay apart: the refused one's word first, then that of its base. */
const WHEN_OTHER = { search: ["To list without a search,", "To search,"], update: ["To change only some of it,", undefined] } as const;

/** The rule that stopped a merge stands with both sides of it; those that are near enough to be mistaken name each other. */
function withRefusals(tools: readonly TaskTool[], refusals: readonly Refusal[], subjects: readonly Subject[]): readonly TaskTool[] {
  const many = writesOfMany(subjects);
  if (refusals.length + many.length === 0) return tools;
  const toolOf = new Map(tools.flatMap(({ tool }) => tool.operations.map((operation) => [keyOf(operation), tool.definition.name] as const)));
  const notes = new Map<string, Note[]>();
  const add = ({ operation }: Subject, other: Subject, why: string | undefined, use: string | undefined): void => {
    const sibling = toolOf.get(keyOf(other.operation));
    if (sibling !== undefined && sibling === toolOf.get(keyOf(operation))) return;
    const note = { ...(why !== undefined && { reason: `Not one tool with ${labelOf(other)}: ${why}.` }), ...(use !== undefined && sibling !== undefined && { sentence: `${use} use ${sibling}.` }) };
    notes.set(keyOf(operation), [...(notes.get(keyOf(operation)) ?? []), note]);
  };
  for (const refusal of refusals) {
    const [ofSubject, ofBase] = refusal.siblings ? WHEN_OTHER[refusal.siblings] : [];
    add(refusal.subject, refusal.base, refusal.why, ofSubject);
    add(refusal.base, refusal.subject, refusal.why, ofBase);
  }
  for (const { all, one } of many) add(all, one, undefined, "For one of them");
  return tools.map((task) => noted(task, task.tool.operations.flatMap((operation) => notes.get(keyOf(operation)) ?? [])));
}

/** A write to a collection, beside the same to one thing of it: `PUT /incidents` and `PUT /incidents/{id}`. */
function writesOfMany(subjects: readonly Subject[]): readonly { readonly all: Subject; readonly one: Subject }[] {
  const ofOne = new Map<string, Subject>();
  for (const subject of subjects) {
    const { method, path } = subject.operation;
    if (/^(PUT|PATCH|DELETE)$/.test(method) && path.endsWith("}")) ofOne.set(`${method} ${path.slice(0, path.lastIndexOf("/"))}`, subject);
  }
  return ofOne.size === 0 ? [] : subjects.flatMap((all) => {
    const one = ofOne.get(`${all.operation.method} ${all.operation.path}`);
    return one && !all.operation.path.endsWith("}") ? [{ all, one }] : [];
  });
}

interface Note {
  readonly reason?: string;
  /** For the tool's description. */
  readonly sentence?: string;
}

function noted(task: TaskTool, notes: readonly Note[]): TaskTool {
  if (notes.length === 0) return task;
  const { tool } = task;
  const description = [tool.definition.description, ...notes.flatMap(({ sentence }) => sentence ?? [])].join(" ");
  const definition = description.length <= MAX_DESCRIPTION ? { ...tool.definition, description } : tool.definition;
  return { ...task, tool: { ...tool, definition, reasons: [...tool.reasons, ...notes.flatMap(({ reason }) => reason ?? [])] } };
}

const keyOf = ({ method, path, place }: { readonly method: string; readonly path: string; readonly place: { readonly pointer: string } }): string => `${method} ${path} ${place.pointer}`;
