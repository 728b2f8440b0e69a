// `npm run bench:apis`: what one server of several APIs costs beside a server of each API alone,
// with the APIs of samples/deliveries: time and processor time of the start until `initialize` is
// answered and of `tools/list`, and peak memory. Linux only. Options: --runs N (9). Prints medians.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { generate, generateApis } from "../dist/index.js";
import { initialize, listTools, startServer } from "./stdio-client.mjs";

const { values } = parseArgs({ options: { runs: { type: "string", default: "9" } } });
const root = fileURLToPath(new URL("..", import.meta.url));
const sources = ["orders", "courier"].map((name) => ({
  name,
  source: path.join(root, `samples/deliveries/${name}.yaml`),
}));
const scratch = mkdtempSync(path.join(tmpdir(), "mcp-gen-apis-"));

const servers = [
  ["both", (folder) => generateApis(sources, folder)],
  ...sources.map(({ name, source }) => [name, (folder) => generate(source, folder)]),
];
const outcomes = new Map();
try {
  for (const [name, write] of servers) await build(path.join(scratch, name), write);
  for (let run = 0; run < Number(values.runs); run++)
    for (const [name] of servers)
      outcomes.set(name, [...(outcomes.get(name) ?? []), await measure(path.join(scratch, name))]);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const [name, list] of outcomes) {
  const median = (key) =>
    list.map((one) => one[key]).toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
  const times = ["start", "list"].map((part) => {
    const [elapsed, processor] = [median(`${part}.elapsed`), median(`${part}.processor`)];
    return `${part} ${elapsed.toFixed(0)} ms (${processor.toFixed(0)} ms of processor time)`;
  });
  console.log(`${name}: ${times.join(", ")}, ${median("memory").toFixed(1)} MB`);
}

async function build(folder, write) {
  const { ok } = await write(folder);
  if (!ok) throw new Error(`${folder} was not generated`);
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"), "junction");
  execFileSync(process.execPath, ["bundle.mjs"], { cwd: folder, stdio: "ignore" });
}

async function measure(folder) {
  const started = performance.now();
  const server = startServer([path.join(folder, "dist/server.js")]);
  await initialize(server);
  const [ready, readyProcessor] = [performance.now(), processorTime(server.pid)];
  await listTools(server);
  const [listed, listedProcessor] = [performance.now(), processorTime(server.pid)];
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  await server.close();
  return {
    "start.elapsed": ready - started,
    "start.processor": readyProcessor,
    "list.elapsed": listed - ready,
    "list.processor": listedProcessor - readyProcessor,
    memory: Number(/VmHWM:\s+(\d+)/.exec(status)[1]) / 1000,
  };
}

/** Processor time of all threads of a process in milliseconds. */
function processorTime(pid) {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}
