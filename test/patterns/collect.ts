/**
 * All regular expressions of the sources and of generated files: literals from the syntax tree, and
 * composed ones from modules that are loaded with every `RegExp(…)` call recorded.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { ts } from "ts-morph";

const root = resolve(import.meta.dirname, "../..");

/** A regular expression, and the files in which it is written or composed. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly files: ReadonlySet<string>;
}

/** A call of `RegExp` in the sources. */
export interface Construction {
  readonly file: string;
  readonly text: string;
  /** True if loading the modules called it, so that its patterns were recorded. */
  isRecorded: boolean;
}

interface Patterns {
  readonly patterns: readonly Pattern[];
  readonly constructions: readonly Construction[];
}

/** Start the program when they are loaded. They have no `RegExp` calls. */
const PROGRAMS = new Set(["src/cli.ts", "src/launch.ts"]);

/** Collects the patterns of `src` and of generated files that are not copies of it. */
export async function collectPatterns(): Promise<Patterns> {
  const patterns = new Map<string, Pattern & { readonly files: Set<string> }>();
  const add = (source: string, flags: string, file: string): void => {
    const key = `/${source}/${flags}`;
    const pattern = patterns.get(key) ?? { source, flags, files: new Set<string>() };
    patterns.set(key, pattern);
    pattern.files.add(file);
  };
  const sources = filesBelow("src", /\.ts$/);
  const literals = [...sources, ...generatedFiles()];
  for (const file of literals)
    for (const { source, flags } of literalsOf(file)) add(source, flags, file);
  const constructions = sources.flatMap((file) => callsOf(file).map((call) => call.construction));
  await recordConstructions(
    sources.filter((file) => !PROGRAMS.has(file)),
    (file, text, { source, flags }) => {
      for (const site of constructions)
        if (site.file === file && site.text === text) site.isRecorded = true;
      add(source, flags, file);
    },
  );
  return { patterns: [...patterns.values()], constructions };
}

function filesBelow(folder: string, name: RegExp): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => name.test(path))
    .sort();
}

/** Files of sample projects without their runtime, which is made of the files of `src/runtime`. */
function generatedFiles(): readonly string[] {
  return filesBelow("samples", /\/server\/.*\.(?:m?[jt]s|cjs)$/).filter(
    (path) => !path.includes("/server/src/runtime/"),
  );
}

function parse(file: string): ts.SourceFile {
  const text = readFileSync(join(root, file), "utf8");
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

function literalsOf(file: string): readonly RegExp[] {
  const found: RegExp[] = [];
  visit(parse(file), (node) => {
    if (!ts.isRegularExpressionLiteral(node)) return;
    const end = node.text.lastIndexOf("/");
    found.push(new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
  });
  return found;
}

function visit(node: ts.Node, each: (node: ts.Node) => void): void {
  each(node);
  node.forEachChild((child) => visit(child, each));
}

interface Call {
  readonly construction: Construction;
  readonly start: number;
  readonly end: number;
}

/** Calls of `RegExp`, with the position of the name and its `new`. */
function callsOf(file: string): readonly Call[] {
  const source = parse(file);
  const calls: Call[] = [];
  visit(source, (node) => {
    if (!(ts.isNewExpression(node) || ts.isCallExpression(node))) return;
    if (node.expression.getText(source) !== "RegExp") return;
    const text = node.getText(source).replace(/\s+/g, " ");
    calls.push({
      construction: { file, text, isRecorded: false },
      start: node.getStart(source),
      end: node.expression.getEnd(),
    });
  });
  return calls;
}

type Report = (file: string, text: string, pattern: RegExp) => void;

/** Loads modules in which each call of `RegExp` reports its result. */
async function recordConstructions(files: readonly string[], report: Report): Promise<void> {
  const imports = files.map((file) => `import ${JSON.stringify(`./${file}`)};`).join("\n");
  const { outputFiles } = await build({
    stdin: { contents: imports, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    write: false,
    plugins: [instrument],
  });
  const folder = join(root, "node_modules/.cache");
  mkdirSync(folder, { recursive: true });
  const module = join(folder, `patterns-${process.pid}.mjs`);
  writeFileSync(module, outputFiles?.[0]?.text ?? "");
  Object.assign(globalThis, { reportPattern: report });
  try {
    await import(/* @vite-ignore */ pathToFileURL(module).href);
  } finally {
    rmSync(module);
    Reflect.deleteProperty(globalThis, "reportPattern");
  }
}

/** Replaces `new RegExp(` by a call that also reports the pattern. */
const instrument: Plugin = {
  name: "instrument",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const file = path.slice(root.length + 1).replaceAll("\\", "/");
      let contents = readFileSync(path, "utf8");
      for (const { construction, start, end } of callsOf(file).toReversed())
        contents = `${contents.slice(0, start)}${reporting(construction)}${contents.slice(end)}`;
      return { contents, loader: "ts" };
    });
  },
};

function reporting({ file, text }: Construction): string {
  const site = `${JSON.stringify(file)}, ${JSON.stringify(text)}`;
  return `((source, flags) => { const pattern = new RegExp(source, flags); globalThis.reportPattern?.(${site}, pattern); return pattern; })`;
}
