import { isObject } from "../../json.js";
import type { ApiModel, Operation } from "../../model/types.js";
import type { ClassifiedOperation } from "../classify.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { Environment } from "../environment.js";
import type { ToolName } from "../names/index.js";
import type { PlanOptions } from "../options.js";
import type { OutputPlan } from "../outputs/plan-output.js";
import type { SelectionDecision } from "../select/index.js";
import type { ConfiguredMerge, PaginatedOperations } from "../tool-context.js";
import { orderByToolset } from "../toolsets.js";
import type { OmittedOperation, PlannedTool, Toolset } from "../types.js";
import { type ApplyContext, applyRules } from "./apply.js";
import { parameterRoles, type ParameterRoles } from "./parameter-values.js";
import { References, toolAliases } from "./references.js";
import { reportUnusedRules, RuleIndex } from "./rule-index.js";
import { OperationIndex, readRules, type Rule } from "./rules.js";
import { readSelection } from "./selection.js";
import { applyNames, qualifiedName, reportDuplicateNames } from "./tool-names.js";
import { DocumentDiagnostics, readXMcp } from "./x-mcp.js";

type Names = ReadonlyMap<ClassifiedOperation, ToolName>;

/** What the plan is made from besides the model. */
export interface ConfigurationContext {
  readonly model: ApiModel;
  readonly names: Names;
  readonly namespace: string | undefined;
  readonly diagnostics: DiagnosticCollector;
}

/** What finished tools need to be curated. */
export interface ApplyRulesContext {
  readonly environment: Environment;
  readonly describeOutput: (output: OutputPlan) => string | undefined;
  readonly toolsets: readonly Toolset[];
  readonly omitted: readonly OmittedOperation[];
}

/** The tools with everything that was decided. */
export interface ConfiguredTools {
  readonly tools: readonly PlannedTool[];
  readonly toolsets: readonly Toolset[];
  readonly omitted: readonly OmittedOperation[];
}

/**
 * What people decided about the tools, in `mcp-gen.yaml` and in `x-mcp`: which operations there
 * are, what their tools are called, and last, over whatever was inferred, everything else about a
 * tool. The file beats the document.
 */
export class PlanConfiguration {
  /** What the file says about an operation. */
  readonly decisionFor: (operation: Operation) => SelectionDecision | undefined = () => undefined;
  /** The names of operations with those that rules give. */
  readonly names: Names;
  private readonly rules: readonly Rule[] = [];
  private readonly documentRules: readonly Rule[];
  private readonly prefix: string;

  constructor(
    private readonly options: PlanOptions["configuration"],
    private readonly context: ConfigurationContext,
  ) {
    const { model, names, namespace, diagnostics } = context;
    this.prefix = namespace === undefined ? "" : `${namespace}_`;
    this.documentRules = model.operations.flatMap((operation) =>
      isObject(operation.xMcp) ? (readXMcp(operation, diagnostics) ?? []) : [],
    );
    if (options) {
      const index = new OperationIndex(model.operations);
      this.rules = this.resolveNamedRules(readRules(options, index, diagnostics));
      this.decisionFor = readSelection(options, this.rules, model.operations, index, diagnostics);
    }
    this.names = applyNames(
      names,
      [...this.documentRules, ...this.rules],
      this.prefix,
      diagnostics,
    );
  }

  /** What the file says about parameters wherever they occur. */
  parameterRoles(environment: Environment): ParameterRoles | undefined {
    const { model, diagnostics } = this.context;
    return (
      this.options?.content.parameters &&
      parameterRoles(this.options, model.operations, environment, diagnostics)
    );
  }

  /** Operations that rules want as one tool, as far as they are selected. */
  configuredMerges(isChosen: (operation: Operation) => boolean): readonly ConfiguredMerge[] {
    const { diagnostics } = this.context;
    return this.rules.flatMap((rule): readonly ConfiguredMerge[] => {
      const name =
        rule.selector === "merge" && hasAllOperations(rule)
          ? qualifiedName(rule, this.prefix, diagnostics)
          : undefined;
      return name === undefined
        ? []
        : [
            {
              name,
              operations: rule.operations.filter(isChosen),
              reject: (why, operation) => rejectMerge(rule, why, operation, diagnostics),
            },
          ];
    });
  }

  /**
   * Operations whose pages are to be followed; those of several operations bring a list of their
   * own.
   */
  get paginated(): PaginatedOperations {
    const { diagnostics } = this.context;
    const wanted = [...this.documentRules, ...this.rules].filter(
      ({ config: rule, selector: by }) => rule.pagination?.maxItems !== undefined && by !== "merge",
    );
    return new Map(
      wanted.flatMap(({ operations, locationOf: placeOf, source }) =>
        operations.map(
          (operation) =>
            [
              operation,
              (why: string) =>
                diagnostics.add(
                  source === "x-mcp" ? "config-x-mcp" : "config-pagination",
                  `Its pages cannot be followed: ${why}.`,
                  placeOf("pagination"),
                  "Remove it.",
                ),
            ] as const,
        ),
      ),
    );
  }

  /** Names that tools of operations have or would have. */
  get operationToolNames(): ReadonlySet<string> {
    return new Set([...this.names].map(([, { name }]) => name));
  }

  /** The name that a rule gives to the tool of a workflow. */
  workflowName(id: string): string | undefined {
    const rule = this.rules.find(
      ({ selector: by, config: { workflow } }) => by === "workflow" && workflow === id,
    );
    return rule && qualifiedName(rule, this.prefix, this.context.diagnostics);
  }

  /** Operations that are said to be one tool: they are not to be a part of another. */
  get neverMerged(): ReadonlySet<Operation> {
    const named = this.documentRules.filter(({ name }) => name !== undefined);
    return new Set(
      [...named, ...this.rules].flatMap(({ selector: by, operations }) =>
        by === "operation" ? operations : [],
      ),
    );
  }

  /**
   * A rule by name wants the operation with that name to be selected. Which tool has the name in
   * the end is known later.
   */
  private resolveNamedRules(rules: readonly Rule[]): readonly Rule[] {
    const owner = new Map(
      [...this.context.names].map(([subject, { name }]) => [name, subject.operation]),
    );
    const spoken = new Set(rules.flatMap(({ operations }) => operations));
    return rules.map((rule) => {
      const operation =
        rule.selector === "name"
          ? (owner.get(this.prefix + (rule.name ?? "")) ?? owner.get(rule.name ?? ""))
          : undefined;
      return operation && !spoken.has(operation) ? { ...rule, operations: [operation] } : rule;
    });
  }

  /** Applies everything else that rules say to the tools. Nothing to do when there are no rules. */
  apply(tools: readonly PlannedTool[], finish: ApplyRulesContext): ConfiguredTools {
    const toolsets = new Map(finish.toolsets.map((toolset) => [toolset.name, toolset]));
    if (!this.options && this.documentRules.length === 0)
      return { ...orderByToolset(tools, toolsets), omitted: finish.omitted };
    const {
      diagnostics,
      model: { schemas },
    } = this.context;
    const index = new RuleIndex(this.documentRules, this.rules, this.prefix, diagnostics);
    const owners = new Map(tools.map((tool) => [tool, index.rulesFor(tool)]));
    reportUnusedRules(this.rules, tools, owners, this.prefix, diagnostics);
    reportDuplicateNames(tools, (tool) => owners.get(tool)?.at(-1), diagnostics);
    const known = toolAliases(tools, owners, this.context.names, this.prefix);
    const contextOf = (own: DiagnosticCollector): ApplyContext => ({
      ...finish,
      toolsets,
      schemas,
      diagnostics: own,
      references: new References(known, own),
    });
    const [file, document] = [
      contextOf(diagnostics),
      contextOf(new DocumentDiagnostics(diagnostics)),
    ];
    const curated = applyRules(
      tools.map((tool) => ({ tool, rules: owners.get(tool) ?? [] })),
      this.options,
      ({ source }) => (source === "x-mcp" ? document : file),
      file,
    );
    return {
      ...orderByToolset(curated.tools, toolsets),
      omitted: [...finish.omitted, ...curated.omitted],
    };
  }
}

/** All of the operations that a merge names exist. */
const hasAllOperations = ({ operations, config: rule }: Rule): boolean =>
  operations.length === rule.merge?.length;

function rejectMerge(
  { config: rule, name = "", operations, locationOf: placeOf }: Rule,
  why: string,
  operation: Operation | undefined,
  diagnostics: DiagnosticCollector,
): void {
  const at = operation ? operations.indexOf(operation) : -1;
  diagnostics.add(
    "config-merge",
    `The operations of ${name} cannot be one tool: ${why}.`,
    at >= 0 && rule.merge?.[at] !== undefined ? placeOf("merge", at) : placeOf("merge"),
    "Leave one of them out, or give each a rule of its own.",
  );
}
