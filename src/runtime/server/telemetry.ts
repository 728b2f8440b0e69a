/** Log of calls, and their observation: log, traces and metrics. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { INTERNAL_ERROR } from "../errors/explain-failure.js";
import { sha256 } from "../data/bytes.js";
import { omitUndefined } from "../data/values.js";
import type { Redact } from "../response/redact.js";
import { ASKED, type CallOutcome, errorResult } from "../tools/definitions.js";
import type { CallOrigin, TraceCarrier } from "./call-origin.js";
import type { Metrics } from "./measured-calls.js";
import { type ApiIdentity, isTracing, recordDuration, traceCall } from "./open-telemetry.js";
import { type LogLevel, logLevels } from "./settings.js";

/** Log record of one call. It contains no arguments and no result. */
export interface CallRecord extends Omit<CallOutcome, "result"> {
  readonly tool: string;
  /** The caller over HTTP: a hash, or the name by setting. */
  readonly caller?: string;
  /** `X-Request-Id` of the HTTP request. */
  readonly requestId?: string;
  /** Trace of the client. */
  readonly traceId?: string;
  readonly ms: number;
  /** Milliseconds for which its requests waited for their turn. Absent if they did not. */
  readonly queueMs?: number;
  /** Requests to the API, with paths of the document. */
  readonly requests?: readonly object[];
  /** Number of all requests, if not all are listed. */
  readonly requestCount?: number;
}

interface LoggedRequests {
  forLog(): Pick<CallRecord, "queueMs" | "requests" | "requestCount">;
}

/** The log: JSON lines on stderr, because stdout belongs to the protocol. */
export interface Log {
  /** @param isWrite true for a call that may change something, which is logged at any level */
  call(record: CallRecord, isWrite?: boolean): void;
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
  const writeLine = (lineLevel: LogLevel, fields: object, isAudit = false): void => {
    if (!isAudit && logLevels.indexOf(lineLevel) < threshold) return;
    const line = JSON.stringify({ time: new Date().toISOString(), level: lineLevel, ...fields });
    write(`${escapeInvisible(redact(line))}\n`);
  };
  return {
    call(record, isWrite = false) {
      const lineLevel = record.outcome === "internal" ? "error" : "info";
      writeLine(lineLevel, isWrite ? { audit: true, ...record } : record, isWrite);
    },
    info: (message) => writeLine("info", { message }),
    warn: (message) => writeLine("warn", { message }),
    debug: (message, error) => writeLine("debug", { message, error: errorDetail(error) }),
    error: (message, error) => writeLine("error", { message, error: errorDetail(error) }),
  };
}

/**
 * Escapes characters that a terminal interprets or does not show, and that JSON leaves as they are.
 * Clients and APIs choose some of the texts.
 */
function escapeInvisible(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

function errorDetail(error: unknown): string | undefined {
  return error instanceof Error ? (error.stack ?? error.message) : undefined;
}

/** Bytes that may wait for the reader of stderr. Lines beyond them are dropped. */
const maxUnreadBytes = 1_000_000;

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
  if (lines && process.stderr.writableLength < maxUnreadBytes) process.stderr.write(lines);
}

/**
 * Headers that pass the trace of the client on to the API. With an SDK there are none, because its
 * instrumentation of requests adds those of their spans.
 */
export function traceHeaders(
  carrier: TraceCarrier = {},
): readonly (readonly [name: string, value: string])[] {
  const { traceparent, tracestate } = carrier;
  if (isTracing() || typeof traceparent !== "string") return [];
  if (!TRACEPARENT.test(traceparent)) return [];
  const hasState = typeof tracestate === "string" && TRACESTATE.test(tracestate);
  return [["traceparent", traceparent], ...(hasState ? [["tracestate", tracestate] as const] : [])];
}

/** Values of W3C Trace Context, of the version that this server can read. */
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** The part of a server that observes calls. */
interface Observer {
  readonly api: ApiIdentity;
  readonly log: Log;
  readonly metrics?: Metrics;
  readonly settings: { readonly logCallers: "hash" | "name" };
}

interface ObservedTool {
  readonly name: string;
  /** Absent for tools that call others. */
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

/**
 * Runs a call with its span, its metrics and its line in the log. An exception becomes an error
 * result. A call that was sent nowhere, because its input is invalid, is no write.
 */
export async function observeCall(
  { api, log, metrics, settings }: Observer,
  { name: tool, annotations }: ObservedTool,
  origin: CallOrigin,
  run: () => Promise<CallOutcome>,
  requests?: LoggedRequests,
): Promise<CallToolResult> {
  const { carrier = {}, connection, requestId } = origin;
  const startedAt = performance.now();
  const runSafely = (): Promise<CallOutcome> =>
    run().catch((error: unknown): CallOutcome => {
      log.error(`${tool} failed`, error);
      return errorResult("internal", INTERNAL_ERROR);
    });
  const { result, outcome, status, bytes, retries } = await traceCall(api, tool, origin, runSafely);
  const ms = Math.round(performance.now() - startedAt);
  const caller = settings.logCallers === "name" ? origin.callerName : await hashOf(origin.caller);
  const traceId = traceIdOf(carrier);
  const measured = { ms, status, bytes, retries, ...requests?.forLog() };
  const isWrite = annotations?.readOnlyHint === false && outcome !== "invalid";
  const from = omitUndefined({ caller, requestId, traceId });
  log.call({ tool, outcome, ...from, ...measured }, isWrite);
  if (outcome === ASKED) return result;
  metrics?.addCall({
    tool,
    outcome,
    connection,
    callerKind: origin.callerKind ?? "local",
    ...measured,
  });
  recordDuration(api, tool, origin, outcome, ms / 1000);
  return result;
}

/** Hashes of callers. The oldest make room for new ones. */
const hashes = new Map<string, Promise<string>>();
const MAX_HASHES = 10_000;

/** A short hash by which the calls of a caller are found in the log. */
async function hashOf(caller: string | undefined): Promise<string | undefined> {
  if (!caller) return undefined;
  const hash = hashes.get(caller) ?? sha256(caller).then((hash) => hash.slice(0, 16));
  hashes.set(caller, hash);
  if (hashes.size > MAX_HASHES) hashes.delete([...hashes.keys()][0]!);
  return hash;
}

/** The trace of a W3C `traceparent`. */
function traceIdOf({ traceparent }: TraceCarrier): string | undefined {
  if (typeof traceparent !== "string") return undefined;
  return /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent)?.[1];
}
