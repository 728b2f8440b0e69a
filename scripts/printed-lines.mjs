// Lines that a first run and an unchanged second one print, for each document:
//   node scripts/printed-lines.mjs [--before FOLDER] DOCUMENT…
// FOLDER is a built checkout of another version, for comparison.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  options: { before: { type: "string" } },
  allowPositionals: true,
});
const here = fileURLToPath(new URL("..", import.meta.url));

/** Lines of stdout and stderr of a first and a second run, and the exit codes. */
function linesOf(checkout, document) {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-lines-"));
  const run = () => {
    const args = [join(checkout, "dist/cli.cjs"), document, "-o", join(folder, "server")];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
    const lines = `${stdout}${stderr}`.split("\n").length - 1;
    return status === 0 ? String(lines) : `${lines} (exit code ${status})`;
  };
  try {
    return [run(), run()];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const checkouts = [...(values.before === undefined ? [] : [values.before]), here];
const labels = values.before === undefined ? [""] : [" before", " now"];
const heads = labels.flatMap((label) => [`first${label}`, `second${label}`]);
console.log(`${"document".padEnd(36)}${heads.map((head) => head.padStart(16)).join("")}`);
for (const document of positionals) {
  const name = join(basename(dirname(document)), basename(document)).slice(-34);
  const cells = checkouts.flatMap((checkout) => linesOf(checkout, document));
  console.log(`${name.padEnd(36)}${cells.map((cell) => cell.padStart(16)).join("")}`);
}
