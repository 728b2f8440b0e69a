// npm run bench:documents [-- --checkout FOLDER] [-- NAME …]: the projects of well-known APIs:
// files, lines, bytes, lines of the median and the largest tool, generation, `tsc`, bundle, start,
// list and memory. --checkout measures another build, for a comparison of before and after.
import path from "node:path";
import { parseArgs } from "node:util";
import { namedDocuments } from "./documents.mjs";
import { measureProject, printRows } from "./projects.mjs";
import { root } from "./servers.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { checkout: { type: "string", default: root } },
});
const cli = path.resolve(values.checkout, "dist/cli.cjs");
const rows = [];
for (const { name, file } of namedDocuments(positionals)) {
  rows.push({ API: name, ...(await measureProject(cli, file, 5)) });
  console.error(`measured: ${name}`);
}
const heads = Object.keys(rows[0] ?? {});
printRows(heads, rows);
