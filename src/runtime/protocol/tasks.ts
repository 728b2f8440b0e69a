/**
 * The tasks extension: clients that declare it follow work themselves, in place of a call that
 * waits. https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type Server,
  type ServerContext as RequestContext,
} from "@modelcontextprotocol/server";
import { digest } from "../approvals/digest.js";
import { callTool } from "../call/call-tool.js";
import { findTask, readTask, type TaskState } from "../call/read-task.js";
import type { CallContext } from "../call/send-authenticated.js";
import { isObject, omitUndefined } from "../data/values.js";
import type { ServerContext } from "../server/context.js";
import { type SealedTask, TASK_TTL_MS, type TaskSession } from "../tasks/task-ids.js";
import { isModernRequest, type Params, passThroughSchema } from "./messages.js";

/** Identifier of the extension. */
const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** The part of the capabilities that declares it. */
export const tasksCapability = { extensions: { [TASKS_EXTENSION]: {} } };

/** True if a request declares the extension. */
export function supportsTasks(context: RequestContext): boolean {
  if (!isModernRequest(context)) return false;
  const envelope = context.mcpReq.envelope as Params | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY];
  const extensions = isObject(capabilities) ? capabilities["extensions"] : undefined;
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION]);
}

/** `CreateTaskResult`, in place of the result of a call. */
export async function createTask(
  app: ServerContext,
  { pollMs, ...started }: NonNullable<TaskSession["started"]>,
  callerId: string,
): Promise<Result> {
  const task = { ...started, caller: await callerOf(callerId), createdAt: Date.now() };
  const taskId = await app.taskIds.seal(task);
  return { resultType: "task", ...taskFacts(taskId, task, { status: "working", pollMs }) };
}

const callerOf = (callerId: string): Promise<string> => digest("caller", callerId);

function taskFacts(taskId: string, { createdAt }: SealedTask, state: TaskState): Params {
  const { status, message } = state;
  return omitUndefined({
    taskId,
    status,
    statusMessage: message,
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date().toISOString(),
    ttlMs: TASK_TTL_MS,
    pollIntervalMs: status === "working" ? Math.ceil(state.pollMs) : undefined,
  });
}

/** Serves the requests about tasks of one connection. */
export function serveTasks(
  server: Server,
  app: ServerContext,
  callerId: string,
  contextOf: (context: RequestContext) => CallContext,
): void {
  const schema = { params: passThroughSchema };
  server.setRequestHandler("tasks/get", schema, async (params, context) => {
    const { taskId, task, known } = await openTask(app, params, callerId);
    const state = await readTask(app, known, contextOf(context));
    const result = state.status === "completed" ? { result: state.result } : {};
    return { ...taskFacts(taskId, task, state), ...result };
  });
  server.setRequestHandler("tasks/update", schema, async (params) => {
    // No task asks for inputs: a call asks before it starts the work.
    await openTask(app, params, callerId);
    return {};
  });
  server.setRequestHandler("tasks/cancel", schema, async (params, context) => {
    const { task, known } = await openTask(app, params, callerId);
    const { cancel } = known.job;
    const entries = Object.entries(cancel?.inputs ?? {}).map(([to, from]) => [
      to,
      task.input[from],
    ]);
    // Like any other write, one that needs approval is refused.
    if (cancel && app.tools.get(cancel.tool))
      await callTool(
        app,
        app.tools.find(cancel.tool),
        Object.fromEntries(entries),
        contextOf(context),
      );
    return {};
  });
}

/** @throws ProtocolError -32602 for an ID that is not one of a task of this caller */
async function openTask(app: ServerContext, { taskId }: Params, callerId: string) {
  const caller = await callerOf(callerId);
  const task = typeof taskId === "string" ? await app.taskIds.open(taskId, caller) : undefined;
  const known = task && findTask(app, task);
  if (task && known) return { taskId: taskId as string, task, known };
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "Unknown task: the ID is not valid, has expired, or belongs to another caller or process.",
  );
}
