// node bench/sizes.mjs [--tools FOLDER] [--checkout FOLDER] [FILE …]: files, lines and bytes of new
// projects, copied and with --runtime package, beside those of openapi-mcp-generator and, if
// FOLDER/node_modules has them, of orval's MCP client and of @hey-api/openapi-ts, which generates a
// client without a server. Default documents: one operation, samples/clinic and GitHub.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { syntheticDocument } from "./documents.mjs";
import { printRows } from "./projects.mjs";
import { root, theirCli } from "./servers.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tools: { type: "string" }, checkout: { type: "string", default: root } },
});
const work = mkdtempSync(path.join(tmpdir(), "mcp-gen-sizes-"));
const ours = path.resolve(values.checkout, "dist/cli.cjs");

/** Programs that generate a project, by the column of the table. */
const generators = {
  "mcp-gen": (file, out) => [ours, file, "-o", out],
  "mcp-gen, package": (file, out) => [ours, file, "-o", out, "--runtime", "package"],
  "openapi-mcp-generator": (file, out) => [theirCli, "-i", file, "-o", out, "--force"],
  orval: (file, out) => {
    const config = path.join(work, "orval.config.cjs");
    const output = { mode: "single", client: "mcp", target: path.join(out, "handlers.ts") };
    const api = { input: file, output: { ...output, schemas: path.join(out, "schemas") } };
    writeFileSync(config, `module.exports = ${JSON.stringify({ api })};\n`);
    return [programOf("orval", "orval"), "--config", config];
  },
  "@hey-api/openapi-ts": (file, out) => [
    programOf("@hey-api/openapi-ts", "openapi-ts"),
    ...["-i", file, "-o", out],
  ],
};

/** Path of a program of a package in the folder of --tools; undefined if it is not there. */
function programOf(name, bin) {
  const folder = path.resolve(values.tools ?? root, "node_modules", name);
  if (!existsSync(folder)) return undefined;
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  return path.join(folder, typeof manifest.bin === "string" ? manifest.bin : manifest.bin[bin]);
}

function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name)));
  const lines = files.reduce((sum, bytes) => sum + bytes.filter((byte) => byte === 10).length, 0);
  const bytes = files.reduce((sum, { length }) => sum + length, 0);
  return `${files.length}, ${lines.toLocaleString("en")}, ${(bytes / 1e6).toFixed(2)} MB`;
}

function measure(file, argsFor, name) {
  const out = path.join(work, `out-${name.replace(/\W/g, "-")}`);
  const [program, ...args] = argsFor(file, out);
  if (program === undefined) return "not installed";
  try {
    execFileSync(process.execPath, [program, ...args], {
      cwd: values.tools ?? work,
      stdio: "ignore",
    });
    return sizeOf(out);
  } catch {
    return "fails";
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function defaultDocuments() {
  const one = path.join(work, "one.json");
  writeFileSync(one, JSON.stringify(syntheticDocument(1, "https://api.example")));
  return [
    one,
    path.join(root, "samples/clinic/openapi.yaml"),
    path.join(root, "node_modules/@octokit/openapi/generated/api.github.com.json"),
  ];
}

try {
  const files =
    positionals.length > 0 ? positionals.map((file) => path.resolve(file)) : defaultDocuments();
  const rows = files.map((file) => {
    const sizes = Object.entries(generators).map(([name, argsFor]) => [
      name,
      measure(file, argsFor, name),
    ]);
    return { document: path.basename(file), ...Object.fromEntries(sizes) };
  });
  printRows(Object.keys(rows[0]), rows);
} finally {
  rmSync(work, { recursive: true, force: true });
}
