/** Scores over attempts, and the comparison of two runs. */
import type { AgentRun, JudgedAttempt, TaskRun } from "./agent/run-tasks.js";

/** Scores of some attempts. Shares are between 0 and 1, the rest are means. */
export interface Scores {
  /** Share of the attempts that did their task. */
  readonly done: number;
  readonly tools: number;
  readonly inputs: number;
  readonly wasted: number;
  readonly recovered: number;
  /** Attempts that called a forbidden tool. */
  readonly violations: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly attempts: number;
}

/** Scores of attempts; undefined without any. */
export function scoresOf(attempts: readonly JudgedAttempt[]): Scores | undefined {
  if (attempts.length === 0) return undefined;
  const mean = (value: (attempt: JudgedAttempt) => number): number =>
    attempts.reduce((sum, attempt) => sum + value(attempt), 0) / attempts.length;
  return {
    done: mean(({ judgement }) => (judgement.isDone ? 1 : 0)),
    tools: mean(({ judgement }) => judgement.tools),
    inputs: mean(({ judgement }) => judgement.inputs),
    wasted: mean(({ judgement }) => judgement.wasted),
    recovered: mean(({ judgement }) => judgement.recovered),
    violations: attempts.filter(({ judgement }) => judgement.violations.length > 0).length,
    inputTokens: mean(({ usage }) => usage.input),
    outputTokens: mean(({ usage }) => usage.output),
    attempts: attempts.length,
  };
}

/** Scores of a run; undefined without attempts. */
export function totalScores({ tasks }: AgentRun): Scores | undefined {
  return scoresOf(tasks.flatMap(({ attempts }) => attempts));
}

/** Difference between two runs over the same tasks. */
export interface Comparison {
  /** Share of done attempts of the second run, less that of the first. */
  readonly difference: number;
  /** Tasks that the second run does more often, and those that it does less often. */
  readonly better: number;
  readonly worse: number;
  /** Probability of a difference as clear as this one if both were equal (sign test over tasks). */
  readonly probability: number;
}

/** Compares two runs task by task, over the tasks that both tried. */
export function compareRuns(first: AgentRun, second: AgentRun): Comparison | undefined {
  const pairs = first.tasks.flatMap((run, i) => {
    const [a, b] = [doneShare(run), doneShare(second.tasks[i])];
    return a === undefined || b === undefined ? [] : [b - a];
  });
  if (pairs.length === 0) return undefined;
  const better = pairs.filter((difference) => difference > 0).length;
  const worse = pairs.filter((difference) => difference < 0).length;
  return {
    difference: pairs.reduce((sum, one) => sum + one, 0) / pairs.length,
    better,
    worse,
    probability: signTest(better, worse),
  };
}

function doneShare(run: TaskRun | undefined): number | undefined {
  return scoresOf(run?.attempts ?? [])?.done;
}

/** Two-sided sign test: the probability of a split at least this uneven of fair coins. */
export function signTest(better: number, worse: number): number {
  const n = better + worse;
  let tail = 0;
  let ways = 1;
  for (let k = 0; k <= Math.min(better, worse); k++) {
    tail += ways;
    ways = (ways * (n - k)) / (k + 1);
  }
  return Math.min(1, (2 * tail) / 2 ** n);
}
