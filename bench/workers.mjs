// node bench/workers.mjs [1 2 4]: calls per second over HTTP with so many `--workers`, and the
// processor time of all processes of the server for a call. The API and the client take processors
// as well, so that workers help as far as there are more of them.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { syntheticDocument } from "./documents.mjs";
import { startHttpServer } from "./http-client.mjs";
import { expectSuccess, inFlight, startUpstream } from "./load.mjs";
import { buildOurs, documentFile } from "./servers.mjs";
import { listTools } from "./stdio-client.mjs";

const RUNS = 3;
const CALLS = 4000;
/** Calls of each worker before the measurement, after which Node has compiled its code. */
const WARM_UP = 2500;
const WIDTH = 64;

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Fields of `/proc/PID/stat` behind the name of the program. */
function statOf(pid) {
  return readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
}

/** Processor seconds of a process and of those that it has started. */
function processorSeconds(pid) {
  const children = readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && statOf(name)[1] === String(pid);
    } catch {
      return false;
    }
  });
  const ticks = [pid, ...children].map(statOf).map((stat) => Number(stat[11]) + Number(stat[12]));
  return ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond;
}

async function measure(server, workers, env) {
  const args = workers === 1 ? [server] : [server, "--workers", String(workers)];
  const running = await startHttpServer(args, env);
  const [tool] = await listTools(running);
  const call = () =>
    running
      .request("tools/call", { name: tool.name, arguments: { id: 7, lang: "en" } })
      .then(expectSuccess);
  await inFlight(call, WARM_UP * workers, WIDTH);
  const before = processorSeconds(running.pid);
  const started = performance.now();
  await inFlight(call, CALLS, WIDTH);
  const rate = CALLS / ((performance.now() - started) / 1000);
  const milliseconds = ((processorSeconds(running.pid) - before) / CALLS) * 1000;
  await running.close();
  return { rate, milliseconds };
}

const upstream = await startUpstream();
const server = buildOurs(documentFile(syntheticDocument(1, upstream.url)), "--features", "cluster");
const env = { BENCH_MODE: "tools", BENCH_BASE_URL: upstream.url };
const numbers = process.argv.slice(2).map(Number);
const widths = numbers.length > 0 ? numbers : [1, 2, 4];
const results = new Map(widths.map((workers) => [workers, []]));
for (let run = 0; run < RUNS; run++)
  for (const workers of widths) results.get(workers).push(await measure(server, workers, env));
console.log(`${availableParallelism()} processors`);
console.log("workers   calls/s   processor ms per call");
for (const [workers, runs] of results) {
  const best = runs.toSorted((a, b) => b.rate - a.rate)[0];
  const cells = [best.rate.toFixed(0).padStart(8), best.milliseconds.toFixed(2).padStart(12)];
  console.log(`${String(workers).padStart(7)} ${cells.join("")}`);
}
upstream.stop();
