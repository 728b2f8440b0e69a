// `node bench/api-pairs.mjs FOLDER`: generates one server for each of 30 random pairs of documents
// of a folder, type-checks it, starts it, and lists its tools. Needs a build. Prints each pair that
// fails, and exits with 1 if one does. Options: --pairs N (30), --seed N (1), --max-bytes N (3 MB).
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { generate, generateApis } from "../dist/index.js";
import { initialize, listTools, startServer } from "./stdio-client.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
    "max-bytes": { type: "string", default: "3000000" },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("Give the folder of the documents.");
const modules = fileURLToPath(new URL("../node_modules", import.meta.url));
const documents = readdirSync(folder, { recursive: true })
  .map((name) => path.join(folder, name))
  .filter((file) => /\.(?:json|ya?ml)$/.test(file) && statSync(file).isFile())
  .filter((file) => statSync(file).size <= Number(values["max-bytes"]))
  .sort();

/** Numbers below `count`, the same for one seed (mulberry32). */
let state = Number(values.seed);
function random(count) {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
}

const counts = { works: 0, fails: 0 };
while (counts.works + counts.fails < Number(values.pairs)) {
  const pair = [await usable(), await usable()];
  const problem = await check(pair);
  counts[problem === undefined ? "works" : "fails"]++;
  const names = pair.map((file) => path.relative(folder, file)).join(" + ");
  console.log(`${names}: ${problem ?? "works"}`);
}
console.log(`${counts.works} of ${counts.works + counts.fails} pairs work.`);
process.exitCode = counts.fails > 0 ? 1 : 0;

/** A random document that has tools alone. */
async function usable() {
  for (;;) {
    const file = documents[random(documents.length)];
    const { ok } = await generate(file, undefined, { planOnly: true }).catch(() => ({ ok: false }));
    if (ok) return file;
  }
}

/** The reason why a pair does not work; undefined if it does. */
async function check(pair) {
  const project = mkdtempSync(path.join(tmpdir(), "mcp-gen-pair-"));
  try {
    const sources = pair.map((source, i) => ({ name: ["one", "two"][i], source }));
    const { ok, plan, diagnostics } = await generateApis(sources, project);
    if (!ok) return diagnostics.find(({ severity }) => severity === "error")?.message;
    symlinkSync(modules, path.join(project, "node_modules"), "junction");
    const run = (...args) => execFileSync(process.execPath, args, { cwd: project, stdio: "pipe" });
    run(path.join(modules, "typescript/bin/tsc"), "--noEmit");
    run("bundle.mjs");
    const server = startServer([path.join(project, "dist/server.js")], { APIS_MODE: "tools" });
    await initialize(server);
    const names = new Set((await listTools(server)).map(({ name }) => name));
    await server.close();
    const missing = plan.tools.filter(({ definition }) => !names.has(definition.name));
    return missing.length === 0 ? undefined : `${missing[0].definition.name} is not listed`;
  } catch (error) {
    return String(error.stdout || error.message).slice(0, 500);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
