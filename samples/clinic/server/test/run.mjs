// Runs every *.test.ts of this folder: bundles them and passes the files to Node's test runner.
// The names are not expanded by a shell, so this works on every system.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { build } from "esbuild";

const tests = readdirSync("test")
  .filter((name) => name.endsWith(".test.ts"))
  .sort();
await build({
  entryPoints: tests.map((name) => `test/${name}`),
  outdir: "dist/test",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  logLevel: "warning",
});
const files = tests.map((name) => `dist/test/${name.replace(/\.ts$/, ".js")}`);
process.exitCode = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" }).status ?? 1;
