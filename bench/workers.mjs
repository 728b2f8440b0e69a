// node bench/workers.mjs [1 2 4] [--share .15]: calls per second over HTTP with so many
// `--workers`, and the processor time of the server, of the API and of the client, which share the
// processors of this machine. A call of an item costs the client and the API about as much as one
// worker. A call of a list of 2,000 items is work of the server, which parses, checks and truncates
// it. More workers help as long as the sum of processor seconds per second is below the number of
// processors. With `--share`, each worker has so much of a processor, as on a machine with more,
// but slower ones.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { itemAndListDocument } from "./documents.mjs";
import { startHttpServer } from "./http-client.mjs";
import { childrenOf, limitProcessor, processorSeconds } from "./linux-processes.mjs";
import { expectSuccess, inFlight, startUpstream } from "./load.mjs";
import { buildOurs, documentFile } from "./servers.mjs";

const RUNS = 3;
/** Calls of a measurement, and of each worker before it, after which Node has compiled its code. */
const WORK = [
  { name: "item", tool: "get_item0", input: { id: 7, lang: "en" }, calls: 2000, warmUp: 2500 },
  { name: "list", tool: "list_items", input: { id: 7 }, calls: 300, warmUp: 500 },
];
const WIDTH = 64;

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
  const limited = workers === 1 ? [running.pid] : childrenOf(running.pid);
  const limits = share === undefined ? [] : limited.map((pid) => limitProcessor(pid, share));
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
  for (const removeLimit of limits) removeLimit();
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
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { share: { type: "string" } },
});
const share = values.share && Number(values.share);
const widths = positionals.length > 0 ? positionals.map(Number) : [1, 2, 4];
if (share) console.log(`each worker has ${share} of a processor`);
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
