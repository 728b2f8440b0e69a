/** The metrics of a process, at a port of their own that only the operator reaches. */
import { once } from "node:events";
import type { ServerContext } from "../../server/context.js";
import type { Metrics } from "../../server/measured-calls.js";

const contentType = "text/plain; version=0.0.4; charset=utf-8";
const nanoseconds = 1e9;

/** The function that returns the metrics of calls and of the process. */
export async function metricsReader(metrics: Metrics): Promise<() => string> {
  const processLines = await createProcessLines();
  return () => metrics.text() + processLines();
}

/**
 * Serves `/metrics`.
 * @returns the reason why the port cannot be used, as a sentence; undefined if it is served
 */
export async function listenForMetrics(
  { log, settings }: Pick<ServerContext, "log" | "settings">,
  read: () => string | Promise<string>,
): Promise<string | undefined> {
  const { metricsPort: port = 0, metricsHost: host } = settings;
  const { createServer } = await import("node:http");
  const server = createServer(async ({ method, url }, response) => {
    if (method !== "GET" || url?.split("?")[0] !== "/metrics")
      return response.writeHead(404).end("The metrics are at /metrics.\n");
    return response.writeHead(200, { "content-type": contentType }).end(await read());
  });
  try {
    await once(server.listen(port, host), "listening");
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    return `Cannot serve metrics on ${host} port ${port} (${code}).`;
  }
  server.unref().on("error", (error) => log.error("metrics", error));
  const address = server.address();
  const actual = typeof address === "object" && address ? address.port : port;
  log.info(`Metrics on http://${host.includes(":") ? `[${host}]` : host}:${actual}/metrics`);
  return undefined;
}

/** Metrics of the process, under the names that other servers of Node use. */
async function createProcessLines(): Promise<() => string> {
  const { monitorEventLoopDelay } = await import("node:perf_hooks");
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  return () => {
    const lag = Number.isFinite(delay.percentile(99)) ? delay.percentile(99) / nanoseconds : 0;
    delay.reset();
    const { user, system } = process.cpuUsage();
    return [
      "# HELP nodejs_eventloop_lag_p99_seconds Delay of the event loop since the last request.",
      "# TYPE nodejs_eventloop_lag_p99_seconds gauge",
      `nodejs_eventloop_lag_p99_seconds ${lag}`,
      "# HELP process_cpu_seconds_total Processor time.",
      "# TYPE process_cpu_seconds_total counter",
      `process_cpu_seconds_total ${(user + system) / 1e6}`,
      "# HELP process_resident_memory_bytes Resident memory.",
      "# TYPE process_resident_memory_bytes gauge",
      `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
      "",
    ].join("\n");
  };
}
