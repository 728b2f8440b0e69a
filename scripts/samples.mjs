#!/usr/bin/env node
/**
 * Brings the committed output of every sample up to date, or checks it.
 *
 * node scripts/samples.mjs [--check]
 *
 * One sample is committed completely (`COMPLETE`), the others in part (`EXCERPT`). Files in
 * `server/src/custom` belong to the author of the sample and are never changed.
 * Exit code 1 when the generator fails, or when `--check` finds a difference.
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const samples = path.join(root, "samples");

/** Sample whose complete output is committed. */
const COMPLETE = "clinic";

/** Generated files of the other samples that are committed. */
const EXCERPT =
  /^(README\.md|SKILL\.md|mcp-gen\.lock\.json|src\/(main|tool-names)\.ts|src\/(tools|workflows|apis)\/.*)$/;

const CUSTOM = /^src\/custom\//;

const isCheck = process.argv.includes("--check");
for (const entry of readdirSync(samples, { withFileTypes: true })) {
  if (entry.isDirectory() && !entry.name.startsWith(".")) update(entry.name);
}

function update(name) {
  // Beside the samples, so that relative paths of their configurations hold.
  const work = mkdtempSync(path.join(samples, ".generated-"));
  try {
    const files = generate(name, work);
    if (files) compare(name, files);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Generates the sample in a copy of its folder. @returns path → content of the files to commit */
function generate(name, work) {
  const source = path.join(samples, name);
  cpSync(source, work, { recursive: true, filter: (from) => from !== path.join(source, "server") });
  const document = ["openapi.yaml", "swagger.yaml"].find((file) =>
    existsSync(path.join(work, file)),
  );
  const args = existsSync(path.join(work, "mcp-gen.yaml")) ? [] : [document, "-o", "server"];
  const custom = path.join(source, "server/src/custom");
  if (name !== COMPLETE && existsSync(custom)) {
    // The lock and the README have the custom tools. A folder without a manifest needs --force.
    cpSync(custom, path.join(work, "server/src/custom"), { recursive: true });
    args.push("--force");
  }
  const program = path.join(root, "dist/cli.cjs");
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: work,
    encoding: "utf8",
  });
  if (status === 0) return filesToCommit(name, filesBelow(path.join(work, "server")));
  console.error(`samples/${name}: ${stderr}`);
  process.exitCode = 1;
  return undefined;
}

function filesToCommit(name, files) {
  const isCommitted = (file) =>
    name === COMPLETE ? true : EXCERPT.test(file) && !CUSTOM.test(file);
  return new Map([...files].filter(([file]) => isCommitted(file)));
}

/** Reads all files below a folder: path with `/` → content. */
function filesBelow(folder) {
  const entries = existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
    : [];
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => !/[\\/](node_modules|dist)[\\/]/.test(file))
      .map((file) => [
        path.relative(folder, file).replaceAll("\\", "/"),
        readFileSync(file, "utf8"),
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function compare(name, expected) {
  const folder = path.join(samples, name, "server");
  const present = new Map(
    [...filesBelow(folder)].filter(([file]) => name === COMPLETE || !CUSTOM.test(file)),
  );
  for (const [file, content] of expected) {
    if (present.get(file) !== content)
      applyOrReport(`samples/${name}/server/${file}`, () =>
        write(path.join(folder, file), content),
      );
  }
  for (const file of present.keys()) {
    if (!expected.has(file))
      applyOrReport(`samples/${name}/server/${file}`, () => rmSync(path.join(folder, file)));
  }
}

/** Applies a difference, or reports it with `--check`. */
function applyOrReport(file, apply) {
  if (!isCheck) return apply();
  console.error(`${file} is out of date: run \`npm run samples\``);
  process.exitCode = 1;
  return undefined;
}

function write(file, content) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}
