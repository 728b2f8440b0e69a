// node bench/telemetry.mjs: what a generated server reports of the calls of two users. A receiver
// of OTLP gets its spans and metrics from the SDK of docs/server.md, which npm installs, and jq
// reads the audit of one user's day from the log. With `otelcol` in PATH
// (bench/collector/build.sh), they pass through the OpenTelemetry Collector, and with
// `victoria-traces` the trace is queried from a store. Fails if something is missing, or is not of
// OTLP.
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startCollector } from "./collector/collector.mjs";
import { install, startReceiver } from "./otlp-receiver.mjs";
import { callTool, isOk } from "./replicas/calls.mjs";
import { freePort, has, start, stop, until } from "./replicas/processes.mjs";
import { buildShop, ownScheme, startShop, tools } from "./replicas/shop.mjs";

const SDK = "@opentelemetry/auto-instrumentations-node@0.81.2";
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const USERS = ["ann", "ben"];
/** Calls of all users: each reads and writes once. */
const CALLS = 4;

const folder = mkdtempSync(path.join(tmpdir(), "mcp-gen-telemetry-"));
install(path.join(folder, "sdk"), SDK);
const receiver = await startReceiver(path.join(folder, "receiver"));
const collector = await startCollector(path.join(folder, "collector"), receiver.url);

const shop = await startShop();
const port = await freePort();
const module = "node_modules/@opentelemetry/auto-instrumentations-node/build/src/register.js";
const server = start(
  process.execPath,
  [buildShop(shop, ownScheme(shop), "--features", "telemetry"), "--http", "--port", String(port)],
  {
    SHOP_TOKEN: "a-token-of-the-shop-4821",
    SHOP_CALLER_HEADER: "X-Forwarded-User",
    SHOP_LOG_CALLERS: "name",
    NODE_OPTIONS: `--import ${path.join(folder, "sdk", module)}`,
    OTEL_SERVICE_NAME: "shop",
    OTEL_EXPORTER_OTLP_ENDPOINT: (collector ?? receiver).url,
    OTEL_METRICS_EXPORTER: "otlp",
    OTEL_LOGS_EXPORTER: "none",
    OTEL_NODE_RESOURCE_DETECTORS: "env,host,os,process",
    OTEL_METRIC_EXPORT_INTERVAL: "1000",
    OTEL_METRIC_EXPORT_TIMEOUT: "900",
    OTEL_BSP_SCHEDULE_DELAY: "500",
  },
);
const origin = `http://127.0.0.1:${port}`;
await until(async () => (await fetch(`${origin}/ready`)).ok);

for (const [number, user] of USERS.entries())
  for (const [name, input] of [
    [tools.hours, {}],
    [tools.order, { number }],
  ]) {
    const headers = { "x-forwarded-user": user, traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
    const result = await callTool(`${origin}/mcp`, name, input, headers);
    if (!isOk(result)) throw new Error(JSON.stringify(result));
  }

const durations = () =>
  receiver.metrics().findLast(({ name }) => name === "mcp.server.operation.duration");
const countDurations = () =>
  durations()?.histogram.dataPoints.reduce((sum, { count }) => sum + Number(count), 0);
const isCall = ({ name }) => name.startsWith("tools/call");
const calls = await until(async () => {
  const found = receiver.spans().filter(isCall);
  return found.length >= CALLS && countDurations() >= CALLS && found;
});
const isOfClient = ({ traceId }) => Buffer.from(traceId).toString("hex") === TRACE;
for (const span of calls) {
  const { name, attributes } = span;
  const values = attributes.map(({ key, value }) => `${key}=${Object.values(value)[0]}`);
  console.log(`span ${name}, trace ${isOfClient(span) ? "of the client" : "of the server"}`);
  console.log(`  ${values.join(" ")}`);
}
console.log(`metric mcp.server.operation.duration: ${countDurations()} calls`);

server.kill();
await server.ended;
const isCollected = await isInCollector();

const log = path.join(folder, "server.log");
writeFileSync(log, server.printed);
const today = new Date().toISOString().slice(0, 10);
const filter = `select(.audit and .caller == "ann" and (.time | startswith("${today}"))) | {time, tool, outcome, requests}`;
const lines = has("jq")
  ? execFileSync("jq", ["-c", filter, log], { encoding: "utf8" }).trim().split("\n")
  : ["skipped: no jq"];
console.log(`audit of ann:\n  ${lines.join("\n  ")}`);
await stop();
receiver.close();
shop.close();
for (const problem of receiver.rejected) console.log(`rejected: ${problem}`);
const isComplete = calls.every(isOfClient) && lines.length === 1 && isCollected;
process.exitCode = isComplete && receiver.rejected.length === 0 ? 0 : 1;

/** Prints what the Collector has of the calls. Returns true if that is all, or if there is none. */
async function isInCollector() {
  if (!collector) return console.log("Collector: skipped, no otelcol") === undefined;
  const { accepted, refused, failed } = await collector.countSpans();
  console.log(`Collector: ${accepted} spans accepted, ${refused} refused, ${failed} not sent on`);
  const isForwarded = accepted >= CALLS && refused + failed === 0;
  if (!collector.readTrace) return isForwarded;
  const stored = await until(async () => {
    const found = await collector.readTrace(TRACE);
    const spans = found.filter(({ operationName }) => isCall({ name: operationName }));
    return spans.length >= CALLS && spans;
  });
  for (const { operationName, duration } of stored)
    console.log(`stored span ${operationName}, ${(duration / 1000).toFixed(1)} ms`);
  return isForwarded && stored.length === CALLS;
}
