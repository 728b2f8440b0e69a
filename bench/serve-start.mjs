// `npm run bench:serve`: the time that `mcp-gen serve` takes from its start to the answer to
// `initialize` and to the first list of tools, at 100, 400 and 1,500 operations: with an empty
// cache and with the plan in it, on the quiet machine and beside busy processes. Options: --busy N
// (4), --runs N (3), --operations A,B. Prints medians in seconds, and processor time of the
// children.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { syntheticDocument } from "./documents.mjs";
import { initialize, startServer } from "./stdio-client.mjs";

const { values } = parseArgs({
  options: {
    busy: { type: "string", default: "4" },
    runs: { type: "string", default: "3" },
    operations: { type: "string", default: "100,400,1500" },
  },
});
const cli = fileURLToPath(new URL("../dist/cli.cjs", import.meta.url));
const root = mkdtempSync(path.join(tmpdir(), "mcp-gen-serve-"));

/** Seconds to both answers. The cache is that of the user, so the folder stands in for it. */
async function measure(file, cache) {
  const begin = performance.now();
  const since = () => (performance.now() - begin) / 1000;
  const server = startServer([cli, "serve", file, "--mode", "tools"], {
    HOME: cache,
    XDG_CACHE_HOME: cache,
    LOCALAPPDATA: cache,
  });
  try {
    await initialize(server);
    const initialized = since();
    await server.request("tools/list", {});
    return { initialized, listed: since() };
  } finally {
    await server.close();
  }
}

/** Processes that only compute. */
function startBusy(count) {
  const loop = "for (;;) Math.sqrt(Math.random());";
  return Array.from({ length: count }, () =>
    spawn(process.execPath, ["-e", loop], { stdio: "ignore" }),
  );
}

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const seconds = (outcomes, key) => median(outcomes.map((one) => one[key])).toFixed(1);

async function row(operations, busy) {
  const file = path.join(root, `${operations}.json`);
  writeFileSync(file, JSON.stringify(syntheticDocument(operations, "http://127.0.0.1:9")));
  const [cold, cached] = [[], []];
  for (let run = 0; run < Number(values.runs); run++) {
    const cache = mkdtempSync(path.join(root, "cache-"));
    cold.push(await measure(file, cache));
    cached.push(await measure(file, cache));
  }
  const cells = [cold, cached].flatMap((one) => [
    seconds(one, "initialized"),
    seconds(one, "listed"),
  ]);
  console.log(`| ${[operations, busy, ...cells].join(" | ")} |`);
}

console.log(
  "| operations | busy processes | cold: `initialize` | cold: first list | cached: `initialize` | cached: first list |",
);
console.log("|--:|--:|--:|--:|--:|--:|");
try {
  for (const count of [0, Number(values.busy)]) {
    const busy = startBusy(count);
    try {
      for (const operations of values.operations.split(",")) await row(Number(operations), count);
    } finally {
      for (const child of busy) child.kill();
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
