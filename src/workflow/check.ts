import { quoteText } from "../diagnostics/clean.js";
import { didYouMean, type Place } from "../diagnostics/index.js";
import { declared } from "./expression.js";
import { sourceNamed } from "./find.js";
import type { LinkedStep, LinkedWorkflow, SourcedFile } from "./linked.js";
import { reached, runBefore } from "./order.js";
import type { Report } from "./report.js";
import type { Expression, Workflow } from "./types.js";
import { inStep, inValue } from "./walk.js";

/** What the expressions of one workflow may lead to. */
export interface CheckContext {
  readonly workflow: Workflow;
  readonly steps: readonly LinkedStep[];
  readonly before: readonly LinkedWorkflow[];
  readonly context: SourcedFile;
  readonly report: Report;
}

/**
 * Where an expression stands: with a step, before or after its request; or with the outputs of the
 * workflow.
 */
interface Moment {
  readonly step?: LinkedStep;
  readonly when: "before" | "after" | "done";
  /** Whether a step may have run by now. */
  readonly ran: (step: string) => boolean;
}

/**
 * Reports every expression that leads to nothing: unknown steps, outputs, workflows and sources,
 * steps that never run before, answers of requests that were not sent yet.
 * @returns inputs that are used and not declared
 */
export function checkExpressions(c: CheckContext): readonly string[] {
  const undeclared = new Set<string>();
  const [before, reachable] = [runBefore(c.steps), reached(c.steps)];
  for (const step of c.steps) {
    // What is never reached never asks for anything: that is said of the step.
    const ran = (id: string): boolean => !reachable.has(step.id) || before(step.id).has(id);
    for (const { expression, place, when } of inStep(step))
      checkOne(expression, place, { step, when, ran }, c, undeclared);
  }
  for (const { value } of c.workflow.outputs)
    for (const { expression, place } of inValue(value))
      checkOne(expression, place, { when: "before", ran: () => true }, c, undeclared);
  return [...undeclared];
}

function checkOne(
  expression: Expression,
  place: Place,
  moment: Moment,
  c: CheckContext,
  undeclared: Set<string>,
): void {
  if (expression.meant !== undefined)
    c.report(
      "workflow-expression-spelling",
      `The expression is taken for ${quoteText(expression.meant)}.`,
      place,
      "Write it so.",
    );
  switch (expression.kind) {
    case "inputs":
      return checkInput(expression.name, place, c, undeclared);
    case "steps":
      return expression.workflow === undefined
        ? checkStep(expression, place, moment, c)
        : checkForeignStep(expression, place, c);
    case "workflows":
      return checkWorkflow(expression, place, moment, c);
    case "outputs":
      return checkOwnOutputs(expression.name, place, moment, c);
    case "source":
      return checkSource(expression, place, c);
    case "message":
      return c.report(
        "workflow-async",
        "$message belongs to AsyncAPI steps, which are not served.",
        place,
        "Use $response.",
      );
    case "component":
      return c.report(
        "workflow-expression",
        "$components stands for whole objects, in `reference`, not for values.",
        place,
        "Use the value itself.",
      );
    case "self":
      return undefined;
    default:
      return checkAnswer(expression, place, moment, c);
  }
}

/** `$statusCode`, `$response…`, `$request…`, `$url`, `$method`. */
function checkAnswer(
  expression: Expression,
  place: Place,
  { step, when }: Moment,
  c: CheckContext,
): void {
  if (!step)
    return c.report(
      "workflow-expression",
      "The outputs of a workflow come from its steps; it has no request of its own.",
      place,
      "Write $steps.<stepId>.outputs.<name>.",
    );
  if (when === "before")
    return c.report(
      "workflow-expression",
      `The request of ${quoteText(step.id)} has not been sent yet when this is evaluated.`,
      place,
      "Use the outputs of a step that ran before.",
    );
  if (step.call.kind === "workflow")
    c.report(
      "workflow-no-effect",
      `The step ${quoteText(step.id)} calls a workflow and has no request of its own; the last request of that workflow is taken.`,
      place,
      "Use $outputs.",
    );
  else if (
    (expression.kind === "query" || expression.kind === "path") &&
    !step.arguments.some((one) => one.name === expression.name && one.in === expression.kind)
  ) {
    c.report(
      "workflow-output",
      `The step ${quoteText(step.id)} gives no ${expression.kind} parameter ${quoteText(expression.name)}; the value is never there.`,
      place,
      "Add it to the parameters of the step.",
    );
  }
}

/**
 * Of a source, values can be its name, its url and its type; operations and workflows are named
 * where they are called.
 */
function checkSource(
  { source, reference }: Extract<Expression, { kind: "source" }>,
  place: Place,
  c: CheckContext,
): void {
  const { sources } = c.context;
  if (!sourceNamed(source, sources))
    return c.report(
      "workflow-source",
      `There is no source ${quoteText(source)}${didYouMean(source, sources.keys()) || "."}`,
      place,
    );
  if (!["name", "url", "type"].includes(reference))
    c.report(
      "workflow-expression",
      `${quoteText(reference)} of the source ${quoteText(source)} is no value.`,
      place,
      `Write $sourceDescriptions.${source}.url.`,
    );
}

function checkInput(name: string, place: Place, c: CheckContext, undeclared: Set<string>): void {
  if (name === "" || c.workflow.inputs === true) return;
  const found = declared(name, c.workflow.inputNames);
  if (found.known || undeclared.has(found.name)) return;
  undeclared.add(found.name);
  c.report(
    "workflow-input",
    `The workflow ${quoteText(c.workflow.id)} does not declare the input ${quoteText(found.name)}${didYouMean(found.name, c.workflow.inputNames) || "."} It becomes an optional input of any type.`,
    place,
    "Declare it under inputs.",
  );
}

function checkStep(
  { step: id, name }: Extract<Expression, { kind: "steps" }>,
  place: Place,
  { step, when, ran }: Moment,
  c: CheckContext,
): void {
  const target = c.steps.find((one) => one.id === id);
  if (!target)
    return c.report(
      "workflow-expression",
      `There is no step ${quoteText(id)}${
        didYouMean(
          id,
          c.steps.map((one) => one.id),
        ) || "."
      }`,
      place,
    );
  const isThis = step?.id === id;
  const isKnown = checkOutput(
    name,
    target.outputs.map((one) => one.name),
    `The step ${quoteText(id)}`,
    place,
    c,
  );
  if (ran(id) || (isThis && (when === "done" || !isKnown))) return;
  const which = isThis
    ? "These are the outputs of this very step, which has not run"
    : `The step ${quoteText(id)} never runs before ${quoteText(step?.id ?? "")}`;
  c.report(
    "workflow-expression",
    `${which}; its outputs are not there yet.`,
    place,
    "Use a step that comes before.",
  );
}

/**
 * Whether there is such an output. A name that is nearly that of one is a slip of the pen. Any
 * other is never there, which the specification forbids nowhere, and which official examples have:
 * what needs the value fails when it runs, and says so.
 */
function checkOutput(
  name: string,
  known: readonly string[],
  whose: string,
  place: Place,
  c: CheckContext,
): boolean {
  if (name === "" || declared(name, known).known) return true;
  const near = didYouMean(name, known);
  const which = known.length > 0 ? `Its outputs: ${known.join(", ")}.` : "It has none.";
  if (near === "")
    c.report(
      "workflow-output",
      `${whose} has no output ${quoteText(name)}; the value is never there.`,
      place,
      which,
    );
  else
    c.report(
      "workflow-expression",
      `${whose} has no output ${quoteText(name)}${near}`,
      place,
      which,
    );
  return false;
}

function checkForeignStep(
  { workflow: id, step, name }: Extract<Expression, { kind: "steps" }>,
  place: Place,
  c: CheckContext,
): void {
  const workflow = related(id as string, c);
  const target = workflow?.steps.find((one) => one.id === step);
  if (!workflow)
    return c.report(
      "workflow-unknown",
      `The workflow ${quoteText(id as string)} does not run here.`,
      place,
    );
  if (!target)
    return c.report(
      "workflow-expression",
      `The workflow ${quoteText(id as string)} has no step ${quoteText(step)}.`,
      place,
    );
  checkOutput(
    name,
    target.outputs.map((one) => one.name),
    `The step ${quoteText(step)}`,
    place,
    c,
  );
}

/**
 * A workflow that runs before this one, or that one of its steps calls; those of the same document
 * go first.
 */
function related(id: string, { before, steps, context }: CheckContext): LinkedWorkflow | undefined {
  const called = steps.flatMap(({ call }) => (call.kind === "workflow" ? call.workflow : []));
  const led = steps.flatMap(({ onSuccess, onFailure }) =>
    [...onSuccess, ...onFailure].flatMap(({ leadsTo }) =>
      leadsTo?.kind === "workflow" ? leadsTo.workflow : [],
    ),
  );
  const named = [...before, ...called, ...led].filter(({ workflow }) => workflow.id === id);
  return named.find(({ file }) => file === context.file) ?? named[0];
}

function checkWorkflow(
  { workflow: id, field, name }: Extract<Expression, { kind: "workflows" }>,
  place: Place,
  _moment: Moment,
  c: CheckContext,
): void {
  if (id === c.workflow.id && (field === "inputs" || !related(id, c)))
    return field === "inputs"
      ? undefined
      : c.report(
          "workflow-expression",
          `The workflow ${quoteText(id)} is this one, which has no outputs before it ends.`,
          place,
          "Use the outputs of its steps.",
        );
  const found = related(id, c);
  if (!found) return undefined; // it could not be found, which is reported where it is linked
  if (field === "outputs")
    checkOutput(
      name,
      found.workflow.outputs.map((one) => one.name),
      `The workflow ${quoteText(id)}`,
      place,
      c,
    );
}

/** `$outputs`: with a step that calls a workflow, what that one gave. */
function checkOwnOutputs(
  name: string,
  place: Place,
  { step, when }: Moment,
  c: CheckContext,
): void {
  if (!step || when === "before" || step.call.kind !== "workflow")
    return c.report(
      "workflow-expression",
      "$outputs are those of a workflow that a step calls; here there are none.",
      place,
      "Use $steps.<stepId>.outputs.<name>.",
    );
  const { workflow } = step.call.workflow;
  checkOutput(
    name,
    workflow.outputs.map((one) => one.name),
    `The workflow ${quoteText(workflow.id)}`,
    place,
    c,
  );
}
