import { explain, notSent } from "../errors/index.js";
import { whatApiSays } from "../errors/says/index.js";
import type { ToolDefinition } from "../types.js";
import type { Answered } from "./answer.js";
import type { Entry } from "./journal.js";
import type { StepDefinition } from "./types.js";

/** Why a run of a workflow stopped. */
export interface Stop {
  readonly step: StepDefinition;
  /** What came of the step; absent when something else than an answer ended it. */
  readonly result?: Answered;
  /** A clause: `was cancelled`. */
  readonly why?: string;
  /** The action of the workflow that ended it. */
  readonly action?: string;
}

/** Thrown by the code of a workflow to end it; caught where it was started. */
export class WorkflowStopped extends Error {
  constructor(readonly stop: Stop) {
    super(stop.why ?? `stopped at ${stop.step.id}`);
  }
}

type Tool = Pick<ToolDefinition, "name" | "onError">;

/** Longest value of an output that is repeated. */
const longestValue = 200;
const mostEntries = 20;

/**
 * The text for a workflow that did not end well: which step stopped it and why, what was done
 * before and with what result, what must not be done again, and how to go on.
 */
export function explainStop(
  stop: Stop,
  tool: Tool,
  entries: readonly Entry[],
  notes: readonly string[] = [],
): string {
  const { happened, next } = reasonOf(stop, tool);
  const done = entries.filter((entry) => entry.done);
  const effects = entries.filter(({ effect }) => effect !== "none");
  const by =
    stop.action === undefined ? "" : ` The workflow ends here, as its action ${stop.action} says.`;
  return [
    `${tool.name} stopped at its step ${nameOf(stop.step)}.${by}`,
    [happened, ...notes].join(" ").trim(),
    ...(done.length > 0 ? ["Done before:", ...new Set(done.slice(-mostEntries).map(lineOf))] : []),
    ...warnings(effects),
    effects.length > 0
      ? `Next: ${goOn(stop.step, tool, effects)}`
      : next === ""
        ? ""
        : `Next: ${next}`,
  ]
    .filter(Boolean)
    .join("\n");
}

function nameOf({ id, title, calls }: StepDefinition): string {
  return `${id} (${calls}${title === undefined ? "" : `, ${title}`})`;
}

interface Reason {
  readonly happened: string;
  readonly next: string;
}

function reasonOf({ result, why, step }: Stop, tool: Tool): Reason {
  const again = `Nothing was changed. A retry can help: wait a little, then call ${tool.name} again; if it stops again, tell the user.`;
  if (result?.stop) {
    const inner = reasonOf(result.stop, tool);
    return {
      ...inner,
      happened: `That workflow stopped at its step ${nameOf(result.stop.step)}. ${inner.happened}`,
    };
  }
  if (why !== undefined) return { happened: `It ${why}.`, next: again };
  if (result?.answer && "kind" in result.answer && result.answer.kind === "credentials")
    return { happened: result.answer.message, next: "" };
  if (result?.problems) return unsentReason(step, result, tool);
  if (step.send === undefined && result?.ok)
    return {
      happened: `The workflow that it calls ended, but the step asks for ${listed(step.expects ?? [])}.`,
      next: `this task cannot be done like this. Correct the input of ${tool.name}, or tell the user.`,
    };
  if (!result?.call || !result.answer)
    return { happened: "The workflow that it calls did not end well.", next: again };
  const { answer } = result;
  const unmet = "status" in answer && answer.status < 400;
  if (unmet)
    return {
      happened: `The API answered ${answer.status}, but the step asks for ${listed(step.expects ?? ["a status of 2xx"])}.${said(result)}`,
      next: `the answer is not what this task needs. Correct the input of ${tool.name}, or tell the user.`,
    };
  const [, happened = "", next = ""] =
    /^([^]*?)(?:\nNext: ([^]*))?$/.exec(
      explain("kind" in answer ? answer : { kind: "status", response: answer }, {
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
function unsentReason(
  { id, needs = {} }: StepDefinition,
  { problems = [], sent }: Answered,
  { name }: Tool,
): Reason {
  const happened = notSent({ name: `the step ${id}` }, problems).replace(/\nCorrect [^]*$/, "");
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

function said({ answer }: Answered): string {
  const words = answer && "status" in answer ? whatApiSays(answer).words : "";
  return words === "" ? "" : ` It says: ${JSON.stringify(words.slice(0, 600))}`;
}

function listed(texts: readonly string[]): string {
  return texts.join(" and ");
}

function lineOf({ step, outputs }: Entry): string {
  const values = Object.entries(Object(outputs) as Record<string, unknown>).filter(
    ([, value]) => value !== undefined,
  );
  const shown = values
    .map(([name, value]) => `${name} = ${shortened(JSON.stringify(value) ?? "")}`)
    .join(", ");
  return `- ${step.id} (${step.calls})${shown === "" ? "" : `: ${shown}`}`;
}

const shortened = (text: string): string =>
  text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;

function warnings(effects: readonly Entry[]): readonly string[] {
  const of = (effect: Entry["effect"]): string =>
    [
      ...new Set(
        effects
          .filter((one) => one.effect === effect)
          .map(({ step }) => `${step.id} (${step.calls})`),
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
function goOn(step: StepDefinition, { name }: Tool, effects: readonly Entry[]): string {
  const { id, tool } = step;
  const first = effects.some((entry) => entry.step === step && entry.effect === "maybe")
    ? ` First find out whether ${id} took effect.`
    : "";
  const byHand =
    tool === undefined ? "" : `${first} To go on from ${id}, call ${tool} with the values above.`;
  return `do not call ${name} again with the same input: it would repeat what is done already.${byHand} ${byHand === "" ? "Tell" : "Otherwise tell"} the user what was done and what was not.`;
}
