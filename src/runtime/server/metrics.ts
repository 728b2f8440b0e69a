/** Metrics of calls, in the text format of Prometheus and through OpenTelemetry. */
import type { Semaphore } from "../client/semaphore.js";
import { isErrorOutcome, type Metrics } from "./measured-calls.js";
import type { RunningCalls } from "./running-calls.js";

/** Upper bounds of durations in seconds, as the semantic conventions for MCP advise. */
const buckets = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

type Labels = Readonly<Record<string, string>>;

/** Values that are read when metrics are requested. */
type Gauges = Readonly<Record<string, { readonly help: string; readonly read: () => number }>>;

/** Sentence for the user who asks for metrics in a project without them. */
export const metricsProblem: string | undefined = undefined;

/** Creates the metrics of a process, with the state of its limits. */
export function createServerMetrics(
  semaphores: readonly Semaphore[],
  runningCalls: RunningCalls,
): Metrics {
  const sum = (read: (semaphore: Semaphore) => number): number =>
    semaphores.reduce((total, semaphore) => total + read(semaphore), 0);
  return createMetrics({
    mcp_calls_in_flight: { help: "Calls of tools in flight.", read: () => runningCalls.count },
    mcp_api_requests_in_flight: {
      help: "Requests to the API in flight.",
      read: () => sum(({ inFlight }) => inFlight),
    },
    mcp_api_requests_waiting: {
      help: "Requests to the API that wait for their turn.",
      read: () => sum(({ waiting }) => waiting),
    },
  });
}

/** Creates metrics without values. */
export function createMetrics(gauges: Gauges): Metrics {
  const calls = new Counter(
    "mcp_tool_calls_total",
    "Calls of tools by outcome and kind of caller.",
  );
  const statuses = new Counter("mcp_api_responses_total", "Last responses of the API to calls.");
  const retries = new Counter("mcp_api_retries_total", "Requests to the API that were repeated.");
  const rejections = new Counter("mcp_http_rejections_total", "HTTP requests that were rejected.");
  const durations = new Histogram(
    "mcp_server_operation_duration_seconds",
    "Duration of calls of tools (mcp.server.operation.duration).",
  );
  const waits = new Histogram(
    "mcp_queue_wait_seconds",
    "Time for which the requests of calls waited for their turn.",
  );
  return {
    addCall({ tool, outcome, connection, callerKind, ms, queueMs = 0, ...call }) {
      const { retries: repeated = 0, status } = call;
      const { protocolVersion, transport } = connection ?? {};
      const labels: Labels = {
        mcp_method_name: "tools/call",
        gen_ai_tool_name: tool,
        ...(protocolVersion && { mcp_protocol_version: protocolVersion }),
        ...(transport && { network_transport: transport }),
        ...(isErrorOutcome(outcome) && { error_type: outcome }),
      };
      calls.add({ tool, outcome, caller: callerKind });
      durations.add(labels, ms / 1000);
      waits.add({}, queueMs / 1000);
      if (repeated > 0) retries.add({ tool }, repeated);
      if (status !== undefined) statuses.add({ status: String(status) });
    },
    addRejection: (status) => rejections.add({ status: String(status) }),
    text() {
      const metrics = [calls, statuses, retries, rejections, durations, waits];
      const lines = [...metrics.flatMap((metric) => metric.lines()), ...gaugeLines(gauges)];
      return `${lines.join("\n")}\n`;
    },
  };
}

function gaugeLines(gauges: Gauges): readonly string[] {
  return Object.entries(gauges).flatMap(([name, { help, read }]) => [
    ...heading(name, help, "gauge"),
    `${name} ${read()}`,
  ]);
}

function heading(name: string, help: string, type: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

/** Labels in braces. Backslashes, quotes and line feeds are escaped. */
function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    const escaped = value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
    return `${name}="${escaped}"`;
  });
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

class Counter {
  readonly #values = new Map<string, number>();

  constructor(
    private readonly name: string,
    private readonly help: string,
  ) {}

  add(labels: Labels, count = 1): void {
    const key = formatLabels(labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + count);
  }

  lines(): readonly string[] {
    const values = [...this.#values].map(([labels, value]) => `${this.name}${labels} ${value}`);
    return [...heading(this.name, this.help, "counter"), ...values];
  }
}

interface Series {
  readonly labels: Labels;
  /** Number of values in each bucket; the last one has no bound. */
  readonly counts: number[];
  sum: number;
}

class Histogram {
  readonly #series = new Map<string, Series>();

  constructor(
    private readonly name: string,
    private readonly help: string,
  ) {}

  add(labels: Labels, seconds: number): void {
    const key = formatLabels(labels);
    const series = this.#series.get(key) ?? {
      labels,
      counts: Array.from({ length: buckets.length + 1 }, () => 0),
      sum: 0,
    };
    const index = buckets.findIndex((bound) => seconds <= bound);
    series.counts[index === -1 ? buckets.length : index]! += 1;
    series.sum += seconds;
    this.#series.set(key, series);
  }

  lines(): readonly string[] {
    const values = [...this.#series.values()].flatMap((series) => this.#linesOf(series));
    return [...heading(this.name, this.help, "histogram"), ...values];
  }

  #linesOf({ labels, counts, sum }: Series): readonly string[] {
    let total = 0;
    const lines = counts.map((count, i) => {
      total += count;
      const le = i < buckets.length ? String(buckets[i]) : "+Inf";
      return `${this.name}_bucket${formatLabels({ ...labels, le })} ${total}`;
    });
    const suffix = formatLabels(labels);
    return [...lines, `${this.name}_sum${suffix} ${sum}`, `${this.name}_count${suffix} ${total}`];
  }
}
