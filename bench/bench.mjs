// `npm run bench`: measures mcp-gen as ratios against named references in the same run.
// `npm run bench -- --quick` counts fewer runs.
import os from "node:os";
import { performance } from "node:perf_hooks";
import { realDocuments, syntheticDocument } from "./documents.mjs";
import { measureGeneration, measureUnchanged, recordedRatios, shortName } from "./generation.mjs";
import { pair, runNode } from "./processes.mjs";
import {
  buildOurs,
  buildReference,
  buildTheirs,
  documentFile,
  ourCli,
  residentMegabytes,
} from "./servers.mjs";
import { expectSuccess, inFlight, startUpstream } from "./load.mjs";
import { initialize, listTools, startServer } from "./stdio-client.mjs";

const runs = process.argv.includes("--quick") ? 3 : 7;
const rows = [];

async function main() {
  console.log(
    `Node ${process.version}, ${os.cpus().length} cores, ${runs} counted pairs each, medians. Ratios are pairwise: ours / reference.\n`,
  );
  await help();
  const { found, missing } = realDocuments();
  for (const document of found) await generation(document);
  for (const name of missing)
    rows.push([`generate ${name}`, "document not on this machine", "", "", ""]);
  await servers();
  printTable();
}

async function help() {
  const seconds = (args) => async () => (await runNode(args)).seconds;
  const { a, b, ratio } = await pair(seconds([ourCli, "--help"]), seconds(["-e", "0"]), runs);
  row("mcp-gen --help, s", a, "node -e 0", b, ratio, "≤ 2.5");
}

async function generation({ name, file }) {
  const { a, b, ratio, ourPeak, theirPeak } = await measureGeneration(file, runs);
  const budget = `recorded ${recordedRatios[shortName(name)]}`;
  row(`generate ${name}, s of the processor`, a, "openapi-mcp-generator 4.0.1", b, ratio, budget);
  const again = await measureUnchanged(file, runs);
  row(
    "  again, unchanged",
    again,
    "openapi-mcp-generator 4.0.1",
    b,
    again / b,
    "≤ 0.3 s for GitHub",
  );
  row("  peak memory, MB", ourPeak, "", theirPeak, ourPeak / theirPeak, "≤ 220 or below");
}

async function servers() {
  const upstream = await startUpstream();
  const build = async (count) => {
    const document = syntheticDocument(count, upstream.url);
    const file = documentFile(document);
    const ours = buildOurs(file);
    return {
      ours,
      reference: await buildReference([ours], document, { BENCH_MODE: "tools" }),
      theirs: buildTheirs(file),
    };
  };
  const env = {
    BENCH_BASE_URL: upstream.url,
    API_BASE_URL: upstream.url,
    BENCH_MODE: "tools",
    LOG_LEVEL: "error",
  };
  const one = await build(1);
  const thousand = await build(1000);
  await starts(one, thousand, env);
  await memory(one, thousand, env);
  await calls(await build(20), env);
  upstream.stop();
}

async function starts(one, thousand, env) {
  const first = (server) => async () => {
    const started = performance.now();
    const running = startServer([server], env);
    await initialize(running);
    await running.request("tools/list", {});
    const ms = performance.now() - started;
    await running.close();
    return ms;
  };
  const report = async (what, a, reference, b, budget) => {
    const result = await pair(first(a), first(b), runs);
    row(what, result.a, reference, result.b, result.ratio, budget);
  };
  await report(
    "start to first tools/list, 1 tool, ms",
    one.ours,
    "hand-written v2 server",
    one.reference,
    "≤ 1.15",
  );
  await report(
    "start to first tools/list, 1,000 tools, ms",
    thousand.ours,
    "hand-written v2 server",
    thousand.reference,
    "≤ 1.15",
  );
  await report(
    "start to first tools/list, 1,000 tools, ms",
    thousand.ours,
    "the same with 1 tool",
    one.ours,
    "≤ 1.8",
  );
  await report(
    "start to first tools/list, 1,000 tools, ms",
    thousand.ours,
    "openapi-mcp-generator 4.0.1",
    thousand.theirs,
    "",
  );
}

async function memory(one, thousand, env) {
  const resident = (server) => async () => {
    const running = startServer([server], env);
    await initialize(running);
    await listTools(running);
    const megabytes = residentMegabytes(running.pid);
    await running.close();
    return megabytes ?? Number.NaN;
  };
  const { a, b, ratio } = await pair(resident(thousand.ours), resident(one.ours), runs);
  row(
    "resident memory after the list, 1,000 tools, MB",
    a,
    "the same with 1 tool",
    b,
    ratio,
    "≤ 1.3",
  );
}

async function calls({ ours, reference, theirs }, env) {
  const rate =
    (server, total = 4000) =>
    async () => {
      const running = startServer([server], env);
      await initialize(running);
      const [tool] = await listTools(running);
      const one = () =>
        running
          .request("tools/call", { name: tool.name, arguments: { id: 7, lang: "en" } })
          .then(expectSuccess);
      await inFlight(one, 500);
      const started = performance.now();
      await inFlight(one, total);
      const perSecond = total / ((performance.now() - started) / 1000);
      await running.close();
      return perSecond;
    };
  const against = async (name, other, budget) => {
    const { a, b, ratio } = await pair(rate(ours), rate(other), runs);
    row("calls/s over stdio, 32 in flight", a, name, b, ratio, budget);
  };
  await against("hand-written v2 server", reference, "≥ 0.85");
  await against("openapi-mcp-generator 4.0.1", theirs, "");
}

function row(what, ours, reference, theirs, ratio, budget) {
  const digits = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(3));
  rows.push([what, digits(ours), `${reference} ${digits(theirs)}`, ratio.toFixed(2), budget]);
  console.error(`measured: ${what}`);
}

function printTable() {
  const table = [["what", "ours", "reference", "ratio", "budget"], ...rows];
  const widths = table[0].map((_, column) =>
    Math.max(...table.map((cells) => cells[column].length)),
  );
  for (const cells of table)
    console.log(
      cells
        .map((cell, i) => cell.padEnd(widths[i]))
        .join("  ")
        .trimEnd(),
    );
}

await main();
