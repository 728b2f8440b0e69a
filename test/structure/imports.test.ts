import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

/** One `import`, `export … from` or `import()` of a source file. */
interface Import {
  readonly from: string;
  /** A path relative to the root for our own files, a package or `node:` name otherwise. */
  readonly to: string;
  readonly typeOnly: boolean;
}

const root = resolve(import.meta.dirname, "../..");
const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => `src/${path.replaceAll("\\", "/")}`)
  .sort();
const texts = new Map(files.map((path) => [path, readFileSync(join(root, path), "utf8")]));
const imports = files.flatMap(importsOf);

function importsOf(from: string): readonly Import[] {
  const text = (texts.get(from) ?? "").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const found = [
    ...text.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:([^"';]*?)\sfrom\s+)?"([^"]+)"/gm),
  ].map(([, type, names, to]) => ({
    from,
    to: target(from, to ?? ""),
    typeOnly:
      type !== undefined || (names !== undefined && /^\{(\s*type\s[^,}]+,?)+\s*\}$/.test(names)),
  }));
  const dynamic = [...text.matchAll(/\b(typeof\s+)?import\(\s*"([^"]+)"/g)].map(([, type, to]) => ({
    from,
    to: target(from, to ?? ""),
    typeOnly: type !== undefined,
  }));
  return [...found, ...dynamic];
}

function target(from: string, to: string): string {
  return to.startsWith(".")
    ? relative(root, resolve(root, dirname(from), to))
        .replaceAll("\\", "/")
        .replace(/\.js$/, ".ts")
    : to;
}

/**
 * First part of a file's path below `src`: its room, or its own name for the files that stand there
 * alone.
 */
function roomOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/**
 * Whom a room may import, besides itself: rooms, or one file of a room. `types` may be imported as
 * types only.
 */
const rules: Readonly<
  Record<string, { readonly values: readonly string[]; readonly types?: readonly string[] }>
> = {
  "json.ts": { values: [] },
  "json-pointer.ts": { values: [] },
  "version.ts": { values: [] },
  "file-name.ts": { values: [] },
  "package-lock.ts": { values: ["json.ts"] },
  runtime: { values: [] },
  mock: { values: [] },
  diagnostics: { values: ["json.ts", "json-pointer.ts", "runtime/data/nearest-names.ts"] },
  overlay: {
    values: ["json.ts", "json-pointer.ts", "diagnostics", "runtime/workflow/json-path.ts"],
    types: ["load"],
  },
  configuration: { values: ["json.ts", "json-pointer.ts", "diagnostics", "load"] },
  load: { values: ["json.ts", "json-pointer.ts", "diagnostics", "overlay"] },
  model: { values: ["json.ts", "json-pointer.ts", "diagnostics"], types: ["load"] },
  workflow: {
    values: ["json.ts", "json-pointer.ts", "diagnostics"],
    types: ["load", "model", "plan", "runtime"],
  },
  "workflow-sources": {
    values: ["json.ts", "json-pointer.ts", "diagnostics", "load", "model", "workflow", "plan"],
  },
  plan: {
    values: [
      "json.ts",
      "json-pointer.ts",
      "file-name.ts",
      "diagnostics",
      "configuration",
      "workflow",
    ],
    types: ["load", "model", "runtime"],
  },
  render: {
    values: [
      "json.ts",
      "json-pointer.ts",
      "file-name.ts",
      "package-lock.ts",
      "version.ts",
      "diagnostics",
      "workflow",
    ],
    types: ["model", "plan", "runtime"],
  },
  write: {
    values: [
      "json.ts",
      "json-pointer.ts",
      "file-name.ts",
      "package-lock.ts",
      "diagnostics",
      "version.ts",
    ],
    types: ["render"],
  },
  "generate.ts": {
    values: [
      "json.ts",
      "json-pointer.ts",
      "diagnostics",
      "load",
      "configuration",
      "overlay",
      "model",
      "workflow-sources",
      "plan",
      "render",
      "write",
    ],
  },
  diff: { values: ["json.ts", "json-pointer.ts", "diagnostics"] },
  "index.ts": {
    values: ["configuration", "diff", "generate.ts"],
    types: ["diagnostics", "load", "model", "plan", "render", "write", "configuration"],
  },
  cli: {
    values: [
      "json.ts",
      "json-pointer.ts",
      "diagnostics",
      "load",
      "configuration",
      "generate.ts",
      "version.ts",
      "diff",
      "render",
      "write",
      "try",
    ],
    types: ["plan"],
  },
  try: { values: ["json.ts", "json-pointer.ts", "mock", "render"], types: ["plan"] },
  "cli.ts": { values: ["cli"] },
  "launch.ts": { values: ["cli"] },
};

test("every room has a rule", () => {
  expect([...new Set(files.map(roomOf))].filter((room) => !(room in rules))).toEqual([]);
});

test("imports run one way", () => {
  const wrong = imports.filter(({ from, to, typeOnly }) => {
    const [room, other] = [roomOf(from), roomOf(to)];
    if (!to.startsWith("src/") || room === other) return false;
    const rule = rules[room];
    return (
      !rule?.values.includes(other) &&
      !rule?.values.includes(to.slice("src/".length)) &&
      !(typeOnly && rule?.types?.includes(other))
    );
  });
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test("imports of our own files lead to files", () => {
  const missing = imports.filter(({ to }) => to.startsWith("src/") && !texts.has(to));
  expect(missing.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

/** Packages that one room alone may load. */
const owners: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^@apidevtools\/swagger-parser/, ["load"]],
  [/^(js-yaml|yaml)$/, ["load", "configuration", "overlay", "workflow"]],
  [/^json-p3$/, ["overlay", "workflow", "runtime"]],
  [/^handlebars/, ["render"]],
  [/^ts-morph$/, ["write", "try"]],
  [/^commander$/, ["cli"]],
  [/^@modelcontextprotocol\/(server|node)(\/|$)/, ["runtime"]],
  [/^minisearch$/, ["runtime"]],
  [/^undici(\/|$)/, ["runtime"]],
  [/^@modelcontextprotocol\/client(\/|$)/, ["mock"]],
  [/^jose(\/|$)/, ["runtime"]],
  [/^esbuild$/, ["runtime"]],
  [/^@cfworker\/json-schema$/, ["runtime", "mock", "configuration"]],
  [/^node:(crypto|path|url|util|os|v8|perf_hooks|module|buffer)$/, Object.keys(rules)],
  [
    /^node:fs(\/promises)?$/,
    [
      "load",
      "configuration",
      "overlay",
      "render",
      "write",
      "cli",
      "try",
      "generate.ts",
      "launch.ts",
      "runtime",
      "mock",
    ],
  ],
  [/^node:vm$/, ["launch.ts"]],
  [/^node:worker_threads$/, ["write"]],
  [/^node:(child_process|readline)$/, ["try"]],
  [/^node:(http|https|net|dns|dns\/promises|tls)$/, ["load", "runtime", "mock"]],
  [/^node:timers\/promises$/, ["cli", "runtime", "mock", "load"]],
  [/^node:/, ["runtime", "mock", "load"]],
];

test("packages and system modules are loaded by their rooms alone", () => {
  const outside = imports.filter(({ to }) => !to.startsWith("src/") && !to.endsWith(".json"));
  const wrong = outside.filter(
    ({ from, to }) => !owners.find(([name]) => name.test(to))?.[1].includes(roomOf(from)),
  );
  expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

/** Packages that cost more than a small run: behind `await import()`, or types only. */
test("heavy packages are loaded when they are needed", () => {
  const heavy = /^(@apidevtools\/swagger-parser|ts-morph|yaml|handlebars)$/;
  const eager = imports.filter(
    ({ from, to, typeOnly }) => heavy.test(to) && !typeOnly && !isDynamic(from, to),
  );
  // These are themselves loaded on demand: for custom templates, for a configuration, and for
  // declarations that are kept.
  const onDemand = /^src\/(render\/templates\/compile\.ts$|configuration\/|write\/keep\/)/;
  expect(eager.map(({ from }) => from).filter((from) => !onDemand.test(from))).toEqual([]);
});

function isDynamic(from: string, to: string): boolean {
  return new RegExp(`import\\(\\s*"${to}"`).test(texts.get(from) ?? "");
}

test("files of different folders do not import each other in a circle", () => {
  const next = new Map<string, string[]>(files.map((path) => [path, []]));
  for (const { from, to, typeOnly } of imports)
    if (!typeOnly && texts.has(to)) next.get(from)?.push(to);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    const circle = at < 0 ? [] : trail.slice(at);
    if (new Set(circle.map((file) => dirname(file))).size > 1)
      circles.push([...circle, path].join(" → "));
    if (at >= 0 || done.has(path)) return;
    for (const to of next.get(path) ?? []) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const path of files) visit(path, []);
  expect(circles).toEqual([]);
});

test("folders of the runtime form no cycle, even by types", () => {
  const folderOf = (path: string): string => path.split("/").slice(2, 3).join("/");
  const next = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    if (![from, to].every((path) => path.startsWith("src/runtime/"))) continue;
    const [folder, target] = [folderOf(from), folderOf(to)];
    if (folder !== target) next.set(folder, (next.get(folder) ?? new Set()).add(target));
  }
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (folder: string, trail: readonly string[]): void => {
    if (trail.includes(folder)) cycles.push([...trail, folder].join(" → "));
    if (trail.includes(folder) || done.has(folder)) return;
    for (const target of next.get(folder) ?? []) visit(target, [...trail, folder]);
    done.add(folder);
  };
  for (const folder of next.keys()) visit(folder, []);
  expect(cycles).toEqual([]);
});

test("what workers run imports nothing that only Node has", () => {
  const reached = new Set(["src/runtime/index.ts"]);
  for (const path of reached)
    for (const { from, to, typeOnly } of imports)
      if (from === path && !typeOnly && to.startsWith("src/")) reached.add(to);
  const particular = imports.filter(
    ({ from, to, typeOnly }) => reached.has(from) && to.startsWith("node:") && !typeOnly,
  );
  expect(reached).toContain("src/runtime/transport/http/worker.ts");
  expect(particular.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test("files are short", () => {
  const long = files
    .map((path) => [path, (texts.get(path) ?? "").split("\n").length - 1] as const)
    .filter(([, lines]) => lines > 500);
  expect(long).toEqual([]);
});

test("nothing depends on the clock, on chance or on the locale", () => {
  const varying =
    /\.localeCompare\(|\.toLocale[A-Z]\w*\(|\bIntl\.|\bnew Date\b|\bDate\.now\b|\bMath\.random\b|\brandomUUID\b|\brandomBytes\b/;
  const wrong = files.filter(
    (path) => !/^src\/(runtime|mock)\//.test(path) && varying.test(texts.get(path) ?? ""),
  );
  expect(wrong).toEqual([]);
});

test("document text is never evaluated", () => {
  const evaluating = /\beval\(|\bnew Function\b|\bFunction\(|from "node:(vm|child_process)"/;
  // The program itself is started as a script; `mcp-gen try` runs what was generated, as its user
  // would.
  expect(files.filter((path) => evaluating.test(texts.get(path) ?? ""))).toEqual([
    "src/launch.ts",
    "src/try/client.ts",
  ]);
});

test("the version is that of the package", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    version: string;
  };
  expect(texts.get("src/version.ts")).toContain(`"${version}"`);
});
