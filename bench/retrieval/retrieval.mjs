// `npm run bench:retrieval`: measures how well `search_tools` of a running generated server finds
// the operations that solve real tasks, against plain BM25 over the raw document.
import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ourCli, root, scratchFolder } from "../servers.mjs";
import { initialize, startServer } from "../stdio-client.mjs";
import { bm25 } from "./bm25.mjs";
import { covered, measures } from "./measures.mjs";
import { document, operation, rawOperations, tasks } from "./tasks.mjs";

const file = document();
if (file) await main();
else
  console.log(
    "RestBench is not on this machine: put it at ../shared/restbench, or set MCP_GEN_SHARED to the folder above it.",
  );

async function main() {
  const all = tasks();
  const plain = bm25(rawOperations(file));
  const server = generateServer();
  const found = await search(server, all);
  const ranked = found.map((tools) => tools.map(({ name }) => server.operationsOf(name)));
  print([
    ["search_tools", measures(ranked, all)],
    [
      "plain BM25",
      measures(
        all.map(({ query }) => plain(query).map((id) => [id])),
        all,
      ),
    ],
    // The weights of the fields were chosen on the other half, and on tasks of another API.
    [
      "search_tools, held-out half",
      measures(
        ranked.filter((_, i) => i % 2 === 1),
        all.filter((_, i) => i % 2 === 1),
      ),
    ],
  ]);
  const closed = all.filter(
    ({ gold }, i) => covered(withSources(found[i]).map(server.operationsOf), gold) === 1,
  ).length;
  console.log(
    `\nAll operations among the first 10 and the tools that these are said to need: ${closed} of ${all.length} tasks.`,
  );
  calls(all, server);
}

/**
 * Generates and bundles the server. The lock lists the operations of each tool.
 */
function generateServer(curation) {
  const scratch = scratchFolder();
  const folder = path.join(scratch, "server");
  const config = path.join(scratch, "mcp-gen.yaml");
  if (curation) writeFileSync(config, curation);
  execFileSync(
    process.execPath,
    [ourCli, file, "-o", folder, ...(curation ? ["--config", config] : [])],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const { tools } = JSON.parse(readFileSync(path.join(folder, "mcp-gen.lock.json"), "utf8"));
  const operations = new Map(tools.map((tool) => [tool.name, tool.operations.map(operation)]));
  return { folder, tools, operationsOf: (name) => operations.get(name) ?? [] };
}

/** The ten tools that the running server finds for each task. */
async function search({ folder }, all) {
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  execFileSync("npm", ["run", "--silent", "bundle"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const running = startServer([path.join(folder, "dist/server.js")], { LOG_LEVEL: "error" });
  await initialize(running);
  const { tools: listed } = await running.request("tools/list", {});
  console.log(
    `${path.basename(file)}: the server lists ${listed.map(({ name }) => name).join(", ")}.\n`,
  );
  const [{ name }] = listed;
  const found = [];
  for (const { query } of all)
    found.push(
      (await running.request("tools/call", { name, arguments: { query, limit: 10 } }))
        .structuredContent.tools,
    );
  await running.close();
  return found;
}

/** Names of the found tools, and of the producers of the IDs that they need. */
function withSources(tools) {
  return [
    ...new Set(tools.flatMap(({ name, sources = {} }) => [name, ...Object.values(sources).flat()])),
  ];
}

/**
 * Tool calls against one call per operation. An inferred tool sends one request per call and saves
 * none. With `resolve`, an ID can be given by name, which saves the call that searches for it.
 */
function calls(all, { tools, operationsOf }) {
  const rules = namesForIds(tools);
  generateServer(curationOf(rules));
  const toolOf = new Map(tools.flatMap(({ name }) => operationsOf(name).map((one) => [one, name])));
  const steps = all.flatMap((task) =>
    task.steps.map((step, i) => ({
      tool: toolOf.get(step),
      before: toolOf.get(task.steps[i - 1]),
    })),
  );
  const saved = steps.filter(
    ({ tool, before }) => before !== undefined && rules.get(tool)?.via === before,
  ).length;
  const share = Math.round((100 * saved) / steps.length);
  console.log(
    `Calls: ${steps.length} for one per operation, as many with the tools as inferred; ${saved} fewer (${share} %) when mcp-gen.yaml lets ${rules.size} tools take a name for an ID.`,
  );
}

/**
 * For each tool whose ID comes from a search tool: the configuration by which it accepts a name.
 */
function namesForIds(tools) {
  const rules = new Map();
  for (const { name, inputSchema } of tools) {
    for (const [input, { description = "" }] of Object.entries(inputSchema.properties ?? {})) {
      const via = /Get it from (\w+)/.exec(description)?.[1];
      const match = nameField(tools.find((tool) => tool.name === via));
      if (match && !rules.has(name)) rules.set(name, { input, via, match });
    }
  }
  return rules;
}

/**
 * The field that names the items of a search; undefined if the tool does not search by words.
 */
function nameField(tool) {
  const takesWords = Object.keys(tool?.inputSchema.properties ?? {}).some((input) =>
    /^(q|query|search|text|name)$/.test(input),
  );
  const lists = Object.values(tool?.outputSchema?.properties ?? {}).filter(
    ({ items }) => items?.properties,
  );
  return takesWords
    ? ["name", "title"].find((field) => lists[0]?.items.properties[field])
    : undefined;
}

function curationOf(rules) {
  const lines = [...rules].map(
    ([tool, { input, via, match }]) =>
      `  ${tool}: {inputs: {${input}: {resolve: {via: ${via}, match: ${match}}}}}`,
  );
  return ["version: 1", "tools:", ...lines, ""].join("\n");
}

function print(rows) {
  const columns = Object.keys(rows[0][1]);
  console.log(["".padEnd(32), ...columns].join("  "));
  for (const [label, values] of rows)
    console.log(
      [
        label.padEnd(32),
        ...columns.map((column) => values[column].toFixed(2).padStart(column.length)),
      ].join("  "),
    );
}
