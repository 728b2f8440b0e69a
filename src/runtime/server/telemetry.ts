/**
 * Log and traces of calls.
 *
 * Traces are one OpenTelemetry span for each call, if an SDK is registered in this process (`node
 * --import ./telemetry.js dist/server.js`). The OpenTelemetry API stores registrations in a global
 * object that all of its 1.x versions share, so no package is needed here. Requests to the API get
 * their spans, inside the span of the call, from the instrumentation of undici.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { INTERNAL_ERROR } from "../errors/explain-failure.js";
import { sha256 } from "../data/bytes.js";
import { omitUndefined } from "../data/values.js";
import type { Redact } from "../response/redact.js";
import { ASKED, type CallOutcome, errorResult } from "../tools/definitions.js";
import { isErrorOutcome, type Metrics } from "./measured-calls.js";
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

/** The part of `@opentelemetry/api` that is used. */
interface OpenTelemetry {
  readonly trace?: { getTracer(name: string, version: string): Tracer };
  readonly context?: { active(): Context; with<T>(context: Context, run: () => T): T };
  readonly propagation?: {
    extract(context: Context, carrier: TraceCarrier, getter: Getter): Context;
  };
  readonly metrics?: MeterProvider;
}

interface MeterProvider {
  getMeter(
    name: string,
    version: string,
  ): { createHistogram(name: string, options: object): DurationHistogram };
}

interface DurationHistogram {
  record(value: number, attributes: Attributes): void;
}

interface Getter {
  keys(carrier: TraceCarrier): string[];
  get(carrier: TraceCarrier, key: string): string | undefined;
}

interface Tracer {
  startSpan(
    name: string,
    options: { readonly kind: number; readonly attributes: Attributes },
    context?: Context,
  ): Span;
}

interface Span {
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { readonly code: number }): unknown;
  end(): void;
}

interface Context {
  setValue(key: symbol, value: unknown): Context;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;
type CallAttributes = Attributes & { readonly "gen_ai.tool.name": string };

/**
 * `_meta` of a request, where clients put their trace context (`traceparent`, `tracestate`,
 * `baggage`).
 */
export type TraceCarrier = Readonly<Record<string, unknown>>;

const registryKey = Symbol.for("opentelemetry.js.api.1");
const activeSpanKey = Symbol.for("OpenTelemetry Context Key SPAN");
/** `SpanKind.SERVER` of OpenTelemetry. */
const serverKind = 1;
/** `SpanStatusCode.ERROR` of OpenTelemetry. */
const errorStatus = 2;

const getter: Getter = {
  keys: (carrier) => Object.keys(carrier),
  get: (carrier, key) => (typeof carrier[key] === "string" ? carrier[key] : undefined),
};

interface ApiIdentity {
  readonly name: string;
  readonly version: string;
}

/**
 * Runs a call inside a span, by the semantic conventions for MCP, if tracing is registered. Spans
 * contain no arguments and no results, which may be secret.
 */
function traceCall(
  api: ApiIdentity,
  tool: string,
  { carrier = {}, connection }: CallOrigin,
  run: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const telemetry = registeredTelemetry();
  if (!telemetry?.trace) return run();
  const tracer = telemetry.trace.getTracer(api.name, api.version);
  return runInSpan(telemetry, tracer, callAttributes(tool, connection), carrier, run);
}

function registeredTelemetry(): OpenTelemetry | undefined {
  return (globalThis as { readonly [registryKey]?: OpenTelemetry })[registryKey];
}

/** Attributes of spans and durations, by the semantic conventions for MCP. */
function callAttributes(tool: string, connection: McpConnection | undefined): CallAttributes {
  return {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool,
    ...(connection?.protocolVersion && { "mcp.protocol.version": connection.protocolVersion }),
    ...(connection && { "network.transport": connection.transport }),
  };
}

/**
 * Headers that pass the trace of the client on to the API. With an SDK there are none, because its
 * instrumentation of requests adds those of their spans.
 */
export function traceHeaders(
  carrier: TraceCarrier = {},
): readonly (readonly [name: string, value: string])[] {
  const { traceparent, tracestate } = carrier;
  if (registeredTelemetry()?.trace || typeof traceparent !== "string") return [];
  if (!TRACEPARENT.test(traceparent)) return [];
  const hasState = typeof tracestate === "string" && TRACESTATE.test(tracestate);
  return [["traceparent", traceparent], ...(hasState ? [["tracestate", tracestate] as const] : [])];
}

/** Values of W3C Trace Context, of the version that this server can read. */
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

async function runInSpan(
  { context, propagation }: OpenTelemetry,
  tracer: Tracer,
  attributes: CallAttributes,
  carrier: TraceCarrier,
  run: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const activeContext = context?.active();
  const parent =
    activeContext && propagation && typeof carrier["traceparent"] === "string"
      ? propagation.extract(activeContext, carrier, getter)
      : activeContext;
  const name = `tools/call ${attributes["gen_ai.tool.name"]}`;
  const span = tracer.startSpan(name, { kind: serverKind, attributes }, parent);
  const outcome = await (context && parent
    ? context.with(parent.setValue(activeSpanKey, span), run)
    : run());
  describeOutcome(span, outcome);
  span.end();
  return outcome;
}

function describeOutcome(
  span: Span,
  { outcome, status, bytes, retries, result }: CallOutcome,
): void {
  span.setAttributes({
    "mcp.tool.outcome": outcome,
    "http.response.status_code": status,
    "http.response.body.size": bytes,
    "http.request.resend_count": retries,
    "error.type": result.isError ? "tool_error" : undefined,
  });
  if (result.isError) span.setStatus({ code: errorStatus });
}

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

/** The connection of a client. */
export interface McpConnection {
  /** Revision of MCP; absent if it is not known. */
  readonly protocolVersion?: string | undefined;
  /** `pipe` for stdio, `tcp` for HTTP. */
  readonly transport: "pipe" | "tcp";
}

/** The origin of a call. */
export interface CallOrigin {
  readonly connection?: McpConnection;
  /** Trace context of the client. */
  readonly carrier?: TraceCarrier;
  /** Identity of the caller, for limits and the hash in the log. Absent: the only one. */
  readonly caller?: string;
  /** The caller as people know it. */
  readonly callerName?: string;
  /** A user that authentication names, or another client of HTTP. Absent: the process that started it. */
  readonly callerKind?: "user" | "client";
  readonly requestId?: string;
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
  recordDuration(api, callAttributes(tool, connection), outcome, ms / 1000);
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

/** Records a duration, if an OpenTelemetry SDK for metrics is registered in this process. */
function recordDuration(
  { name, version }: ApiIdentity,
  attributes: CallAttributes,
  outcome: string,
  seconds: number,
): void {
  const provider = registeredTelemetry()?.metrics;
  if (!provider) return;
  const histogram = histograms.get(provider) ?? createHistogram(provider, name, version);
  histograms.set(provider, histogram);
  histogram.record(seconds, {
    ...attributes,
    ...(isErrorOutcome(outcome) && { "error.type": outcome }),
  });
}

/** Bounds of durations in seconds, as the semantic conventions for MCP advise. */
const DURATION_BOUNDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

const histograms = new WeakMap<MeterProvider, DurationHistogram>();

function createHistogram(
  provider: MeterProvider,
  name: string,
  version: string,
): DurationHistogram {
  const options = {
    unit: "s",
    description: "Duration of calls of tools.",
    // The defaults of SDKs are for milliseconds.
    advice: { explicitBucketBoundaries: DURATION_BOUNDS },
  };
  return provider.getMeter(name, version).createHistogram("mcp.server.operation.duration", options);
}
