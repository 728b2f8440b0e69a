/** Judgement of the calls with which an agent worked on a task. */
import { containsText, matchesGlob, matchesValue } from "./match-value.js";
import {
  alternativesOf,
  type ExpectedCall,
  type Inputs,
  type MadeCall,
  type Task,
} from "./types.js";

/** Judgement of one attempt. Shares are between 0 and 1. */
export interface Judgement {
  /** True if every expected call was made, nothing forbidden was, and the answer is right. */
  readonly isDone: boolean;
  /** Share of the expected calls whose tool was called. */
  readonly tools: number;
  /** Share of the expected calls that were made with the expected inputs. */
  readonly inputs: number;
  /** Calls beyond the expected ones. */
  readonly wasted: number;
  /** Failed calls after which a call of the same tool succeeded. */
  readonly recovered: number;
  /** Tools that were called although the task forbids it. */
  readonly violations: readonly string[];
  /** Reasons why it is not done, as sentences. */
  readonly problems: readonly string[];
}

/**
 * Judges an attempt.
 * @param calls calls of tools of the API, in order, without those that search and describe tools
 * @param answer final text of the agent; undefined if it made none
 * @param requestProblems sentences about the requests that the task expects
 */
export function judge(
  task: Task,
  calls: readonly MadeCall[],
  answer: string | undefined,
  requestProblems: readonly string[] = [],
): Judgement {
  const matched = matchCalls(task, calls);
  const missing = task.expect.filter((_, i) => matched[i] === undefined);
  const violations = [...new Set(calls.map(({ tool }) => tool))].filter((tool) =>
    (task.never ?? []).some((glob) => matchesGlob(glob, tool)),
  );
  const problems = [
    ...missing.map((call) => describeMissing(call, calls)),
    ...violations.map((tool) => `${tool} was called, which the task forbids`),
    ...(task.answer === undefined || containsText(task.answer, answer ?? "")
      ? []
      : [`The answer does not contain ${task.answer}`]),
    ...requestProblems,
  ];
  return {
    isDone: problems.length === 0,
    tools: share(task.expect, (expected) =>
      alternativesOf(expected).some(({ tool }) => calls.some((call) => call.tool === tool)),
    ),
    inputs: (task.expect.length - missing.length) / task.expect.length,
    wasted: calls.length - new Set(matched.filter((at) => at !== undefined)).size,
    recovered: countRecovered(calls),
    violations,
    problems,
  };
}

/**
 * Finds a call for each expected one: of its tool, with its inputs and its outcome, and used once.
 * The earliest call is taken, and in ordered tasks the earliest one after that of the step before.
 */
function matchCalls(
  { expect, ordered }: Task,
  calls: readonly MadeCall[],
): readonly (number | undefined)[] {
  const used = new Set<number>();
  let from = 0;
  return expect.map((expected) => {
    const at = calls.findIndex(
      (call, i) => i >= from && !used.has(i) && isExpected(expected, call),
    );
    if (at < 0) return undefined;
    const made = calls[at] as MadeCall;
    if (!alternativesOf(expected).some((one) => takesSeveral(one, made))) used.add(at);
    if (ordered) from = at + 1;
    return at;
  });
}

function isExpected(expected: ExpectedCall, made: MadeCall): boolean {
  return alternativesOf(expected).some(
    (one) =>
      made.tool === one.tool && hasInputs(one.with ?? {}, made.input) && hasOutcome(one, made),
  );
}

/** Tests whether a call succeeded, or failed as the task expects. */
function hasOutcome({ fails = false }: ExpectedCall, { isError, text = "" }: MadeCall): boolean {
  return typeof fails === "string" ? isError && containsText(fails, text) : isError === fails;
}

function hasInputs(expected: Inputs, input: Inputs): boolean {
  return Object.entries(expected).every(
    ([name, value]) =>
      Object.hasOwn(input, name) &&
      (matchesValue(value, input[name]) || isAmong(value, input[name])),
  );
}

/** Tests whether a single value is expected, and a list with it was given. */
function isAmong(expected: unknown, actual: unknown): boolean {
  return (
    typeof expected !== "object" &&
    Array.isArray(actual) &&
    actual.some((item) => matchesValue(expected, item))
  );
}

/** Tests whether a call is several in one: it has a list where one value is expected. */
function takesSeveral(
  { tool, with: expected = {} }: ExpectedCall,
  { tool: called, input }: MadeCall,
): boolean {
  return (
    tool === called &&
    Object.entries(expected).some(
      ([name, value]) => !matchesValue(value, input[name]) && isAmong(value, input[name]),
    )
  );
}

function describeMissing(expected: ExpectedCall, calls: readonly MadeCall[]): string {
  const { tool, fails, or } = expected;
  const others = or ? ` (or ${or.map((one) => one.tool).join(", ")})` : "";
  const wanted = `${expected.with ? ` with ${JSON.stringify(expected.with)}` : ""}${others}`;
  const same = calls.filter((call) => call.tool === tool);
  if (same.length === 0) return `${tool} was not called${wanted}`;
  const right = same.filter(({ input }) => hasInputs(expected.with ?? {}, input));
  if (right.length > 0 && !right.some((call) => hasOutcome(expected, call)))
    return fails ? `${tool}${wanted} ${describeOutcome(fails)}` : `${tool} failed${wanted}`;
  const made = same.map(({ input }) => JSON.stringify(input)).join(", ");
  return `${tool} was not called${wanted} at its place, but with ${made}`;
}

function describeOutcome(fails: string | true): string {
  return fails === true ? "did not fail" : `did not fail with ${JSON.stringify(fails)}`;
}

function countRecovered(calls: readonly MadeCall[]): number {
  return calls.filter(
    ({ tool, isError }, i) =>
      isError && calls.slice(i + 1).some((later) => later.tool === tool && !later.isError),
  ).length;
}

function share<T>(values: readonly T[], test: (value: T) => boolean): number {
  return values.filter(test).length / values.length;
}
