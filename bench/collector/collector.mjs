// The OpenTelemetry Collector between a server and a receiver, and VictoriaTraces as a store of its
// traces, as far as they are installed.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { accepts, freePort, freePorts, has, start, until } from "../replicas/processes.mjs";

const local = "127.0.0.1";
const program = ["otelcol", "otelcol-contrib"].find(has);
const storeProgram = ["victoria-traces", "victoria-traces-prod"].find(has);

/**
 * Starts the Collector, which sends all that it receives to `receiverUrl`. Returns undefined if it
 * is not installed.
 * @param folder for its files
 */
export async function startCollector(folder, receiverUrl) {
  if (program === undefined) return undefined;
  mkdirSync(folder, { recursive: true });
  const [port, metricsPort] = await freePorts(2);
  const store = await startTraceStore(path.join(folder, "traces"));
  const file = path.join(folder, "otelcol.json");
  writeFileSync(file, JSON.stringify(configuration({ port, metricsPort, receiverUrl, store })));
  const collector = start(program, ["--config", file]);
  await until(() => accepts(port));
  return {
    url: `http://${local}:${port}`,
    /** Spans by outcome, as the Collector counts them. */
    countSpans: () => readCounters(metricsPort),
    /** The spans of a trace in the store. */
    readTrace: store && ((id) => store.readTrace(id)),
    ended: collector.ended,
  };
}

/** Type of the exporter, which later versions call `otlp_http`. */
function exporterType() {
  const components = execFileSync(program, ["components"], { encoding: "utf8" });
  return components.includes("otlp_http") ? "otlp_http" : "otlphttp";
}

function configuration({ port, metricsPort, receiverUrl, store }) {
  const type = exporterType();
  const exporters = {
    [type]: { endpoint: receiverUrl, compression: "none" },
    ...(store && { [`${type}/store`]: { traces_endpoint: store.url } }),
  };
  const prometheus = { host: local, port: metricsPort };
  return {
    receivers: { otlp: { protocols: { http: { endpoint: `${local}:${port}` } } } },
    exporters,
    service: {
      telemetry: { metrics: { readers: [{ pull: { exporter: { prometheus } } }] } },
      pipelines: {
        traces: { receivers: ["otlp"], exporters: Object.keys(exporters) },
        metrics: { receivers: ["otlp"], exporters: [type] },
      },
    },
  };
}

async function readCounters(port) {
  const text = await (await fetch(`http://${local}:${port}/metrics`)).text();
  const sum = (name) =>
    [...text.matchAll(new RegExp(`^otelcol_${name}_spans(?:_total)?\\{.*\\} (\\d+)$`, "gm"))]
      .map(([, value]) => Number(value))
      .reduce((total, value) => total + value, 0);
  return {
    accepted: sum("receiver_accepted"),
    refused: sum("receiver_refused"),
    failed: sum("exporter_send_failed"),
  };
}

/** VictoriaTraces takes OTLP, and answers queries in the form of Jaeger. */
async function startTraceStore(folder) {
  if (storeProgram === undefined) return undefined;
  const port = await freePort();
  start(storeProgram, [`-storageDataPath=${folder}`, `-httpListenAddr=${local}:${port}`]);
  await until(() => accepts(port));
  const origin = `http://${local}:${port}`;
  return {
    url: `${origin}/insert/opentelemetry/v1/traces`,
    async readTrace(id) {
      const { data } = await (await fetch(`${origin}/select/jaeger/api/traces/${id}`)).json();
      return data?.flatMap(({ spans }) => spans) ?? [];
    },
  };
}
