/**
 * Traces and durations of calls.
 *
 * Traces are one OpenTelemetry span for each call, if an SDK is registered in this process (`node
 * --import ./telemetry.js dist/server.js`). The OpenTelemetry API stores registrations in a global
 * object that all of its 1.x versions share, so no package is needed here. Requests to the API get
 * their spans, inside the span of the call, from the instrumentation of undici.
 */
import type { CallOutcome } from "../tools/definitions.js";
import type { CallOrigin, McpConnection, TraceCarrier } from "./call-origin.js";
import { isErrorOutcome } from "./measured-calls.js";

/** Sentence for the user who registers an SDK in vain; undefined if it is used. */
export const telemetryProblem: string | undefined = undefined;

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

export interface ApiIdentity {
  readonly name: string;
  readonly version: string;
}

/**
 * Runs a call inside a span, by the semantic conventions for MCP, if tracing is registered. Spans
 * contain no arguments and no results, which may be secret.
 */
export function traceCall(
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

/** True if an SDK is registered whose instrumentation of requests adds the headers of traces. */
export const isTracing = (): boolean => registeredTelemetry()?.trace !== undefined;

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

/** Records a duration, if an OpenTelemetry SDK for metrics is registered in this process. */
export function recordDuration(
  { name, version }: ApiIdentity,
  tool: string,
  { connection }: CallOrigin,
  outcome: string,
  seconds: number,
): void {
  const provider = registeredTelemetry()?.metrics;
  if (!provider) return;
  const histogram = histograms.get(provider) ?? createHistogram(provider, name, version);
  histograms.set(provider, histogram);
  histogram.record(seconds, {
    ...callAttributes(tool, connection),
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
