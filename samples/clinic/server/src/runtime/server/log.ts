import { logLevels, type LogLevel } from "./settings.js";
import type { Redact } from "../response/redact.js";
import type { CallOutcome } from "../tools/outcome.js";

/** Log record of one call. It holds no argument and no result. */
interface CallRecord extends Omit<CallOutcome, "result"> {
  readonly tool: string;
  readonly ms: number;
}

/** The log: JSON lines on stderr, because stdout belongs to the protocol. */
export interface Log {
  call(record: CallRecord): void;
  info(message: string): void;
  /** A setting with which most calls will fail. */
  warn(message: string): void;
  /** A mistake of a client, or a note of the protocol layer. */
  debug(message: string, error?: unknown): void;
  /** An error that should not happen. Its text appears in the log only. */
  error(message: string, error?: unknown): void;
}

/**
 * Creates a log.
 * @param write writes whole lines
 */
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
    warn: (message) => writeLine("warn", { message }),
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
 * Writes the lines of one turn of the event loop at once. A write per call would cost more than the
 * rest of the call.
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
