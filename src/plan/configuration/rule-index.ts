import { pushTo } from "../../groups.js";
import { isSameJson } from "../../json.js";
import type { ToolConfig } from "../../configuration/types.js";
import { quoteText } from "../../diagnostics/text.js";
import { suggestionFor } from "../../diagnostics/index.js";
import type { Operation } from "../../model/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { qualifyName } from "../membership.js";
import type { ApiMembership } from "../options.js";
import { isSameOperation, operationKey } from "../operations/identity.js";
import type { PlannedTool } from "../types.js";
import type { Rule } from "./rules.js";
import { reportUnknownTool } from "./tool-names.js";

/** Names that a tool may have for which a rule has a name. */
function namesOf(
  name: string,
  prefix: string,
  membership: ApiMembership | undefined,
): ReadonlySet<string> {
  const plain = [name, prefix + name];
  const clashing = plain.filter((one) => membership?.clashingNames.has(one));
  const qualified = clashing.map((one) => qualifyName(membership?.api ?? "", one));
  return new Set([...plain, ...qualified]);
}

/** Names of the tools that rules hide from clients. */
export function hiddenNames(
  rules: readonly Rule[],
  prefix: string,
  membership: ApiMembership | undefined,
): ReadonlySet<string> {
  return new Set(
    rules.flatMap(({ config, name = "" }) =>
      config.hidden ? [...namesOf(name, prefix, membership)] : [],
    ),
  );
}

/** Finds the rules of a tool. */
export class RuleIndex {
  private readonly byDocumentOperation = new Map<string, Rule>();
  /** Rules of the file with their position in it, by operation and by name. */
  private readonly byOperation = new Map<string, [number, Rule][]>();
  private readonly byName = new Map<string, [number, Rule][]>();
  private readonly byWorkflow = new Map<string, [number, Rule][]>();

  constructor(
    documentRules: readonly Rule[],
    rules: readonly Rule[],
    private readonly prefix: string,
    private readonly diagnostics: DiagnosticCollector,
    membership?: ApiMembership,
  ) {
    for (const rule of documentRules)
      for (const operation of rule.operations)
        this.byDocumentOperation.set(operationKey(operation), rule);
    for (const [i, rule] of rules.entries()) {
      if (rule.selector === "name")
        for (const name of namesOf(rule.name ?? "", prefix, membership))
          pushTo(this.byName, name, [i, rule]);
      else if (rule.selector === "workflow")
        pushTo(this.byWorkflow, rule.config.workflow ?? "", [i, rule]);
      else
        for (const operation of rule.operations)
          pushTo(this.byOperation, operationKey(operation), [i, rule]);
    }
  }

  /**
   * Rules of the document, then those of the file in its order. Later rules override earlier ones.
   */
  rulesFor(tool: PlannedTool): readonly Rule[] {
    if (tool.workflow) return this.rulesForWorkflow(tool.workflow.id, tool.definition.name);
    const documentRules = tool.operations.flatMap(
      (operation) => this.byDocumentOperation.get(operationKey(operation)) ?? [],
    );
    const [first] = tool.operations;
    const nameRules = this.byName.get(tool.definition.name) ?? [];
    const operationRules = ((first && this.byOperation.get(operationKey(first))) ?? []).filter(
      ([, rule]) =>
        rule.selector === "merge"
          ? this.isForMerge(rule, tool)
          : isForOperations(tool, rule.operations),
    );
    const fileRules = [...nameRules, ...operationRules]
      .sort(([a], [b]) => a - b)
      .map(([, rule]) => rule);
    return [
      ...(tool.operations.length === 1
        ? documentRules
        : rulesOfMergedTool(tool, documentRules, this.diagnostics)),
      ...fileRules,
    ];
  }

  /** Rules about a workflow or its tool. Rules about operations of its steps are not among them. */
  private rulesForWorkflow(id: string, name: string): readonly Rule[] {
    return [...(this.byName.get(name) ?? []), ...(this.byWorkflow.get(id) ?? [])]
      .sort(([a], [b]) => a - b)
      .map(([, rule]) => rule);
  }

  /** Tests whether a rule merges the operations of the tool. Selection may have left some out. */
  private isForMerge(
    { name = "", operations }: Rule,
    { definition, operations: toolOperations }: PlannedTool,
  ): boolean {
    return (
      (definition.name === name || definition.name === this.prefix + name) &&
      toolOperations.every((candidate) =>
        operations.some((operation) => isSameOperation(candidate, operation)),
      )
    );
  }
}

function isForOperations(tool: PlannedTool, operations: readonly Operation[]): boolean {
  return (
    operations.length > 0 &&
    tool.operations.length === operations.length &&
    operations.every((operation) =>
      tool.operations.some((candidate) => isSameOperation(candidate, operation)),
    )
  );
}

/** Keys about a whole tool, which one of several operations cannot set. */
const TOOL_LEVEL_KEYS = [
  "title",
  "toolset",
  "annotations",
  "timeoutMs",
  "output",
  "pagination",
  "followPages",
  "includeLists",
  "bulk",
  "job",
] as const satisfies readonly (keyof ToolConfig)[];

/**
 * Adapts the `x-mcp` of the operations of a merged tool. Inputs, advice and `useWhen` of each
 * apply. Its descriptions are already part of the tool's. Keys about the whole tool apply if all
 * operations agree, and are reported otherwise.
 * @param rules in the order of the tool's operations
 */
function rulesOfMergedTool(
  tool: PlannedTool,
  rules: readonly Rule[],
  diagnostics: DiagnosticCollector,
): readonly Rule[] {
  const [first] = rules;
  const isUpdate = tool.definition.operations.length === 1;
  return rules.map((rule) => {
    const isBase = isUpdate && isFirstOperation(tool, rule);
    if (isBase) return rule;
    const { description, ...config } = rule.config;
    const unanimous = TOOL_LEVEL_KEYS.filter(
      (key) => rule.config[key] !== undefined && isUnanimous(key, tool, rules),
    );
    for (const key of TOOL_LEVEL_KEYS)
      if (rule.config[key] !== undefined && !unanimous.includes(key))
        reportUnusedKey(key, rule, tool, diagnostics);
    if (isUpdate && description !== undefined)
      reportUnusedKey("description", rule, tool, diagnostics);
    const excluded = TOOL_LEVEL_KEYS.filter((key) => rule !== first || !unanimous.includes(key));
    return {
      ...rule,
      isPartial: true,
      config: {
        ...withoutKeys(config, excluded),
        ...(description !== undefined && !isUpdate && { description }),
      },
    };
  });
}

function withoutKeys(config: ToolConfig, keys: readonly (keyof ToolConfig)[]): ToolConfig {
  const excluded: ReadonlySet<string> = new Set(keys);
  return Object.fromEntries(Object.entries(config).filter(([key]) => !excluded.has(key)));
}

function isFirstOperation(
  { operations: [base] }: PlannedTool,
  { operations: [operation] }: Rule,
): boolean {
  return base !== undefined && operation !== undefined && isSameOperation(base, operation);
}

function isUnanimous(
  key: (typeof TOOL_LEVEL_KEYS)[number],
  tool: PlannedTool,
  rules: readonly Rule[],
): boolean {
  return (
    rules.length === tool.operations.length &&
    rules.every(({ config }) => isSameJson(config[key], rules[0]?.config[key]))
  );
}

function reportUnusedKey(
  key: keyof ToolConfig,
  { locationOf }: Rule,
  { definition }: PlannedTool,
  diagnostics: DiagnosticCollector,
): void {
  diagnostics.add(
    "config-x-mcp",
    `\`${key}\` is not used, because the operation is merged into ${definition.name}.`,
    locationOf(key),
    `Set it for ${definition.name} in mcp-gen.yaml.`,
  );
}

/** Reports rules that apply to no tool. */
export function reportUnusedRules(
  rules: readonly Rule[],
  tools: readonly PlannedTool[],
  rulesOf: ReadonlyMap<PlannedTool, readonly Rule[]>,
  { prefix, isFiltered }: { readonly prefix: string; readonly isFiltered: boolean },
  diagnostics: DiagnosticCollector,
): void {
  const applied = new Set([...rulesOf.values()].flat());
  for (const rule of rules) {
    if (applied.has(rule)) continue;
    if (rule.selector === "workflow") reportUnknownWorkflow(rule, tools, diagnostics);
    else if (isExcludedRule(rule, tools)) {
      // Leaving it out is the effect of a rule with `include: false`.
      if (rule.config.include === false) continue;
      diagnostics.add(
        isFiltered ? "config-left-out" : "config-no-effect",
        `The rule for ${rule.name ?? ""} has no effect, because its operation is left out.`,
        rule.locationOf(),
        isFiltered ? undefined : "Select the operation, or remove the rule.",
      );
    } else if (rule.selector === "name") reportUnknownTool(rule, tools, prefix, diagnostics);
  }
}

function reportUnknownWorkflow(
  { config: { workflow = "" }, locationOf }: Rule,
  tools: readonly PlannedTool[],
  diagnostics: DiagnosticCollector,
): void {
  const workflowIds = tools.flatMap((tool) => tool.workflow?.id ?? []);
  diagnostics.add(
    "config-unknown-workflow",
    `The workflow ${quoteText(workflow)} does not exist${suggestionFor(workflow, workflowIds) || "."}`,
    locationOf("workflow"),
    workflowIds.length > 0
      ? "Name it by its workflowId."
      : "Name its document under workflows, or by --workflow.",
  );
}

/** Tests whether no tool has any of its operations. */
function isExcludedRule({ operations }: Rule, tools: readonly PlannedTool[]): boolean {
  const contains = (tool: PlannedTool): boolean =>
    tool.workflow === undefined &&
    tool.operations.some((candidate) =>
      operations.some((operation) => isSameOperation(candidate, operation)),
    );
  return operations.length > 0 && !tools.some(contains);
}
