// Runs processes in turn (A B A B …), so that both sides see the same changes of machine speed.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

const peakPreload = fileURLToPath(new URL("./peak-memory.cjs", import.meta.url));

/**
 * Runs `node ...args` once. Returns wall seconds, processor seconds and peak memory in MB; throws
 * if it fails.
 */
export async function runNode(args, { env = {} } = {}) {
  const scratch = mkdtempSync(path.join(tmpdir(), "mcp-gen-bench-"));
  const peakFile = path.join(scratch, "peak");
  const started = performance.now();
  const child = spawn(process.execPath, ["--require", peakPreload, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, BENCH_PEAK_FILE: peakFile, ...env },
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const code = await new Promise((done) => child.on("close", done));
  const seconds = (performance.now() - started) / 1000;
  if (code !== 0)
    throw new Error(`node ${args.join(" ")} exited with ${code}: ${stderr.slice(-500)}`);
  const [kilobytes, microseconds] = readFileSync(peakFile, "utf8").split(" ").map(Number);
  rmSync(scratch, { recursive: true });
  return { seconds, cpuSeconds: microseconds / 1e6, megabytes: kilobytes / 1024 };
}

/**
 * Runs two functions in turn: one warm-up each, then `runs` counted pairs. Returns the median of
 * each side and of the pairwise ratio a/b.
 */
export async function pair(runA, runB, runs = 5) {
  await runA();
  await runB();
  const pairs = [];
  for (let i = 0; i < runs; i++) pairs.push([await runA(), await runB()]);
  return {
    a: median(pairs.map(([a]) => a)),
    b: median(pairs.map(([, b]) => b)),
    ratio: median(pairs.map(([a, b]) => a / b)),
  };
}

/** Middle value; the mean of the two middle ones for an even count. */
export function median(values) {
  const sorted = [...values].sort((x, y) => x - y);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
