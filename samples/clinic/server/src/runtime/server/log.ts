import { logLevels, type LogLevel } from "./settings.js";
import type { Redact } from "../response/redact.js";
import type { CallOutcome } from "../tools/outcome.js";

/** Log record of one call. It holds no argument and no result. */
export interface CallRecord extends Omit<CallOutcome, "result"> {
  readonly tool: string;
  readonly ms: number;
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
  write: (lines: string) => void = writeBuffered,
): Log {
  const threshold = logLevels.indexOf(level);
  const writeLine = (lineLevel: LogLevel, fields: object): void => {
    if (logLevels.indexOf(lineLevel) < threshold) return;
    write(
      `${redact(JSON.stringify({ time: new Date().toISOString(), level: lineLevel, ...fields }))}\n`,
    );
  };
  return {
    call: (record) => writeLine(record.outcome === "internal" ? "error" : "info", record),
    info: (message) => writeLine("info", { message }),
    debug: (message, error) => writeLine("debug", { message, error: errorDetail(error) }),
    error: (message, error) => writeLine("error", { message, error: errorDetail(error) }),
  };
}

function errorDetail(error: unknown): string | undefined {
  return error instanceof Error ? (error.stack ?? error.message) : undefined;
}

let bufferedLines = "";
let flushesAtExit = false;

/**
 * Lines of one turn of the event loop leave in one write: a write per call would cost more than the
 * rest of the call's own work.
 */
function writeBuffered(line: string): void {
  if (!bufferedLines) setImmediate(flush);
  bufferedLines += line;
  if (!flushesAtExit) process.once("exit", flush);
  flushesAtExit = true;
}

function flush(): void {
  const lines = bufferedLines;
  bufferedLines = "";
  if (lines) process.stderr.write(lines);
}
