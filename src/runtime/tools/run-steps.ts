/**
 * `run_reads` and `run_steps`: call several tools in one call, where later ones may need results of
 * earlier ones. They have two names because a user who always allows reads does not allow writes.
 */
import { pickPaths, pickSchema } from "../response/pick-fields.js";
import { sanitize } from "../response/shape.js";
import { invalidInputText } from "../errors/explain-failure.js";
import type { ToolAnnotations } from "../types.js";
import { ownToolName } from "./own-tool-name.js";
import type { AnyTool, CallInfo, CustomTool, StoredTool, ToolLookup } from "./definitions.js";
import { type DoubtContext, offerFor, prepareDoubtful } from "./doubtful-input.js";
import { isToolError, ToolError } from "./tool-error.js";
import { fillReferences, referredSteps } from "./step-references.js";
import type { StepTools } from "./step-tools.js";
import { readsExample, stepsExample } from "./steps-example.js";

/** Sentence for the user who asks for the tool, if it is left out. */
export const stepsProblem: string | undefined = undefined;

/** Settings of the server that the tool needs. */
interface StepSettings {
  readonly namespace?: string | undefined;
  /** Deadline of a call in milliseconds. */
  readonly timeoutMs: number;
  /** Tools that it calls. */
  readonly takes: StepTools;
  /** The parts of a tool's API that decide about doubtful inputs. */
  readonly doubtOf: (tool: AnyTool) => DoubtContext;
  /** Name of the tool that reads stored results, which is called alone. */
  readonly reader?: string | undefined;
  /** Name of the tool for reads alone, where there is one. */
  readonly reads?: string | undefined;
  /** Name of the tool for writes as well, where this one is for reads alone. */
  readonly writes?: string | undefined;
}

/** Time before the deadline at which the results so far are returned, in milliseconds. */
const RESERVE_MS = 1000;

/** Maximum number of steps of a call. */
const MAX_STEPS = 10;

/** Maximum number of steps at once. */
const MAX_AT_ONCE = 5;

/** Tools that the description names as those that are called alone. */
const MAX_DESTROYERS = 5;

interface Step {
  readonly tool: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly quiet?: boolean;
  /** Paths of the fields that are shown. Later steps have the whole result. */
  readonly pick?: readonly string[];
}

type Input = NonNullable<Step["arguments"]>;

type StepOutcome = { readonly result: unknown } | { readonly problem: string };

/** A step that was called, with the result of its tool or the text of its failure. */
interface StepResult {
  readonly step: number;
  readonly tool: string;
  readonly result?: unknown;
  /** Sentences about the picked fields. */
  readonly note?: string;
  readonly error?: string;
}

/**
 * Creates the tool. It does not call tools that may destroy something, so that hosts show each of
 * these calls to the user; other writes are asked about one by one, as if they were called alone.
 */
export function createRunSteps(
  name: string,
  lookup: ToolLookup,
  settings: StepSettings,
): CustomTool<{ readonly steps: readonly Step[]; readonly goOn?: boolean }> {
  const { timeoutMs, takes, doubtOf, writes } = settings;
  const hints = possibleSteps(lookup.tools, takes).map(({ annotations }) => annotations);
  return {
    name,
    title: takes === "reads" ? "Run several reads" : "Run several calls",
    description:
      takes === "reads" ? describeReads(lookup.tools, settings) : describe(lookup.tools, settings),
    approve: false,
    annotations: {
      readOnlyHint: hints.every(({ readOnlyHint }) => readOnlyHint),
      destructiveHint: false,
      idempotentHint: hints.every(({ idempotentHint }) => idempotentHint),
      openWorldHint: hints.some(({ openWorldHint }) => openWorldHint),
    },
    inputSchema: takes === "reads" ? inputSchema : writesSchema,
    outputSchema,
    run: async ({ steps, goOn = false }, call) => {
      const check = { lookup, takes, doubtOf, writes, caller: call.caller.id };
      const problems = steps.map((step, i) => stepProblem(step, i, check));
      const found = problems.filter((problem) => problem !== undefined);
      // Reads lose nothing by the mistake in another one, unless they were to follow a write.
      const first = lookup.find(steps[0]!.tool);
      const isOfReads = takes === "reads" && (!first || canBeStep(first.annotations, takes));
      const isRefused = isOfReads || goOn ? found.length === steps.length : found.length > 0;
      if (isRefused) throw new ToolError(`Nothing was called. ${found.join("\n")}`);
      const time = startTime(Math.max(timeoutMs - RESERVE_MS, timeoutMs / 2));
      try {
        return await runAll(steps, call, { lookup, takes, problems, writes, goOn }, time);
      } finally {
        time.stop();
      }
    },
  };
}

/** True for a tool that it calls. */
const canBeStep = ({ readOnlyHint, destructiveHint }: ToolAnnotations, takes: StepTools): boolean =>
  takes === "reads" ? readOnlyHint : !destructiveHint;

/** The tools that it calls. */
const possibleSteps = (tools: readonly StoredTool[], takes: StepTools): readonly StoredTool[] =>
  tools.filter(({ annotations }) => canBeStep(annotations, takes));

/** Sentence about the values that a step takes of earlier ones. */
const REFERENCE_TEXT =
  "Arguments may take values of earlier results: {{1.id}} is id of the result of step 1, " +
  "{{1.items[0].id}} that of its first item, {{1.items[name=Rex].id}} that of its only item " +
  "named Rex, {{1.items[*].id}} a list of those of all items.";

function describeReads(tools: readonly StoredTool[], { namespace, reader }: StepSettings): string {
  const example = readsExample(possibleSteps(tools, "reads"), namespace);
  return [
    "Call several tools that only read in one call, in order.",
    "Use it as soon as two or more of the next reads are known: independent ones, or a list and " +
      "the reads of its items.",
    "Each step is at least one request to the API: leave out what the task does not need, such as " +
      "the read of a thing that a write has just returned.",
    REFERENCE_TEXT,
    example === undefined ? "" : `Example: ${example}.`,
    "After a failure, the reads that do not need the failed step are still made.",
    reader === undefined
      ? "Tools that write are called alone."
      : `Tools that write are called alone, and so are this server's own, such as ${reader}.`,
    "Returns the result of each step.",
  ]
    .filter(Boolean)
    .join(" ");
}

function describe(
  tools: readonly StoredTool[],
  { namespace, reader, reads }: StepSettings,
): string {
  const example = stepsExample(possibleSteps(tools, "all"), namespace);
  return [
    "Call several tools in one call, in order.",
    `Use it as soon as two or more of the next calls are known: ${reads === undefined ? "independent reads, " : ""}` +
      "several writes of one kind, a creation and what is done with its ID, a change and the read " +
      "of what it affects.",
    reads === undefined ? "" : `For reads alone, use ${reads}.`,
    reads === undefined
      ? REFERENCE_TEXT
      : `Arguments take values of earlier results as in ${reads}: {{1.id}}.`,
    example === undefined ? "" : `Example: ${example}.`,
    "After a failure, only the reads that do not need the failed step are still made, with goOn the writes, too.",
    destroyersText(tools, namespace),
    reader === undefined ? "" : `${reader} is called alone.`,
    "Returns the result of each step.",
  ]
    .filter(Boolean)
    .join(" ");
}

/** Names one tool of each verb that it does not call, because models do not see annotations. */
function destroyersText(tools: readonly StoredTool[], namespace: string | undefined): string {
  const names = tools
    .filter(({ annotations }) => annotations.destructiveHint)
    .map(({ name }) => name);
  if (names.length === 0) return "";
  const start = namespace === undefined ? 0 : namespace.length + 1;
  const verbOf = (name: string): string => name.slice(start).split("_", 1)[0]!;
  const isFirstOfVerb = (name: string, i: number): boolean =>
    names.findIndex((one) => verbOf(one) === verbOf(name)) === i;
  const shown = names.filter(isFirstOfVerb).slice(0, MAX_DESTROYERS);
  const examples = `${shown.length === names.length ? ":" : ", such as"} ${shown.join(", ")}`;
  return `Tools that may destroy something are called alone${examples}.`;
}

/**
 * Name of the tool; undefined if it saves no calls, because fewer than two tools can be steps of
 * it.
 * @param isTaken true if another tool has the name
 */
export function runStepsName(
  tools: readonly StoredTool[],
  takes: StepTools,
  namespace: string | undefined,
  isTaken: (name: string) => boolean,
): string | undefined {
  if (possibleSteps(tools, takes).length < 2) return undefined;
  const names =
    takes === "reads"
      ? (["run_reads", "run_tool_reads", "run_several_tool_reads"] as const)
      : (["run_steps", "run_tool_steps", "run_several_tool_calls"] as const);
  return ownToolName(namespace, isTaken, names);
}

/**
 * Sentence of the server's instructions that says when the tool saves calls.
 * @param isOneOfTwo true if one tool is for reads and the other for calls that write
 */
export function stepsInstruction(name: string, takes: StepTools, isOneOfTwo: boolean): string {
  if (takes === "all" && isOneOfTwo) return `Make several writes in one call of ${name}.`;
  return (
    `As soon as two or more of the next ${takes === "reads" ? "reads" : "calls"} are known, ` +
    `make them in one call of ${name}.`
  );
}

const inputSchema = {
  type: "object",
  properties: {
    steps: {
      type: "array",
      minItems: 1,
      maxItems: MAX_STEPS,
      items: {
        type: "object",
        properties: {
          tool: { type: "string", minLength: 1, maxLength: 200 },
          arguments: { type: "object", additionalProperties: true },
          quiet: {
            type: "boolean",
            description: "True to leave out its result, which only later steps need.",
          },
          pick: pickSchema,
        },
        required: ["tool"],
        additionalProperties: false,
      },
    },
  },
  required: ["steps"],
  additionalProperties: false,
} as const;

/** The input of the tool that also writes. */
const writesSchema = {
  ...inputSchema,
  properties: {
    ...inputSchema.properties,
    goOn: {
      type: "boolean",
      description: "True if the writes do not depend on each other: a failure stops none of them.",
    },
  },
} as const;

const outputSchema = {
  type: "object",
  properties: {
    steps: {
      type: "array",
      items: {
        type: "object",
        properties: {
          step: { type: "integer" },
          tool: { type: "string" },
          result: {},
          note: { type: "string" },
          error: { type: "string" },
        },
        required: ["step", "tool"],
      },
    },
    incomplete: { type: "string", description: "Failed steps, and those that were not run." },
  },
  required: ["steps"],
} as const;

/** Tools and corrections by which steps are checked before the first call. */
interface StepCheck extends Pick<StepSettings, "takes" | "doubtOf" | "writes"> {
  readonly lookup: ToolLookup;
  readonly caller: string;
}

/** Why a step cannot be called, as a sentence. Its input is checked if it needs no other step. */
function stepProblem(
  { tool: name, arguments: args = {} }: Step,
  position: number,
  check: StepCheck,
): string | undefined {
  const { lookup, takes, writes } = check;
  const step = `Step ${position + 1}`;
  const tool = lookup.find(name);
  if (!tool) return `${step}: ${lookup.explainMissing(name)}`;
  if (!canBeStep(tool.annotations, takes) && position === 0)
    return firstStepProblem(step, name, tool.annotations, writes);
  const steps = referredSteps(args);
  const later = steps.find((number) => number < 1 || number > position);
  if (later !== undefined)
    return `${step} refers to the result of step ${later}, which is not before it.`;
  const problem = steps.length > 0 ? undefined : inputProblem(tool, args, check);
  return problem && `${step}: ${sanitize(problem)}`;
}

/** Why the first step cannot be called, with the way to call it. */
function firstStepProblem(
  step: string,
  name: string,
  hints: ToolAnnotations,
  writes: string | undefined,
): string {
  const other = otherRunner(hints, writes);
  const way =
    other === undefined
      ? "Call it alone, then run the other steps"
      : `Make these calls with ${other}`;
  return `${step}: ${effectText(name, hints)}. ${way}.`;
}

/** The tool that makes a write which destroys nothing as a step, where this one only reads. */
const otherRunner = (
  { destructiveHint }: ToolAnnotations,
  writes: string | undefined,
): string | undefined => (destructiveHint ? undefined : writes);

/** Why a tool is called alone, as a clause. */
const effectText = (name: string, { destructiveHint }: ToolAnnotations): string =>
  destructiveHint ? `${name} may destroy something` : `${name} writes`;

/** The problems of an input, as a call of the tool alone would state them. */
function inputProblem(
  documented: AnyTool,
  args: Input,
  { doubtOf, caller }: StepCheck,
): string | undefined {
  const doubt = doubtOf(documented);
  const { tool, prepared } = prepareDoubtful(doubt, doubt.corrections.of(documented), args, caller);
  if (prepared.ok || !("operations" in tool)) return undefined;
  // The call takes the ID of a thing from its URL.
  const problems = prepared.problems.filter(({ input }) => !isUrl(args[input]));
  if (problems.length === 0) return undefined;
  const text = invalidInputText(tool, problems);
  const offer = offerFor(doubt, { caller, tool, args, problems: prepared.problems });
  return offer === undefined ? text : `${text} ${offer}`;
}

const isUrl = (value: unknown): boolean =>
  typeof value === "string" && /^\s*https?:\/\//i.test(value);

/**
 * Calls the tools in order, and reads that do not need each other at once. After a failure, writes
 * are not made unless the run is to go on, and neither are steps that need one without a result. At
 * the deadline, what was done so far is the result.
 */
async function runAll(
  steps: readonly Step[],
  call: CallInfo,
  { lookup: { find }, takes, problems, writes, goOn }: CheckedSteps,
  time: RunTime,
): Promise<object> {
  const state: RunState = { results: [], shown: [], missing: new Set() };
  const hintsOf = ({ tool }: Step): ToolAnnotations => find(tool)?.annotations ?? NOT_CALLED;
  const isRead = (step: Step): boolean => hintsOf(step).readOnlyHint;
  const runStep = (i: number): Promise<StepOutcome> => {
    const step = steps[i]!;
    call.progress(`Step ${i + 1} of ${steps.length}: ${step.tool}`);
    const problem = problems[i]?.replace(/^Step \d+: /, "");
    if (problem !== undefined) return Promise.resolve({ problem });
    const late = time.over.then(() => overdue(step.tool, isRead(step)));
    return Promise.race([runOne(step, state.results, call), late]);
  };
  let lone: string | undefined;
  for (const group of groupSteps(steps, isRead)) {
    const first = steps[group[0]!]!;
    if (!canBeStep(hintsOf(first), takes)) lone ??= loneText(first.tool, hintsOf(first), writes);
    const isStopped = lone !== undefined || time.isOver();
    const made = isStopped ? [] : stepsToCall(group, steps, state, goOn || isRead(first));
    for (const i of group) if (!made.includes(i)) state.missing.add(i + 1);
    const outcomes = await Promise.all(made.map(runStep));
    for (const [position, i] of made.entries()) keepOutcome(state, steps, i, outcomes[position]!);
  }
  return runResult(steps, state, lone, time.isOver());
}

/** Steps with the tools that they may call, and why some are not called. */
interface CheckedSteps {
  readonly lookup: ToolLookup;
  readonly takes: StepTools;
  readonly problems: readonly (string | undefined)[];
  readonly writes: string | undefined;
  /** True if a failure stops no write that does not need the failed step. */
  readonly goOn: boolean;
}

/** A sentence about a tool that stops the run, with the way to call it. */
function loneText(name: string, hints: ToolAnnotations, writes: string | undefined): string {
  const other = otherRunner(hints, writes);
  const way =
    other === undefined ? "call it alone" : `make it and the steps after it with ${other}`;
  return `${effectText(name, hints)}: ${way}.`;
}

/** Stands in for the annotations of a tool that is not there. */
const NOT_CALLED: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

interface RunState {
  /** Results by position of their step. */
  readonly results: unknown[];
  /** Steps of the result of the run. */
  readonly shown: StepResult[];
  /** Numbers of the steps without a result. */
  readonly missing: Set<number>;
}

/**
 * The steps of a group that need no missing step.
 * @param isIndependent false for a write that is not made after any failure
 */
function stepsToCall(
  group: readonly number[],
  steps: readonly Step[],
  { missing }: RunState,
  isIndependent: boolean,
): readonly number[] {
  if (!isIndependent && missing.size > 0) return [];
  return group.filter((i) => !stepsNeededBy(steps[i]!).some((number) => missing.has(number)));
}

function keepOutcome(
  { results, shown, missing }: RunState,
  steps: readonly Step[],
  position: number,
  outcome: StepOutcome,
): void {
  const { tool, quiet = false, pick } = steps[position]!;
  const step = position + 1;
  if ("problem" in outcome) {
    missing.add(step);
    shown.push({ step, tool, error: outcome.problem });
    return;
  }
  results[position] = outcome.result;
  if (!quiet) shown.push({ step, tool, ...shownResult(outcome.result, pick) });
}

/** The result of a step as far as it is shown. */
function shownResult(result: unknown, pick: Step["pick"]): Pick<StepResult, "result" | "note"> {
  if (!pick || pick.length === 0) return { result };
  const { value, notes } = pickPaths(result, pick);
  return { result: value, ...(notes.length > 0 && { note: notes.join(" ") }) };
}

/**
 * The result of a run.
 * @param lone a sentence about the tool that stopped the run
 */
function runResult(
  steps: readonly Step[],
  { shown, missing }: RunState,
  lone = "",
  isOver: boolean,
): object {
  if (missing.size === 0) return { steps: shown };
  const late = isOver ? "The time was up: run the other steps in a call of their own." : "";
  const incomplete = incompleteText(steps, missing, shown, lone || late);
  if (missing.size === steps.length) throw new ToolError(failureText(incomplete, shown));
  return { steps: shown, incomplete };
}

/** Positions of steps that are called at once: reads in a row that do not need each other. */
function groupSteps(
  steps: readonly Step[],
  isRead: (step: Step) => boolean,
): readonly (readonly number[])[] {
  const groups: number[][] = [];
  for (const [i, step] of steps.entries()) {
    const group = groups.at(-1);
    const joins =
      group !== undefined &&
      group.length < MAX_AT_ONCE &&
      isRead(step) &&
      isRead(steps[group[0]!]!) &&
      !stepsNeededBy(step).some((one) => group.includes(one - 1));
    if (joins) group.push(i);
    else groups.push([i]);
  }
  return groups;
}

/** Numbers of the steps whose results a step takes. */
const stepsNeededBy = ({ arguments: args = {} }: Step): readonly number[] => referredSteps(args);

interface RunTime {
  readonly over: Promise<void>;
  isOver(): boolean;
  stop(): void;
}

function startTime(ms: number): RunTime {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isOver = true;
      resolve();
    }, ms);
  });
  return { over, isOver: () => isOver, stop: () => clearTimeout(timer) };
}

/** The outcome of a step that ran when the time was up. */
const overdue = (tool: string, isRead: boolean): { readonly problem: string } => ({
  problem: isRead
    ? "It had not ended when the time was up."
    : `It had not ended when the time was up. ${tool} may or may not have taken effect: ` +
      "check before you call it again.",
});

/** Calls one tool, or tells why it failed. */
async function runOne(
  { tool, arguments: args = {} }: Step,
  results: readonly unknown[],
  { tools }: CallInfo,
): Promise<StepOutcome> {
  const filled = fillReferences(args, results);
  if (!filled.ok) return { problem: `It was not called. ${filled.problem}.` };
  try {
    return { result: await tools[tool]!(filled.value as Record<string, unknown>) };
  } catch (error) {
    if (isToolError(error)) return { problem: error.message };
    throw error;
  }
}

/** Sentences about the steps that failed, were left out and were run. */
function incompleteText(
  steps: readonly Step[],
  missing: ReadonlySet<number>,
  shown: readonly StepResult[],
  reason: string,
): string {
  const failed = shown.filter(({ error }) => error !== undefined).map(({ step }) => step);
  const skipped = [...missing].filter((step) => !failed.includes(step));
  const made = steps.map((_, i) => i + 1).filter((step) => !missing.has(step));
  return [
    ...(failed.length > 0 ? [`${countedSteps(failed)} failed.`] : []),
    ...(skipped.length > 0 ? [`${countedSteps(skipped)} ${wasOf(skipped)} not run.`] : []),
    ...(made.length > 0
      ? [`${countedSteps(made)} ${wasOf(made)}${skipped.length > 0 ? "" : " run"}.`]
      : []),
    ...(reason === "" ? [] : [reason]),
  ].join(" ");
}

const wasOf = (steps: readonly number[]): string => (steps.length === 1 ? "was" : "were");

const countedSteps = (steps: readonly number[]): string =>
  steps.length === 1
    ? `Step ${steps[0]}`
    : `Steps ${steps.slice(0, -1).join(", ")} and ${steps.at(-1)}`;

/** Text of a call without any result: the failures themselves. */
const failureText = (incomplete: string, shown: readonly StepResult[]): string =>
  [incomplete, ...shown.map(({ step, tool, error }) => `Step ${step} (${tool}): ${error}`)].join(
    "\n",
  );
