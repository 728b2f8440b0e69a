/** Measured calls: their fields, and the outcomes that are errors. */
import { ASKED } from "../tools/definitions.js";

interface MeasuredCall {
  readonly tool: string;
  readonly outcome: string;
  readonly connection?:
    | { readonly protocolVersion?: string | undefined; readonly transport: string }
    | undefined;
  /** Kind of the caller: `user`, `client` or `local`. */
  readonly callerKind: string;
  readonly ms: number;
  /** Milliseconds for which its requests waited for their turn. */
  readonly queueMs?: number | undefined;
  readonly retries?: number | undefined;
  readonly status?: number | undefined;
}

/** Metrics of one process. */
export interface Metrics {
  addCall(call: MeasuredCall): void;
  /** Counts a rejected HTTP request. */
  addRejection(status: number): void;
  /** The metrics in the text format of Prometheus, version 0.0.4. */
  text(): string;
}

/** Outcomes of calls that did what they should: also those that show a request, or need a yes. */
const SUCCESSES: ReadonlySet<string> = new Set(["ok", "dry_run", "approval", ASKED]);

/** True for the outcome of a call that failed. */
export const isErrorOutcome = (outcome: string): boolean => !SUCCESSES.has(outcome);
