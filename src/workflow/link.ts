import { quoteText } from "../diagnostics/clean.js";
import { diagnostic, didYouMean, type Diagnostic } from "../diagnostics/index.js";
import { checkExpressions } from "./check.js";
import { findById, findByPath, findWorkflow, type FoundWorkflow, refuseAsync } from "./find.js";
import type { Call, LinkedAction, LinkedStep, LinkedWorkflow, SourcedFile } from "./linked.js";
import { endless, ordered, reached } from "./order.js";
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
 * Finds what the steps of some documents call: operations of APIs, other workflows, other steps;
 * and checks that every expression leads to something that is there when it is evaluated. Pure.
 */
export function link(files: readonly SourcedFile[]): Linking {
  const linker = new Linker(files);
  for (const { file, isMain } of files)
    if (isMain) for (const workflow of file.workflows) linker.link({ file, workflow });
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

  private readonly report: Report = (code, message, place, hint) =>
    void this.diagnostics.push(diagnostic(code, message, place, hint));

  /** Callees first. A circle is reported where it closes. */
  link({ file, workflow }: FoundWorkflow, from?: Reference): LinkedWorkflow | undefined {
    const known = this.linked.get(workflow);
    if (known ?? this.failed.has(workflow)) return known;
    if (this.open.includes(workflow)) {
      const circle = [...this.open.slice(this.open.indexOf(workflow)), workflow]
        .map(({ id }) => id)
        .join(" → ");
      return this.report(
        "workflow-cycle",
        `The workflow ${quoteText(workflow.id)} leads back to itself: ${circle}.`,
        from?.place ?? workflow.place,
        "A workflow cannot call itself; lead back to one of its steps instead.",
      );
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
    this.reportEndless(inOrder);
    const steps = inOrder.flatMap((step) => this.step(step, workflow, context) ?? []);
    if (steps.length < workflow.steps.length) return undefined;
    const undeclared = checkExpressions({ workflow, steps, before, context, report: this.report });
    return { workflow, file, isTool: context.isMain, before, steps, undeclared };
  }

  private reportUnreached(steps: readonly Step[]): void {
    const found = reached(steps);
    for (const { id, place } of steps)
      if (!found.has(id))
        this.report(
          "workflow-unreachable",
          `Nothing leads to the step ${quoteText(id)}.`,
          place,
          "Lead to it by a goto, or remove it.",
        );
  }

  private reportEndless(steps: readonly Step[]): void {
    const ids = endless(steps);
    const first = steps.find(({ id }) => id === ids[0]);
    if (first)
      this.report(
        "workflow-endless",
        `Nothing leads to an end from ${ids.map((id) => quoteText(id)).join(", ")}: once there, the workflow goes on until a step fails.`,
        first.place,
        "Add an end, or criteria to a goto.",
      );
  }

  /**
   * Workflows that `dependsOn` names, of the workflow or of a step, and those whose results
   * expressions want without calling them.
   */
  private before(workflow: Workflow, context: SourcedFile): readonly LinkedWorkflow[] {
    const called = new Set(
      workflow.steps.flatMap(({ target, onSuccess, onFailure }) => [
        target.kind === "workflow" ? target.text : "",
        ...[...onSuccess, ...onFailure].map((one) => one.workflow?.text ?? ""),
      ]),
    );
    for (const { text, place } of workflow.dependsOn)
      if (text === workflow.id)
        this.report(
          "workflow-cycle",
          `The workflow ${quoteText(text)} waits for itself.`,
          place,
          "Remove this dependency.",
        );
    const elsewhere = new Set(
      [...called, ...workflow.dependsOn.map(({ text }) => text)].flatMap(
        (text) => /^\$sourceDescriptions\.[^.]+\.(.+)$/s.exec(text)?.[1] ?? [],
      ),
    );
    const isOwn = (id: string): boolean => context.file.workflows.some((one) => one.id === id);
    const wanted = [
      ...workflow.dependsOn,
      ...workflow.steps.flatMap(stepsElsewhere),
      ...implied(workflow).filter(({ text }) => isOwn(text) || !elsewhere.has(text)),
    ];
    const distinct = wanted.filter(
      ({ text }, i) =>
        !called.has(text) &&
        text !== workflow.id &&
        wanted.findIndex((one) => one.text === text) === i,
    );
    const before = distinct.map(
      (reference) => [reference, this.workflow(reference, context)] as const,
    );
    for (const { text, step, place } of workflow.steps.flatMap(stepsElsewhere)) {
      const found = before.find(([reference]) => reference.text === text)?.[1];
      if (found && !found.steps.some(({ id }) => id === step))
        this.report(
          "workflow-step",
          `The workflow ${quoteText(found.workflow.id)} has no step ${quoteText(step)}${
            didYouMean(
              step,
              found.steps.map(({ id }) => id),
            ) || "."
          }`,
          place,
        );
    }
    return before.flatMap(([, found]) => found ?? []);
  }

  private workflow(reference: Reference, context: SourcedFile): LinkedWorkflow | undefined {
    const found = findWorkflow(reference, context, this.report);
    return found && this.link(found, reference);
  }

  private step(step: Step, workflow: Workflow, context: SourcedFile): LinkedStep | undefined {
    const call = this.call(step, context);
    const [onSuccess, onFailure] = [step.onSuccess, step.onFailure].map((actions) =>
      actions.map((action) => this.action(plainRetry(action, step), workflow, context)),
    );
    if (step.target.kind === "workflow" && step.body)
      this.report(
        "workflow-no-effect",
        `The step ${quoteText(step.id)} calls a workflow and sends no body of its own.`,
        step.body.place,
        "Give the workflow parameters.",
      );
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
        const found = (target.kind === "operationId" ? findById : findByPath)(
          target,
          context,
          this.report,
        );
        return found && { kind: "operation", ...found };
      }
    }
  }

  private action(action: Action, workflow: Workflow, context: SourcedFile): LinkedAction {
    const { step, workflow: other } = action;
    if (step && !workflow.steps.some(({ id }) => id === step.text)) {
      this.report(
        "workflow-step",
        `The action ${quoteText(action.name)} leads to the step ${quoteText(step.text)}, which the workflow does not have${
          didYouMean(
            step.text,
            workflow.steps.map(({ id }) => id),
          ) || "."
        }`,
        step.place,
      );
    }
    if (step) return { ...action, leadsTo: { kind: "step", id: step.text } };
    const led = other && this.workflow(other, context);
    return led ? { ...action, leadsTo: { kind: "workflow", workflow: led } } : action;
  }
}

/** A retry that goes by the step that is tried again is one that goes by nothing. */
function plainRetry(action: Action, { id }: Step): Action {
  const { step, ...rest } = action;
  return action.type === "retry" && step?.text === id ? rest : action;
}

/** `$workflows.login.steps.auth` names the workflow login, and a step of it. */
function stepsElsewhere({ dependsOn }: Step): readonly (Reference & { readonly step: string })[] {
  return dependsOn.flatMap(({ text, place }) => {
    const [, local, source, remote] =
      /^\$workflows\.([^.]+)\.steps\.|^\$sourceDescriptions\.([^.]+)\.([^.]+)\.steps\./.exec(
        text,
      ) ?? [];
    const step = text.slice(text.indexOf(".steps.") + ".steps.".length);
    if (local !== undefined) return [{ text: local, place, step }];
    return source === undefined
      ? []
      : [{ text: `$sourceDescriptions.${source}.${remote ?? ""}`, place, step }];
  });
}

function implied(workflow: Workflow): readonly Reference[] {
  const uses = [
    ...workflow.steps.flatMap((step) => [...inStep(step)]),
    ...workflow.outputs.flatMap(({ value }) => [...inValue(value)]),
  ];
  return uses.flatMap(({ expression, place }): Reference[] => {
    if (expression.kind === "workflows")
      return [
        {
          text:
            expression.source === undefined
              ? expression.workflow
              : `$sourceDescriptions.${expression.source}.${expression.workflow}`,
          place,
        },
      ];
    return expression.kind === "steps" && expression.workflow !== undefined
      ? [{ text: expression.workflow, place }]
      : [];
  });
}
