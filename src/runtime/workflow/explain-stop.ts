/** Error texts of workflows that stopped: the step, the reason, and the effects so far. */
import { beginningOf } from "../data/values.js";
import { revertText } from "../call/effects.js";
import { isFailure } from "../request/types.js";
import { extractApiError, quoteMessage } from "../errors/api-error/extract.js";
import { explainFailure, invalidInputText } from "../errors/explain-failure.js";
import type { ToolDefinition } from "../types.js";
import type { ExecutedStep, StepDefinition, StepOutcome, StopReason } from "./steps.js";

/** Ends a workflow. Thrown by its steps, caught where the workflow was started. */
export class WorkflowStoppedError extends Error {
  constructor(readonly stop: StopReason) {
    super(stop.reason ?? `stopped at ${stop.step.id}`);
  }
}

/** Turns the error of a JSONPath query into the stop of a step. Other errors are unchanged. */
export function stopAtStep(error: unknown, step: StepDefinition | undefined): unknown {
  const isLimit = error instanceof Error && error.name === "JsonPathLimitError";
  if (!isLimit || !step) return error;
  const reason = `was stopped: ${error.message}`;
  return new WorkflowStoppedError({ step, reason, isPermanent: true });
}

type Tool = Pick<ToolDefinition, "name" | "onError">;

/** Characters of an output value that are shown. */
const maxValueLength = 200;
/** Completed steps that are listed. */
const maxEntries = 20;
const maxApiMessage = 600;

/**
 * The error text of a workflow that stopped: the step and the reason, the completed steps with
 * their outputs, the effects that must not be repeated, and the next step for the agent.
 */
export function explainStop(
  stop: StopReason,
  tool: Tool,
  entries: readonly ExecutedStep[],
  notes: readonly string[] = [],
): string {
  const { summary, next } = explainReason(stop, tool);
  const effects = possibleEffects(entries, stop.step);
  const endedBy =
    stop.action === undefined ? "" : ` Its action ${stop.action} ends the workflow here.`;
  const advice = effects.length > 0 ? adviceAfterEffects(stop.step, tool, effects, entries) : next;
  const lines = [
    `${tool.name} stopped at step ${describeStep(stop.step)}.${endedBy}`,
    [summary, ...notes].join(" ").trim(),
    ...completedSteps(entries),
    ...effectWarnings(effects),
    ...revertText(effects.map(({ revert }) => revert)),
    advice === "" ? "" : `Next: ${advice}`,
  ];
  return lines.filter(Boolean).join("\n");
}

function describeStep({ id, title, target }: StepDefinition): string {
  return title === undefined ? `${id} (${target})` : `${id} (${target}, ${title})`;
}

interface Explanation {
  readonly summary: string;
  /** Empty when the summary includes the advice. */
  readonly next: string;
}

function explainReason(stop: StopReason, tool: Tool): Explanation {
  const { result, reason, step } = stop;
  if (result?.stop) {
    const inner = explainReason(result.stop, tool);
    const innerStep = describeStep(result.stop.step);
    return {
      ...inner,
      summary: `The called workflow stopped at step ${innerStep}. ${inner.summary}`,
    };
  }
  if (reason !== undefined) return { summary: `It ${reason}.`, next: adviceAfter(stop, tool) };
  const response = result?.response;
  if (response && isFailure(response) && response.kind === "credentials")
    return { summary: response.message, next: "" };
  if (result?.problems) return explainUnsent(step, result, tool);
  if (step.request === undefined && result?.ok) return explainCriteria(step, tool);
  return explainResponse(step, result, tool);
}

function adviceAfter({ isPermanent }: StopReason, tool: Tool): string {
  return isPermanent ? "a retry does not help. Tell the user." : retryAdvice(tool);
}

function retryAdvice({ name }: Tool): string {
  return (
    `wait a few seconds, then call ${name} again: nothing was changed. ` +
    `If it stops again, tell the user.`
  );
}

/** The called workflow completed, but the success criteria of the step are not met. */
function explainCriteria({ successCriteria = [] }: StepDefinition, { name }: Tool): Explanation {
  return {
    summary: `The called workflow completed, but the step requires ${successCriteria.join(" and ")}.`,
    next: `correct the input of ${name}, or tell the user that this task cannot be done.`,
  };
}

function explainResponse(
  { successCriteria = ["a status of 2xx"] }: StepDefinition,
  result: StepOutcome | undefined,
  tool: Tool,
): Explanation {
  const response = result?.response;
  if (!result?.call || !response)
    return { summary: "The called workflow failed.", next: retryAdvice(tool) };
  if (!isFailure(response) && response.status < 400)
    return {
      summary:
        `The API responded with ${response.status}, but the step requires ` +
        `${successCriteria.join(" and ")}.${apiMessage(result)}`,
      next: `correct the input of ${tool.name}, or tell the user that this task cannot be done.`,
    };
  const failure = isFailure(response) ? response : { kind: "status" as const, response };
  const text = explainFailure(failure, { ...result.call, tool: { ...result.call.tool, ...tool } });
  const [, summary = "", next = ""] = /^([^]*?)(?:\nNext: ([^]*))?$/.exec(text) ?? [];
  // Without advice, the message of the API says what to do.
  return { summary, next };
}

/** A request that could not be built: the input or the output of another step lacks a value. */
function explainUnsent(
  { id, requiredInputs = {} }: StepDefinition,
  { problems = [], inputs }: StepOutcome,
  { name }: Tool,
): Explanation {
  const text = invalidInputText({ name: `the step ${id}` }, problems);
  const summary = text.replace(/\nCorrect [^]*$/, "");
  const missing = Object.entries(requiredInputs).filter(([input]) => inputs[input] == null);
  if (missing.length === 0)
    return {
      summary,
      next: `check the input of ${name}: a value that this step needs is missing or cannot be sent.`,
    };
  const sources = missing.map(
    ([input, source]) => `${input} comes from ${source}, which is missing.`,
  );
  return {
    summary: [summary, ...sources].join("\n"),
    next:
      `an earlier response lacks a value that this step needs. ` +
      `${name} stops here again with the same input: correct the input, or tell the user.`,
  };
}

function apiMessage({ response }: StepOutcome): string {
  if (!response || isFailure(response)) return "";
  const { message, ...details } = extractApiError(response);
  const quoted = quoteMessage({ ...details, message: message.slice(0, maxApiMessage) });
  return message === "" ? "" : ` The API says: ${quoted}`;
}

function completedSteps(entries: readonly ExecutedStep[]): readonly string[] {
  const completed = entries.filter(({ isDone }) => isDone).slice(-maxEntries);
  return completed.length === 0
    ? []
    : ["Completed steps:", ...new Set(completed.map(describeEntry))];
}

function describeEntry({ step, outputs }: ExecutedStep): string {
  const values = outputValues(outputs).map(
    ([name, value]) => `${name} = ${beginningOf(JSON.stringify(value) ?? "", maxValueLength)}`,
  );
  const line = `- ${step.id} (${step.target})`;
  return values.length === 0 ? line : `${line}: ${values.join(", ")}`;
}

const outputValues = (outputs: unknown): readonly (readonly [string, unknown])[] =>
  Object.entries(Object(outputs) as Record<string, unknown>).filter(
    ([, value]) => value !== undefined,
  );

/** Writes that changed something or may have. One that missed its success criteria may not have. */
function possibleEffects(
  entries: readonly ExecutedStep[],
  stopped: StepDefinition,
): ExecutedStep[] {
  return entries
    .filter(({ effect }) => effect !== "none")
    .map((entry) =>
      entry.step === stopped && !entry.isDone ? { ...entry, effect: "maybe" as const } : entry,
    );
}

function effectWarnings(effects: readonly ExecutedStep[]): readonly string[] {
  const stepsWith = (effect: ExecutedStep["effect"]): string => {
    const steps = effects.filter((entry) => entry.effect === effect);
    return [...new Set(steps.map(({ step }) => `${step.id} (${step.target})`))].join(", ");
  };
  const [applied, possible] = [stepsWith("done"), stepsWith("maybe")];
  return [
    ...(applied === "" ? [] : [`Took effect, do not repeat: ${applied}.`]),
    ...(possible === "" ? [] : [`May have taken effect, check before repeating: ${possible}.`]),
  ];
}

/** Advice after a change: calling the workflow again would repeat the change. */
function adviceAfterEffects(
  step: StepDefinition,
  { name }: Tool,
  effects: readonly ExecutedStep[],
  entries: readonly ExecutedStep[],
): string {
  const hasTakenEffect = effects.some(({ effect }) => effect === "done");
  const repetition = hasTakenEffect ? "would repeat completed steps" : "may repeat a change";
  const stop = `do not call ${name} again with the same input: it ${repetition}.`;
  if (step.tool === undefined) return `${stop} Tell the user what was done and what was not.`;
  const isUncertain = effects.some((entry) => entry.step === step && entry.effect === "maybe");
  const check = isUncertain ? ` First check whether ${step.id} took effect.` : "";
  const hasValues = entries.some(
    ({ isDone, outputs }) => isDone && outputValues(outputs).length > 0,
  );
  const values = hasValues ? " with the values above" : "";
  return (
    `${stop}${check} To continue from ${step.id}, call ${step.tool}${values}. ` +
    `Otherwise tell the user what was done and what was not.`
  );
}
