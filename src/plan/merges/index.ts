import type { ClassifiedOperation } from "../classify.js";
import type { ToolName } from "../names/index.js";
import type { PlanOptions } from "../options.js";
import { planSingleTask } from "./single.js";
import { buildUpdateTask } from "./update.js";
import type { PlannedRequest, PlannedTask, ToolContext } from "../tool-context.js";
import { planRequest } from "../tool.js";
import { type ConfiguredTool, type MergeContext, planConfiguredMerge } from "./configured.js";
import { buildFindTool, type FindResult } from "./find-tool.js";
import type { FindMerge } from "./find.js";
import { inferMerges, NO_MERGES } from "./inferred.js";
import { MergedToolNames } from "./names.js";
import { addRejectionNotes } from "./rejections.js";

/**
 * Forms tasks and plans their tools: what people want as one tool is one; list, search and get of
 * one resource become one `find_…` tool, PATCH and PUT of one thing one `update_…` tool, and every
 * other operation has a tool of its own, always so with `--granularity operation`. Tools come where
 * the first of their operations stands in the document.
 * @param toolsetOf of an operation; a merged tool is where its most general operation belongs
 */
export function formTools(
  subjects: readonly ClassifiedOperation[],
  names: ReadonlyMap<ClassifiedOperation, ToolName>,
  toolsetOf: (subject: ClassifiedOperation) => string,
  granularity: PlanOptions["granularity"],
  context: ToolContext,
): readonly PlannedTask[] {
  const forming: MergeContext = { request: requestPlanner(context), toolsetOf, context };
  const { request } = forming;
  const forced = configuredTools(subjects, forming);
  const isSettled = (subject: ClassifiedOperation): boolean =>
    forced.has(subject) || context.neverMerged.has(subject.operation);
  const merges =
    granularity !== "operation" ? inferMerges(subjects, isSettled, request, context) : NO_MERGES;
  const taskNames = new MergedToolNames(
    names,
    [...new Set(forced.values())].map(({ name }) => name),
    context.namespace === undefined ? "" : `${context.namespace}_`,
  );
  const done = new Set<unknown>();
  const tools = subjects.flatMap((subject): readonly PlannedTask[] => {
    const [task, find, update] = [
      forced.get(subject),
      merges.finds.get(subject),
      merges.updates.get(subject),
    ];
    const merge = task ?? find ?? update;
    if (merge && done.has(merge)) return [];
    done.add(merge);
    if (task) return [task.build()];
    if (find) return [buildFindTask(find.find, find.result, taskNames, toolsetOf, context)];
    if (update)
      return [
        buildUpdateTask(
          update,
          request(update.patch),
          taskNames.forUpdate(update),
          toolsetOf(update.patch),
          context,
        ),
      ];
    return [
      planSingleTask(request(subject), names.get(subject) as ToolName, toolsetOf(subject), context),
    ];
  });
  return addRejectionNotes(tools, merges.rejections, subjects);
}

/** Requests are planned when they are asked for first, and once. */
function requestPlanner(context: ToolContext): (subject: ClassifiedOperation) => PlannedRequest {
  const planned = new Map<ClassifiedOperation, PlannedRequest>();
  return (subject) => {
    const known = planned.get(subject) ?? planRequest(subject, context);
    planned.set(subject, known);
    return known;
  };
}

/** The tools that people put together, by each of their operations. */
function configuredTools(
  subjects: readonly ClassifiedOperation[],
  forming: MergeContext,
): ReadonlyMap<ClassifiedOperation, ConfiguredTool> {
  const { configuredMerges } = forming.context;
  if (configuredMerges.length === 0) return new Map();
  const of = new Map(subjects.map((subject) => [subject.operation, subject]));
  return new Map(
    configuredMerges.flatMap((wanted) => {
      const own = wanted.operations.flatMap((operation) => of.get(operation) ?? []);
      const task = own.length > 0 ? planConfiguredMerge(wanted, own, forming) : undefined;
      return task ? own.map((subject) => [subject, task] as const) : [];
    }),
  );
}

function buildFindTask(
  find: FindMerge,
  result: FindResult,
  names: MergedToolNames,
  toolsetOf: (subject: ClassifiedOperation) => string,
  context: ToolContext,
): PlannedTask {
  const requests = find.members.map((member) => member.request);
  const base = (requests[0] as PlannedRequest).classified;
  return {
    tool: buildFindTool(find, result, names.forFind(find), toolsetOf(base), context),
    requests,
  };
}
