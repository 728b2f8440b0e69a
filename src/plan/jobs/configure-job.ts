/** Jobs as `mcp-gen.yaml` describes them. */
import type { JobConfig } from "../../configuration/types.js";
import { suggestionFor } from "../../diagnostics/index.js";
import { quoteText } from "../../diagnostics/text.js";
import { omitUndefined } from "../../json.js";
import type { FieldPath } from "../../runtime/data/field-paths.js";
import type { FollowedTool, JobMapping, OperationBinding } from "../../runtime/types.js";
import { inputProperties } from "../bound-parameters.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { PlanOptions } from "../options.js";
import type { JobRule, PlannedTool } from "../types.js";

/** Options and diagnostics of a plan. */
export interface ConfigurationContext {
  readonly options: PlanOptions;
  readonly diagnostics: DiagnosticCollector;
}

/** Reports `job` of a tool that starts nothing. */
export function reportUnusable(
  { definition }: PlannedTool,
  rule: JobRule,
  context: ConfigurationContext,
): void {
  report(rule, context, [], `${quoteText(definition.name)} only reads, so it starts no work.`);
}

/** Replaces parts of a derived job by configured ones. Without a derived one, `follow` is needed. */
export function configureJob(
  tool: PlannedTool,
  binding: OperationBinding,
  derived: JobMapping | undefined,
  rule: JobRule,
  tools: readonly PlannedTool[],
  context: ConfigurationContext,
): JobMapping | undefined {
  const { state, done, failed, wait } = rule.config as JobConfig;
  const follow = followOf(tool, binding, derived, rule, tools, context);
  if (!follow) return undefined;
  const path = state === undefined ? derived?.state : fieldPath(state);
  if (path === undefined) {
    report(rule, context, [], "`job` needs `state`, the field with the state of the work.");
    return undefined;
  }
  const hasOwnStates = done !== undefined || failed !== undefined;
  const base: Partial<JobMapping> = hasOwnStates
    ? { ...derived, running: undefined }
    : { ...derived };
  return omitUndefined({
    ...base,
    ...(state !== undefined && { started: path }),
    state: path,
    done: done ?? base?.done,
    failed: failed ?? base?.failed,
    follow,
    waitMs: wait === undefined ? undefined : wait * 1000,
  });
}

/** `job.status` → job, status. */
function fieldPath(text: string): FieldPath {
  const names = text.split(".");
  return names.length === 1 ? text : names;
}

function followOf(
  tool: PlannedTool,
  binding: OperationBinding,
  derived: JobMapping | undefined,
  rule: JobRule,
  tools: readonly PlannedTool[],
  context: ConfigurationContext,
): FollowedTool | undefined {
  const { follow: name, id } = rule.config as JobConfig;
  if (name === undefined && derived) return withId(derived.follow, id);
  if (name === undefined) {
    report(rule, context, [], "`job` needs `follow`, the tool that reads the state of the work.");
    return undefined;
  }
  const reader = findTool(name, tools, context.options);
  if (!reader || !reader.definition.annotations.readOnlyHint) {
    const names = tools.map(({ definition }) => definition.name);
    const problem = reader
      ? `The tool ${quoteText(name)} does not only read.`
      : `The tool ${quoteText(name)} does not exist${suggestionFor(name, names) || "."}`;
    report(rule, context, ["follow"], problem);
    return undefined;
  }
  return followedBy(tool, binding, reader, id ?? "id", rule, context);
}

/** The tool of a name, with or without the namespace. */
function findTool(
  name: string,
  tools: readonly PlannedTool[],
  { namespace }: PlanOptions,
): PlannedTool | undefined {
  const names = [name, `${namespace}_${name}`];
  return tools.find(({ definition }) => names.includes(definition.name));
}

/** Another field with the ID, for the input that takes one. */
function withId(follow: FollowedTool, id: string | undefined): FollowedTool {
  if (id === undefined) return follow;
  const fields = Object.keys(follow.fields).map((input) => [input, fieldPath(id)] as const);
  return { ...follow, fields: Object.fromEntries(fields) };
}

/** The inputs that the call has under the same names, and the ID for the only other one. */
function followedBy(
  tool: PlannedTool,
  { request }: OperationBinding,
  { definition }: PlannedTool,
  id: string,
  rule: JobRule,
  context: ConfigurationContext,
): FollowedTool | undefined {
  const { required = [] } = definition.inputSchema as { readonly required?: readonly string[] };
  const path = Object.values(definition.operations[0]?.request.pathParams ?? {}).filter(
    (source) => typeof source === "string",
  );
  const own = inputProperties(tool.definition);
  const needed = [...new Set([...required, ...path])];
  const isOwn = (name: string): boolean =>
    Object.hasOwn(own, name) && Object.values(request.pathParams ?? {}).includes(name);
  const others = needed.filter((name) => !isOwn(name));
  if (others.length !== 1) {
    report(
      rule,
      context,
      ["follow"],
      `${quoteText(definition.name)} needs ${needed.join(", ") || "no ID"}, and the call and one ID do not give that.`,
    );
    return undefined;
  }
  return {
    tool: definition.name,
    inputs: Object.fromEntries(needed.filter(isOwn).map((name) => [name, name])),
    fields: { [others[0]!]: fieldPath(id) },
  };
}

function report(
  { isOfDocument, locationOf }: JobRule,
  { diagnostics }: ConfigurationContext,
  path: readonly string[],
  message: string,
): void {
  diagnostics.add(
    isOfDocument ? "config-x-mcp" : "config-incompatible-value",
    message,
    locationOf(...path),
    isOfDocument ? undefined : "Correct it, or remove `job`.",
  );
}
