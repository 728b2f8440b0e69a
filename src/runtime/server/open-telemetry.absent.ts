/** Stands in for OpenTelemetry, which is left out. */
import { leftOut } from "../left-out.js";
import type { CallOutcome } from "../tools/definitions.js";

/** Sentence for the user who registers an SDK in vain. */
export const telemetryProblem: string | undefined = leftOut("OpenTelemetry", "telemetry");

export interface ApiIdentity {
  readonly name: string;
}

export const isTracing = (): boolean => false;

export function traceCall(
  _api: unknown,
  _tool: unknown,
  _origin: unknown,
  run: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  return run();
}

export function recordDuration(..._: readonly unknown[]): void {}
