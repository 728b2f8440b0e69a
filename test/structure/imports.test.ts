import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { cyclesOf } from "./cycles.js";

/** One `import`, `export … from` or `import()` of a source file. */
interface Import {
  readonly from: string;
  /** Path relative to the root for files of this repository, otherwise a package or `node:` name. */
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
  const fixed = [
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
  return [...fixed, ...dynamic];
}

function target(from: string, to: string): string {
  return to.startsWith(".")
    ? relative(root, resolve(root, dirname(from), to))
        .replaceAll("\\", "/")
        .replace(/\.js$/, ".ts")
    : to;
}

/** Returns the module of a file: its folder below `src`, or its own name if it is directly in `src`. */
function moduleOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/**
 * Permitted imports of each module, besides its own files: modules, or single files of a module.
 * `types` permits type-only imports.
 */
const rules: Readonly<
  Record<string, { readonly values: readonly string[]; readonly types?: readonly string[] }>
> = {
  "groups.ts": { values: [] },
  "json.ts": { values: [] },
  "json-pointer.ts": { values: ["memoize.ts"] },
  "json-schema.ts": { values: ["json.ts"] },
  "version.ts": { values: [] },
  "file-name.ts": { values: [] },
  "reserved-words.ts": { values: [] },
  "key-fields.ts": { values: [] },
  "memoize.ts": { values: [] },
  language: {
    values: [
      "memoize.ts",
      "runtime/language/inflection.ts",
      "runtime/language/verbs.ts",
      "runtime/language/state-words.ts",
    ],
  },
  "package-lock.ts": { values: ["json.ts"] },
  "source-parts.ts": { values: ["runtime/data/fnv.ts"] },
  runtime: { values: [] },
  mock: { values: [] },
  diagnostics: { values: ["groups.ts", "json.ts", "json-pointer.ts", "runtime/data/values.ts"] },
  overlay: {
    values: ["json.ts", "json-pointer.ts", "diagnostics", "runtime/workflow/json-path-query.ts"],
    types: ["load"],
  },
  configuration: { values: ["json.ts", "json-pointer.ts", "diagnostics", "load"] },
  load: {
    values: ["json.ts", "json-pointer.ts", "diagnostics", "overlay", "runtime/data/urls.ts"],
  },
  model: {
    values: [
      "json.ts",
      "json-pointer.ts",
      "json-schema.ts",
      "diagnostics",
      "runtime/schema/bounded-regexp.ts",
      "runtime/schema/scalar-keywords.ts",
      "runtime/data/fnv.ts",
      "runtime/data/urls.ts",
    ],
    types: ["load"],
  },
  workflow: {
    values: [
      "json.ts",
      "json-pointer.ts",
      "diagnostics",
      "runtime/workflow/json-path-query.ts",
      "runtime/workflow/steps.ts",
    ],
    types: ["load", "model", "plan", "runtime"],
  },
  "workflow-sources": {
    values: [
      "json.ts",
      "json-pointer.ts",
      "diagnostics",
      "load",
      "model",
      "workflow",
      "plan",
      "runtime/data/urls.ts",
    ],
  },
  plan: {
    values: [
      "groups.ts",
      "json.ts",
      "json-pointer.ts",
      "json-schema.ts",
      "file-name.ts",
      "reserved-words.ts",
      "key-fields.ts",
      "memoize.ts",
      "language",
      "diagnostics",
      "configuration",
      "model/security-scheme-kinds.ts",
      "workflow",
      "runtime/approvals/asked-inputs.ts",
      "runtime/approvals/policy.ts",
      "runtime/auth/requirements.ts",
      "runtime/security-schemes.ts",
      "runtime/data/tokens.ts",
      "runtime/tools/describe-apis.ts",
      "runtime/discovery/frequent-reads.ts",
      "runtime/tools/describe-toolsets.ts",
      "runtime/errors/other-tools.ts",
      "runtime/request/bind-request.ts",
      "runtime/request/origins.ts",
      "runtime/request/parameter-source.ts",
      "runtime/schema/id-name.ts",
      "runtime/tools/bind-tools.ts",
      "runtime/tools/full-description.ts",
      "runtime/tools/shown-definition.ts",
      "runtime/data/fnv.ts",
      "runtime/data/urls.ts",
      "runtime/tools/validate-input.ts",
    ],
    types: ["load", "model", "runtime"],
  },
  render: {
    values: [
      "groups.ts",
      "json.ts",
      "json-pointer.ts",
      "json-schema.ts",
      "file-name.ts",
      "reserved-words.ts",
      "key-fields.ts",
      "memoize.ts",
      "package-lock.ts",
      "source-parts.ts",
      "version.ts",
      "diagnostics",
      "plan/budget/always-shown.ts",
      "plan/budget/input-tokens.ts",
      "plan/budget/frequent-reads.ts",
      "plan/consumed-fields.ts",
      "plan/hidden-tools.ts",
      "workflow",
      "runtime/data/urls.ts",
      "runtime/data/tokens.ts",
      "runtime/discovery/names.ts",
      "runtime/security-schemes.ts",
      "runtime/tools/full-description.ts",
      "runtime/tools/shown-definition.ts",
    ],
    types: ["model", "plan", "runtime", "configuration"],
  },
  write: {
    values: [
      "groups.ts",
      "json.ts",
      "json-pointer.ts",
      "file-name.ts",
      "package-lock.ts",
      "source-parts.ts",
      "diagnostics",
      "version.ts",
    ],
    types: ["render"],
  },
  "project-code": {
    values: [
      "json.ts",
      "diagnostics",
      "load",
      "plan/project-code.ts",
      "write/keep/tool-statement.ts",
    ],
    types: ["plan"],
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
      "project-code",
      "render",
      "write",
    ],
  },
  "only-api.ts": { values: ["diagnostics", "render", "write"], types: ["plan"] },
  "member-diagnostics.ts": { values: [], types: ["diagnostics"] },
  "generate-apis.ts": {
    values: [
      "json.ts",
      "diagnostics",
      "generate.ts",
      "only-api.ts",
      "member-diagnostics.ts",
      "workflow-sources",
      "plan",
      "project-code",
      "render",
      "write",
    ],
    types: ["configuration"],
  },
  diff: {
    values: [
      "json.ts",
      "json-pointer.ts",
      "diagnostics",
      "runtime/data/urls.ts",
      "runtime/security-schemes.ts",
      "runtime/tools/shown-definition.ts",
    ],
  },
  "index.ts": {
    values: ["configuration", "diff", "generate.ts", "generate-apis.ts"],
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
      "generate-apis.ts",
      "version.ts",
      "diff",
      "render",
      "write",
      "try",
      "eval",
      "plan/bound-parameters.ts",
      "plan/budget/always-shown.ts",
      "plan/hidden-tools.ts",
      "plan/security/origins.ts",
      "plan/secret-names.ts",
      "runtime/request/origins.ts",
      "runtime/data/urls.ts",
    ],
    types: ["plan"],
  },
  eval: {
    values: [
      "json.ts",
      "diagnostics",
      "load",
      "configuration",
      "mock",
      "try",
      "plan/budget/always-shown.ts",
      "plan/hidden-tools.ts",
      "plan/producers/resources.ts",
      "plan/secret-names.ts",
      "render/code/safe.ts",
      "render/report/assets.ts",
      "render/report/elements.ts",
      "runtime/discovery/names.ts",
      "runtime/tools/shown-definition.ts",
      "runtime/tools/step-references.ts",
      "runtime/tools/validate-input.ts",
    ],
    types: ["plan", "render"],
  },
  try: { values: ["json.ts", "json-pointer.ts", "mock", "render"], types: ["plan"] },
  "cli.ts": { values: ["cli"] },
  "launch.ts": { values: ["cli"] },
};

test("every module has a rule", () => {
  expect([...new Set(files.map(moduleOf))].filter((module) => !(module in rules))).toEqual([]);
});

test("modules import only permitted modules", () => {
  const violations = imports.filter(({ from, to, typeOnly }) => {
    const [module, other] = [moduleOf(from), moduleOf(to)];
    if (!to.startsWith("src/") || module === other) return false;
    const rule = rules[module];
    return (
      !rule?.values.includes(other) &&
      !rule?.values.includes(to.slice("src/".length)) &&
      !(typeOnly && rule?.types?.includes(other))
    );
  });
  expect(violations.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test("relative imports resolve to files", () => {
  const missing = imports.filter(({ to }) => to.startsWith("src/") && !texts.has(to));
  expect(missing.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

/** Packages and system modules, with the modules that may import them. */
const permittedImporters: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^@apidevtools\/swagger-parser/, ["load"]],
  [/^(js-yaml|yaml)$/, ["load", "configuration", "overlay", "workflow", "eval", "cli"]],
  [/^json-p3$/, ["overlay", "workflow", "runtime"]],
  [/^handlebars/, ["render"]],
  [/^ts-morph$/, ["write", "project-code"]],
  [/^sucrase$/, ["try"]],
  [/^(commander|@clack\/prompts)$/, ["cli"]],
  [/^@modelcontextprotocol\/(server|node)(\/|$)/, ["runtime"]],
  [/^undici(\/|$)/, ["runtime"]],
  [/^@modelcontextprotocol\/client(\/|$)/, ["mock"]],
  [/^jose(\/|$)/, ["runtime"]],
  [/^oauth4webapi$/, ["runtime"]],
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
      "project-code",
      "generate.ts",
      "launch.ts",
      "runtime",
      "mock",
    ],
  ],
  [/^node:vm$/, ["launch.ts", "mock"]],
  [/^node:worker_threads$/, ["write"]],
  [/^node:(child_process|readline)$/, ["try"]],
  // The page of `serve --ui` is served by `try`.
  [/^node:(http|https|net|dns|dns\/promises|tls)$/, ["load", "runtime", "mock", "try"]],
  [/^node:stream$/, ["try", "runtime", "mock", "load"]],
  [/^node:timers\/promises$/, ["cli", "eval", "runtime", "mock", "load"]],
  [/^node:/, ["runtime", "mock", "load"]],
];

test("packages and system modules are imported by permitted modules only", () => {
  const external = imports.filter(({ to }) => !to.startsWith("src/") && !to.endsWith(".json"));
  const violations = external.filter(
    ({ from, to }) =>
      !permittedImporters.find(([name]) => name.test(to))?.[1].includes(moduleOf(from)),
  );
  expect(violations.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

/** Packages that are slow to load need `await import()` or a type-only import. */
test("heavy packages are loaded on demand", () => {
  const heavy = /^(@apidevtools\/swagger-parser|ts-morph|yaml|handlebars)$/;
  const eager = imports.filter(
    ({ from, to, typeOnly }) => heavy.test(to) && !typeOnly && !isDynamic(from, to),
  );
  // These files are loaded on demand themselves: for custom templates, configurations,
  // declarations with @keep and custom tools.
  const onDemand =
    /^src\/(render\/templates\/compile\.ts$|configuration\/|write\/keep\/|project-code\/|eval\/draft\.ts$)/;
  expect(eager.map(({ from }) => from).filter((from) => !onDemand.test(from))).toEqual([]);
});

function isDynamic(from: string, to: string): boolean {
  return new RegExp(`import\\(\\s*"${to}"`).test(texts.get(from) ?? "");
}

test("cycles of several names are found whole", () => {
  const edges = ["a b", "b c", "c a", "c d", "d e", "e d", "x a"].map(
    (edge) => edge.split(" ") as [string, string],
  );
  expect(cyclesOf(edges)).toEqual([
    ["d", "e"],
    ["a", "b", "c"],
  ]);
});

test("files form no import cycle, including types", () => {
  const edges = imports
    .filter(({ to }) => texts.has(to))
    .map(({ from, to }) => [from, to] as const);
  expect(cyclesOf(edges)).toEqual([]);
});

/** A folder directly below a module, or a file directly in it: `src/plan/names`, `src/plan/tool.ts`. */
const folderOf = (path: string): string => path.split("/").slice(0, 3).join("/");

test("folders of a module form no import cycle, including types and the files beside them", () => {
  const edges = imports
    .filter(({ from, to }) => texts.has(to) && moduleOf(from) === moduleOf(to))
    .map(({ from, to }) => [folderOf(from), folderOf(to)] as const)
    .filter(([from, to]) => from !== to);
  expect(cyclesOf(edges)).toEqual([]);
});

test("the code of workers imports no Node modules", () => {
  const reached = new Set(["src/runtime/index.ts"]);
  for (const path of reached)
    for (const { from, to, typeOnly } of imports)
      if (from === path && !typeOnly && to.startsWith("src/")) reached.add(to);
  const nodeImports = imports.filter(
    ({ from, to, typeOnly }) => reached.has(from) && to.startsWith("node:") && !typeOnly,
  );
  expect(reached).toContain("src/runtime/transport/http/fetch-handler.ts");
  expect(nodeImports.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test("the generator does not depend on the clock, random values or the locale", () => {
  const nondeterministic =
    /\.localeCompare\(|\.toLocale[A-Z]\w*\(|\bIntl\.|\bnew Date\b|\bDate\.now\b|\bMath\.random\b|\brandomUUID\b|\brandomBytes\b/;
  const violations = files.filter(
    // The page of `serve --ui` has a token.
    (path) =>
      !/^src\/(runtime\/|mock\/|try\/ui\/index\.ts$)/.test(path) &&
      nondeterministic.test(texts.get(path) ?? ""),
  );
  expect(violations).toEqual([]);
});

test("document text is never evaluated", () => {
  const evaluating = /\beval\(|\bnew Function\b|\bFunction\(|from "node:(vm|child_process)"/;
  // The launcher runs the program as a script, and the mock a constant one with a limit of time.
  // `mcp-gen try` and `serve` start the generated server.
  expect(files.filter((path) => evaluating.test(texts.get(path) ?? ""))).toEqual([
    "src/launch.ts",
    "src/mock/time-limit.ts",
    "src/try/client.ts",
    "src/try/project.ts",
    "src/try/run-again.ts",
    "src/try/tap-server.ts",
  ]);
});

test("src/version.ts has the version of package.json", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    version: string;
  };
  expect(texts.get("src/version.ts")).toContain(`"${version}"`);
});
