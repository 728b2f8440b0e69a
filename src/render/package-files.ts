/** Files of this package: those that every generated project copies, and the runtime that it imports. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { version } from "../version.js";
import { verbatimBundle } from "./prebuilt.js";
import {
  readRuntimeFiles,
  type RuntimeFile,
  type RuntimeFiles,
  type RuntimeScope,
} from "./runtime-scopes.js";
import type { GeneratedFile } from "./types.js";

/** The code that every generated project shares. */
export interface SharedFiles {
  readonly runtime: RuntimeFiles;
  readonly mock: RuntimeFiles;
}

/** The shared files by the package's folder. A process reads them once. */
const filesByRoot = new Map<string, SharedFiles>();

/**
 * The code that every generated project shares.
 * @param root the package's folder
 */
export function verbatimFiles(root: string): SharedFiles {
  const files =
    filesByRoot.get(root) ??
    (verbatimBundle === undefined
      ? readSharedFiles(root)
      : readVerbatimBundle(readFileSync(join(root, verbatimBundle))));
  filesByRoot.set(root, files);
  return files;
}

/** The shared files, from the sources. */
export function readSharedFiles(root: string): SharedFiles {
  const read = (name: keyof SharedFiles): RuntimeFiles => readRuntimeFiles(readSources(root, name));
  return { runtime: read("runtime"), mock: read("mock") };
}

/** Sizes in bytes of a stored file: of its scope, as JSON, of its body, and of the fingerprints. */
type StoredFile = readonly [path: string, scope: number, body: number, fingerprints: number];

type StoredFiles = Readonly<Record<keyof RuntimeFiles, readonly StoredFile[]>>;

/** The first line of the bundle. The texts follow, in the same order. */
type BundleEntries = Readonly<Record<keyof SharedFiles, StoredFiles>>;

/** The shared files as one text. */
export function writeVerbatimBundle({ runtime, mock }: SharedFiles): string {
  const texts: string[] = [];
  const sizeOf = (text: string): number => {
    texts.push(text);
    return Buffer.byteLength(text);
  };
  const stored = (files: ReadonlyMap<string, RuntimeFile>): readonly StoredFile[] =>
    [...files.values()].map(({ path, scope, body, fingerprints }) => [
      path,
      sizeOf(JSON.stringify(scope())),
      sizeOf(body()),
      sizeOf(fingerprints()),
    ]);
  const both = ({ files, standIns }: RuntimeFiles): StoredFiles => ({
    files: stored(files),
    standIns: stored(standIns),
  });
  const entries: BundleEntries = { runtime: both(runtime), mock: both(mock) };
  return `${JSON.stringify(entries)}\n${texts.join("")}`;
}

/** Reads what `writeVerbatimBundle` returned. Texts are decoded when they are asked for. */
function readVerbatimBundle(bytes: Buffer): SharedFiles {
  let end = bytes.indexOf("\n");
  const { runtime, mock } = JSON.parse(bytes.toString("utf8", 0, end++)) as BundleEntries;
  const textOfSize = (size: number): (() => string) => {
    const [start, next] = [end, (end += size)];
    return () => bytes.toString("utf8", start, next);
  };
  const restored = (entries: readonly StoredFile[]): ReadonlyMap<string, RuntimeFile> =>
    new Map(
      entries.map(([path, scopeSize, ...sizes]) => {
        const scope = textOfSize(scopeSize);
        const [body, fingerprints] = sizes.map(textOfSize) as [() => string, () => string];
        let known: RuntimeScope | undefined;
        const read = (): RuntimeScope => (known ??= JSON.parse(scope()) as RuntimeScope);
        return [path, { path, scope: read, body, fingerprints }];
      }),
    );
  const both = ({ files, standIns }: StoredFiles): RuntimeFiles => ({
    files: restored(files),
    standIns: restored(standIns),
  });
  return { runtime: both(runtime), mock: both(mock) };
}

/** The sources that projects copy. Reads synchronously, which is faster for many small files. */
export function readSources(root: string, name: keyof SharedFiles): readonly GeneratedFile[] {
  return readFolder(join(root, "src", name), "");
}

function readFolder(from: string, to: string): readonly GeneratedFile[] {
  return readdirSync(from, { withFileTypes: true }).flatMap((entry) => {
    const path = join(from, entry.name);
    if (entry.isDirectory()) return readFolder(path, `${to}${entry.name}/`);
    if (!entry.name.endsWith(".ts")) return [];
    return [
      { path: `${to}${entry.name}`, content: readFileSync(path, "utf8").replaceAll("\r\n", "\n") },
    ];
  });
}

/** Modules of the runtime that generated files import, and the matching exports of its package. */
const entryPoints: Readonly<Record<string, string>> = {
  "index.ts": "mcp-gen-runtime",
  "serve.ts": "mcp-gen-runtime/serve",
  "bundle.ts": "mcp-gen-runtime/bundle",
  "dev/index.ts": "mcp-gen-runtime/dev",
  "server/sdk-shims.ts": "mcp-gen-runtime/sdk-shims",
  "auth/sign-in/index.ts": "mcp-gen-runtime/sign-in",
  "node.ts": "mcp-gen-runtime/node",
  "workflow/index.ts": "mcp-gen-runtime/workflow",
  "workflow/json-path.ts": "mcp-gen-runtime/json-path",
};

/** Versions of the package of the runtime that projects of this generator run on. */
export const runtimeVersion = `^${version}`;

/**
 * The runtime and the mock of a project that imports them from the package mcp-gen-runtime: a
 * re-export for each module that generated files import. Code in `src/custom`, kept declarations
 * and custom templates import the same paths as with copied files.
 * @param isImported tells whether files of the project import a module of a path below
 * `src/runtime`
 */
export function runtimePackageFiles(
  isImported: (path: string) => boolean,
): readonly GeneratedFile[] {
  const modules = Object.entries(entryPoints).filter(([path]) => isImported(path));
  return [
    ...modules.map(([path, specifier]) => reexport(`src/runtime/${path}`, specifier)),
    reexport("test/mock.ts", "mcp-gen-runtime/mock", "mcp-gen-runtime/mock/contract"),
  ];
}

function reexport(path: string, ...specifiers: readonly string[]): GeneratedFile {
  const exports = specifiers.map((specifier) => `export * from "${specifier}";\n`);
  const header =
    "// Generated by mcp-gen. This code is in the package mcp-gen-runtime; package.json has its version.\n";
  return { path, content: header + exports.join("") };
}

/**
 * Returns the folder of this package, which contains `templates/` and the copied sources. It is
 * several folders above this file in the sources, and one above the built program.
 * @throws when the package is incomplete
 */
export function packageRoot(): string {
  for (
    let folder = dirname(fileURLToPath(import.meta.url)), above = "";
    folder !== above;
    above = folder, folder = dirname(folder)
  ) {
    if (existsSync(join(folder, "templates", "package.json.hbs"))) return folder;
  }
  throw new Error("The templates of mcp-gen are missing. Reinstall mcp-gen.");
}
