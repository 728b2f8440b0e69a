/** Custom tools: their call information, their run and their results. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Deadline, Failure } from "../request/types.js";
import { isObject } from "../data/values.js";
import { redactResult } from "../response/redact.js";
import { linkFullResult } from "../response/result-store.js";
import { createToolResult } from "../response/tool-result.js";
import type { ServerContext } from "../server/context.js";
import {
  type AnyTool,
  type CallInfo,
  type CallOutcome,
  type CustomTool,
  errorResult,
} from "../tools/definitions.js";
import type { ServedTool } from "../tools/tool-registry.js";
import type { CallContext } from "./send-authenticated.js";

type CallTool = (
  server: ServerContext,
  tool: ServedTool,
  args: unknown,
  context: CallContext,
) => Promise<CallToolResult>;

/** The information about a call that hooks and custom tools get. */
export function createCallInfo(
  server: ServerContext,
  tool: AnyTool,
  input: CallInfo["input"],
  deadline: Deadline,
  context: CallContext,
  callTool: CallTool,
): CallInfo {
  return {
    tool: tool as CallInfo["tool"],
    input,
    env: server.apiContext.env,
    get signal() {
      return deadline.signal;
    },
    forwarded: context.forwarded ?? [],
    progress: (message) => context.progress?.(message),
    callTool: async (name, nested) =>
      callTool(server, server.tools.find(name), nested, { ...context, signal: deadline.signal }),
  };
}

/**
 * Runs a custom tool. Its result is sanitized, truncated and validated like that of a request.
 * @throws any exception of the tool, and an error when its result violates the output schema
 */
export async function runCustomTool(
  server: ServerContext,
  tool: CustomTool,
  info: CallInfo,
): Promise<CallOutcome> {
  const run = tool.run(info.input as never, info);
  const output = await Promise.race([run, whenStopped(info.signal)]);
  if (output instanceof StoppedCall) return stoppedOutcome(tool.name, output.failure);
  if (tool.outputSchema && !isObject(output))
    throw new Error(`The result of ${tool.name} is not an object, but it has an output schema`);
  const content =
    typeof output === "string"
      ? ({ kind: "text", text: output } as const)
      : ({ kind: "json", value: output, isPlainAscii: false } as const);
  const { maxResultCharacters: maxCharacters } = server.settings;
  const options = { tool, mapping: {}, maxCharacters, url: "", status: 200 };
  const toolResult = createToolResult(content, options);
  if (!toolResult.ok)
    throw new Error(`The result of ${tool.name} violates its output schema: ${toolResult.reason}`);
  const redacted = redactResult(toolResult.result, server.redact);
  if (!toolResult.fullResult) return { outcome: "ok", result: redacted };
  const { resultStore, files, redact } = server;
  const linking = { resultStore, files, redact, fileName: () => tool.name };
  const result = await linkFullResult(redacted, tool.name, toolResult.fullResult, linking);
  return { outcome: "ok", result };
}

/** The end of a call before its tool had returned. */
class StoppedCall {
  constructor(readonly failure: Failure) {}
}

function whenStopped(signal: AbortSignal): Promise<StoppedCall> {
  return new Promise((resolve) => {
    const stop = (): void => resolve(new StoppedCall(signal.reason as Failure));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

function stoppedOutcome(tool: string, failure: Failure): CallOutcome {
  const event =
    failure.kind === "timeout"
      ? `timed out after ${Math.ceil(failure.afterMs / 1000)} s`
      : "was cancelled";
  const advice = "It may or may not have taken effect: check before you call it again.";
  return errorResult(failure.kind, `${tool} ${event}. ${advice}`);
}
