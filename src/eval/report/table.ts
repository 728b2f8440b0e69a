/** Results as text for a terminal. */
import { formatCount } from "../../diagnostics/index.js";
import type { TaskCheck } from "../check.js";
import { titleOf } from "../check.js";
import type { AgentRun, JudgedAttempt } from "../agent/run-tasks.js";
import { type Comparison, scoresOf, totalScores } from "../scores.js";
import type { Task } from "../types.js";

/** Lines about one checked task: the result, the ranks in the search, problems and notes. */
export function checkLines({ task, problems, notes, ranks }: TaskCheck): readonly string[] {
  const found = ranks.map(({ tool, rank }) => `${tool} ${rank ?? "–"}`).join(", ");
  return [
    `${problems.length === 0 ? "✓" : "✗"} ${titleOf(task)}`,
    `    search: ${found}`,
    ...problems.map((problem) => `    ${problem}.`),
    ...notes.map((note) => `    note: ${note}.`),
  ];
}

/** Closing lines of the checks, with the agreement of the search. */
export function checkSummary(checks: readonly TaskCheck[]): readonly string[] {
  const right = checks.filter(({ problems }) => problems.length === 0).length;
  const ranks = checks.flatMap((check) => check.ranks);
  const found = ranks.filter(({ rank }) => rank !== undefined).length;
  const all = checks.filter((check) => check.ranks.every(({ rank }) => rank !== undefined)).length;
  return [
    "",
    `${right} of ${formatCount(checks.length, "task")} can be done as they stand.`,
    `One search for the words of the user finds ${found} of ${ranks.length} expected tools; ` +
      `all of a task's in ${all} of ${checks.length}.`,
  ];
}

/** Line about one attempt, and the reasons why it is not done. */
export function attemptLines(task: Task, attempt: JudgedAttempt): readonly string[] {
  const { judgement, usage, turns, calls } = attempt;
  // A log of calls has neither turns nor tokens.
  const size =
    turns === 0
      ? formatCount(calls.length, "call")
      : `${formatCount(turns, "turn")}, ${usage.input + usage.output} tokens`;
  return [
    `${judgement.isDone ? "✓" : "✗"} ${titleOf(task)} (${size})`,
    ...judgement.problems.map((problem) => `    ${problem}.`),
  ];
}

/** A table of scores by task, and their totals. */
export function scoreLines(run: AgentRun): readonly string[] {
  const rows = run.tasks.flatMap(({ task, attempts }) => {
    const scores = scoresOf(attempts);
    return scores ? [scoreRow(titleOf(task, 40), scores)] : [];
  });
  const total = totalScores(run);
  return [
    scoreRow("task", undefined),
    ...rows,
    ...(total ? [scoreRow("all", total)] : []),
    ...(run.stopped === undefined ? [] : [`${run.stopped}.`]),
  ];
}

const COLUMNS = [
  ["done", "done", 2],
  ["tools", "tools", 2],
  ["inputs", "inputs", 2],
  ["wasted", "wasted", 1],
  ["recovered", "recov.", 1],
  ["violations", "never", 0],
  ["inputTokens", "read", 0],
  ["outputTokens", "written", 0],
] as const;

function scoreRow(label: string, scores: ReturnType<typeof scoresOf>): string {
  const cells = COLUMNS.map(([key, heading, digits]) =>
    (scores ? scores[key].toFixed(digits) : heading).padStart(8),
  );
  return `${label.padEnd(40)}${cells.join("")}`;
}

/** Sentences about the difference of two runs. */
export function comparisonLines(
  name: string,
  comparison: Comparison | undefined,
): readonly string[] {
  if (!comparison) return [`${name}: no task was tried in both runs.`];
  const { difference, better, worse, probability } = comparison;
  const sign = difference > 0 ? "+" : "";
  return [
    `${name}: ${sign}${difference.toFixed(2)} of the tasks done ` +
      `(${better} more often, ${worse} less often; p = ${probability.toFixed(2)}, sign test)`,
  ];
}
