// node bench/workers.mjs [1 2 4]: calls per second over HTTP with so many `--workers`, and the
// processor time of the server, of the API and of the client, which share the processors of this
// machine. A call of an item costs the client and the API about as much as one worker. A call of a
// list of 2,000 items is work of the server, which parses, checks and truncates it. More workers
// help as long as the sum of processor seconds per second is below the number of processors.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { itemAndListDocument } from "./documents.mjs";
import { startHttpServer } from "./http-client.mjs";
import { expectSuccess, inFlight, startUpstream } from "./load.mjs";
import { buildOurs, documentFile } from "./servers.mjs";

const RUNS = 3;
/** Calls of a measurement, and of each worker before it, after which Node has compiled its code. */
const WORK = [
  { name: "item", tool: "get_item0", input: { id: 7, lang: "en" }, calls: 4000, warmUp: 2500 },
  { name: "list", tool: "list_items", input: { id: 7 }, calls: 1200, warmUp: 500 },
];
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

const ownSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

async function measure(server, workers, env, { tool, input, calls, warmUp }) {
  const args = workers === 1 ? [server] : [server, "--workers", String(workers)];
  const running = await startHttpServer(args, env);
  const call = () =>
    running.request("tools/call", { name: tool, arguments: input }).then(expectSuccess);
  await inFlight(call, warmUp * workers, WIDTH);
  const clocks = {
    seconds: () => performance.now() / 1000,
    server: () => processorSeconds(running.pid),
    api: () => processorSeconds(upstream.pid),
    client: ownSeconds,
  };
  const read = () => Object.entries(clocks).map(([name, clock]) => [name, clock()]);
  const before = Object.fromEntries(read());
  await inFlight(call, calls, WIDTH);
  const used = Object.fromEntries(read().map(([name, value]) => [name, value - before[name]]));
  await running.close();
  return { ...used, calls, rate: calls / used.seconds };
}

function printRow(name, workers, { rate, calls, seconds, server, api, client }, single) {
  const load = (used) => (used / seconds).toFixed(2).padStart(8);
  const columns = [
    name.padEnd(6),
    String(workers).padStart(7),
    rate.toFixed(0).padStart(9),
    (rate / single.rate).toFixed(2).padStart(7),
    (calls / server).toFixed(0).padStart(18),
    ...[server, api, client, server + api + client].map(load),
  ];
  console.log(columns.join(" "));
}

const upstream = await startUpstream();
const file = documentFile(itemAndListDocument(upstream.url));
const server = buildOurs(file, "--features", "cluster");
const env = {
  BENCH_MODE: "tools",
  BENCH_BASE_URL: upstream.url,
  // A small result, so that the client has little to read, which workers do not give to the first
  // process.
  BENCH_MAX_RESULT_TOKENS: "500",
  BENCH_KEPT_RESULT_BYTES: "0",
};
const numbers = process.argv.slice(2).map(Number);
const widths = numbers.length > 0 ? numbers : [1, 2, 4];
console.log(`${availableParallelism()} processors; processors used by server, API, client and all`);
console.log("work   workers   calls/s   ratio  calls/server s   server      api   client      all");
for (const work of WORK) {
  const results = new Map(widths.map((workers) => [workers, []]));
  for (let run = 0; run < RUNS; run++)
    for (const workers of widths)
      results.get(workers).push(await measure(server, workers, env, work));
  const best = widths.map((one) => results.get(one).toSorted((a, b) => b.rate - a.rate)[0]);
  for (const [i, workers] of widths.entries()) printRow(work.name, workers, best[i], best[0]);
}
upstream.stop();
