/** Reads of the work behind a task: one request tells how it stands. */
import { jsonOf } from "../response/decode.js";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { startDeadline } from "../client/limits.js";
import { normalizeState } from "../language/state-words.js";
import { sanitize } from "../response/shape.js";
import { contextOfTool } from "../server/api-contexts.js";
import type { ServerContext } from "../server/context.js";
import { observeCall } from "../server/telemetry.js";
import type { SealedTask } from "../tasks/task-ids.js";
import { type CallOutcome, errorResult } from "../tools/definitions.js";
import type { JobMapping, OperationBinding, ToolDefinition } from "../types.js";
import { type DecodedResponse, finishCall, formatResult, rateLimited } from "./build-result.js";
import { callTool } from "./call-tool.js";
import { nestedCall } from "./called-tool.js";
import { readJobState, type ReadState } from "./job-stage.js";
import { readThing, type ReadThing } from "./read-thing.js";
import { RequestRecord } from "./request-record.js";
import { type CallContext, createCallInfo, type RunningCall } from "./send-authenticated.js";
import { delayAfter, describeJob, stateText, waitFor, withJob } from "./wait-for-job.js";

/** State of a task, with the result of the call that started it once the work has ended. */
export type TaskState =
  | { readonly status: "working"; readonly message?: string; readonly pollMs: number }
  | { readonly status: "completed"; readonly message?: string; readonly result: CallToolResult }
  | { readonly status: "cancelled"; readonly message?: string };

/** The parts of a task that the tools of a server have. */
interface KnownTask {
  readonly task: SealedTask;
  readonly tool: ToolDefinition;
  readonly operation: OperationBinding;
  readonly job: JobMapping;
}

/** Finds the tool and the job of a task; undefined if the server offers them no longer. */
export function findTask({ tools }: ServerContext, task: SealedTask): KnownTask | undefined {
  const tool = tools.get(task.tool);
  const operation = tool && "operations" in tool ? tool.operations[task.operation] : undefined;
  const job = operation?.job;
  if (!tool || !("operations" in tool) || !operation || job?.follow.tool !== task.follow)
    return undefined;
  return { task, tool, operation, job };
}

type Read = Extract<ReadThing, { ok: true }>;

/** Milliseconds before the next read of work whose state could not be read. */
const RETRY_MS = 5_000;

/** Reads the state of a task once. Like a call of the tool that reads it, it is limited and logged. */
export async function readTask(
  caller: ServerContext,
  known: KnownTask,
  given: CallContext,
): Promise<TaskState> {
  const server = contextOfTool(caller, known.tool);
  const requests = new RequestRecord();
  const context = { ...given, requests };
  let state = { status: "working", pollMs: RETRY_MS } as TaskState;
  const run = async (): Promise<CallOutcome> => {
    const limit = await server.rateLimiter.take(context.caller);
    if (limit) {
      state = { status: "working", pollMs: limit.waitMs };
      return rateLimited({ name: known.task.follow }, limit);
    }
    const { state: read, outcome } = await readOnce(server, known, context);
    state = read;
    return outcome;
  };
  const observed = { name: known.task.follow, annotations: { readOnlyHint: true } };
  const result = await observeCall(server, observed, context, run, requests);
  return state.status === "completed"
    ? { ...state, result: requests.addTo(result, server) }
    : state;
}

interface TaskRead {
  readonly state: TaskState;
  readonly outcome: CallOutcome;
}

async function readOnce(
  server: ServerContext,
  known: KnownTask,
  context: CallContext,
): Promise<TaskRead> {
  const { timeoutMs, maxRetryWaitMs, maxResultCharacters } = server.settings;
  const retryWait = { remainingMs: maxRetryWaitMs };
  const deadline = startDeadline(timeoutMs, context.signal, retryWait);
  const { task, tool, job } = known;
  const info = createCallInfo(server, tool, {}, deadline, context, callTool);
  const running: RunningCall = { server, info, deadline, context };
  try {
    const nested = nestedCall(running, { ...job.follow, inputs: {} }, {}, maxResultCharacters);
    if (!nested) return unread(0, known);
    const follow = { ...nested, info: { ...nested.info, input: task.input } };
    const read = await readThing(follow);
    if (!read.ok) return unread(read.status, known);
    return await taskRead(known, running, follow, read);
  } finally {
    deadline.dispose();
  }
}

/** A failed read. Only that the thing is gone ends the task. */
function unread(status: number, { task }: KnownTask): TaskRead {
  const message = status === 0 ? "Its state could not be read." : `Reading it returned ${status}.`;
  const outcome = errorResult(
    status === 0 ? "network" : "api_error",
    `${task.tool} was accepted, but its work can no longer be followed: ${task.follow} returned ${status}.`,
  );
  const isGone = status === 404 || status === 410;
  return isGone
    ? { state: { status: "completed", message, result: outcome.result }, outcome }
    : { state: { status: "working", message, pollMs: RETRY_MS }, outcome };
}

async function taskRead(
  known: KnownTask,
  running: RunningCall,
  follow: Parameters<typeof readThing>[0],
  read: Read,
): Promise<TaskRead> {
  const { job, task } = known;
  const { response, content } = read.decoded;
  const state = readJobState(job, response.status, jsonOf(content));
  const message = state.value === undefined ? undefined : sanitize(stateText(state));
  const delayMs = delayAfter(response, Math.floor((Date.now() - task.createdAt) / RETRY_MS) + 1);
  const told = message === undefined ? {} : { message };
  const outcome = await outcomeOf(known, running, follow, read, { state, delayMs });
  if (state.stage === "running")
    return { state: { status: "working", ...told, pollMs: delayMs }, outcome };
  if (isCancelled(state)) return { state: { status: "cancelled", ...told }, outcome };
  return { state: { status: "completed", ...told, result: outcome.result }, outcome };
}

const isCancelled = ({ stage, value }: ReadState): boolean =>
  stage === "failed" && /^cancell?ed$/.test(normalizeState(String(value)));

/** The result of the call as it would be if it had waited. */
async function outcomeOf(
  { task, tool, operation, job }: KnownTask,
  { info }: RunningCall,
  follow: Parameters<typeof readThing>[0],
  read: Read,
  { state, delayMs }: { readonly state: ReadState; readonly delayMs: number },
): Promise<CallOutcome> {
  const { call } = read.prepared;
  const prepared = { ...read.prepared, info, operation, call: { ...call, tool } };
  const { response } = read.decoded;
  const started: DecodedResponse = {
    response,
    content: { kind: "json", value: task.started, isPlainAscii: false },
  };
  const startedAt = performance.now() - (Date.now() - task.createdAt);
  const wait = { ...waitFor(prepared, job), follow, startedAt };
  const described = await describeJob(wait, started, { read, state, delayMs });
  const decoded = described.decoded ?? started;
  const formatted = await formatResult(prepared, decoded, undefined, described.facts);
  const sent = { response, secrets: [...read.secrets, ...described.secrets], retries: 0 };
  return finishCall(prepared, withJob(formatted, described), sent, undefined);
}
