import type { CallToolResult } from "@modelcontextprotocol/server";
import type { App } from "./app.js";
import type { ForwardedHeader } from "./bind/types.js";
import { internalError, notSent } from "./errors/index.js";
import { runCustomTool } from "./custom-tool.js";
import type { OwnTool } from "./discovery/index.js";
import type { AnyTool, CallInfo } from "./hooks.js";
import type { ServedTool } from "./list.js";
import { type Ended, failed } from "./ended.js";
import { requestTool } from "./request.js";
import { type Deadline, startDeadline } from "./send/index.js";
import { clean } from "./shape/index.js";
import { type Carrier, traced } from "./trace.js";
import { validate } from "./validate.js";

/** What a call gets from the protocol. */
export interface CallContext {
  /** Aborted when the client takes the call back. */
  readonly signal?: AbortSignal;
  /** Tells the client, if it wants to know, why the call takes its time. */
  progress?(message: string): void;
  /** Headers for the API that came with the call. */
  readonly forwarded?: readonly ForwardedHeader[];
  /** Where the client's trace is told. */
  readonly carrier?: Carrier;
}

/**
 * One call of a tool, from its arguments to its result. Never throws: whatever goes wrong is a
 * result with `isError` that says what to do next, and one line in the log. A call that names
 * another tool is a call of that tool in every respect.
 */
export function callTool(
  app: App,
  tool: ServedTool,
  given: unknown,
  context: CallContext = {},
): Promise<CallToolResult> {
  if (!("forward" in tool))
    return observed(app, tool.name, context, () => perform(app, tool, given, context));
  const meant = tool.forward(given);
  return "tool" in meant
    ? callTool(app, meant.tool, meant.given, context)
    : observed(app, tool.name, context, async () => failed("invalid", meant.problem));
}

/** A call with its span and its line in the log. */
async function observed(
  app: App,
  tool: string,
  { carrier = {} }: CallContext,
  run: () => Promise<Ended>,
): Promise<CallToolResult> {
  const startedAt = performance.now();
  const safely = (): Promise<Ended> =>
    run().catch((error: unknown): Ended => {
      app.log.error(`${tool} failed`, error);
      return failed("internal", internalError);
    });
  const ended = await traced(app.api, tool, carrier, safely);
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

async function perform(
  app: App,
  tool: AnyTool | OwnTool,
  given: unknown,
  context: CallContext,
): Promise<Ended> {
  const wait = app.rate.take();
  if (wait > 0)
    return failed(
      "rate_limited",
      `Not sent: this server allows ${app.settings.callsPerMinute} calls per minute. Wait ${Math.ceil(wait / 1000)} s, then call ${tool.name} again.`,
    );
  const validated = validate(tool.inputSchema, given, "requests" in tool);
  if (!validated.ok) return failed("invalid", clean(notSent(tool, validated.problems)));
  if ("serve" in tool) return tool.serve(validated.input);
  const deadline = startDeadline(tool.timeoutMs ?? app.settings.timeoutMs, context.signal);
  const call: CallInfo = {
    tool: tool as CallInfo["tool"],
    input: validated.input,
    env: app.context.env,
    get signal() {
      return deadline.signal;
    },
    forwarded: context.forwarded ?? [],
    progress: (message) => context.progress?.(message),
    callTool: async (name, input) =>
      callTool(app, app.catalogue.find(name), input, { ...context, signal: deadline.signal }),
  };
  try {
    return noted(tool, await run(app, tool, call, deadline, context), validated.absent);
  } finally {
    deadline.end();
  }
}

function run(
  app: App,
  tool: AnyTool,
  call: CallInfo,
  deadline: Deadline,
  context: CallContext,
): Promise<Ended> {
  if ("run" in tool) return runCustomTool(app, tool, call);
  return "perform" in tool
    ? tool.perform(app, call, deadline, context)
    : requestTool(app, call, deadline, context);
}

/**
 * Who changes a thing and says `null` may mean that something is to be taken away: that it was not
 * is told.
 */
function noted({ annotations }: AnyTool, ended: Ended, absent: readonly string[] = []): Ended {
  if (
    absent.length === 0 ||
    annotations.readOnlyHint ||
    !annotations.destructiveHint ||
    ended.outcome !== "ok"
  )
    return ended;
  const names = `${absent.slice(0, 8).join(", ")}${absent.length > 8 ? " and others" : ""}`;
  const text = clean(
    `Note: null is no value for ${names}, so nothing was sent for ${absent.length === 1 ? "it" : "them"}.`,
  );
  return {
    ...ended,
    result: { ...ended.result, content: [...ended.result.content, { type: "text", text }] },
  };
}
