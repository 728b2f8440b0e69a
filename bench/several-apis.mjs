// `npm run bench:apis`: what one server of several APIs costs beside a server of each API alone, with
// the APIs of samples/deliveries: processor time until the tools are listed, and peak memory. Linux
// only. Options: --runs N (9). Prints medians.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
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
  const [processor, memory] = [median("processor"), median("memory")];
  console.log(`${name}: ${processor} ms of processor time, ${memory.toFixed(1)} MB`);
}

async function build(folder, write) {
  const { ok } = await write(folder);
  if (!ok) throw new Error(`${folder} was not generated`);
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"), "junction");
  execFileSync(process.execPath, ["bundle.mjs"], { cwd: folder, stdio: "ignore" });
}

async function measure(folder) {
  const server = startServer([path.join(folder, "dist/server.js")]);
  await initialize(server);
  await listTools(server);
  const fields = readFileSync(`/proc/${server.pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  await server.close();
  // A clock tick of Linux is 10 ms.
  const processor = (Number(fields[11]) + Number(fields[12])) * 10;
  return { processor, memory: Number(/VmHWM:\s+(\d+)/.exec(status)[1]) / 1000 };
}
