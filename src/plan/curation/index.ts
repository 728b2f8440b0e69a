import { isObject } from "../../json.js";
import type { ApiModel, Operation } from "../../model/types.js";
import type { Environment } from "../env.js";
import type { Findings } from "../findings.js";
import type { Subject } from "../kind.js";
import type { ToolName } from "../name/index.js";
import type { PlannedOutput } from "../schema/output.js";
import type { Paged } from "../tasks/paged.js";
import type { WantedMerge } from "../tasks/wanted.js";
import type { OmittedOperation, PlannedTool, PlanOptions, Toolset } from "../types.js";
import { type Applying, applyRules } from "./apply.js";
import { callNames } from "./call-names.js";
import { reportLost } from "./lost-rules.js";
import { fullName, renamed, reportTwins } from "./names.js";
import { parameterRoles, type ParameterRoles } from "./parameters.js";
import { References } from "./references.js";
import { RuleIndex } from "./rule-index.js";
import { OperationIndex, readRules, type Rule } from "./rules.js";
import { readSelection, type Verdict } from "./selection.js";
import { grouped } from "./toolsets.js";
import { DocumentFindings, readXMcp } from "./x-mcp.js";

type Names = ReadonlyMap<Subject, ToolName>;

/** What the plan is made from besides the model. */
export interface CurationContext {
  readonly model: ApiModel;
  readonly names: Names;
  readonly namespace: string | undefined;
  readonly findings: Findings;
}

/** What finished tools need to be curated. */
export interface FinishContext {
  readonly environment: Environment;
  readonly returns: (output: PlannedOutput) => string | undefined;
  readonly toolsets: readonly Toolset[];
  readonly omitted: readonly OmittedOperation[];
}

/** The tools with everything that was decided. */
export interface Finished {
  readonly tools: readonly PlannedTool[];
  readonly toolsets: readonly Toolset[];
  readonly omitted: readonly OmittedOperation[];
}

/**
 * What people decided about the tools, in `mcp-gen.yaml` and in `x-mcp`: which operations there
 * are, what their tools are called, and last, over whatever was inferred, everything else about a
 * tool. The file beats the document.
 */
export class PlanCuration {
  /** What the file says about an operation. */
  readonly verdict: (operation: Operation) => Verdict | undefined = () => undefined;
  /** The names of operations with those that rules give. */
  readonly names: Names;
  private readonly rules: readonly Rule[] = [];
  private readonly ofDocument: readonly Rule[];
  private readonly prefix: string;

  constructor(
    private readonly options: PlanOptions["curation"],
    private readonly context: CurationContext,
  ) {
    const { model, names, namespace, findings } = context;
    this.prefix = namespace === undefined ? "" : `${namespace}_`;
    this.ofDocument = model.operations.flatMap((operation) =>
      isObject(operation.xMcp) ? (readXMcp(operation, findings) ?? []) : [],
    );
    if (options) {
      const index = new OperationIndex(model.operations);
      this.rules = this.withInferred(readRules(options, index, findings));
      this.verdict = readSelection(options, this.rules, model.operations, index, findings);
    }
    this.names = renamed(names, [...this.ofDocument, ...this.rules], this.prefix, findings);
  }

  /** What the file says about parameters wherever they occur. */
  parameterRoles(environment: Environment): ParameterRoles | undefined {
    const { model, findings } = this.context;
    return (
      this.options?.curation.parameters &&
      parameterRoles(this.options, model.operations, environment, findings)
    );
  }

  /** Operations that rules want as one tool, as far as they are selected. */
  merges(isChosen: (operation: Operation) => boolean): readonly WantedMerge[] {
    const { findings } = this.context;
    return this.rules.flatMap((rule): readonly WantedMerge[] => {
      const name =
        rule.by === "merge" && isWhole(rule) ? fullName(rule, this.prefix, findings) : undefined;
      return name === undefined
        ? []
        : [
            {
              name,
              operations: rule.operations.filter(isChosen),
              refuse: (why, operation) => refuseMerge(rule, why, operation, findings),
            },
          ];
    });
  }

  /**
   * Operations whose pages are to be followed; those of several operations bring a list of their
   * own.
   */
  get paged(): Paged {
    const { findings } = this.context;
    const wanted = [...this.ofDocument, ...this.rules].filter(
      ({ rule, by }) => rule.pagination?.maxItems !== undefined && by !== "merge",
    );
    return new Map(
      wanted.flatMap(({ operations, placeOf, source }) =>
        operations.map(
          (operation) =>
            [
              operation,
              (why: string) =>
                findings.add(
                  source === "x-mcp" ? "curation-x-mcp" : "curation-pagination",
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
  get namesOfOperations(): ReadonlySet<string> {
    return new Set([...this.names].map(([, { name }]) => name));
  }

  /** The name that a rule gives to the tool of a workflow. */
  workflowName(id: string): string | undefined {
    const rule = this.rules.find(
      ({ by, rule: { workflow } }) => by === "workflow" && workflow === id,
    );
    return rule && fullName(rule, this.prefix, this.context.findings);
  }

  /** Operations that are said to be one tool: they are not to be a part of another. */
  get alone(): ReadonlySet<Operation> {
    const named = this.ofDocument.filter(({ name }) => name !== undefined);
    return new Set(
      [...named, ...this.rules].flatMap(({ by, operations }) =>
        by === "operation" ? operations : [],
      ),
    );
  }

  /**
   * A rule by name wants the operation with that name to be selected. Which tool has the name in
   * the end is known later.
   */
  private withInferred(rules: readonly Rule[]): readonly Rule[] {
    const owner = new Map(
      [...this.context.names].map(([subject, { name }]) => [name, subject.operation]),
    );
    const spoken = new Set(rules.flatMap(({ operations }) => operations));
    return rules.map((rule) => {
      const operation =
        rule.by === "name"
          ? (owner.get(this.prefix + (rule.name ?? "")) ?? owner.get(rule.name ?? ""))
          : undefined;
      return operation && !spoken.has(operation) ? { ...rule, operations: [operation] } : rule;
    });
  }

  /** Applies everything else that rules say to the tools. Nothing to do when there are no rules. */
  finish(tools: readonly PlannedTool[], finish: FinishContext): Finished {
    const toolsets = new Map(finish.toolsets.map((toolset) => [toolset.name, toolset]));
    if (!this.options && this.ofDocument.length === 0)
      return { ...grouped(tools, toolsets), omitted: finish.omitted };
    const {
      findings,
      model: { schemas },
    } = this.context;
    const index = new RuleIndex(this.ofDocument, this.rules, this.prefix, findings);
    const owners = new Map(tools.map((tool) => [tool, index.of(tool)]));
    reportLost(this.rules, tools, owners, this.prefix, findings);
    reportTwins(tools, (tool) => owners.get(tool)?.at(-1), findings);
    const known = callNames(tools, owners, this.context.names, this.prefix);
    const contextOf = (own: Findings): Applying => ({
      ...finish,
      toolsets,
      schemas,
      findings: own,
      references: new References(known, own),
    });
    const [file, document] = [contextOf(findings), contextOf(new DocumentFindings(findings))];
    const curated = applyRules(
      tools.map((tool) => ({ tool, rules: owners.get(tool) ?? [] })),
      this.options,
      ({ source }) => (source === "x-mcp" ? document : file),
      file,
    );
    return {
      ...grouped(curated.tools, toolsets),
      omitted: [...finish.omitted, ...curated.omitted],
    };
  }
}

/** All of the operations that a merge names exist. */
const isWhole = ({ operations, rule }: Rule): boolean => operations.length === rule.merge?.length;

function refuseMerge(
  { rule, name = "", operations, placeOf }: Rule,
  why: string,
  operation: Operation | undefined,
  findings: Findings,
): void {
  const at = operation ? operations.indexOf(operation) : -1;
  findings.add(
    "curation-merge",
    `The operations of ${name} cannot be one tool: ${why}.`,
    at >= 0 && rule.merge?.[at] !== undefined ? placeOf("merge", at) : placeOf("merge"),
    "Leave one of them out, or give each a rule of its own.",
  );
}
