/** Attempts of an agent at all tasks, and their scores. */
import type { ToolPlan } from "../../plan/types.js";
import type { GeneratedFile } from "../../render/index.js";
import { type SessionOptions, startSession } from "../../try/index.js";
import { type Judgement, judge } from "../judge.js";
import { createResponder, findRequestProblems } from "../mock-state.js";
import { discoveryNamesOf } from "../tool-calls.js";
import type { Task } from "../types.js";
import type { ModelAccess } from "./ask-model.js";
import type { Host } from "./host-forms.js";
import type { Usage } from "./model.js";
import { type Attempt, type AttemptLimits, runTask } from "./run-task.js";

/** Settings of a run. */
export interface AgentOptions {
  readonly access: ModelAccess;
  readonly host: Host;
  readonly limits: AttemptLimits & {
    /** Most money that the run may cost, in the unit of the prices. */
    readonly cost?: number;
  };
  /** Price of a million tokens. */
  readonly prices?: Usage;
  /** Money that an earlier run spent. */
  readonly spent?: number;
  /** Attempts at each task. */
  readonly repeat: number;
  /** Content of `tools/list`. Default: that of the plan. */
  readonly mode?: SessionOptions["mode"];
  /** Called after each attempt. */
  readonly onAttempt?: (task: Task, attempt: JudgedAttempt) => void;
}

/** An attempt with its judgement. */
export interface JudgedAttempt extends Attempt {
  readonly judgement: Judgement;
}

/** The attempts at one task. */
export interface TaskRun {
  readonly task: Task;
  readonly attempts: readonly JudgedAttempt[];
}

/** A run over all tasks. */
export interface AgentRun {
  readonly tasks: readonly TaskRun[];
  /** Reason why tasks were not tried, as a sentence. */
  readonly stopped?: string;
}

/**
 * Lets an agent work on tasks. Each attempt has a server and a mock of its own, so that none sees
 * what another did.
 * @throws ServerExitedError when the server does not start
 */
export async function runTasks(
  tasks: readonly Task[],
  plan: ToolPlan,
  files: readonly GeneratedFile[],
  options: AgentOptions,
): Promise<AgentRun> {
  const runs: TaskRun[] = [];
  let { spent = 0 } = options;
  for (const task of tasks) {
    const attempts: JudgedAttempt[] = [];
    runs.push({ task, attempts });
    while (attempts.length < options.repeat) {
      if (spent >= (options.limits.cost ?? Infinity))
        return { tasks: runs, stopped: `The limit of ${options.limits.cost} was spent` };
      const attempt = await attemptTask(task, plan, files, options);
      attempts.push(attempt);
      options.onAttempt?.(task, attempt);
      spent += costOf(attempt.usage, options.prices);
      if (attempt.turns === 0 && attempt.stopped !== undefined)
        return { tasks: runs, stopped: attempt.stopped };
    }
  }
  return { tasks: runs };
}

async function attemptTask(
  task: Task,
  plan: ToolPlan,
  files: readonly GeneratedFile[],
  { access, host, limits, mode = plan.budget.mode }: AgentOptions,
): Promise<JudgedAttempt> {
  const respond = createResponder(task.given ?? []);
  const session = await startSession(plan, files, { mode, respond });
  try {
    const tools = await session.client.listTools();
    const names = discoveryNamesOf(plan);
    const attempt = await runTask(task, { session, tools, names, access, host, limits });
    const problems = findRequestProblems(task.then ?? [], session.mock.requests);
    const judgement = judge(task, attempt.calls, attempt.answer, problems);
    return { ...attempt, judgement: withEnd(judgement, attempt) };
  } finally {
    await session.close();
  }
}

/** An attempt that ended without an answer is not done, whatever was called. */
function withEnd(judgement: Judgement, { stopped }: Attempt): Judgement {
  if (stopped === undefined) return judgement;
  return { ...judgement, isDone: false, problems: [stopped, ...judgement.problems] };
}

/** Cost of all attempts of a run, in the unit of the prices. */
export function costOfRun({ tasks }: AgentRun, prices: Usage | undefined): number {
  const attempts = tasks.flatMap((run) => run.attempts);
  return attempts.reduce((sum, { usage }) => sum + costOf(usage, prices), 0);
}

/** Cost of tokens, in the unit of the prices; 0 without prices. */
export function costOf({ input, output }: Usage, prices: Usage | undefined): number {
  return prices ? (input * prices.input + output * prices.output) / 1e6 : 0;
}
