// npm run bench:growth [-- --short]: how generation and the generated server grow with the number
// of operations: 10 to 10,000, or 10 and 100 with --short. The documents are parts of GitHub's.
// Prints a table and, without --short, writes bench/growth.svg.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { partOf } from "./documents.mjs";
import { growthPlots } from "./plot.mjs";
import { measureProject, printRows } from "./projects.mjs";
import { documentFile, ourCli, root } from "./servers.mjs";

const isShort = process.argv.includes("--short");
const counts = isShort ? [10, 100] : [10, 100, 1_000, 5_000, 10_000];
const measures = [
  "generate, s",
  "ratio",
  "ratio on disk",
  "peak, MB",
  "written, MB",
  "tsc, s",
  "bundle, s",
  "start, ms",
  "start ratio",
  "list, ms",
  "RSS, MB",
  "RSS ratio",
];

const source = path.join(root, "node_modules/@octokit/openapi/generated/api.github.com.json");
const document = JSON.parse(readFileSync(source, "utf8"));
const rows = [];
for (const operations of counts) {
  const file = documentFile(partOf(document, operations));
  const runs = isShort || operations > 1_000 ? 1 : 3;
  rows.push({ operations, ...(await measureProject(ourCli, file, runs)) });
  rmSync(path.dirname(file), { recursive: true });
  console.error(`measured: ${operations} operations`);
}
printRows(["operations", ...measures], rows);
if (!isShort) writeFileSync(path.join(root, "bench/growth.svg"), growthPlots(rows, measures));
