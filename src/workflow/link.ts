import { diagnostic, type Diagnostic, isError, suggestionFor } from "../diagnostics/index.js";
import { quoteText } from "../diagnostics/text.js";
import { omitFailedWorkflows } from "./document-node.js";
import { checkExpressions } from "./check-expressions.js";
import {
  nonTerminatingStepIds,
  otherWorkflowSteps,
  prerequisiteReferences,
  reachableStepIds,
  sortSteps,
} from "./step-graph.js";
import {
  reportAsyncUnsupported,
  type ResolvedWorkflow,
  resolveOperationId,
  resolveOperationPath,
  resolveWorkflow,
} from "./resolve-references.js";
import { WorkflowSizes } from "./workflow-sizes.js";
import type {
  Action,
  LinkedAction,
  LinkedStep,
  LinkedWorkflow,
  Reference,
  ReportDiagnostic,
  ResolvedWorkflowFile,
  Step,
  StepCall,
  Workflow,
  WorkflowFile,
} from "./types.js";

/** Linked workflows. Some are missing only if the diagnostics contain errors. */
export interface LinkResult {
  /** Sorted so that called workflows come first. */
  readonly workflows: readonly LinkedWorkflow[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Resolves the operations, workflows and steps that workflows refer to, and checks their
 * expressions. Pure.
 */
export function linkWorkflows(files: readonly ResolvedWorkflowFile[]): LinkResult {
  const omitted = new Set<Workflow>();
  const omissions: Diagnostic[] = [];
  const first = linkRemaining(files, omitted);
  for (let result = first; ; result = linkRemaining(files, omitted)) {
    if (!result.diagnostics.some(isError))
      return { ...result, diagnostics: [...omissions, ...result.diagnostics] };
    const before = omitted.size;
    for (const { file } of files) omissions.push(...omitFailed(file, result.diagnostics, omitted));
    const isEmpty = files.every(
      ({ file, isMain }) => !isMain || file.workflows.every((workflow) => omitted.has(workflow)),
    );
    if (omitted.size === before || isEmpty) return first;
  }
}

/** Links the workflows that are not omitted. Those that call an omitted one fail. */
function linkRemaining(
  files: readonly ResolvedWorkflowFile[],
  omitted: ReadonlySet<Workflow>,
): LinkResult {
  const linker = new Linker(files, omitted);
  for (const { file, isMain } of files)
    for (const workflow of isMain ? file.workflows : [])
      if (!omitted.has(workflow)) linker.link({ file, workflow });
  return { workflows: linker.workflows, diagnostics: linker.diagnostics };
}

/** Maximum number of workflows that call each other in a row. */
const MAX_NESTED_WORKFLOWS = 50;

/** Omits the workflows of a file that have errors. Returns a warning for each. */
function omitFailed(
  { label, workflows }: WorkflowFile,
  diagnostics: readonly Diagnostic[],
  omitted: Set<Workflow>,
): readonly Diagnostic[] {
  const found = omitFailedWorkflows(diagnostics, label);
  for (const workflow of workflows)
    if (found.failed.has(workflow.location.pointer)) omitted.add(workflow);
  return found.diagnostics.filter(({ code }) => code === "workflow-omitted");
}

class Linker {
  readonly diagnostics: Diagnostic[] = [];
  private readonly linked = new Map<Workflow, LinkedWorkflow>();
  private readonly ancestors: Workflow[] = [];
  /** Number of workflows in the longest row of calls from each. */
  private readonly heights = new Map<Workflow, number>();
  private readonly sizes = new WorkflowSizes();
  /** Workflows with errors, which are reported once. */
  private readonly failed = new Set<Workflow>();

  constructor(
    private readonly files: readonly ResolvedWorkflowFile[],
    private readonly omitted: ReadonlySet<Workflow>,
  ) {}

  get workflows(): readonly LinkedWorkflow[] {
    return [...this.linked.values()];
  }

  private readonly report: ReportDiagnostic = (code, message, location, hint) =>
    void this.diagnostics.push(diagnostic(code, message, location, hint));

  /** Links a workflow after those that it calls. A cycle is reported where it closes. */
  link({ file, workflow }: ResolvedWorkflow, caller?: Reference): LinkedWorkflow | undefined {
    if (this.omitted.has(workflow))
      return this.report(
        "workflow-unknown-workflow",
        `The workflow ${quoteText(workflow.id)} is left out.`,
        caller?.location ?? workflow.location,
      );
    const known = this.linked.get(workflow);
    if (known ?? this.failed.has(workflow)) return this.reportDepth(known, caller);
    if (this.ancestors.includes(workflow)) {
      const circle = [...this.ancestors.slice(this.ancestors.indexOf(workflow)), workflow]
        .map(({ id }) => id)
        .join(" → ");
      return this.report(
        "workflow-cycle",
        `The workflow ${quoteText(workflow.id)} calls itself: ${circle}.`,
        caller?.location ?? workflow.location,
        "Use a goto to one of its steps instead.",
      );
    }
    this.heights.set(workflow, 1);
    this.ancestors.push(workflow);
    const isTooDeep = this.ancestors.length > MAX_NESTED_WORKFLOWS;
    const linkedWorkflow = isTooDeep ? undefined : this.linkWorkflow(file, workflow);
    this.ancestors.pop();
    if (isTooDeep) this.reportTooDeep(workflow.location);
    if (linkedWorkflow) this.linked.set(workflow, linkedWorkflow);
    else this.failed.add(workflow);
    return this.reportDepth(linkedWorkflow, caller);
  }

  /** Reports a called workflow that makes the row of its callers too long. */
  private reportDepth(
    called: LinkedWorkflow | undefined,
    caller: Reference | undefined,
  ): LinkedWorkflow | undefined {
    const parent = this.ancestors.at(-1);
    if (!called || !parent) return called;
    const height = 1 + (this.heights.get(called.workflow) ?? 1);
    this.heights.set(parent, Math.max(height, this.heights.get(parent) ?? 1));
    if (height <= MAX_NESTED_WORKFLOWS) return called;
    return this.reportTooDeep(caller?.location ?? parent.location);
  }

  private reportTooDeep(location: Workflow["location"]): undefined {
    this.report(
      "workflow-depth",
      `More than ${MAX_NESTED_WORKFLOWS} workflows call each other in a chain here.`,
      location,
      "Put the steps of called workflows into the workflow that calls them.",
    );
  }

  private linkWorkflow(file: WorkflowFile, workflow: Workflow): LinkedWorkflow | undefined {
    const context = this.files.find((candidate) => candidate.file === file) as ResolvedWorkflowFile;
    const prerequisites = this.linkPrerequisites(workflow, context);
    const sorted = sortSteps(workflow.steps, this.report);
    this.reportUnreached(sorted);
    this.reportEndless(sorted);
    const steps = sorted.flatMap((step) => this.linkStep(step, workflow, context) ?? []);
    if (steps.length < workflow.steps.length) return undefined;
    const undeclaredInputs = checkExpressions({
      workflow,
      steps,
      prerequisites,
      context,
      report: this.report,
    });
    const linked = {
      workflow,
      file,
      isTool: context.isMain,
      prerequisites,
      steps,
      undeclaredInputs,
    };
    this.sizes.check(linked, this.report);
    return linked;
  }

  private reportUnreached(steps: readonly Step[]): void {
    const found = reachableStepIds(steps);
    for (const { id, location } of steps)
      if (!found.has(id))
        this.report(
          "workflow-unreachable",
          `The step ${quoteText(id)} is unreachable.`,
          location,
          "Add a goto to it, or remove it.",
        );
  }

  private reportEndless(steps: readonly Step[]): void {
    const ids = nonTerminatingStepIds(steps);
    const first = steps.find(({ id }) => id === ids[0]);
    if (first)
      this.report(
        "workflow-non-terminating",
        `The workflow never terminates after ${ids.map((id) => quoteText(id)).join(", ")} unless a step fails.`,
        first.location,
        "Add an end action, or criteria to a goto.",
      );
  }

  /**
   * Links the workflows that must run before this one: those in `dependsOn` of the workflow or a
   * step, and those whose outputs expressions use without calling them.
   */
  private linkPrerequisites(
    workflow: Workflow,
    context: ResolvedWorkflowFile,
  ): readonly LinkedWorkflow[] {
    for (const { text, location } of workflow.dependsOn)
      if (text === workflow.id)
        this.report(
          "workflow-cycle",
          `The workflow ${quoteText(text)} depends on itself.`,
          location,
          "Remove this dependency.",
        );
    const prerequisites = prerequisiteReferences(workflow, context).map(
      (reference) => [reference, this.linkReference(reference, context)] as const,
    );
    this.reportUnknownSteps(
      workflow,
      new Map(prerequisites.map(([{ text }, linked]) => [text, linked])),
    );
    return prerequisites.flatMap(([, found]) => found ?? []);
  }

  /** Checks the steps of other workflows in `dependsOn`. */
  private reportUnknownSteps(
    workflow: Workflow,
    prerequisites: ReadonlyMap<string, LinkedWorkflow | undefined>,
  ): void {
    for (const { text, step, location } of workflow.steps.flatMap(otherWorkflowSteps)) {
      const linked = prerequisites.get(text);
      const ids = linked?.steps.map(({ id }) => id) ?? [];
      if (linked && !ids.includes(step))
        this.report(
          "workflow-step",
          `The workflow ${quoteText(linked.workflow.id)} has no step ${quoteText(step)}` +
            (suggestionFor(step, ids) || "."),
          location,
        );
    }
  }

  private linkReference(
    reference: Reference,
    context: ResolvedWorkflowFile,
  ): LinkedWorkflow | undefined {
    const found = resolveWorkflow(reference, context, this.report);
    return found && this.link(found, reference);
  }

  private linkStep(
    step: Step,
    workflow: Workflow,
    context: ResolvedWorkflowFile,
  ): LinkedStep | undefined {
    const call = this.linkCall(step, context);
    const [onSuccess, onFailure] = [step.onSuccess, step.onFailure].map((actions) =>
      actions.map((action) => this.linkAction(dropSelfReference(action, step), workflow, context)),
    );
    if (step.target.kind === "workflow" && step.body)
      this.report(
        "workflow-no-effect",
        `The step ${quoteText(step.id)} calls a workflow and cannot send a body.`,
        step.body.location,
        "Use parameters of the workflow.",
      );
    return call && { ...step, call, onSuccess: onSuccess ?? [], onFailure: onFailure ?? [] };
  }

  private linkCall({ target }: Step, context: ResolvedWorkflowFile): StepCall | undefined {
    switch (target.kind) {
      case "workflow": {
        const workflow = this.linkReference(target, context);
        return workflow && { kind: "workflow", workflow };
      }
      case "channel":
        return reportAsyncUnsupported(target, this.report);
      default: {
        const found = (target.kind === "operationId" ? resolveOperationId : resolveOperationPath)(
          target,
          context,
          this.report,
        );
        return found && { kind: "operation", ...found };
      }
    }
  }

  private linkAction(
    action: Action,
    workflow: Workflow,
    context: ResolvedWorkflowFile,
  ): LinkedAction {
    const { step, workflow: other } = action;
    if (step && !workflow.steps.some(({ id }) => id === step.text)) {
      this.report(
        "workflow-step",
        `The action ${quoteText(action.name)} refers to the unknown step ${quoteText(step.text)}${
          suggestionFor(
            step.text,
            workflow.steps.map(({ id }) => id),
          ) || "."
        }`,
        step.location,
      );
    }
    if (step) return { ...action, destination: { kind: "step", id: step.text } };
    const continued = other && this.linkReference(other, context);
    return continued
      ? { ...action, destination: { kind: "workflow", workflow: continued } }
      : action;
  }
}

/** Removes a retry's reference to its own step, which has no effect. */
function dropSelfReference(action: Action, { id }: Step): Action {
  const { step, ...rest } = action;
  return action.type === "retry" && step?.text === id ? rest : action;
}
