import { type SourceLocation, suggestionFor } from "../diagnostics/index.js";
import { quoteText } from "../diagnostics/text.js";
import { matchDeclaredName } from "./expression.js";
import { findSource } from "./resolve-references.js";
import { precedingSteps, reachableStepIds } from "./step-graph.js";
import type {
  Expression,
  LinkedStep,
  LinkedWorkflow,
  ReportDiagnostic,
  ResolvedWorkflowFile,
  Workflow,
} from "./types.js";
import { expressionsInStep, expressionsInValue } from "./walk-expressions.js";

/** A workflow and everything that its expressions may refer to. */
interface CheckContext {
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
interface EvaluationPoint {
  readonly step?: LinkedStep;
  readonly when: "before" | "after" | "done";
  /** True when a step may have run by then. */
  readonly mayHaveRun: (step: string) => boolean;
}

/**
 * Reports expressions that refer to nothing: unknown steps, outputs, workflows and sources, steps
 * that cannot have run, and responses before the request.
 * @returns used but undeclared inputs
 */
export function checkExpressions(c: CheckContext): readonly string[] {
  const undeclared = new Set<string>();
  const [prior, reachable] = [precedingSteps(c.steps), reachableStepIds(c.steps)];
  for (const step of c.steps) {
    // An unreachable step is reported itself; its expressions are not.
    const mayHaveRun = (id: string): boolean => !reachable.has(step.id) || prior(step.id).has(id);
    for (const { expression, location, when } of expressionsInStep(step))
      checkExpression(expression, location, { step, when, mayHaveRun }, c, undeclared);
  }
  for (const { value } of c.workflow.outputs)
    for (const { expression, location } of expressionsInValue(value))
      checkExpression(
        expression,
        location,
        { when: "before", mayHaveRun: () => true },
        c,
        undeclared,
      );
  return [...undeclared];
}

function checkExpression(
  expression: Expression,
  location: SourceLocation,
  moment: EvaluationPoint,
  c: CheckContext,
  undeclared: Set<string>,
): void {
  if (expression.correction !== undefined)
    c.report(
      "workflow-expression-spelling",
      `The expression is read as ${quoteText(expression.correction)}.`,
      location,
      "Use this spelling.",
    );
  switch (expression.kind) {
    case "inputs":
      return checkInput(expression.name, location, c, undeclared);
    case "steps":
      return expression.workflow === undefined
        ? checkStep(expression, location, moment, c)
        : checkOtherWorkflowStep(expression, location, c);
    case "workflows":
      return checkWorkflow(expression, location, moment, c);
    case "outputs":
      return checkCallOutputs(expression.name, location, moment, c);
    case "source":
      return checkSource(expression, location, c);
    case "message":
      return c.report(
        "workflow-asyncapi",
        "$message belongs to AsyncAPI steps, which are not supported.",
        location,
        "Use $response.",
      );
    case "component":
      return c.report(
        "workflow-expression",
        "$components refers to whole objects in `reference`, not to values.",
        location,
        "Use the value itself.",
      );
    case "self":
      return undefined;
    default:
      return checkMessageExpression(expression, location, moment, c);
  }
}

/** Checks `$statusCode`, `$response…`, `$request…`, `$url` and `$method`. */
function checkMessageExpression(
  expression: Expression,
  location: SourceLocation,
  { step, when }: EvaluationPoint,
  c: CheckContext,
): void {
  if (!step)
    return c.report(
      "workflow-expression",
      "A workflow has no request of its own; its outputs come from its steps.",
      location,
      "Write $steps.<stepId>.outputs.<name>.",
    );
  if (when === "before")
    return c.report(
      "workflow-expression",
      `The request of ${quoteText(step.id)} has not been sent when this expression is evaluated.`,
      location,
      "Use the outputs of a step that ran before.",
    );
  if (step.call.kind === "workflow")
    c.report(
      "workflow-no-effect",
      `The step ${quoteText(step.id)} calls a workflow and has no request of its own; the ` +
        "workflow's last request is used.",
      location,
      "Use $outputs.",
    );
  else if (
    (expression.kind === "query" || expression.kind === "path") &&
    !step.arguments.some(
      (argument) => argument.name === expression.name && argument.in === expression.kind,
    )
  ) {
    c.report(
      "workflow-output",
      `The step ${quoteText(step.id)} has no ${expression.kind} parameter ` +
        `${quoteText(expression.name)}; the value is always missing.`,
      location,
      "Add it to the parameters of the step.",
    );
  }
}

/** Checks an expression of a source, which has the values `name`, `url` and `type`. */
function checkSource(
  { source, reference }: Extract<Expression, { kind: "source" }>,
  location: SourceLocation,
  c: CheckContext,
): void {
  const { sources } = c.context;
  if (!findSource(source, sources))
    return c.report(
      "workflow-source",
      `There is no source ${quoteText(source)}${suggestionFor(source, sources.keys()) || "."}`,
      location,
    );
  if (!["name", "url", "type"].includes(reference))
    c.report(
      "workflow-expression",
      `${quoteText(reference)} of the source ${quoteText(source)} is not a value.`,
      location,
      `Write $sourceDescriptions.${source}.url.`,
    );
}

function checkInput(
  name: string,
  location: SourceLocation,
  c: CheckContext,
  undeclared: Set<string>,
): void {
  if (name === "" || c.workflow.inputs === true) return;
  const match = matchDeclaredName(name, c.workflow.inputNames);
  if (match.known || undeclared.has(match.name)) return;
  undeclared.add(match.name);
  c.report(
    "workflow-input",
    `The workflow ${quoteText(c.workflow.id)} does not declare the input ` +
      `${quoteText(match.name)}${suggestionFor(match.name, c.workflow.inputNames) || "."} ` +
      "It becomes an optional input of any type.",
    location,
    "Declare it under inputs.",
  );
}

function checkStep(
  { step: id, name }: Extract<Expression, { kind: "steps" }>,
  location: SourceLocation,
  { step, when, mayHaveRun }: EvaluationPoint,
  c: CheckContext,
): void {
  const target = c.steps.find((other) => other.id === id);
  if (!target)
    return c.report(
      "workflow-expression",
      `There is no step ${quoteText(id)}${
        suggestionFor(
          id,
          c.steps.map((other) => other.id),
        ) || "."
      }`,
      location,
    );
  const isThis = step?.id === id;
  const isKnown = checkOutput(
    name,
    target.outputs.map((other) => other.name),
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

function checkOtherWorkflowStep(
  { workflow: id, step, name }: Extract<Expression, { kind: "steps" }>,
  location: SourceLocation,
  c: CheckContext,
): void {
  const workflow = findRelatedWorkflow(id as string, c);
  const target = workflow?.steps.find((other) => other.id === step);
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
    target.outputs.map((other) => other.name),
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

function checkWorkflow(
  { workflow: id, field, name }: Extract<Expression, { kind: "workflows" }>,
  location: SourceLocation,
  _moment: EvaluationPoint,
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
      related.workflow.outputs.map((one) => one.name),
      `The workflow ${quoteText(id)}`,
      location,
      c,
    );
}

/** Checks `$outputs`, which are those of a workflow that the step calls. */
function checkCallOutputs(
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
    workflow.outputs.map((one) => one.name),
    `The workflow ${quoteText(workflow.id)}`,
    location,
    c,
  );
}
