// Generation by whole processes, in pairs with openapi-mcp-generator: seconds of the processor.
// `node bench/generation.mjs --short` fails if a ratio is 15 % above the recorded one, and writes to
// memory if it can; `--record` measures all documents of this machine on disk and records their
// ratios.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { realDocuments } from "./documents.mjs";
import { median, pair, runNode } from "./processes.mjs";
import { ourCli, scratchFolder, theirCli } from "./servers.mjs";

const recordFile = fileURLToPath(new URL("./recorded-ratios.json", import.meta.url));
const tolerance = 1.15;
/** Pairs of which one must be within the tolerance, because other work of the machine disturbs. */
const attempts = 16;

/** Recorded ratios by the name of a document, without its number of operations. */
export const recordedRatios = JSON.parse(readFileSync(recordFile, "utf8"));

/** Name of a document in the record. */
export const shortName = (name) => name.replace(/ \(.*/, "");

/**
 * Removed at the end. After a run's 1,340 files are deleted, ext4 takes .5 to 1 second of the
 * processor to create those of the next one, because it searches for inodes that were not just
 * freed.
 */
const folders = [];
process.once("exit", removeFolders);

function removeFolders() {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
}

function newFolder() {
  const folder = scratchFolder();
  folders.push(folder);
  return folder;
}

/** Runs one side in a new folder, with an empty cache. */
const run = (args) => runIn(newFolder(), args);

const runIn = (folder, args) =>
  runNode(args(path.join(folder, "server")), {
    env: { XDG_CACHE_HOME: path.join(folder, "cache") },
  });

const ourArgs = (file) => (out) => [ourCli, file, "-o", out];
const runOurs = (file) => run(ourArgs(file));
const runTheirs = (file) => run((out) => [theirCli, "-i", file, "-o", out, "--force"]);

/** Median seconds of the processor of a run that changes nothing. */
export async function measureUnchanged(file, runs) {
  const folder = newFolder();
  await runIn(folder, ourArgs(file));
  const seconds = [];
  for (let i = 0; i < runs; i++) seconds.push((await runIn(folder, ourArgs(file))).cpuSeconds);
  return median(seconds);
}

/** Median seconds of the processor of both sides, their pairwise ratio, and the peaks in MB. */
export async function measureGeneration(file, runs) {
  const peaks = { ours: [], theirs: [] };
  const side = (name, start) => async () => {
    const { cpuSeconds, megabytes } = await start(file);
    peaks[name].push(megabytes);
    return cpuSeconds;
  };
  const result = await pair(side("ours", runOurs), side("theirs", runTheirs), runs);
  return { ...result, ourPeak: median(peaks.ours), theirPeak: median(peaks.theirs) };
}

/**
 * Measures pairs until one is within the tolerance, in memory if the machine has a file system
 * there: ext4 also searches for inodes after tests deleted theirs. Returns the lowest ratio.
 */
async function lowestRatio(file, limit) {
  const isInMemory = existsSync("/dev/shm");
  if (isInMemory) process.env.TMPDIR = "/dev/shm";
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < attempts && lowest > limit; i++) {
    const [ours, theirs] = [await runOurs(file), await runTheirs(file)];
    lowest = Math.min(lowest, ours.cpuSeconds / theirs.cpuSeconds);
    if (isInMemory) removeFolders();
  }
  return lowest;
}

/** Documents that CI watches: the largest of them take a minute. */
const isShort = ({ name }) => /^(?:Petstore|GitHub)\b/.test(name);

async function check() {
  let failed = 0;
  for (const { name, file } of realDocuments().found.filter(isShort)) {
    const recorded = recordedRatios[shortName(name)];
    const limit = recorded * tolerance;
    const ratio = await lowestRatio(file, limit);
    const isWithin = ratio <= limit;
    failed += isWithin ? 0 : 1;
    console.log(
      `generate ${name}: ratio ${ratio.toFixed(2)}, recorded ${recorded} ${isWithin ? "ok" : "TOO SLOW"}`,
    );
  }
  process.exitCode = failed > 0 ? 1 : 0;
}

async function record() {
  const ratios = { ...recordedRatios };
  for (const { name, file } of realDocuments().found) {
    const { ratio } = await measureGeneration(file, 3);
    ratios[shortName(name)] = Number(ratio.toFixed(2));
    console.log(`${name}: ${ratio.toFixed(2)}`);
  }
  writeFileSync(recordFile, `${JSON.stringify(ratios, null, 2)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  if (process.argv.includes("--record")) await record();
  else await check();
}
