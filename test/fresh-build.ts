/** The build of today's sources, for tests that run the built program. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Its time is the start of the last build, which leaves unchanged files of dist as they are. */
const stamp = join(root, "node_modules/.mcp-gen-built");
const lock = join(root, "node_modules/.mcp-gen-build-lock");

/** Inputs of the build. */
const inputs = ["src", "templates", "build.mjs", "package.json"].map((name) => join(root, name));

/** Milliseconds between looks at the build of another process. */
const POLL_MS = 200;
/** Number of looks, after which that process is taken for a dead one. */
const MAX_POLLS = 900;

/** Time of the last change of a file, or of a folder and its files. */
export function lastChange(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const times = readdirSync(path).map((entry) => lastChange(join(path, entry)));
  return Math.max(stats.mtimeMs, ...times);
}

function isFresh(): boolean {
  const built = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return inputs.every((path) => lastChange(path) <= built);
}

/** Builds if a source is newer than the last build. Of several processes, one builds. */
export function ensureFreshBuild(): void {
  for (let polls = 0; !isFresh() && polls < MAX_POLLS; polls++) {
    try {
      mkdirSync(lock);
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
      continue;
    }
    try {
      execFileSync(process.execPath, ["build.mjs"], { cwd: root, stdio: "inherit" });
      return;
    } finally {
      rmdirSync(lock);
    }
  }
}
