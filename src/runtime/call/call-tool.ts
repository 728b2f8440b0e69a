import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ServerContext } from "../server/context.js";
import type { ForwardedHeader } from "../request/types.js";
import { INTERNAL_ERROR, invalidInputText } from "../errors/explain-failure.js";
import { runCustomTool } from "./custom-tool.js";
import type { BuiltInTool } from "../discovery/index.js";
import type { AnyTool, CallInfo } from "../tools/hooks.js";
import type { ServedTool } from "../tools/tool-registry.js";
import { type CallOutcome, errorResult } from "./outcome.js";
import { callOperation } from "./call-operation.js";
import { type Deadline, startDeadline } from "../client/index.js";
import { sanitize } from "../response/tool-result.js";
import { type TraceCarrier, traceCall } from "../server/trace.js";
import { validateInput } from "./validate.js";

/** What a call gets from the protocol. */
export interface CallContext {
  /** Aborted when the client takes the call back. */
  readonly signal?: AbortSignal;
  /** Tells the client, if it wants to know, why the call takes its time. */
  progress?(message: string): void;
  /** Headers for the API that came with the call. */
  readonly forwarded?: readonly ForwardedHeader[];
  /** Where the client's trace is told. */
  readonly carrier?: TraceCarrier;
}

/**
 * One call of a tool, from its arguments to its result. Never throws: whatever goes wrong is a
 * result with `isError` that says what to do next, and one line in the log. A call that names
 * another tool is a call of that tool in every respect.
 */
export function callTool(
  app: ServerContext,
  tool: ServedTool,
  args: unknown,
  context: CallContext = {},
): Promise<CallToolResult> {
  if (!("forward" in tool))
    return runObserved(app, tool.name, context, () => executeCall(app, tool, args, context));
  const target = tool.forward(args);
  return "tool" in target
    ? callTool(app, target.tool, target.arguments, context)
    : runObserved(app, tool.name, context, async () => errorResult("invalid", target.problem));
}

/** A call with its span and its line in the log. */
async function runObserved(
  app: ServerContext,
  tool: string,
  { carrier = {} }: CallContext,
  run: () => Promise<CallOutcome>,
): Promise<CallToolResult> {
  const startedAt = performance.now();
  const safely = (): Promise<CallOutcome> =>
    run().catch((error: unknown): CallOutcome => {
      app.log.error(`${tool} failed`, error);
      return errorResult("internal", INTERNAL_ERROR);
    });
  const ended = await traceCall(app.api, tool, carrier, safely);
  const { outcome, status, bytes, retries } = ended;
  app.log.call({
    tool,
    outcome,
    ms: Math.round(performance.now() - startedAt),
    status,
    bytes,
    retries,
  });
  return ended.result;
}

async function executeCall(
  app: ServerContext,
  tool: AnyTool | BuiltInTool,
  args: unknown,
  context: CallContext,
): Promise<CallOutcome> {
  const wait = app.rateLimiter.take();
  if (wait > 0)
    return errorResult(
      "rate_limited",
      `Not sent: this server allows ${app.settings.callsPerMinute} calls per minute. Wait ${Math.ceil(wait / 1000)} s, then call ${tool.name} again.`,
    );
  const validated = validateInput(tool.inputSchema, args, "operations" in tool);
  if (!validated.ok)
    return errorResult("invalid", sanitize(invalidInputText(tool, validated.problems)));
  if ("handle" in tool) return tool.handle(validated.input);
  const deadline = startDeadline(tool.timeoutMs ?? app.settings.timeoutMs, context.signal);
  const call: CallInfo = {
    tool: tool as CallInfo["tool"],
    input: validated.input,
    env: app.apiContext.env,
    get signal() {
      return deadline.signal;
    },
    forwarded: context.forwarded ?? [],
    progress: (message) => context.progress?.(message),
    callTool: async (name, input) =>
      callTool(app, app.tools.find(name), input, { ...context, signal: deadline.signal }),
  };
  try {
    return withOmittedNullsNote(
      tool,
      await dispatch(app, tool, call, deadline, context),
      validated.omittedNulls,
    );
  } finally {
    deadline.dispose();
  }
}

function dispatch(
  app: ServerContext,
  tool: AnyTool,
  call: CallInfo,
  deadline: Deadline,
  context: CallContext,
): Promise<CallOutcome> {
  if ("run" in tool) return runCustomTool(app, tool, call);
  return "perform" in tool
    ? tool.perform(app, call, deadline, context)
    : callOperation(app, call, deadline, context);
}

/**
 * Who changes a thing and says `null` may mean that something is to be taken away: that it was not
 * is told.
 */
function withOmittedNullsNote(
  { annotations }: AnyTool,
  ended: CallOutcome,
  absent: readonly string[] = [],
): CallOutcome {
  if (
    absent.length === 0 ||
    annotations.readOnlyHint ||
    !annotations.destructiveHint ||
    ended.outcome !== "ok"
  )
    return ended;
  const names = `${absent.slice(0, 8).join(", ")}${absent.length > 8 ? " and others" : ""}`;
  const text = sanitize(
    `Note: null is no value for ${names}, so nothing was sent for ${absent.length === 1 ? "it" : "them"}.`,
  );
  return {
    ...ended,
    result: { ...ended.result, content: [...ended.result.content, { type: "text", text }] },
  };
}
