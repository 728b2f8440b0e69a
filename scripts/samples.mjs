#!/usr/bin/env node
/**
 * Brings the committed output of every sample up to date, or checks it.
 *
 * node scripts/samples.mjs [--check]
 *
 * One sample is committed whole. Of the others, only the files that a reader looks at are
 * (`EXCERPT`). Files in `server/src/custom` belong to the sample's author and are never touched.
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
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const samples = path.join(root, "samples");

/** The sample whose whole output is committed. */
const WHOLE = "clinic";

/** Generated files of the other samples that are committed. */
const EXCERPT =
  /^(README\.md|mcp-gen\.lock\.json|src\/(main|tool-names)\.ts|src\/(tools|workflows|apis)\/.*)$/;

const CUSTOM = /^src\/custom\//;

const isCheck = process.argv.includes("--check");
for (const entry of readdirSync(samples, { withFileTypes: true })) {
  if (entry.isDirectory()) update(entry.name);
}

function update(name) {
  const work = mkdtempSync(path.join(tmpdir(), "mcp-gen-sample-"));
  try {
    const generated = generate(name, work);
    if (generated) compare(name, generated);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Generates the sample in a copy of its folder; returns path → content of what is to be committed.
 */
function generate(name, work) {
  const source = path.join(samples, name);
  cpSync(source, work, { recursive: true, filter: (from) => from !== path.join(source, "server") });
  const document = ["openapi.yaml", "swagger.yaml"].find((file) =>
    existsSync(path.join(work, file)),
  );
  const args = existsSync(path.join(work, "mcp-gen.yaml")) ? [] : [document, "-o", "server"];
  const program = path.join(root, "dist/cli.cjs");
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: work,
    encoding: "utf8",
  });
  if (status === 0) return committed(name, filesBelow(path.join(work, "server")));
  console.error(`samples/${name}: ${stderr}`);
  process.exitCode = 1;
  return undefined;
}

function committed(name, files) {
  const isWanted = (file) => (name === WHOLE ? true : EXCERPT.test(file) && !CUSTOM.test(file));
  return new Map([...files].filter(([file]) => isWanted(file)));
}

/** Path, with `/`, → content of every file below a folder. */
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

function compare(name, wanted) {
  const folder = path.join(samples, name, "server");
  const present = new Map(
    [...filesBelow(folder)].filter(([file]) => name === WHOLE || !CUSTOM.test(file)),
  );
  for (const [file, content] of wanted) {
    if (present.get(file) !== content)
      change(`samples/${name}/server/${file}`, () => write(path.join(folder, file), content));
  }
  for (const file of present.keys()) {
    if (!wanted.has(file))
      change(`samples/${name}/server/${file}`, () => rmSync(path.join(folder, file)));
  }
}

/** Applies a difference, or reports it with `--check`. */
function change(file, apply) {
  if (!isCheck) return apply();
  console.error(`${file} is out of date: run \`npm run samples\``);
  process.exitCode = 1;
  return undefined;
}

function write(file, content) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}
