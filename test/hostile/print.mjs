/**
 * `npm run agent-texts [FILE]`: runs the scenarios of the hostile tests and prints the texts that
 * agents read as tables.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [target] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "mcp-gen-texts-"));
const file = join(folder, "texts.jsonl");
writeFileSync(file, "");
const run = spawnSync(
  "npx",
  [
    "vitest",
    "run",
    "test/hostile/arguments.test.ts",
    "test/hostile/upstream.test.ts",
    "test/hostile/protocol-stdio.test.ts",
    "test/hostile/protocol-http.test.ts",
    "test/hostile/exhaustion.test.ts",
    "test/hostile/secrets.test.ts",
  ],
  {
    stdio: ["ignore", "inherit", "inherit"].map((to) => (to === "inherit" ? process.stderr : to)),
    env: { ...process.env, MCP_GEN_TRANSCRIPT: file },
  },
);
const rows = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line));
rmSync(folder, { recursive: true });
const table = formatTable(rows);
if (target) writeFileSync(target, table);
else process.stdout.write(table);
process.exitCode = run.status ?? 1;

/** Formats one section per scenario, one formatBlock per situation. Long texts are truncated. */
function formatTable(rows) {
  const byId = Map.groupBy ? Map.groupBy(rows, key) : groupByKey(rows);
  const sections = [...byId]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([title, texts]) =>
        `${title}\n${"─".repeat(Math.min(title.length, 100))}\n${texts.map(formatBlock).join("\n")}`,
    );
  return `${sections.join("\n\n")}\n`;
}

function groupByKey(rows) {
  const groups = new Map();
  for (const one of rows) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}

function key({ id, title }) {
  return `${id}  ${title}`;
}

function formatBlock({ situation, text }) {
  const shown = text.length > 700 ? `${text.slice(0, 700)}… [${text.length} characters]` : text;
  return `${situation ? `  ${situation}\n` : ""}${shown
    .split("\n")
    .map((line) => `    │ ${line}`)
    .join("\n")}`;
}
