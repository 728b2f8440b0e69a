import { quoteText } from "../diagnostics/clean.js";
import { diagnostic, didYouMean, type Diagnostic } from "../diagnostics/index.js";
import { checkExpressions } from "./check.js";
import { findById, findByPath, findWorkflow, type FoundWorkflow, refuseAsync } from "./find.js";
import type { Call, LinkedAction, LinkedStep, LinkedWorkflow, SourcedFile } from "./linked.js";
import { ordered, reached } from "./order.js";
import type { Report } from "./report.js";
import type { Action, Reference, Step, Workflow, WorkflowFile } from "./types.js";
import { inStep, inValue } from "./walk.js";

export type * from "./linked.js";

/** Workflows that can run; only with errors among the diagnostics are some of them missing. */
export interface Linking {
  /** What a workflow calls stands before it. */
  readonly workflows: readonly LinkedWorkflow[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Finds what the steps of some documents call: operations of APIs, other workflows, other steps; and checks that every expression leads to
 * something that is there when it is evaluated. Pure.
 */
export function link(files: readonly SourcedFile[]): Linking {
  const linker = new Linker(files);
  for (const { file, isMain } of files) if (isMain) for (const workflow of file.workflows) linker.link({ file, workflow });
  return { workflows: linker.done, diagnostics: linker.diagnostics };
}

class Linker {
  readonly diagnostics: Diagnostic[] = [];
  private readonly linked = new Map<Workflow, LinkedWorkflow>();
  private readonly open: Workflow[] = [];
  /** Those with errors, which are said once. */
  private readonly failed = new Set<Workflow>();

  constructor(private readonly files: readonly SourcedFile[]) {}

  get done(): readonly LinkedWorkflow[] {
    return [...this.linked.values()];
  }

  private readonly report: Report = (code, message, place, hint) => void this.diagnostics.push(diagnostic(code, message, place, hint));

  /** Callees first. A circle is reported where it closes. */
  link({ file, workflow }: FoundWorkflow, from?: Reference): LinkedWorkflow | undefined {
    const known = this.linked.get(workflow);
    if (known ?? this.failed.has(workflow)) return known;
    if (this.open.includes(workflow)) {
      const circle = [...this.open.slice(this.open.indexOf(workflow)), workflow].map(({ id }) => id).join(" → ");
      return this.report("workflow-cycle", `The workflow ${quoteText(workflow.id)} leads back to itself: ${circle}.`, from?.place ?? workflow.place, "A workflow cannot call itself; lead back to one of its steps instead.");
    }
    this.open.push(workflow);
    const made = this.make(file, workflow);
    this.open.pop();
    if (made) this.linked.set(workflow, made);
    else this.failed.add(workflow);
    return made;
  }

  private make(file: WorkflowFile, workflow: Workflow): LinkedWorkflow | undefined {
    const context = this.files.find((one) => one.file === file) as SourcedFile;
    const before = this.before(workflow, context);
    const inOrder = ordered(workflow.steps, this.report);
    this.reportUnreached(inOrder);
    const steps = inOrder.flatMap((step) => this.step(step, workflow, context) ?? []);
    if (steps.length < workflow.steps.length) return undefined;
    const undeclared = checkExpressions({ workflow, steps, before, context, report: this.report });
    return { workflow, file, isTool: context.isMain, before, steps, undeclared };
  }

  private reportUnreached(steps: readonly Step[]): void {
    const found = reached(steps);
    for (const { id, place } of steps) if (!found.has(id)) this.report("workflow-unreachable", `Nothing leads to the step ${quoteText(id)}.`, place, "Lead to it by a goto, or remove it.");
  }

  /** Workflows that `dependsOn` names, of the workflow or of a step, and those whose results expressions want without calling them. */
  private before(workflow: Workflow, context: SourcedFile): readonly LinkedWorkflow[] {
    const called = new Set(workflow.steps.flatMap(({ target, onSuccess, onFailure }) => [target.kind === "workflow" ? target.text : "", ...[...onSuccess, ...onFailure].map((one) => one.workflow?.text ?? "")]));
    const wanted = [...workflow.dependsOn, ...workflow.steps.flatMap(stepsElsewhere), ...implied(workflow)];
    const distinct = wanted.filter(({ text }, i) => !called.has(text) && text !== workflow.id && wanted.findIndex((one) => one.text === text) === i);
    return distinct.flatMap((reference) => this.workflow(reference, context) ?? []);
  }

  private workflow(reference: Reference, context: SourcedFile): LinkedWorkflow | undefined {
    const found = findWorkflow(reference, context, this.report);
    return found && this.link(found, reference);
  }

  private step(step: Step, workflow: Workflow, context: SourcedFile): LinkedStep | undefined {
    const call = this.call(step, context);
    const [onSuccess, onFailure] = [step.onSuccess, step.onFailure].map((actions) => actions.map((action) => this.action(action, workflow, context)));
    return call && { ...step, call, onSuccess: onSuccess ?? [], onFailure: onFailure ?? [] };
  }

  private call({ target }: Step, context: SourcedFile): Call | undefined {
    switch (target.kind) {
      case "workflow": {
        const workflow = this.workflow(target, context);
        return workflow && { kind: "workflow", workflow };
      }
      case "channel":
        return refuseAsync(target, this.report);
      default: {
        const found = (target.kind === "operationId" ? findById : findByPath)(target, context, this.report);
        return found && { kind: "operation", ...found };
      }
    }
  }

  private action(action: Action, workflow: Workflow, context: SourcedFile): LinkedAction {
    const { step, workflow: other } = action;
    if (step && !workflow.steps.some(({ id }) => id === step.text)) {
      this.report("workflow-step", `The action ${quoteText(action.name)} leads to the step ${quoteText(step.text)}, which the workflow does not have${didYouMean(step.text, workflow.steps.map(({ id }) => id)) || "."}`, step.place);
    }
    if (step) return { ...action, leadsTo: { kind: "step", id: step.text } };
    const led = other && this.workflow(other, context);
    return led ? { ...action, leadsTo: { kind: "workflow", workflow: led } } : action;
  }
}

/** `$workflows.login.steps.auth` names the workflow login. */
function stepsElsewhere({ dependsOn }: Step): readonly Reference[] {
  return dependsOn.flatMap(({ text, place }) => {
    const [, local, source, remote] = /^\$workflows\.([^.]+)\.steps\.|^\$sourceDescriptions\.([^.]+)\.([^.]+)\.steps\./.exec(text) ?? [];
    if (local !== undefined) return [{ text: local, place }];
    return source === undefined ? [] : [{ text: `$sourceDescriptions.${source}.${remote ?? ""}`, place }];
  });
}

function implied(workflow: Workflow): readonly Reference[] {
  const uses = [...workflow.steps.flatMap((step) => [...inStep(step)]), ...workflow.outputs.flatMap(({ value }) => [...inValue(value)])];
  return uses.flatMap(({ expression, place }): Reference[] => {
    if (expression.kind === "workflows") return [{ text: expression.workflow, place }];
    return expression.kind === "steps" && expression.workflow !== undefined ? [{ text: expression.workflow, place }] : [];
  });
}
