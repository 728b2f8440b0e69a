import type { App } from "./app.js";
import { type Ended, failed } from "./ended.js";
import type { CallInfo, CustomTool } from "./hooks.js";
import { withWhole } from "./kept/link.js";
import { redactResult } from "./redact.js";
import type { Failure } from "./send/index.js";
import { shape } from "./shape/index.js";

/**
 * Serves a call by the owner's own function. Its result is cleaned, cut and checked like that of a
 * request.
 * @throws what the function throws, and when its result does not satisfy the tool's output schema
 */
export async function runCustomTool(app: App, tool: CustomTool, call: CallInfo): Promise<Ended> {
  const output = await Promise.race([tool.run(call.input as never, call), stopped(call.signal)]);
  if (output instanceof Stopped)
    return failed(
      output.failure.kind,
      `${tool.name} ${output.words}. It may or may not have taken effect: check before you call it again.`,
    );
  if (tool.outputSchema && (typeof output !== "object" || output === null || Array.isArray(output)))
    throw new Error(`The result of ${tool.name} is no object, although it has an output schema`);
  const content =
    typeof output === "string"
      ? ({ kind: "text", text: output } as const)
      : ({ kind: "json", value: output, plain: false } as const);
  const shaped = shape(content, {
    tool,
    read: {},
    maxCharacters: app.settings.maxResultCharacters,
    url: "",
    status: 200,
  });
  if (!shaped.ok)
    throw new Error(`The result of ${tool.name} does not satisfy its output schema: ${shaped.why}`);
  const shown = redactResult(shaped.result, app.redact);
  return {
    outcome: "ok",
    result: shaped.whole
      ? await withWhole(shown, tool.name, shaped.whole, { ...app, nameOf: () => tool.name })
      : shown,
  };
}

/** A call that ended before the function did. */
class Stopped {
  readonly failure: Failure;

  constructor(failure: Failure) {
    this.failure = failure;
  }

  get words(): string {
    return this.failure.kind === "timeout"
      ? `timed out after ${Math.ceil(this.failure.afterMs / 1000)} s`
      : "was cancelled";
  }
}

function stopped(signal: AbortSignal): Promise<Stopped> {
  return new Promise((resolve) => {
    const stop = (): void => resolve(new Stopped(signal.reason as Failure));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
