import type { SourceLocation } from "../diagnostics/diagnostic.js";
import { quoteText, suggestionFor } from "../diagnostics/text.js";
import { matchDeclaredName } from "./expression.js";
import type {
  Expression,
  LinkedStep,
  LinkedWorkflow,
  ReportDiagnostic,
  ResolvedWorkflowFile,
  Workflow,
} from "./types.js";

/** A workflow and everything that its expressions may refer to. */
export interface CheckContext {
  readonly workflow: Workflow;
  readonly steps: readonly LinkedStep[];
  readonly prerequisites: readonly LinkedWorkflow[];
  readonly context: ResolvedWorkflowFile;
  readonly report: ReportDiagnostic;
}

/**
 * The point at which an expression is evaluated: before or after the request of a step, or at the
 * end of the workflow.
 */
export interface EvaluationPoint {
  readonly step?: LinkedStep;
  readonly when: "before" | "after" | "done";
  readonly mayHaveRun: (step: string) => boolean;
}

/** Checks `$steps.<stepId>.outputs.<name>`: the step, the output, and that the step runs before. */
export function checkStep(
  { step: id, name }: Extract<Expression, { kind: "steps" }>,
  location: SourceLocation,
  { step, when, mayHaveRun }: EvaluationPoint,
  c: CheckContext,
): void {
  const target = c.steps.find((candidate) => candidate.id === id);
  if (!target)
    return c.report(
      "workflow-expression",
      `There is no step ${quoteText(id)}${
        suggestionFor(
          id,
          c.steps.map((entry) => entry.id),
        ) || "."
      }`,
      location,
    );
  const isThis = step?.id === id;
  const isKnown = checkOutput(
    name,
    target.outputs.map((output) => output.name),
    `The step ${quoteText(id)}`,
    location,
    c,
  );
  if (mayHaveRun(id) || (isThis && (when === "done" || !isKnown))) return;
  const problem = isThis
    ? "The step uses its own outputs before it has run"
    : `The step ${quoteText(id)} never runs before ${quoteText(step?.id ?? "")}`;
  c.report(
    "workflow-expression",
    `${problem}; its outputs are not available.`,
    location,
    "Use a step that comes before.",
  );
}

/**
 * Checks that an output exists. A near miss is an error. Any other unknown name is a warning: the
 * specification allows it, official examples have it, and a step that needs the value fails at run
 * time.
 */
function checkOutput(
  name: string,
  known: readonly string[],
  whose: string,
  location: SourceLocation,
  c: CheckContext,
): boolean {
  if (name === "" || matchDeclaredName(name, known).known) return true;
  const suggestion = suggestionFor(name, known);
  const hint = known.length > 0 ? `Its outputs: ${known.join(", ")}.` : "It has no outputs.";
  if (suggestion === "")
    c.report(
      "workflow-output",
      `${whose} has no output ${quoteText(name)}; the value is always missing.`,
      location,
      hint,
    );
  else
    c.report(
      "workflow-expression",
      `${whose} has no output ${quoteText(name)}${suggestion}`,
      location,
      hint,
    );
  return false;
}

/** Checks `$workflows.<workflowId>.steps.<stepId>.outputs.<name>`. */
export function checkOtherWorkflowStep(
  { workflow: id, step, name }: Extract<Expression, { kind: "steps" }>,
  location: SourceLocation,
  c: CheckContext,
): void {
  const workflow = findRelatedWorkflow(id as string, c);
  const target = workflow?.steps.find((candidate) => candidate.id === step);
  if (!workflow)
    return c.report(
      "workflow-unknown-workflow",
      `The workflow ${quoteText(id as string)} does not run before this expression.`,
      location,
    );
  if (!target)
    return c.report(
      "workflow-expression",
      `The workflow ${quoteText(id as string)} has no step ${quoteText(step)}.`,
      location,
    );
  checkOutput(
    name,
    target.outputs.map((output) => output.name),
    `The step ${quoteText(step)}`,
    location,
    c,
  );
}

/**
 * Finds a workflow that runs before this one, or that one of its steps calls. Those of the same
 * document take precedence.
 */
function findRelatedWorkflow(
  id: string,
  { prerequisites, steps, context }: CheckContext,
): LinkedWorkflow | undefined {
  const called = steps.flatMap(({ call }) => (call.kind === "workflow" ? call.workflow : []));
  const destinations = steps.flatMap(({ onSuccess, onFailure }) =>
    [...onSuccess, ...onFailure].flatMap(({ destination }) =>
      destination?.kind === "workflow" ? destination.workflow : [],
    ),
  );
  const candidates = [...prerequisites, ...called, ...destinations].filter(
    ({ workflow }) => workflow.id === id,
  );
  return candidates.find(({ file }) => file === context.file) ?? candidates[0];
}

/** Checks `$workflows.<workflowId>.inputs` and `.outputs`. */
export function checkWorkflow(
  { workflow: id, field, name }: Extract<Expression, { kind: "workflows" }>,
  location: SourceLocation,
  c: CheckContext,
): void {
  if (id === c.workflow.id && (field === "inputs" || !findRelatedWorkflow(id, c)))
    return field === "inputs"
      ? undefined
      : c.report(
          "workflow-expression",
          `The workflow ${quoteText(id)} is this workflow, which has no outputs before it ends.`,
          location,
          "Use the outputs of its steps.",
        );
  const related = findRelatedWorkflow(id, c);
  if (!related) return undefined; // reported where it is linked
  if (field === "outputs")
    checkOutput(
      name,
      related.workflow.outputs.map((output) => output.name),
      `The workflow ${quoteText(id)}`,
      location,
      c,
    );
}

/** Checks `$outputs`, which are those of a workflow that the step calls. */
export function checkCallOutputs(
  name: string,
  location: SourceLocation,
  { step, when }: EvaluationPoint,
  c: CheckContext,
): void {
  if (!step || when === "before" || step.call.kind !== "workflow")
    return c.report(
      "workflow-expression",
      "$outputs is only available in a step that calls a workflow.",
      location,
      "Use $steps.<stepId>.outputs.<name>.",
    );
  const { workflow } = step.call.workflow;
  checkOutput(
    name,
    workflow.outputs.map((output) => output.name),
    `The workflow ${quoteText(workflow.id)}`,
    location,
    c,
  );
}
