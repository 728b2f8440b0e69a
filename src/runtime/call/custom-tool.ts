import type { ServerContext } from "../server/context.js";
import { type CallOutcome, errorResult } from "./outcome.js";
import type { CallInfo, CustomTool } from "../tools/hooks.js";
import { linkFullResult } from "../response/result-store/link.js";
import { redactResult } from "../response/redact.js";
import type { Failure } from "../client/index.js";
import { createToolResult } from "../response/tool-result.js";

/**
 * Serves a call by the owner's own function. Its result is cleaned, cut and checked like that of a
 * request.
 * @throws what the function throws, and when its result does not satisfy the tool's output schema
 */
export async function runCustomTool(
  app: ServerContext,
  tool: CustomTool,
  call: CallInfo,
): Promise<CallOutcome> {
  const output = await Promise.race([
    tool.run(call.input as never, call),
    whenStopped(call.signal),
  ]);
  if (output instanceof StoppedCall)
    return errorResult(
      output.failure.kind,
      `${tool.name} ${output.description}. It may or may not have taken effect: check before you call it again.`,
    );
  if (tool.outputSchema && (typeof output !== "object" || output === null || Array.isArray(output)))
    throw new Error(`The result of ${tool.name} is no object, although it has an output schema`);
  const content =
    typeof output === "string"
      ? ({ kind: "text", text: output } as const)
      : ({ kind: "json", value: output, isPlainAscii: false } as const);
  const shaped = createToolResult(content, {
    tool,
    mapping: {},
    maxCharacters: app.settings.maxResultCharacters,
    url: "",
    status: 200,
  });
  if (!shaped.ok)
    throw new Error(
      `The result of ${tool.name} does not satisfy its output schema: ${shaped.reason}`,
    );
  const shown = redactResult(shaped.result, app.redact);
  return {
    outcome: "ok",
    result: shaped.fullResult
      ? await linkFullResult(shown, tool.name, shaped.fullResult, {
          resultStore: app.kept,
          files: app.files,
          redact: app.redact,
          fileName: () => tool.name,
        })
      : shown,
  };
}

/** A call that ended before the function did. */
class StoppedCall {
  readonly failure: Failure;

  constructor(failure: Failure) {
    this.failure = failure;
  }

  get description(): string {
    return this.failure.kind === "timeout"
      ? `timed out after ${Math.ceil(this.failure.afterMs / 1000)} s`
      : "was cancelled";
  }
}

function whenStopped(signal: AbortSignal): Promise<StoppedCall> {
  return new Promise((resolve) => {
    const stop = (): void => resolve(new StoppedCall(signal.reason as Failure));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
