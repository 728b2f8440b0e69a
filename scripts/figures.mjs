#!/usr/bin/env node
/**
 * Prints structural figures of a checkout: number and size of files, imports, exports, and the size
 * of a generated project.
 *
 * node scripts/figures.mjs [ROOT] [OTHER_ROOT]
 *
 * Each root is a column. The figures of a generated project need a build in ROOT/dist.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const roots = process.argv.length > 2 ? process.argv.slice(2) : [here];
const columns = roots.map((root) => figuresOf(resolve(root)));
for (const name of Object.keys(columns[0])) {
  console.log(`| ${name} | ${columns.map((column) => column[name]).join(" | ")} |`);
}

/** Figures of one checkout, by name. */
function figuresOf(root) {
  const files = sourcesOf(root);
  const lines = files.flatMap(({ lines }) => lines);
  const sizes = files.map(({ lines }) => lines.length).sort((a, b) => a - b);
  const imports = importsOf(files);
  const exported = exportsOf(files);
  const importers = new Map(files.map(({ path }) => [path, new Set()]));
  for (const { from, to } of imports) importers.get(to)?.add(from);
  const single = files.filter(({ path }) => importers.get(path)?.size === 1);
  return {
    "files in src": files.length,
    "lines in src": lines.length,
    "median lines of a file": sizes[Math.floor(sizes.length / 2)],
    "files of 30 lines or fewer": percent(sizes.filter((size) => size <= 30).length, files.length),
    "lines over 100 columns": percent(
      lines.filter((line) => line.length > 100).length,
      lines.length,
    ),
    "lines over 120 columns": percent(
      lines.filter((line) => line.length > 120).length,
      lines.length,
    ),
    "longest line": lines.reduce((longest, line) => Math.max(longest, line.length), 0),
    "files with one importer": single.length,
    "of these, 40 lines or fewer": single.filter(({ lines }) => lines.length <= 40).length,
    "exported names declared in several files": countRepeated(exported),
    "exports that nobody imports": countUnused(root, files, exported),
    "doc comments that open with a paraphrase": countParaphrases(files),
    "files in src/runtime": files.filter(({ path }) => path.startsWith("src/runtime/")).length,
    "loose files in src/runtime": files.filter(({ path }) => /^src\/runtime\/[^/]+$/.test(path))
      .length,
    "largest import cycle of runtime folders (types too)": largestCycle(
      imports,
      "src/runtime/",
      (path) => path.split("/")[2],
    ),
    "largest import cycle of runtime files (types too)": largestCycle(
      imports,
      "src/runtime/",
      (path) => path,
    ),
    "files that the call of a tool loads": countLoadedByCall(files, imports),
    ...generatedFigures(root),
  };
}

function sourcesOf(root) {
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return { path, text, lines: text.replace(/\n$/, "").split("\n") };
    });
}

/** Lists the imports between source files, with the imported names. `typeOnly` imports load no code. */
function importsOf(files) {
  const pattern =
    /(?:import|export)\s+(type\s+)?(?:([^"';]*?)\s*from\s+)?"(\.[^"]+)"|import\(\s*"(\.[^"]+)"/g;
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([, type, names = "", fixed, dynamic]) => ({
      from: path,
      to: join(dirname(path), fixed ?? dynamic).replace(/\.js$/, ".ts"),
      names: names
        .replace(/[{}]/g, "")
        .split(",")
        .map((name) => name.trim())
        .filter(Boolean),
      typeOnly:
        type !== undefined ||
        (names.startsWith("{") && /^\{(\s*type\s[^,}]+,?\s*)+\}$/.test(names)),
      isDynamic: dynamic !== undefined,
    })),
  );
}

function exportsOf(files) {
  const pattern =
    /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum)\s+(\w+)/gm;
  return files.flatMap(({ path, text }) =>
    [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].map((name) => ({
      path,
      name,
    })),
  );
}

/** Counts the exported names that several files declare. */
function countRepeated(exported) {
  const counts = new Map();
  for (const { name } of exported) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts.values()].filter((count) => count > 1).length;
}

/**
 * Counts the exports whose name no other file contains: no source, template, script, or the build.
 * Tests do not count as importers. Exports of `src/index.ts` and `src/runtime/index.ts` are public
 * and not counted.
 */
function countUnused(root, files, exported) {
  const others = ["build.mjs", ...filesIn(root, "scripts"), ...filesIn(root, "templates")].map(
    (path) => ({ path, text: readFileSync(join(root, path), "utf8") }),
  );
  const words = new Map(
    [...files, ...others].map(({ path, text }) => [path, new Set(text.match(/\w+/g))]),
  );
  const isPublic = (path) => /^src\/(runtime\/)?index\.ts$/.test(path);
  return exported.filter(
    ({ path, name }) =>
      !isPublic(path) && ![...words].some(([other, set]) => other !== path && set.has(name)),
  ).length;
}

function filesIn(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function countParaphrases(files) {
  const opening = /\/\*\*\s*\*?\s*(What|How|Where|Which|Who|Whom|Whose|Whether|Why)\b/g;
  return files.reduce((sum, { text }) => sum + (text.match(opening)?.length ?? 0), 0);
}

/** Returns the size of the largest strongly connected component of files or folders below a prefix. */
function largestCycle(imports, prefix, groupOf) {
  const next = new Map();
  for (const { from, to } of imports) {
    if (!from.startsWith(prefix) || !to.startsWith(prefix)) continue;
    const [a, b] = [groupOf(from), groupOf(to)];
    if (a === b) continue;
    next.set(a, (next.get(a) ?? new Set()).add(b));
    if (!next.has(b)) next.set(b, new Set());
  }
  const reach = new Map([...next.keys()].map((key) => [key, reachable(next, key)]));
  const sizes = [...reach].map(
    ([key, set]) => [...set].filter((other) => reach.get(other)?.has(key)).length,
  );
  return Math.max(0, ...sizes.map((size) => (size <= 1 ? 0 : size)));
}

function reachable(next, start) {
  const seen = new Set();
  const open = [...(next.get(start) ?? [])];
  while (open.length > 0) {
    const key = open.pop();
    if (seen.has(key)) continue;
    seen.add(key);
    open.push(...(next.get(key) ?? []));
  }
  return seen;
}

/** Counts the files that the module of `callTool` loads, without types and dynamic imports. */
function countLoadedByCall(files, imports) {
  const start = files.find(
    ({ path, text }) =>
      path.startsWith("src/runtime/") && /export (async )?function callTool\b/.test(text),
  )?.path;
  if (!start) return "no callTool";
  const next = new Map();
  for (const { from, to, typeOnly, isDynamic } of imports) {
    if (!typeOnly && !isDynamic) next.set(from, (next.get(from) ?? new Set()).add(to));
  }
  return reachable(next, start).add(start).size;
}

/** Measures the generated clinic sample: files and lines, and the share of the runtime and the mock. */
function generatedFigures(root) {
  const program = join(root, "dist/cli.cjs");
  if (!existsSync(program)) return {};
  const [copyMode, packageMode] = [[], ["--runtime", "package"]].map((args) =>
    measureGenerated(root, program, args),
  );
  return {
    "clinic: generated files": copyMode?.files ?? "failed",
    "clinic: generated lines": copyMode?.lines ?? "failed",
    "clinic: of these in src/runtime": copyMode?.runtime ?? "failed",
    "clinic: of these the mock": copyMode?.mock ?? "failed",
    "clinic with --runtime package: generated files": packageMode?.files ?? "no such option",
  };
}

function measureGenerated(root, program, args) {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-figures-"));
  try {
    const document = join(root, "samples/clinic/openapi.yaml");
    const out = join(folder, "server");
    const { status } = spawnSync(process.execPath, [program, document, "-o", out, ...args], {
      stdio: "ignore",
    });
    if (status !== 0) return undefined;
    const names = readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(out, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
    const source = names.filter((name) => !/package-lock\.json$|^\.mcp-gen\//.test(name));
    const lines = source.reduce(
      (sum, name) => sum + readFileSync(join(out, name), "utf8").split("\n").length - 1,
      0,
    );
    const below = (prefix) => names.filter((name) => name.startsWith(prefix)).length;
    return { files: names.length, lines, runtime: below("src/runtime/"), mock: below("test/mock") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function percent(part, total) {
  return `${((100 * part) / total).toFixed(1)} %`;
}
