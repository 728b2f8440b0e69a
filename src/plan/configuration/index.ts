import { suggestionFor } from "../../diagnostics/index.js";
import { quoteText } from "../../diagnostics/text.js";
import { isObject } from "../../json.js";
import type { ApiModel, Operation } from "../../model/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { Environment } from "../server-names.js";
import { releaseNames, type ToolNames } from "../names/index.js";
import type { PlanOptions } from "../options.js";
import type { OutputPlan } from "../outputs/plan-output.js";
import { createExclusionTest, type SelectionDecision } from "../select/index.js";
import type { ConfiguredMerge, ConfiguredNames, PaginatedOperations } from "../tool-context.js";
import { orderByToolset } from "../toolsets.js";
import type { OmittedOperation, PlannedTool, Toolset } from "../types.js";
import { applyParameters } from "./api-parameters.js";
import { type ApplyContext, applyRules } from "./apply.js";
import { choiceInput, type MergeMember } from "./merge-members.js";
import { type ConfiguredParameters, readParameters } from "./parameter-values.js";
import {
  OperationIndex,
  readRules,
  readSelection,
  References,
  type Rule,
  toolAliases,
  withToolRules,
} from "./rules.js";
import { hiddenNames, reportUnusedRules, RuleIndex } from "./rule-index.js";
import { applyNames, qualifiedName, reportDuplicateNames } from "./tool-names.js";
import { DocumentDiagnostics, readXMcp } from "./x-mcp.js";

/** State of the plan before any operation is selected. */
interface OperationsContext {
  readonly model: ApiModel;
  /** Inferred names of all operations. */
  readonly names: ToolNames;
  readonly diagnostics: DiagnosticCollector;
}

/** State of the plan when every tool is formed. */
interface ToolsContext {
  readonly model: ApiModel;
  readonly tools: readonly PlannedTool[];
  readonly toolsets: readonly Toolset[];
  readonly omitted: readonly OmittedOperation[];
  readonly environment: Environment;
  readonly describeOutput: (output: OutputPlan) => string | undefined;
  readonly diagnostics: DiagnosticCollector;
}

/** Rules about tools, resolved against the operations of the document. */
interface ConfigurationRules {
  /** From `x-mcp`, in the order of the document. */
  readonly document: readonly Rule[];
  /** From `mcp-gen.yaml`, in the order of the file. A file beats the document. */
  readonly file: readonly Rule[];
  /** The namespace with its underscore; empty without a namespace. */
  readonly prefix: string;
  readonly inferredNames: ToolNames;
  readonly options: PlanOptions["configuration"];
  /** True if the command line selects operations. */
  readonly isFiltered: boolean;
  readonly membership: PlanOptions["membership"];
}

/** Effects of `mcp-gen.yaml` and `x-mcp` on operations: everything that matters before tools exist. */
export interface OperationsConfiguration {
  /** Names of operations, replaced where a rule gives one. */
  readonly names: ToolNames;
  /** Decision of the file whether an operation becomes a tool. */
  readonly decisionFor: (operation: Operation) => SelectionDecision | undefined;
  /** Values of parameters for the whole API. */
  readonly parameters: ConfiguredParameters | undefined;
  readonly merges: readonly ConfiguredMerge[];
  /** Operations with a rule of their own, which inferred merges must not include. */
  readonly neverMerged: ReadonlySet<Operation>;
  readonly paginated: PaginatedOperations;
  /** Names of tools that only other tools call. */
  readonly hidden: ReadonlySet<string>;
  /** Name that a rule gives to the tool of a workflow. */
  readonly workflowName: (workflowId: string) => string | undefined;
  /** Rules that `configureTools` applies. */
  readonly rules: ConfigurationRules;
}

/** Reads the rules of `mcp-gen.yaml` and `x-mcp`, and their effects on operations. */
export function configureOperations(
  planOptions: PlanOptions,
  context: OperationsContext,
): OperationsConfiguration {
  const { model, names: inferredNames, diagnostics } = context;
  const { configuration: options, namespace } = planOptions;
  const { operations } = model;
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  const document = operations.flatMap((operation) =>
    isObject(operation.xMcp) ? (readXMcp(operation, diagnostics) ?? []) : [],
  );
  const index = new OperationIndex(operations);
  const fileRules = options ? readRules(options, index, diagnostics) : [];
  const selection = options
    ? readSelection(options, operations, index, diagnostics)
    : () => undefined;
  const isExcluded = createExclusionTest(model, planOptions, withToolRules(fileRules, selection));
  const names = releaseNames(inferredNames, ({ operation }) => isExcluded(operation));
  const file = resolveNamedRules(fileRules, [inferredNames, names], prefix);
  const rules = [...document, ...file];
  reportNeedlessExclusions(file, selection, diagnostics);
  return {
    decisionFor: withToolRules(file, selection),
    names: applyNames(names, rules, prefix, diagnostics),
    parameters: options?.content.parameters && readParameters(options, model, diagnostics),
    merges: configuredMerges(file, prefix, diagnostics),
    neverMerged: operationsWithOwnRule(document, file),
    paginated: paginatedOperations(rules, diagnostics),
    hidden: hiddenNames(file, prefix, planOptions.membership),
    workflowName: (id) => workflowName(id, file, prefix, diagnostics),
    rules: {
      document,
      file,
      prefix,
      inferredNames,
      options,
      isFiltered: (planOptions.only ?? planOptions.skip) !== undefined,
      membership: planOptions.membership,
    },
  };
}

/** Reports `include: false` of tools whose operations `select` leaves out. */
function reportNeedlessExclusions(
  rules: readonly Rule[],
  selection: (operation: Operation) => SelectionDecision | undefined,
  diagnostics: DiagnosticCollector,
): void {
  for (const { name, config, operations, locationOf } of rules) {
    const isLeftOut = operations.every((operation) => selection(operation)?.include === false);
    if (config.include !== false || operations.length === 0 || !isLeftOut) continue;
    diagnostics.add(
      "config-no-effect",
      `\`include\` of ${name} changes nothing, because \`select\` leaves its operation out.`,
      locationOf("include"),
      "Remove the rule.",
    );
  }
}

/**
 * Resolves rules that give only a name to the operation with that name, so that selection keeps it.
 * Another tool may have the name at the end.
 */
function resolveNamedRules(
  rules: readonly Rule[],
  names: readonly ToolNames[],
  prefix: string,
): readonly Rule[] {
  const byName = new Map(
    names.flatMap((all) => [...all].map(([{ operation }, { name }]) => [name, operation] as const)),
  );
  const alreadyNamed = new Set(rules.flatMap(({ operations }) => operations));
  return rules.map((rule) => {
    const { name = "" } = rule;
    const operation = byName.get(prefix + name) ?? byName.get(name);
    const applies = rule.selector === "name" && operation && !alreadyNamed.has(operation);
    return applies ? { ...rule, operations: [operation] } : rule;
  });
}

function configuredMerges(
  rules: readonly Rule[],
  prefix: string,
  diagnostics: DiagnosticCollector,
): readonly ConfiguredMerge[] {
  return rules.flatMap((rule): readonly ConfiguredMerge[] => {
    // An unknown operation is an error, and the rest of the plan is compared with the lock.
    const { members = [] } = rule;
    if (rule.selector !== "merge" || members.length === 0) return [];
    const name = qualifiedName(rule, prefix, diagnostics);
    if (name === undefined) return [];
    const reject: ConfiguredMerge["reject"] = (reason, operation) =>
      rejectMerge(rule, reason, operation, diagnostics);
    const input = choiceInput(rule.config);
    if (input === undefined && rule.config.choose !== undefined)
      reject(
        "`choose` is for a merge whose operations have keys: {start: startApp, stop: stopApp}",
      );
    return [
      {
        name,
        operations: rule.operations,
        ...(input !== undefined && {
          choice: { input, values: members.map(({ value = "" }) => value) },
        }),
        names: configuredNames(rule, members, diagnostics),
        reject,
      },
    ];
  });
}

/** New names of inputs of single operations, by operation. */
function configuredNames(
  { operations, locationOf }: Rule,
  members: readonly MergeMember[],
  diagnostics: DiagnosticCollector,
): ReadonlyMap<Operation, ConfiguredNames> {
  return new Map(
    members.flatMap(({ names, operation: text, key }, i) => {
      const operation = operations[i];
      if (!operation || Object.keys(names).length === 0) return [];
      const reject: ConfiguredNames["reject"] = (name, known, taken) =>
        diagnostics.add(
          "config-unknown-input",
          taken === undefined
            ? `${quoteText(name)} is not an input of ${text}${suggestionFor(name, known) || "."}`
            : `${text} already has an input ${quoteText(taken)}.`,
          locationOf("merge", key, "inputs", name),
          taken === undefined
            ? `Its inputs: ${known.join(", ") || "none"}.`
            : "Choose another name.",
        );
      return [[operation, { names, reject }] as const];
    }),
  );
}

/** Reports a merge that is not possible at the entry of the operation, else at the whole list. */
function rejectMerge(
  { members = [], name = "", operations, locationOf }: Rule,
  reason: string,
  operation: Operation | undefined,
  diagnostics: DiagnosticCollector,
): void {
  const position = operation ? operations.indexOf(operation) : -1;
  const key = position < 0 ? undefined : members[position]?.key;
  const isInput = reason.startsWith("the input ");
  diagnostics.add(
    "config-merge",
    `The operations of ${name} cannot be one tool: ${reason}.`,
    key === undefined ? locationOf("merge") : locationOf("merge", key),
    isInput
      ? "Rename the input of one of them: {operation: …, inputs: {…: {name: …}}}."
      : "Leave one of them out, or give each a rule of its own.",
  );
}

/**
 * Operations for which a rule makes a separate tool: named by `x-mcp`, or by `operation` in the
 * file.
 */
function operationsWithOwnRule(
  document: readonly Rule[],
  file: readonly Rule[],
): ReadonlySet<Operation> {
  const rules = [...document.filter(({ name }) => name !== undefined), ...file];
  return new Set(
    rules.flatMap(({ selector, operations }) => (selector === "operation" ? operations : [])),
  );
}

/** Single operations with `pagination`. A merged tool has `{items}` as its result anyway. */
function paginatedOperations(
  rules: readonly Rule[],
  diagnostics: DiagnosticCollector,
): PaginatedOperations {
  const paginated = rules.filter(
    ({ config, selector }) => config.pagination?.maxItems !== undefined && selector !== "merge",
  );
  const rejectionOf =
    ({ source, locationOf }: Rule) =>
    (reason: string): void =>
      diagnostics.add(
        source === "x-mcp" ? "config-x-mcp" : "config-pagination",
        `Its pages cannot be followed: ${reason}.`,
        locationOf("pagination"),
        "Remove it.",
      );
  return new Map(
    paginated.flatMap((rule) =>
      rule.operations.map((operation) => [operation, rejectionOf(rule)] as const),
    ),
  );
}

function workflowName(
  id: string,
  rules: readonly Rule[],
  prefix: string,
  diagnostics: DiagnosticCollector,
): string | undefined {
  const rule = rules.find(
    ({ selector, config }) => selector === "workflow" && config.workflow === id,
  );
  return rule && qualifiedName(rule, prefix, diagnostics);
}

/**
 * Applies the rules to finished tools: inputs, results, pagination, texts, toolsets, and tools that
 * are left out. Configuration beats whatever was inferred.
 */
export function configureTools(
  { document, file, prefix, inferredNames, options, isFiltered, membership }: ConfigurationRules,
  context: ToolsContext,
): Pick<ToolsContext, "tools" | "toolsets" | "omitted"> {
  const { model, tools, omitted, diagnostics } = context;
  const toolsets = new Map(context.toolsets.map((toolset) => [toolset.name, toolset]));
  if (!options && document.length === 0) return { ...orderByToolset(tools, toolsets), omitted };
  const index = new RuleIndex(document, file, prefix, diagnostics, membership);
  const rulesOf = new Map(tools.map((tool) => [tool, index.rulesFor(tool)]));
  reportUnusedRules(file, tools, rulesOf, { prefix, isFiltered }, diagnostics);
  reportDuplicateNames(tools, (tool) => rulesOf.get(tool)?.at(-1), diagnostics);
  const aliases = toolAliases(tools, rulesOf, inferredNames, prefix);
  const hidden = hiddenNames(file, prefix, membership);
  const applyContext = (collector: DiagnosticCollector): ApplyContext => ({
    environment: context.environment,
    describeOutput: context.describeOutput,
    toolsets,
    schemas: model.schemas,
    diagnostics: collector,
    references: new References(aliases, collector, hidden, membership?.otherTools),
  });
  const fileContext = applyContext(diagnostics);
  const documentContext = applyContext(new DocumentDiagnostics(diagnostics));
  const withParameters = options
    ? applyParameters(tools, options, { ...fileContext, operations: model.operations, isFiltered })
    : tools;
  const configured = applyRules(
    withParameters.map((tool, i) => ({ tool, rules: rulesOf.get(tools[i] as PlannedTool) ?? [] })),
    options,
    ({ source }) => (source === "x-mcp" ? documentContext : fileContext),
    fileContext,
  );
  return {
    ...orderByToolset(configured.tools, toolsets),
    omitted: [...omitted, ...configured.omitted],
  };
}
