// npm run bench:calls [-- --short]: calls per second of the generated server and of one written by
// hand on the same SDK, in the same run: over stdio and HTTP, in both eras of the protocol, with 1,
// 8, 32 and 256 calls in flight. --short measures 8 once, with fewer calls. --checkout FOLDER
// compares with the server of another build of mcp-gen instead.
import path from "node:path";
import { syntheticDocument } from "./documents.mjs";
import { startHttpServer } from "./http-client.mjs";
import { expectSuccess, inFlight, startUpstream } from "./load.mjs";
import { pair } from "./processes.mjs";
import { buildOurs, buildReference, buildWith, documentFile } from "./servers.mjs";
import { initialize, listTools, startServer } from "./stdio-client.mjs";

const isShort = process.argv.includes("--short");
const checkout = process.argv[process.argv.indexOf("--checkout") + 1];
const otherCli = process.argv.includes("--checkout") && path.resolve(checkout, "dist/cli.cjs");
const otherName = otherCli ? "other" : "by hand";
const widths = isShort ? [8] : [1, 8, 32, 256];
const runs = isShort ? 1 : 5;
const meta = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  },
};

/** Ways of connecting: `start(args, env)` gives a server that answers `request`. */
const ways = [
  { name: "stdio, 2025-06-18", extra: {}, start: startSession },
  { name: "stdio, 2026-07-28", extra: meta, start: startServer },
  { name: "HTTP, 2025-06-18", extra: {}, start: startHttpServer },
  { name: "HTTP, 2026-07-28", extra: meta, start: startHttpServer },
];

async function startSession(args, env) {
  const server = startServer(args, env);
  await initialize(server);
  return server;
}

/**
 * Measures the calls per second of one server.
 * @param latencies receives the milliseconds of each call
 */
async function callsPerSecond(args, env, { start, extra }, width, latencies) {
  const running = await start(args, env);
  const request = (method, params) => running.request(method, { ...params, ...extra });
  const [tool] = await listTools({ request });
  const call = () =>
    request("tools/call", { name: tool.name, arguments: { id: 7, lang: "en" } }).then(
      expectSuccess,
    );
  const total = isShort ? 200 : width === 1 ? 1500 : 4000;
  await inFlight(call, isShort ? 50 : 500, width);
  const times = [];
  const timedCall = async () => {
    const called = performance.now();
    await call();
    times.push(performance.now() - called);
  };
  const started = performance.now();
  await inFlight(timedCall, total, width);
  const rate = total / ((performance.now() - started) / 1000);
  await running.close();
  latencies.push(...times);
  return rate;
}

const upstream = await startUpstream();
const document = syntheticDocument(1, upstream.url);
const ours = buildOurs(documentFile(document));
const reference = otherCli
  ? buildWith(otherCli, documentFile(document))
  : await buildReference([ours], document, { BENCH_MODE: "tools" });
const env = { BENCH_MODE: "tools", BENCH_BASE_URL: upstream.url };
/** `p50 / p99` in milliseconds. */
function quantiles(latencies) {
  const sorted = latencies.toSorted((x, y) => x - y);
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(1);
  return `${at(0.5)} / ${at(0.99)}`;
}

const heads = ["ours", otherName].map((head) => head.padStart(10)).join("");
const times = ["ours p50 / p99", `${otherName}, ms`].map((head) => head.padStart(18)).join("");
console.log(`${"in flight".padEnd(20)}${heads}   ratio${times}`);
for (const way of ways)
  for (const width of widths) {
    const latencies = { ours: [], reference: [] };
    const rate = (server, name) => () => callsPerSecond([server], env, way, width, latencies[name]);
    const sides = [rate(ours, "ours"), rate(reference, "reference")];
    const { a, b, ratio } = await pair(...sides, runs);
    const cells = [
      a.toFixed(0).padStart(8),
      b.toFixed(0).padStart(10),
      ratio.toFixed(2).padStart(8),
      quantiles(latencies.ours).padStart(18),
      quantiles(latencies.reference).padStart(18),
    ];
    console.log(`${way.name} ${String(width).padStart(4)} ${cells.join("")}`);
  }
upstream.stop();
