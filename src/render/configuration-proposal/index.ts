/** A proposed `mcp-gen.yaml` for a plan. */
import { groupBy } from "../../groups.js";
import { formatCount } from "../../diagnostics/index.js";
import { toSingleLine, quoteText } from "../../diagnostics/text.js";
import type { OperationRef } from "../../plan/operations/types.js";
import { consumersByProducer, producedInputs } from "../../plan/consumed-fields.js";
import type { PlannedTool, ToolPlan } from "../../plan/types.js";
import { carriedHead, type CarriedRules, carriedTool } from "./carried-rules.js";
import { commonParameters, suggestParameters } from "./parameters.js";
import {
  comment,
  flowList,
  type RankedSuggestion,
  scalar,
  type Suggestion,
  suggestionLines,
  suggestionsFor,
} from "./suggestions.js";
import { suggestWorkflows } from "./workflow-drafts.js";

/** Value of a key that is an option of the command line, too, `packages` or `images`. */
type SettingValue = string | boolean | readonly string[] | Readonly<Record<string, string>>;

/** Settings at the head of the file. */
interface ProposalOptions {
  /** Paths, relative to the file. */
  readonly spec?: string | undefined;
  readonly output: string;
  readonly overlays?: readonly string[];
  readonly workflows?: readonly string[];
  readonly namespace?: string | undefined;
  /** Other keys of the head, in order, with their values. */
  readonly settings?: Readonly<Record<string, SettingValue | undefined>>;
  /** Rules of the configuration that the plan was made with. */
  readonly rules?: CarriedRules;
  /** True when options of the command line restrict the operations. */
  readonly isFiltered: boolean;
}

/** Maximum number of large tools with advice on their size. Small tools never get any. */
const LARGEST_TOOLS = 5;
const SMALL_TOOL_TOKENS = 400;

/** Maximum number of suggestions: values that most tools need, then those that save the most. */
const MAX_SUGGESTIONS = 10;
/** Maximum number of suggestions to follow pages, which many lists could have. */
const MAX_PAGED = 3;

/**
 * Renders a plan as an `mcp-gen.yaml` to start from: every tool with its operations, the reasons as
 * comments, and suggestions as commented-out rules. The file itself gives the same tools.
 */
export function proposeConfiguration(plan: ToolPlan, options: ProposalOptions): string {
  const lines = [
    ...headerLines(plan, options),
    ...ruleLines(plan, options),
    ...omittedOperations(plan),
    ...suggestWorkflows(plan, options.spec ?? "./openapi.yaml"),
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * Renders the plan of several APIs as an `mcp-gen.yaml` to start from.
 * @param apis options of the proposal of each API, in the order of the plan
 */
export function proposeApis(
  plan: ToolPlan,
  {
    output,
    settings,
    rules = {},
    workflows = [],
    apis,
  }: Pick<ProposalOptions, "output" | "settings" | "rules" | "workflows"> & {
    readonly apis: readonly ProposalOptions[];
  },
): string {
  const lines = [
    ...titleLines(plan, rules),
    "version: 1",
    `output: ${scalar(output)}`,
    ...(workflows.length > 0 ? [`workflows: ${flowList(workflows)}`] : []),
    ...settingLines(settings),
    ...carriedHead(rules),
    "apis:",
    ...(plan.apis ?? []).flatMap(({ name, plan: member }, i) => [
      `  ${name}:`,
      ...apiLines(member, apis[i]).map((line) => (line === "" ? "" : `    ${line}`)),
    ]),
    ...workflowToolLines(plan, { output, rules, isFiltered: false }),
  ];
  return `${lines.join("\n")}\n`;
}

/** Rules of the tools of workflows, which belong to no API. */
function workflowToolLines(plan: ToolPlan, options: ProposalOptions): readonly string[] {
  const tools = plan.tools.filter(({ workflow }) => workflow !== undefined);
  const hasRules = Object.keys(options.rules?.tools ?? {}).length > 0;
  const used = new Set(tools.map(({ toolset }) => toolset));
  const toolsets = plan.toolsets.filter(({ name }) => used.has(name));
  return tools.length > 0 || hasRules ? toolLines({ ...plan, tools, toolsets }, options, 0) : [];
}

function apiLines(plan: ToolPlan, options: ProposalOptions | undefined): readonly string[] {
  const { spec = "./openapi.yaml", overlays = [], settings = {}, rules = {} } = options ?? {};
  return [
    `spec: ${scalar(spec)}`,
    ...(overlays.length > 0 ? [`overlays: ${flowList(overlays)}`] : []),
    ...settingLines(settings),
    ...carriedHead(rules),
    ...ruleLines(plan, { output: "", isFiltered: false, ...options }),
    ...omittedOperations(plan),
  ];
}

function settingLines(settings: ProposalOptions["settings"] = {}): readonly string[] {
  return Object.entries(settings).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${settingValue(value)}`],
  );
}

function operationCount({ apis, tools, omitted }: ToolPlan): number {
  return apis
    ? apis.reduce((sum, { plan }) => sum + operationCount(plan), 0)
    : new Set([...ownOperations(tools), ...omitted].map(keyOf)).size;
}

/** Comments at the head of a proposal. */
function titleLines(plan: ToolPlan, rules: CarriedRules = {}): readonly string[] {
  const isFirst = Object.values(rules).every((rule) => rule === undefined);
  const { source, tools, budget } = plan;
  const counts = `${formatCount(operationCount(plan), "operation")} → ${formatCount(tools.length, "tool")}`;
  const tokens = `about ${budget.listTokens} tokens for a model`;
  return [
    "# yaml-language-server: $schema=https://unpkg.com/mcp-gen/mcp-gen.schema.json",
    ...comment(`Inferred from ${source}: ${counts}, ${tokens}.`, 0),
    ...comment(
      `This is a proposal: edit it. ${
        isFirst
          ? "The unchanged file gives the same tools as no file"
          : "It has the rules of mcp-gen.yaml, and gives the same tools"
      }. The numbered lines are suggestions, by what they save; uncomment those that you want.`,
      0,
    ),
  ];
}

function headerLines(
  plan: ToolPlan,
  {
    spec,
    output,
    overlays = [],
    workflows = [],
    namespace,
    settings = {},
    rules = {},
    isFiltered,
  }: ProposalOptions,
): readonly string[] {
  const { select, ...others } = rules;
  return [
    ...titleLines(plan, rules),
    "version: 1",
    spec === undefined ? "# spec: ./openapi.yaml" : `spec: ${scalar(spec)}`,
    `output: ${scalar(output)}`,
    ...(overlays.length > 0 ? [`overlays: ${flowList(overlays)}`] : []),
    ...(workflows.length > 0 ? [`workflows: ${flowList(workflows)}`] : []),
    ...(namespace === undefined ? [] : [`namespace: ${scalar(namespace)}`]),
    ...settingLines(settings),
    ...carriedHead(isFiltered ? others : { ...others, ...(select && { select }) }),
    ...(isFiltered
      ? [
          "",
          "# Only the operations below, as selected on the command line.",
          "select:",
          "  default: exclude",
        ]
      : []),
    "",
  ];
}

function settingValue(value: SettingValue): string {
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string") return scalar(value);
  if (!isRecord(value)) return flowList(value);
  const entries = Object.entries(value).map(([key, text]) => `${scalar(key)}: ${scalar(text)}`);
  return `{${entries.join(", ")}}`;
}

function isRecord(value: SettingValue): value is Readonly<Record<string, string>> {
  return typeof value === "object" && !Array.isArray(value);
}

/** Rules of parameters and tools, with the suggestions: those about most tools first. */
function ruleLines(plan: ToolPlan, options: ProposalOptions): readonly string[] {
  const common = commonParameters(plan, options.rules?.parameters).slice(0, MAX_SUGGESTIONS);
  return [...suggestParameters(common, plan), ...toolLines(plan, options, common.length)];
}

/** @param before number of the suggestions before those about single tools */
function toolLines(plan: ToolPlan, options: ProposalOptions, before: number): readonly string[] {
  const { tools, toolsets, budget } = plan;
  const prefix = options.namespace === undefined ? "" : `${options.namespace}_`;
  const ruleName = (name: string): string =>
    name.slice(prefix.length).startsWith(prefix) ? name : name.slice(prefix.length);
  const costs = new Map(budget.costs.map((cost) => [cost.tool, cost]));
  const largest = largestTools(budget.costs);
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const names = new OperationNames(plan);
  const carried = new Map(Object.entries(options.rules?.tools ?? {}));
  const left = new Map(carried);
  for (const { definition } of tools) left.delete(ruleName(definition.name));
  if (tools.length === 0 && carried.size === 0) return ["tools: {}"];
  const consumers = consumersByProducer(tools);
  const isProduced = producedInputs(tools);
  const suggested = bestSuggestions(tools, before, (tool) => {
    const { name } = tool.definition;
    const cost = costs.get(name);
    const large = largest.has(name);
    const users = { consumers: consumers.get(name) ?? [], isProduced };
    return suggestionsFor(
      tool,
      { tools: byName, cost, large, ...users, ruleName },
      carried.get(ruleName(name)),
    );
  });
  return [
    "tools:",
    ...toolsets.flatMap((toolset) => [
      ...toolsetComment(toolset),
      ...tools
        .filter((tool) => tool.toolset === toolset.name)
        .flatMap((tool) => {
          const { name } = tool.definition;
          const rule = carried.get(ruleName(name));
          return [
            "",
            ...reasonComments(tool, costs.get(name)?.tokens ?? 0, largest.has(name)),
            ...(rule ? carriedTool(ruleName(name), rule) : toolRule(tool, ruleName(name), names)),
            ...suggestionLines(suggested.get(tool) ?? []).map((line) => `    # ${line}`),
          ];
        }),
      "",
    ]),
    ...[...left].flatMap(([name, rule]) => carriedTool(name, rule)),
  ];
}

/** The suggestions that save the most tokens and calls, by tool. */
function bestSuggestions(
  tools: readonly PlannedTool[],
  before: number,
  suggestionsOf: (tool: PlannedTool) => readonly Suggestion[],
): ReadonlyMap<PlannedTool, readonly RankedSuggestion[]> {
  let paged = 0;
  const best = tools
    .filter(({ workflow }) => !workflow)
    .flatMap((tool) => suggestionsOf(tool).map((suggestion) => ({ tool, suggestion })))
    .sort((a, b) => b.suggestion.saved - a.suggestion.saved)
    .filter(({ suggestion }) => suggestion.key !== "pagination" || paged++ < MAX_PAGED)
    .slice(0, MAX_SUGGESTIONS - before)
    .map(({ tool, suggestion }, i) => ({
      tool,
      suggestion: { ...suggestion, rank: before + i + 1 },
    }));
  const byName = groupBy(best, ({ tool }) => tool.definition.name);
  return new Map(
    [...byName.values()].map((list) => [list[0].tool, list.map(({ suggestion }) => suggestion)]),
  );
}

function largestTools(costs: ToolPlan["budget"]["costs"]): ReadonlySet<string> {
  return new Set(
    costs
      .filter(({ tokens }) => tokens >= SMALL_TOOL_TOKENS)
      .sort((a, b) => b.tokens - a.tokens || (a.tool < b.tool ? -1 : 1))
      .slice(0, LARGEST_TOOLS)
      .map(({ tool }) => tool),
  );
}

function toolsetComment({ title, description }: ToolPlan["toolsets"][number]): readonly string[] {
  const text = description === undefined ? title : `${title}: ${description}`;
  return comment(text.slice(0, 300), 0);
}

function reasonComments(
  { definition, inputs, reasons }: PlannedTool,
  tokens: number,
  large: boolean,
): readonly string[] {
  const names = inputs.map(({ name, required }) => (required ? name : `${name}?`)).join(", ");
  const inputList = names === "" ? "No inputs" : `Inputs: ${names}`;
  const size = `About ${tokens} tokens${large ? ", one of the largest" : ""}`;
  return [
    ...comment(definition.description, 2),
    ...comment(`${inputList}. ${size}.`, 2),
    ...reasons.flatMap((reason) => comment(reason, 2)),
  ];
}

/** The rule of a tool. Inference keeps tools whose operations have no unique name. */
function toolRule(
  { operations, workflow, definition }: PlannedTool,
  name: string,
  names: OperationNames,
): readonly string[] {
  const approval = approvalLine(definition.approve);
  if (workflow) return [`  ${scalar(name)}:`, `    workflow: ${scalar(workflow.id)}`, ...approval];
  const own = operations.map((operation) => names.of(operation));
  const known = own.filter((text) => text !== undefined);
  if (known.length === 0 || known.length < own.length)
    return comment(`${name}: its operations have no unique name, so it has no rule here.`, 2);
  return [
    `  ${scalar(name)}:`,
    known.length === 1
      ? `    operation: ${scalar(known[0] as string)}`
      : `    merge: ${flowList(known)}`,
    ...approval,
  ];
}

/** The configured approval of a tool, which is not inferred. */
function approvalLine(approve: PlannedTool["definition"]["approve"]): readonly string[] {
  if (approve === undefined) return [];
  return [`    approve: ${typeof approve === "boolean" ? approve : "{type: name}"}`];
}

function ownOperations(tools: readonly PlannedTool[]): readonly OperationRef[] {
  return tools.flatMap((tool) => (tool.workflow ? [] : tool.operations));
}

/** Names of operations in rules: the operationId, else method and path, if unique. */
class OperationNames {
  private readonly count = new Map<string, number>();

  constructor({ tools, omitted }: ToolPlan) {
    for (const operation of new Map(
      [...ownOperations(tools), ...omitted].map((entry) => [keyOf(entry), entry]),
    ).values()) {
      for (const text of [operation.operationId, pathOf(operation)])
        if (text !== undefined) this.count.set(text, (this.count.get(text) ?? 0) + 1);
    }
  }

  of(operation: OperationRef): string | undefined {
    return [operation.operationId, pathOf(operation)].find(
      (text) => text !== undefined && text === text.trim() && this.count.get(text) === 1,
    );
  }
}

const pathOf = ({ method, path }: OperationRef): string => `${method} ${path}`;
const keyOf = (operation: OperationRef): string =>
  `${pathOf(operation)} ${operation.location.pointer}`;

const MAX_OMITTED = 50;

function omittedOperations({ omitted }: ToolPlan): readonly string[] {
  if (omitted.length === 0) return [];
  const shown = omitted.slice(0, MAX_OMITTED);
  const more = omitted.length - shown.length;
  return [
    ...comment("Operations without a tool. Add a rule to include one:", 0),
    ...shown.map((operation) => {
      const path = pathOf(operation);
      const reason = toSingleLine(operation.reason.replace(quoteText(path), ""));
      return `#   a_name: {operation: ${scalar(operation.operationId ?? path)}}  # ${reason}`;
    }),
    ...(more > 0 ? [`# and ${more} more`] : []),
  ];
}
