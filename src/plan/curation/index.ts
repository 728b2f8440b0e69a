import { quoteText } from "../../diagnostics/clean.js";
import { didYouMean } from "../../diagnostics/index.js";
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
import { withInputs } from "./inputs.js";
import { fullName, renamed, reportTwins, reportUnknownTool } from "./names.js";
import { withOutput } from "./output.js";
import { withPagination } from "./pagination.js";
import { parameterRoles, type ParameterRoles } from "./parameters.js";
import { References } from "./references.js";
import { withResolve } from "./resolve.js";
import { RuleIndex } from "./rule-index.js";
import { isSame, keyOf, OperationIndex, readRules, type Rule } from "./rules.js";
import { readSelection, type Verdict } from "./selection.js";
import { grouped, withToolset } from "./toolsets.js";
import { withDescription, withErrors, withFacts } from "./words.js";
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

/**
 * What people decided about the tools, in `mcp-gen.yaml` and in `x-mcp`: which operations there are, what their tools are called, and
 * last, over whatever was inferred, everything else about a tool (DESIGN, section 5). The file beats the document.
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
    this.ofDocument = model.operations.flatMap((operation) => (isObject(operation.xMcp) ? (readXMcp(operation, findings) ?? []) : []));
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
    return this.options?.curation.parameters && parameterRoles(this.options, model.operations, environment, findings);
  }

  /** Operations that rules want as one tool, as far as they are selected. */
  merges(isChosen: (operation: Operation) => boolean): readonly WantedMerge[] {
    const { findings } = this.context;
    return this.rules.flatMap((rule): readonly WantedMerge[] => {
      const name = rule.by === "merge" && isWhole(rule) ? fullName(rule, this.prefix, findings) : undefined;
      return name === undefined ? [] : [{ name, operations: rule.operations.filter(isChosen), refuse: (why, operation) => refuseMerge(rule, why, operation, findings) }];
    });
  }

  /** Operations whose pages are to be followed; those of several operations bring a list of their own. */
  get paged(): Paged {
    const { findings } = this.context;
    const wanted = [...this.ofDocument, ...this.rules].filter(({ rule, by }) => rule.pagination?.maxItems !== undefined && by !== "merge");
    return new Map(wanted.flatMap(({ operations, placeOf, source }) => operations.map((operation) => [operation, (why: string) => findings.add(source === "x-mcp" ? "curation-x-mcp" : "curation-pagination", `Its pages cannot be followed: ${why}.`, placeOf("pagination"), "Remove it.")] as const)));
  }

  /** Names that tools of operations have or would have. */
  get namesOfOperations(): ReadonlySet<string> {
    return new Set([...this.names].map(([, { name }]) => name));
  }

  /** The name that a rule gives to the tool of a workflow. */
  workflowName(id: string): string | undefined {
    const rule = this.rules.find(({ by, rule: { workflow } }) => by === "workflow" && workflow === id);
    return rule && fullName(rule, this.prefix, this.context.findings);
  }

  /** Operations that are said to be one tool: they are not to be a part of another. */
  get alone(): ReadonlySet<Operation> {
    const named = this.ofDocument.filter(({ name }) => name !== undefined);
    return new Set([...named, ...this.rules].flatMap(({ by, operations }) => (by === "operation" ? operations : [])));
  }

  /** A rule by name wants the operation with that name to be selected. Which tool has the name in the end is known later. */
  private withInferred(rules: readonly Rule[]): readonly Rule[] {
    const owner = new Map([...this.context.names].map(([subject, { name }]) => [name, subject.operation]));
    const spoken = new Set(rules.flatMap(({ operations }) => operations));
    return rules.map((rule) => {
      const operation = rule.by === "name" ? (owner.get(this.prefix + (rule.name ?? "")) ?? owner.get(rule.name ?? "")) : undefined;
      return operation && !spoken.has(operation) ? { ...rule, operations: [operation] } : rule;
    });
  }

  /** Applies everything else that rules say to the tools. Nothing to do when there are no rules. */
  finish(tools: readonly PlannedTool[], finish: FinishContext): { readonly tools: readonly PlannedTool[]; readonly toolsets: readonly Toolset[]; readonly omitted: readonly OmittedOperation[] } {
    const toolsets = new Map(finish.toolsets.map((toolset) => [toolset.name, toolset]));
    if (!this.options && this.ofDocument.length === 0) return { ...grouped(tools, toolsets), omitted: finish.omitted };
    const { findings, model } = this.context;
    const index = new RuleIndex(this.ofDocument, this.rules, this.prefix, findings);
    const owners = new Map(tools.map((tool) => [tool, index.of(tool)]));
    this.reportLost(tools, owners);
    reportTwins(tools, (tool) => owners.get(tool)?.at(-1), findings);
    const callNames = this.callNames(tools, owners);
    const base = { returns: finish.returns, environment: finish.environment, schemas: model.schemas };
    const contextOf = (own: Findings) => ({ ...base, findings: own, references: new References(callNames, own) });
    const [file, document] = [contextOf(findings), contextOf(new DocumentFindings(findings))];
    const of = ({ source }: Rule): typeof file => (source === "x-mcp" ? document : file);
    const left = tools.filter((tool) => owners.get(tool)?.at(-1)?.rule.include !== false || (owners.get(tool)?.at(-1)?.by !== "name" && owners.get(tool)?.at(-1)?.by !== "workflow"));
    const curated = left.map((original) => {
      const rules = owners.get(original) ?? [];
      const valued = rules.reduce((tool, rule) => withInputs(tool, rule, of(rule)), original);
      const advised = withErrors(valued, this.options?.curation.errors, (...path) => (this.options as NonNullable<typeof this.options>).placeOf(path), original, false, file);
      return rules.reduce((tool, rule) => {
        const own = of(rule);
        const described = withDescription(withOutput(withPagination(tool, rule, model.schemas, own.findings), rule, model.schemas, own.findings), tool, rule, own);
        return withErrors(withToolset(withFacts(described, rule), rule, toolsets, own.findings), rule.rule.errors, rule.placeOf, original, true, own);
      }, advised);
    });
    const byName = new Map(curated.map((tool) => [tool.definition.name, tool]));
    const resolving = curated.map((tool, i) => (owners.get(left[i] as PlannedTool) ?? []).reduce((one, rule) => withResolve(one, rule, byName, of(rule)), tool));
    const gone = tools.filter((tool) => !left.includes(tool) && tool.workflow === undefined).flatMap(({ operations }) => operations.map((operation) => ({ ...operation, reason: `${quoteText(`${operation.method} ${operation.path}`)} is left out by mcp-gen.yaml.` })));
    return { ...grouped(resolving, toolsets), omitted: [...finish.omitted, ...gone] };
  }

  /** Names that the file may call a tool by: its name with and without the namespace, what it would be called, and its rule's. */
  private callNames(tools: readonly PlannedTool[], owners: ReadonlyMap<PlannedTool, readonly Rule[]>): ReadonlyMap<string, string> {
    const inferred = new Map([...this.context.names].map(([{ operation }, { name }]) => [keyOf(operation), name]));
    const known = new Map<string, string>();
    const add = (name: string | undefined, final: string): void => void (name !== undefined && !known.has(name) && known.set(name, final));
    for (const { definition } of tools) {
      add(definition.name.slice(this.prefix.length), definition.name);
      add(definition.name, definition.name);
    }
    for (const tool of tools) {
      const { name } = tool.definition;
      for (const rule of owners.get(tool) ?? []) add(rule.name, name);
      for (const operation of tool.workflow ? [] : tool.operations) {
        const before = inferred.get(keyOf(operation));
        add(before?.slice(this.prefix.length), name);
        add(before, name);
      }
    }
    return known;
  }

  /** Rules that no tool obeys: a mistake, or one about what is left out. */
  private reportLost(tools: readonly PlannedTool[], owners: ReadonlyMap<PlannedTool, readonly Rule[]>): void {
    const { findings } = this.context;
    const obeyed = new Set([...owners.values()].flat());
    for (const rule of this.rules) {
      if (obeyed.has(rule)) continue;
      if (rule.by === "workflow") {
        const ids = tools.flatMap(({ workflow }) => workflow?.id ?? []);
        findings.add("curation-workflow", `There is no workflow ${quoteText(rule.rule.workflow ?? "")}${didYouMean(rule.rule.workflow ?? "", ids) || "."}`, rule.placeOf("workflow"), ids.length > 0 ? "Name it by its workflowId." : "Name its document under workflows, or by --workflow.");
        continue;
      }
      const { operations, by, placeOf, name = "" } = rule;
      const out = operations.every((operation) => !tools.some((tool) => tool.workflow === undefined && tool.operations.some((one) => isSame(one, operation))));
      if (operations.length > 0 && out) findings.add("curation-no-effect", `The rule for ${name} has no effect: its operation is left out.`, placeOf());
      else if (by === "name") reportUnknownTool(rule, tools, this.prefix, findings);
    }
  }
}

/** All of the operations that a merge names exist. */
const isWhole = ({ operations, rule }: Rule): boolean => operations.length === rule.merge?.length;

function refuseMerge({ rule, name = "", operations, placeOf }: Rule, why: string, operation: Operation | undefined, findings: Findings): void {
  const at = operation ? operations.indexOf(operation) : -1;
  findings.add("curation-merge", `The operations of ${name} cannot be one tool: ${why}.`, at >= 0 && rule.merge?.[at] !== undefined ? placeOf("merge", at) : placeOf("merge"), "Leave one of them out, or give each a rule of its own.");
}
