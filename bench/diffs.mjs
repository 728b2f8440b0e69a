// npm run bench:diffs [-- --checkout FOLDER] [-- NAME …]: lines of a pull request after one field
// is added to the most used schema of a document, and after one operation is added. Measures no
// times.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { namedDocuments } from "./documents.mjs";
import { printRows } from "./projects.mjs";
import { root } from "./servers.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { checkout: { type: "string", default: root } },
});
const cli = path.resolve(values.checkout, "dist/cli.cjs");

/** Adds an optional field to the schema with the most references. Returns its name. */
function addField(document) {
  const schemas = document.components.schemas;
  const uses = new Map();
  for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"/]+)"/g))
    uses.set(name, (uses.get(name) ?? 0) + 1);
  const [name] = [...uses]
    .sort((a, b) => b[1] - a[1])
    .find(([one]) => Object.keys(schemas[one]?.properties ?? {}).length > 2);
  schemas[name].properties.example_field = { type: "string", description: "An added field." };
  return name;
}

/** Adds a copy of the first operation that reads one item, below its path. Returns its address. */
function addOperation(document) {
  const [address, item] = Object.entries(document.paths).find(
    ([template, { get }]) => get?.operationId && template.endsWith("}"),
  );
  const added = `${address}/example-report`;
  document.paths[added] = {
    ...item,
    get: { ...item.get, operationId: "getExampleReport", summary: "Get an example report" },
  };
  for (const method of ["put", "post", "patch", "delete"]) delete document.paths[added][method];
  return `GET ${added}`;
}

/** Counts the changed files and lines between two projects, in all files and in the lock. */
function countChanges(before, after) {
  const { stdout } = spawnSync("git", ["diff", "--no-index", "--numstat", before, after], {
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
  const count = (list) =>
    list.reduce((sum, [added, removed]) => sum + Number(added) + Number(removed), 0);
  const isOwn = ([, , name]) => /\.mcp-gen\/|test\/api\.json/.test(name);
  const reviewed = rows.filter((row) => !isOwn(row));
  return {
    files: reviewed.length,
    lines: count(reviewed),
    "in the lock": count(reviewed.filter(([, , name]) => name.includes("mcp-gen.lock.json"))),
  };
}

function generate(document, folder, name) {
  const file = path.join(folder, "openapi.json");
  writeFileSync(file, JSON.stringify(document));
  const out = path.join(folder, name);
  execFileSync(process.execPath, [cli, file, "-o", out], { stdio: "ignore" });
  return out;
}

const rows = [];
for (const { name, file } of namedDocuments(positionals)) {
  if (!file.endsWith(".json")) continue;
  const read = () => JSON.parse(readFileSync(file, "utf8"));
  if (!read().components?.schemas) continue;
  const folder = mkdtempSync(path.join(tmpdir(), "mcp-gen-bench-"));
  const before = generate(read(), folder, "before");
  for (const [kind, change] of [
    ["field", addField],
    ["operation", addOperation],
  ]) {
    const document = read();
    const added = change(document);
    rows.push({
      API: name,
      kind,
      ...countChanges(before, generate(document, folder, kind)),
      added,
    });
  }
  rmSync(folder, { recursive: true });
}
printRows(["API", "kind", "files", "lines", "in the lock", "added"], rows);
