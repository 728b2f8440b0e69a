// A receiver of OTLP over HTTP in the form that SDKs send by default: protobuf, decoded by the
// official definitions of the protocol, as a collector does.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import http from "node:http";
import path from "node:path";

/** The last package of OpenTelemetry that contains the definitions as files. */
const DEFINITIONS = "@opentelemetry/otlp-grpc-exporter-base@0.35.1";
const PARSER = "protobufjs@7.4.0";

/** Installs packages into a folder, without their scripts. */
export function install(folder, ...packages) {
  const options = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
  execFileSync("npm", ["install", ...options, ...packages], { stdio: "ignore" });
}

/** Returns decoders of export requests by the path that receives them. */
function loadDecoders(folder) {
  install(folder, DEFINITIONS, PARSER);
  const { Root } = createRequire(path.join(folder, "package.json"))("protobufjs");
  const root = new Root();
  const protos = "node_modules/@opentelemetry/otlp-grpc-exporter-base/build/protos";
  root.resolvePath = (_, target) => path.join(folder, protos, target);
  const services = { trace: "Trace", metrics: "Metrics" };
  const load = ([name, message]) => {
    root.loadSync(`opentelemetry/proto/collector/${name}/v1/${name}_service.proto`);
    const type = `opentelemetry.proto.collector.${name}.v1.Export${message}ServiceRequest`;
    return root.lookupType(type);
  };
  const [traces, metrics] = Object.entries(services).map(load);
  const decoderOf = (type) => (bytes) => type.toObject(type.decode(bytes), { longs: Number });
  return { "/v1/traces": decoderOf(traces), "/v1/metrics": decoderOf(metrics) };
}

/**
 * Starts the receiver.
 * @param folder where the definitions are installed
 */
export async function startReceiver(folder) {
  const decoders = loadDecoders(folder);
  const received = { "/v1/traces": [], "/v1/metrics": [] };
  const rejected = [];
  const receive = ({ url, headers }, body) => {
    if (headers["content-type"] !== "application/x-protobuf") throw new Error("no protobuf");
    received[url].push(decoders[url](body));
  };
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      try {
        receive(request, Buffer.concat(chunks));
        response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
      } catch (error) {
        rejected.push(`${request.url}: ${error.message}`);
        response.writeHead(400).end();
      }
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** Requests that were not of the protocol. */
    rejected,
    spans: () =>
      received["/v1/traces"]
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans),
    /** The metrics, each as often as it was sent. */
    metrics: () =>
      received["/v1/metrics"]
        .flatMap(({ resourceMetrics }) => resourceMetrics)
        .flatMap(({ scopeMetrics }) => scopeMetrics)
        .flatMap(({ metrics }) => metrics),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
