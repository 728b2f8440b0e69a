#!/usr/bin/env node
// `npm run mutations`: tells whether the tests of a folder notice that a rule of it is broken.
// Changes one line at a time in the folders below, runs the tests of the folder, and restores the
// line. Prints the changes that no test notices; each asks for a row in a table of these tests.
// Options: --count LINES-PER-FOLDER (default 4), --offset FIRST-LINE (default 0), --folder PART.
// The working tree must have no changes of sources. Takes about a minute per line.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values: options } = parseArgs({
  options: {
    count: { type: "string", default: "4" },
    offset: { type: "string", default: "0" },
    folder: { type: "string", default: "" },
  },
});
const FOLDERS = ["language", "plan/names", "plan/effects", "plan/producers", "plan/descriptions"];

/** Changes of one line, the first of which applies. Each must leave code that compiles. */
const MUTATIONS = [
  [/^(\s+)if \((.+)\) return (.+);$/, "$1if (false && ($2)) return $3;"],
  [/^(\s+return .+) && (.+;)$/, "$1 || $2"],
  [/^(\s+return .+) \|\| (.+;)$/, "$1 && $2"],
  [/^(\s+return .+) === (.+;)$/, "$1 !== $2"],
];

const dirty = spawnSync("git", ["status", "--porcelain", "src"], { cwd: root, encoding: "utf8" });
if (dirty.stdout.trim() !== "") {
  console.error("Commit or stash the changes of src first.");
  process.exit(1);
}
const results = FOLDERS.filter((folder) => folder.includes(options.folder)).flatMap((folder) =>
  sample(candidatesOf(folder)).map((candidate) => ({
    ...candidate,
    isKilled: isKilled(candidate),
  })),
);
const survivors = results.filter(({ isKilled }) => !isKilled);
for (const { file, number, line } of survivors)
  console.log(`survives: ${file}:${number}: ${line.trim()}`);
console.log(`${results.length - survivors.length} of ${results.length} killed`);

/** Lines that a mutation changes, in the order of files. */
function candidatesOf(folder) {
  const files = readdirSync(path.join(root, "src", folder)).filter((name) => name.endsWith(".ts"));
  return files.sort().flatMap((name) => {
    const file = `src/${folder}/${name}`;
    const lines = readFileSync(path.join(root, file), "utf8").split("\n");
    return lines.flatMap((line, i) => {
      const [pattern, replacement] = MUTATIONS.find(([one]) => one.test(line)) ?? [];
      return pattern === undefined
        ? []
        : [{ folder, file, number: i + 1, line, mutated: line.replace(pattern, replacement) }];
    });
  });
}

/** Lines at equal distances, so that a folder is covered and a run can be repeated. */
function sample(candidates) {
  const count = Math.min(Number(options.count), candidates.length);
  return Array.from({ length: count }, (_, i) => {
    const at = Number(options.offset) + Math.floor((i * candidates.length) / count);
    return candidates[at % candidates.length];
  });
}

function isKilled({ folder, file, number, mutated }) {
  const full = path.join(root, file);
  const source = readFileSync(full, "utf8");
  try {
    writeFileSync(
      full,
      source
        .split("\n")
        .with(number - 1, mutated)
        .join("\n"),
    );
    const args = ["vitest", "run", "--maxWorkers=1", "--bail=1", `test/${folder}`];
    const { status } = spawnSync("npx", args, { cwd: root, encoding: "utf8" });
    console.log(`${status === 0 ? "survives" : "killed"}: ${file}:${number}`);
    return status !== 0;
  } finally {
    writeFileSync(full, source);
  }
}
