import type { Subject } from "../kind.js";
import type { ToolName } from "../name/index.js";
import { planRequest, type PlannedRequest, type ToolContext } from "../tool.js";
import type { PlannedTool, PlanOptions } from "../types.js";
import type { Find } from "./find.js";
import type { FindResult } from "./find-result.js";
import { planFind } from "./find-tool.js";
import { forcedTask, type Formed, type Forming } from "./forced.js";
import { mergesOf, NO_MERGES } from "./merges.js";
import { TaskNames } from "./names.js";
import { withRefusals } from "./refusals.js";
import { singleTask } from "./single.js";
import { updateTool } from "./update-tool.js";

/** A tool with the operations it was made from, the most general first. */
export interface TaskTool {
  readonly tool: PlannedTool;
  readonly requests: readonly PlannedRequest[];
}

/**
 * Forms tasks and plans their tools: what people want as one tool is one; list, search and get of
 * one resource become one `find_…` tool, PATCH and PUT of one thing one `update_…` tool, and every
 * other operation has a tool of its own, always so with `--granularity operation`. Tools come where
 * the first of their operations stands in the document.
 * @param toolsetOf of an operation; a merged tool is where its most general operation belongs
 */
export function planTasks(
  subjects: readonly Subject[],
  names: ReadonlyMap<Subject, ToolName>,
  toolsetOf: (subject: Subject) => string,
  granularity: PlanOptions["granularity"],
  context: ToolContext,
): readonly TaskTool[] {
  const forming: Forming = { request: requestPlanner(context), toolsetOf, context };
  const { request } = forming;
  const forced = forcedTasks(subjects, forming);
  const isSettled = (subject: Subject): boolean =>
    forced.has(subject) || context.alone.has(subject.operation);
  const merges =
    granularity !== "operation" ? mergesOf(subjects, isSettled, request, context) : NO_MERGES;
  const taskNames = new TaskNames(
    names,
    [...new Set(forced.values())].map(({ name }) => name),
    context.namespace === undefined ? "" : `${context.namespace}_`,
  );
  const done = new Set<unknown>();
  const tools = subjects.flatMap((subject): readonly TaskTool[] => {
    const [task, find, update] = [
      forced.get(subject),
      merges.finds.get(subject),
      merges.updates.get(subject),
    ];
    const merge = task ?? find ?? update;
    if (merge && done.has(merge)) return [];
    done.add(merge);
    if (task) return [task.write()];
    if (find) return [findTask(find.find, find.result, taskNames, toolsetOf, context)];
    if (update)
      return [
        updateTool(
          update,
          request(update.patch),
          taskNames.ofUpdate(update),
          toolsetOf(update.patch),
          context,
        ),
      ];
    return [
      singleTask(request(subject), names.get(subject) as ToolName, toolsetOf(subject), context),
    ];
  });
  return withRefusals(tools, merges.refusals, subjects);
}

/** Requests are planned when they are asked for first, and once. */
function requestPlanner(context: ToolContext): (subject: Subject) => PlannedRequest {
  const planned = new Map<Subject, PlannedRequest>();
  return (subject) => {
    const known = planned.get(subject) ?? planRequest(subject, context);
    planned.set(subject, known);
    return known;
  };
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

function findTask(
  find: Find,
  result: FindResult,
  names: TaskNames,
  toolsetOf: (subject: Subject) => string,
  context: ToolContext,
): TaskTool {
  const requests = find.members.map((member) => member.request);
  const base = (requests[0] as PlannedRequest).subject;
  return { tool: planFind(find, result, names.ofFind(find), toolsetOf(base), context), requests };
}
