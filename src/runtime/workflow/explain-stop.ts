import { explainFailure, invalidInputText } from "../errors/explain-failure.js";
import { extractApiError } from "../errors/api-error/extract.js";
import type { ToolDefinition } from "../types.js";
import type { ExecutedStep, StepOutcome } from "./step-outcome.js";
import type { StepDefinition } from "./types.js";

/** Why a run of a workflow stopped. */
export interface StopReason {
  readonly step: StepDefinition;
  /** What came of the step; absent when something else than an answer ended it. */
  readonly result?: StepOutcome;
  /** A clause: `was cancelled`. */
  readonly reason?: string;
  /** The action of the workflow that ended it. */
  readonly action?: string;
}

/** Thrown by the code of a workflow to end it; caught where it was started. */
export class WorkflowStoppedError extends Error {
  constructor(readonly stop: StopReason) {
    super(stop.reason ?? `stopped at ${stop.step.id}`);
  }
}

type Tool = Pick<ToolDefinition, "name" | "onError">;

/** Longest value of an output that is repeated. */
const maxValueLength = 200;
const maxEntries = 20;

/**
 * The text for a workflow that did not end well: which step stopped it and why, what was done
 * before and with what result, what must not be done again, and how to go on.
 */
export function explainStop(
  stop: StopReason,
  tool: Tool,
  entries: readonly ExecutedStep[],
  notes: readonly string[] = [],
): string {
  const { happened, next } = explainReason(stop, tool);
  const done = entries.filter((entry) => entry.isDone);
  const effects = entries.filter(({ effect }) => effect !== "none");
  const by =
    stop.action === undefined ? "" : ` The workflow ends here, as its action ${stop.action} says.`;
  return [
    `${tool.name} stopped at its step ${describeStep(stop.step)}.${by}`,
    [happened, ...notes].join(" ").trim(),
    ...(done.length > 0
      ? ["Done before:", ...new Set(done.slice(-maxEntries).map(describeEntry))]
      : []),
    ...effectWarnings(effects),
    effects.length > 0
      ? `Next: ${nextStep(stop.step, tool, effects)}`
      : next === ""
        ? ""
        : `Next: ${next}`,
  ]
    .filter(Boolean)
    .join("\n");
}

function describeStep({ id, title, target: calls }: StepDefinition): string {
  return `${id} (${calls}${title === undefined ? "" : `, ${title}`})`;
}

interface Explanation {
  readonly happened: string;
  readonly next: string;
}

function explainReason({ result, reason: why, step }: StopReason, tool: Tool): Explanation {
  const again = `Nothing was changed. A retry can help: wait a little, then call ${tool.name} again; if it stops again, tell the user.`;
  if (result?.stop) {
    const inner = explainReason(result.stop, tool);
    return {
      ...inner,
      happened: `That workflow stopped at its step ${describeStep(result.stop.step)}. ${inner.happened}`,
    };
  }
  if (why !== undefined) return { happened: `It ${why}.`, next: again };
  if (result?.response && "kind" in result.response && result.response.kind === "credentials")
    return { happened: result.response.message, next: "" };
  if (result?.problems) return explainUnsent(step, result, tool);
  if (step.request === undefined && result?.ok)
    return {
      happened: `The workflow that it calls ended, but the step asks for ${joinTexts(step.successCriteria ?? [])}.`,
      next: `this task cannot be done like this. Correct the input of ${tool.name}, or tell the user.`,
    };
  if (!result?.call || !result.response)
    return { happened: "The workflow that it calls did not end well.", next: again };
  const { response: answer } = result;
  const unmet = "status" in answer && answer.status < 400;
  if (unmet)
    return {
      happened: `The API answered ${answer.status}, but the step asks for ${joinTexts(step.successCriteria ?? ["a status of 2xx"])}.${apiMessage(result)}`,
      next: `the answer is not what this task needs. Correct the input of ${tool.name}, or tell the user.`,
    };
  const [, happened = "", next = ""] =
    /^([^]*?)(?:\nNext: ([^]*))?$/.exec(
      explainFailure("kind" in answer ? answer : { kind: "status", response: answer }, {
        ...result.call,
        tool: { ...result.call.tool, ...tool },
      }),
    ) ?? [];
  return { happened, next: next || again };
}

/**
 * A step whose request could not be put together: because of the input, or because another step did
 * not give what it should.
 */
function explainUnsent(
  { id, requiredInputs: needs = {} }: StepDefinition,
  { problems = [], inputs: sent }: StepOutcome,
  { name }: Tool,
): Explanation {
  const happened = invalidInputText({ name: `the step ${id}` }, problems).replace(
    /\nCorrect [^]*$/,
    "",
  );
  const missing = Object.entries(needs).filter(
    ([input]) => sent[input] === undefined || sent[input] === null,
  );
  if (missing.length === 0)
    return {
      happened,
      next: `check the input of ${name}: a value that this step needs is missing or cannot be sent.`,
    };
  const sources = missing.map(
    ([input, source]) => `${input} is taken from ${source}, which is not there.`,
  );
  return {
    happened: [happened, ...sources].join("\n"),
    next: `what was answered before lacks what this step needs. ${name} comes to the same end with the same input; correct it, or tell the user.`,
  };
}

function apiMessage({ response: answer }: StepOutcome): string {
  const words = answer && "status" in answer ? extractApiError(answer).message : "";
  return words === "" ? "" : ` It says: ${JSON.stringify(words.slice(0, 600))}`;
}

function joinTexts(texts: readonly string[]): string {
  return texts.join(" and ");
}

function describeEntry({ step, outputs }: ExecutedStep): string {
  const values = Object.entries(Object(outputs) as Record<string, unknown>).filter(
    ([, value]) => value !== undefined,
  );
  const shown = values
    .map(([name, value]) => `${name} = ${truncate(JSON.stringify(value) ?? "")}`)
    .join(", ");
  return `- ${step.id} (${step.target})${shown === "" ? "" : `: ${shown}`}`;
}

const truncate = (text: string): string =>
  text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;

function effectWarnings(effects: readonly ExecutedStep[]): readonly string[] {
  const of = (effect: ExecutedStep["effect"]): string =>
    [
      ...new Set(
        effects
          .filter((one) => one.effect === effect)
          .map(({ step }) => `${step.id} (${step.target})`),
      ),
    ].join(", ");
  const [done, maybe] = [of("done"), of("maybe")];
  return [
    ...(done === "" ? [] : [`Taken effect, not to be repeated: ${done}.`]),
    ...(maybe === ""
      ? []
      : [`May or may not have taken effect; check before you repeat: ${maybe}.`]),
  ];
}

/** After something changed, the whole must not simply be called again. */
function nextStep(step: StepDefinition, { name }: Tool, effects: readonly ExecutedStep[]): string {
  const { id, tool } = step;
  const first = effects.some((entry) => entry.step === step && entry.effect === "maybe")
    ? ` First find out whether ${id} took effect.`
    : "";
  const byHand =
    tool === undefined ? "" : `${first} To go on from ${id}, call ${tool} with the values above.`;
  return `do not call ${name} again with the same input: it would repeat what is done already.${byHand} ${byHand === "" ? "Tell" : "Otherwise tell"} the user what was done and what was not.`;
}
