import { type SourceLocation, suggestionFor } from "../diagnostics/index.js";
import { quoteText } from "../diagnostics/text.js";
import {
  checkCallOutputs,
  type CheckContext,
  checkOtherWorkflowStep,
  checkStep,
  checkWorkflow,
  type EvaluationPoint,
} from "./check-outputs.js";
import { matchDeclaredName } from "./expression.js";
import { findSource } from "./resolve-references.js";
import { precedingSteps, reachableStepIds } from "./step-graph.js";
import type { Expression } from "./types.js";
import { expressionsInStep, expressionsInValue } from "./walk-expressions.js";

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
  reportSpelling(expression, location, c);
  switch (expression.kind) {
    case "inputs":
      return checkInput(expression.name, location, c, undeclared);
    case "steps":
      return expression.workflow === undefined
        ? checkStep(expression, location, moment, c)
        : checkOtherWorkflowStep(expression, location, c);
    case "workflows":
      return checkWorkflow(expression, location, c);
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

function reportSpelling(
  { correction }: Expression,
  location: SourceLocation,
  c: CheckContext,
): void {
  if (correction === undefined) return;
  c.report(
    "workflow-expression-spelling",
    `The expression is read as ${quoteText(correction)}.`,
    location,
    "Use this spelling.",
  );
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
