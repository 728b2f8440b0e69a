// npm run bench:growth [-- --short]: how generation and the generated server grow with the number of
// operations: 10 to 10,000, or 10 and 100 with --short. The documents are parts of GitHub's. Prints a
// table and, without --short, writes bench/growth.svg. Generation is compared with
// openapi-mcp-generator in the same run, by processor time, which other programs disturb least.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { performance } from "node:perf_hooks";
import {
  documentFile,
  ourCli,
  residentMegabytes,
  root,
  scratchFolder,
  theirCli,
} from "./servers.mjs";
import { partOf } from "./documents.mjs";
import { growthPlots } from "./plot.mjs";
import { median, runNode } from "./processes.mjs";
import { initialize, listTools, startServer } from "./stdio-client.mjs";

const isShort = process.argv.includes("--short");
const counts = isShort ? [10, 100] : [10, 100, 1_000, 5_000, 10_000];
const measures = [
  "generate, s",
  "ratio",
  "peak, MB",
  "written, MB",
  "tsc, s",
  "bundle, s",
  "start, ms",
  "list, ms",
  "RSS, MB",
];

/** Generates a project; returns its folder and the cost. */
async function generateWith(cli, argsFor) {
  const folder = path.join(scratchFolder(), "server");
  return { folder, ...(await runNode([cli, ...argsFor(folder)])) };
}

/** Generates with both generators in turn. Returns the folder of our last project. */
async function measureGeneration(file, runs) {
  const [ours, theirs] = [[], []];
  for (let i = 0; i < runs; i++) {
    ours.push(await generateWith(ourCli, (out) => [file, "-o", out]));
    theirs.push(await generateWith(theirCli, (out) => ["-i", file, "-o", out, "--force"]));
  }
  const seconds = median(ours.map(({ cpuSeconds }) => cpuSeconds));
  const { folder } = ours.at(-1);
  for (const one of [...ours.slice(0, -1), ...theirs])
    rmSync(path.dirname(one.folder), { recursive: true });
  return {
    folder,
    "generate, s": seconds,
    ratio: seconds / median(theirs.map(({ cpuSeconds }) => cpuSeconds)),
    "peak, MB": median(ours.map(({ megabytes }) => megabytes)),
    "written, MB": bytesIn(folder) / 1e6,
  };
}

function bytesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(path.join(folder, name)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
}

/** Type-checks and bundles a project. */
function measureBuild(folder) {
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  const run = (...args) => {
    const started = performance.now();
    execFileSync(process.execPath, args, { cwd: folder, stdio: "ignore" });
    return (performance.now() - started) / 1000;
  };
  const tsc = path.join(root, "node_modules/typescript/bin/tsc");
  return { "tsc, s": run(tsc, "--noEmit"), "bundle, s": run("bundle.mjs") };
}

/** Starts the server and lists all tools. Median of three runs. */
async function measureServer(folder) {
  const runs = [];
  for (let i = 0; i < 3; i++) {
    const started = performance.now();
    const env = { API_BASE_URL: "http://127.0.0.1:9", GITHUB_V3_MODE: "tools", LOG_LEVEL: "error" };
    const server = startServer([path.join(folder, "dist/server.js"), "--mode", "tools"], env);
    await initialize(server);
    const ready = performance.now();
    await listTools(server);
    const listed = performance.now();
    runs.push([ready - started, listed - ready, residentMegabytes(server.pid) ?? Number.NaN]);
    await server.close();
  }
  const column = (index) => median(runs.map((run) => run[index]));
  return { "start, ms": column(0), "list, ms": column(1), "RSS, MB": column(2) };
}

const source = path.join(root, "node_modules/@octokit/openapi/generated/api.github.com.json");
const document = JSON.parse(readFileSync(source, "utf8"));
const rows = [];
for (const operations of counts) {
  const file = documentFile(partOf(document, operations));
  const { folder, ...generation } = await measureGeneration(file, operations > 1_000 ? 1 : 3);
  rows.push({
    operations,
    ...generation,
    ...measureBuild(folder),
    ...(await measureServer(folder)),
  });
  rmSync(path.dirname(folder), { recursive: true });
  rmSync(path.dirname(file), { recursive: true });
  console.error(`measured: ${operations} operations`);
}
const heads = ["operations", ...measures];
const cell = (value) => String(Number(value.toPrecision(3)));
for (const cells of [heads, ...rows.map((row) => heads.map((head) => cell(row[head])))])
  console.log(cells.map((text) => text.padStart(12)).join(""));
if (!isShort) writeFileSync(path.join(root, "bench/growth.svg"), growthPlots(rows, measures));
