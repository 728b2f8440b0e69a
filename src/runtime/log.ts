import { logLevels, type LogLevel } from "./settings.js";
import type { Redact } from "./redact.js";

/** One call, for the log: what happened and what it cost, never a value. */
export interface CallRecord {
  readonly tool: string;
  /** `ok`, `invalid`, or how it failed. */
  readonly outcome: string;
  readonly ms: number;
  /** Status of the API's response. */
  readonly status?: number;
  /** Size of the API's response body, decoded. */
  readonly bytes?: number;
  readonly retries?: number;
}

/** The log: JSON lines on stderr, because stdout belongs to the protocol. */
export interface Log {
  call(record: CallRecord): void;
  info(message: string): void;
  /** Something that clients do wrong, or that the protocol layer notes. */
  debug(message: string, error?: unknown): void;
  /**
   * Something that should not happen. The error's own text is for the owner; it goes nowhere else.
   */
  error(message: string, error?: unknown): void;
}

/** @param write takes whole lines */
export function createLog(
  level: LogLevel,
  redact: Redact,
  write: (lines: string) => void = writeSoon,
): Log {
  const least = logLevels.indexOf(level);
  const line = (at: LogLevel, fields: object): void => {
    if (logLevels.indexOf(at) < least) return;
    write(`${redact(JSON.stringify({ time: new Date().toISOString(), level: at, ...fields }))}\n`);
  };
  return {
    call: (record) => line(record.outcome === "internal" ? "error" : "info", record),
    info: (message) => line("info", { message }),
    debug: (message, error) => line("debug", { message, error: detail(error) }),
    error: (message, error) => line("error", { message, error: detail(error) }),
  };
}

function detail(error: unknown): string | undefined {
  return error instanceof Error ? (error.stack ?? error.message) : undefined;
}

let waiting = "";
let flushesAtExit = false;

/**
 * Lines of one turn of the event loop leave in one write: a write per call would cost more than the
 * rest of the call's own work.
 */
function writeSoon(line: string): void {
  if (!waiting) setImmediate(flush);
  waiting += line;
  if (!flushesAtExit) process.once("exit", flush);
  flushesAtExit = true;
}

function flush(): void {
  const lines = waiting;
  waiting = "";
  if (lines) process.stderr.write(lines);
}
