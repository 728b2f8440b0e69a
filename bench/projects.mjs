// Measures the generation of a project, and the project: its files, `tsc`, bundle, start, list and
// memory. Generation is compared with openapi-mcp-generator in the same run, by processor time,
// which other programs disturb least.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { median, runNode } from "./processes.mjs";
import { buildReference, residentMegabytes, root, theirCli } from "./servers.mjs";
import { initialize, listTools, startServer } from "./stdio-client.mjs";

/** Folders for output: in memory where Linux has one, and on disk. */
const IN_MEMORY = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const ON_DISK = tmpdir();

const serverEnv = { API_BASE_URL: "http://127.0.0.1:9", LOG_LEVEL: "error" };

/** Generates a project below `parent`. Returns its folder and the cost. */
async function generateWith(cli, argsFor, parent) {
  const folder = path.join(mkdtempSync(path.join(parent, "mcp-gen-bench-")), "server");
  return { folder, ...(await runNode([cli, ...argsFor(folder)])) };
}

/** Generates with both generators in turn. Returns our last project and the costs of each pair. */
async function generatePairs(cli, file, runs, parent) {
  const pairs = [];
  let folder;
  for (let i = 0; i < runs; i++) {
    if (folder) removeProject(folder);
    const ours = await generateWith(cli, (out) => [file, "-o", out], parent);
    const theirs = await generateWith(
      theirCli,
      (out) => ["-i", file, "-o", out, "--force"],
      parent,
    );
    removeProject(theirs.folder);
    folder = ours.folder;
    pairs.push({ ...ours, ratio: ours.cpuSeconds / theirs.cpuSeconds });
  }
  const medianOf = (key) => median(pairs.map((one) => one[key]));
  return {
    folder,
    cpuSeconds: medianOf("cpuSeconds"),
    ratio: medianOf("ratio"),
    megabytes: medianOf("megabytes"),
  };
}

/** Generates in memory and on disk. The project in memory is left. */
async function measureGeneration(cli, file, runs) {
  const disk = await generatePairs(cli, file, runs, ON_DISK);
  removeProject(disk.folder);
  const memory = await generatePairs(cli, file, runs, IN_MEMORY);
  return {
    folder: memory.folder,
    "generate, s": memory.cpuSeconds,
    ratio: memory.ratio,
    "ratio on disk": disk.ratio,
    "peak, MB": memory.megabytes,
  };
}

function removeProject(folder) {
  rmSync(path.dirname(folder), { recursive: true });
}

/**
 * Generates the project of a document and measures it. Nothing is left of it.
 * @param cli program of the measured checkout
 */
export async function measureProject(cli, file, runs) {
  const { folder, ...generation } = await measureGeneration(cli, file, runs);
  const measured = {
    ...measureFiles(folder),
    ...generation,
    ...measureBuild(folder),
    ...(await measureServer(folder)),
  };
  removeProject(folder);
  return measured;
}

/** Sizes of a project before its dependencies are linked. */
function measureFiles(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const text = readFileSync(path.join(entry.parentPath, entry.name));
      const name = path.relative(folder, path.join(entry.parentPath, entry.name));
      return { name, bytes: text.length, lines: text.filter((byte) => byte === 10).length };
    });
  const tools = files.filter(({ name }) => /^src[/\\]tools[/\\].*[/\\]/.test(name));
  const sum = (key) => files.reduce((total, file) => total + file[key], 0);
  return {
    files: files.length,
    lines: sum("lines"),
    "written, MB": sum("bytes") / 1e6,
    "median tool": median(tools.map(({ lines }) => lines)),
    "largest tool": Math.max(...tools.map(({ lines }) => lines)),
  };
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

/**
 * Starts the server and one written by hand with the same definitions, in turn, and lists all
 * tools. Ratios are ours / by hand.
 */
async function measureServer(folder) {
  const ours = [path.join(folder, "dist/server.js"), "--mode", "tools"];
  const reference = [await buildReference(ours, undefined, serverEnv)];
  const pairs = [];
  for (let i = 0; i < 5; i++) pairs.push([await startAndList(ours), await startAndList(reference)]);
  const medianOf = (key) => median(pairs.map(([one]) => one[key]));
  const ratioOf = (key) => median(pairs.map(([one, other]) => one[key] / other[key]));
  return {
    "start, ms": medianOf("start"),
    "start ratio": ratioOf("start"),
    "list, ms": medianOf("list"),
    "RSS, MB": medianOf("megabytes"),
    "RSS ratio": ratioOf("megabytes"),
  };
}

async function startAndList(args) {
  const started = performance.now();
  const server = startServer(args, serverEnv);
  await initialize(server);
  const ready = performance.now();
  await listTools(server);
  const listed = performance.now();
  const megabytes = residentMegabytes(server.pid) ?? Number.NaN;
  await server.close();
  return { start: ready - started, list: listed - ready, megabytes };
}

/** Prints rows as a table whose columns are `heads`. */
export function printRows(heads, rows) {
  const cell = (value) =>
    typeof value === "number"
      ? String(value >= 1000 ? Math.round(value) : Number(value.toPrecision(3)))
      : value;
  for (const cells of [heads, ...rows.map((row) => heads.map((head) => cell(row[head])))])
    console.log(cells.map((text) => text.padStart(13)).join(" "));
}
