import type { ClassifiedOperation } from "../operations/types.js";
import { findToolName } from "../names/derive-name.js";
import { isConnective } from "../../language/grammar.js";
import type { ToolName, ToolNames } from "../names/index.js";
import { MAX_NAME_LENGTH } from "../names/format-name.js";
import type { PlanOptions } from "../options.js";
import type { PlannedRequest, PlannedTask, ToolContext } from "../tool-context.js";
import { planRequest } from "../tool.js";
import { type ConfiguredTool, type MergeContext, planConfiguredMerge } from "./configured.js";
import { buildFindTool, type FindResult } from "./find-tool.js";
import type { FindMerge } from "./find.js";
import { addRejectionNotes, inferMerges, type InferredMerges, NO_MERGES } from "./inferred.js";
import { planSingleTask } from "./single.js";
import { buildUpdateTask, type UpdateMerge } from "./update.js";

/**
 * Plans the tools of all operations. Configured merges come first. List, search and get of one
 * resource become one `find_…` tool; PATCH and PUT of one resource become one `update_…` tool, as
 * long as nothing is lost. Every other operation has its own tool; with `--granularity operation`,
 * all have. Tools are in the order of their first operation in the document.
 * @param toolsetOf toolset of an operation; a merged tool is in that of its most general operation
 */
export function formTools(
  operations: readonly ClassifiedOperation[],
  names: ToolNames,
  toolsetOf: (classified: ClassifiedOperation) => string,
  granularity: PlanOptions["granularity"],
  context: ToolContext,
): readonly PlannedTask[] {
  const mergeContext: MergeContext = { request: requestPlanner(context), toolsetOf, context };
  const { request } = mergeContext;
  const configured = configuredTools(operations, mergeContext);
  const isSettled = (classified: ClassifiedOperation): boolean =>
    configured.has(classified) || context.neverMerged.has(classified.operation);
  const merges =
    granularity !== "operation" ? inferMerges(operations, isSettled, request, context) : NO_MERGES;
  const taskNames = new MergedToolNames(
    names,
    [...new Set(configured.values())].map(({ name }) => name),
    context.namespace === undefined ? "" : `${context.namespace}_`,
  );
  const built = new Set<unknown>();
  const tools = operations.flatMap((classified): readonly PlannedTask[] => {
    const task = configured.get(classified);
    const merge = task ?? merges.finds.get(classified) ?? merges.updates.get(classified);
    if (merge && built.has(merge)) return [];
    built.add(merge);
    if (task) return [task.build()];
    return [
      buildInferredTask(classified, merges, taskNames, mergeContext) ??
        planSingleTask(
          request(classified),
          names.get(classified) as ToolName,
          toolsetOf(classified),
          context,
        ),
    ];
  });
  return addRejectionNotes(tools, merges.rejections, operations);
}

/** Builds the inferred merge that contains an operation; undefined without one. */
function buildInferredTask(
  classified: ClassifiedOperation,
  { finds, updates }: InferredMerges,
  names: MergedToolNames,
  { request, toolsetOf, context }: MergeContext,
): PlannedTask | undefined {
  const find = finds.get(classified);
  if (find) return buildFindTask(find.find, find.result, names, toolsetOf, context);
  const update = updates.get(classified);
  return (
    update &&
    buildUpdateTask(
      update,
      request(update.patch),
      names.forUpdate(update),
      toolsetOf(update.patch),
      context,
    )
  );
}

/** Plans each request when it is first needed, and once. */
function requestPlanner(context: ToolContext): (classified: ClassifiedOperation) => PlannedRequest {
  const planned = new Map<ClassifiedOperation, PlannedRequest>();
  return (classified) => {
    const plannedRequest = planned.get(classified) ?? planRequest(classified, context);
    planned.set(classified, plannedRequest);
    return plannedRequest;
  };
}

function configuredTools(
  operations: readonly ClassifiedOperation[],
  mergeContext: MergeContext,
): ReadonlyMap<ClassifiedOperation, ConfiguredTool> {
  const { configuredMerges } = mergeContext.context;
  if (configuredMerges.length === 0) return new Map();
  const classifiedOf = new Map(operations.map((classified) => [classified.operation, classified]));
  return new Map(
    configuredMerges.flatMap((merge) => {
      const members = merge.operations.flatMap((operation) => classifiedOf.get(operation) ?? []);
      const task =
        members.length > 0 ? planConfiguredMerge(merge, members, mergeContext) : undefined;
      return task ? members.map((classified) => [classified, task] as const) : [];
    }),
  );
}

function buildFindTask(
  find: FindMerge,
  result: FindResult,
  names: MergedToolNames,
  toolsetOf: (classified: ClassifiedOperation) => string,
  context: ToolContext,
): PlannedTask {
  const requests = find.members.map((member) => member.request);
  const base = (requests[0] as PlannedRequest).classified;
  return {
    tool: buildFindTool(find, result, names.forFind(find), toolsetOf(base), context),
    requests,
  };
}

/** Names of merged tools, derived from the unique names of their operations. */
class MergedToolNames {
  private readonly taken: Set<string>;

  constructor(
    private readonly names: ToolNames,
    /** Names of configured merges. */
    configuredNames: readonly string[],
    private readonly prefix: string,
  ) {
    this.taken = new Set([...[...names.values()].map(({ name }) => name), ...configuredNames]);
  }

  /**
   * `list_pets` → `find_pets`. The tool keeps the name of its list if another operation has that
   * name, or if it is too long. Other tools are never renamed.
   */
  forFind({ members, collection }: FindMerge): string {
    const memberNames = members.map(({ request }) => this.nameOf(request.classified));
    const base = memberNames[0] as string;
    const words =
      members[0]?.role === "list"
        ? base.slice(this.prefix.length).split("_")
        : this.sharedWords(memberNames.filter((_, i) => members[i]?.role === "search"));
    const found = findToolName(words, collection.words);
    if (found === undefined) return base;
    const name = `${this.prefix}${found}`;
    if (name.length > MAX_NAME_LENGTH || (this.taken.has(name) && !memberNames.includes(name)))
      return base;
    this.taken.add(name);
    return name;
  }

  /**
   * Name that starts with `update` and has no qualifier; that of the PATCH before that of the PUT.
   */
  forUpdate({ patch, put }: UpdateMerge): ToolName {
    const names = [patch, put].map((classified) => this.names.get(classified) as ToolName);
    const updates = names.filter(({ name }) =>
      name.slice(this.prefix.length).startsWith("update_"),
    );
    return (
      updates.find(
        ({ name, collision: clash }) => clash === undefined && !name.endsWith("_partially"),
      ) ??
      updates.find(({ collision: clash }) => clash === undefined) ??
      updates[0] ??
      names.find(({ collision: clash }) => clash === undefined) ??
      (names[0] as ToolName)
    );
  }

  private nameOf(classified: ClassifiedOperation): string {
    return (this.names.get(classified) as ToolName).name;
  }

  /** Common words of searches: `find_pets_by_status` and `find_pets_by_tags` → find pets. */
  private sharedWords(names: readonly string[]): string[] {
    const lists = names.map((name) => name.slice(this.prefix.length).split("_"));
    const [first = []] = lists;
    let end =
      lists.length === 1
        ? first.length
        : first.findIndex((word, i) => lists.some((list) => list[i] !== word));
    if (end < 0) end = first.length;
    while (end > 1 && isConnective(first[end - 1])) end -= 1;
    const by = first.findIndex((word, i) => i > 1 && word === "by");
    return first.slice(0, by < 0 ? end : Math.min(end, by));
  }
}
