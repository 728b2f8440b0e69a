// `npm run bench:search`: processor time of the search over the tools of the two largest documents,
// at most 1,500. Each row is a new process, the fastest of several: "bundle" has the index that
// `npm run bundle` stores, "tools" reads the tools, as `npm run dev` does.
import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { root, scratchFolder } from "../servers.mjs";
import { planTools } from "./rankings.mjs";
import { labelledSets } from "./tasks.mjs";

const maxTools = 1_500;
const runs = 7;
/** Times that a process repeats the further queries. */
const rounds = 5;
const limit = { limit: 10, accepts: () => true };
const [mode, folder] = process.argv.slice(2);
if (folder === undefined) await report();
else console.log(JSON.stringify(await measure(mode, folder)));

async function report() {
  const sets = labelledSets().filter(({ name }) => ["digitalocean", "github"].includes(name));
  if (sets.some(({ file }) => file === undefined))
    return console.log("The documents are not on this machine: set MCP_GEN_SHARED.");
  const plans = await Promise.all(sets.map(({ file }) => planTools(file)));
  const tools = plans.flatMap((plan) => plan.map(({ definition }) => definition));
  const work = scratchFolder();
  const chosen = tools.slice(0, maxTools);
  const size = await prepare(work, chosen, sets);
  console.log(`${chosen.length} tools; stored index ${(size / 1e6).toFixed(2)} MB. Milliseconds:`);
  for (const name of ["bundle", "tools"]) {
    const file = fileURLToPath(import.meta.url);
    const rows = Array.from({ length: runs }, () =>
      JSON.parse(execFileSync(process.execPath, [file, name, work], { encoding: "utf8" })),
    );
    const figures = Object.keys(rows[0]).map(
      (key) => `${key} ${Math.min(...rows.map((row) => row[key])).toFixed(1)}`,
    );
    console.log(`  ${name.padEnd(8)}${figures.join("  ")}`);
  }
}

/** Writes the search as one module, serialized tools, their index and the queries to a folder. */
async function prepare(work, tools, sets) {
  const outfile = path.join(work, "search.mjs");
  const entry = path.join(root, "dist/runtime/discovery/search/index.js");
  buildSync({ entryPoints: [entry], bundle: true, format: "esm", platform: "node", outfile });
  const { storeIndex } = await import(pathToFileURL(outfile).href);
  writeFileSync(
    path.join(work, "tools.json"),
    JSON.stringify(tools.map((one) => JSON.stringify(one))),
  );
  const index = path.join(work, "index.json");
  writeFileSync(index, JSON.stringify(storeIndex(tools)));
  const queries = sets.flatMap((set) => set.tasks.map(({ query }) => query));
  writeFileSync(path.join(work, "queries.json"), JSON.stringify(queries));
  return statSync(index).size;
}

/** The times of one process. */
async function measure(kind, work) {
  const read = (name) => readFileSync(path.join(work, name), "utf8");
  const tools = JSON.parse(read("tools.json"));
  const [first, ...queries] = JSON.parse(read("queries.json"));
  const index = read("index.json");
  const start = processorTime();
  const { createSearch } = await import(pathToFileURL(path.join(work, "search.mjs")).href);
  const loaded = processorTime();
  const stored = kind === "bundle" ? JSON.parse(index) : undefined;
  const search = stored ? createSearch(stored.tools, stored.terms) : createSearch(parsed(tools));
  const built = processorTime();
  search.find(first, limit);
  const searched = processorTime();
  for (let round = 0; round < rounds; round++)
    for (const query of queries) search.find(query, limit);
  return {
    load: loaded - start,
    index: built - loaded,
    "first search": searched - built,
    sum: searched - start,
    "each further search": (processorTime() - searched) / queries.length / rounds,
  };
}

function* parsed(tools) {
  for (const text of tools) yield JSON.parse(text);
}

function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
