/**
 * Files of the runtime and of the mock with what the names of each declaration refer to. The build
 * prepares and stores them, because a process reads them faster than the sources.
 */
import { posix } from "node:path";
import { memoize } from "../memoize.js";
import { fingerprintsBelow } from "../source-parts.js";
import { type ImportedName, importOrder } from "./import-list.js";
import {
  readModule,
  type SourceDeclaration,
  type SourceModule,
  withStandIn,
} from "./source-declarations.js";
import type { GeneratedFile } from "./types.js";

/** A name that a file imports, or exports again. */
export interface ScopeImport extends ImportedName {
  /** Path of the file that the specifier names, if that is a file of the runtime. */
  readonly path?: string;
}

/** A declaration or another statement, with positions of what it refers to. */
export interface ScopeDeclaration {
  /** Start and end of its text in the body of the file. */
  readonly range: readonly [start: number, end: number];
  /** True for a statement without a name, which runs when the file is loaded. */
  readonly isStatement?: true;
  readonly isExported?: true;
  /** Declarations of the same file that it uses. */
  readonly own: readonly number[];
  /** Imports of the file that it uses. */
  readonly imports: readonly number[];
  /** Paths of the files that it imports when it runs, or whose types it queries. */
  readonly loads?: readonly string[];
}

/** The scope of a file. */
export interface RuntimeScope {
  /** The comment about the file. */
  readonly comment: string;
  /** In the order of their statements in a formatted file. */
  readonly imports: readonly ScopeImport[];
  readonly declarations: readonly ScopeDeclaration[];
  /** Positions of the declarations by name. */
  readonly declared: Readonly<Record<string, readonly number[]>>;
  /** Of a stand-in: its own comment, and the number of its declarations, which come first. */
  readonly standIn?: { readonly comment: string; readonly declarations: number };
}

/** A file of the runtime. */
export interface RuntimeFile {
  /** Path below `src/runtime`. A stand-in has that of the file whose declarations it replaces. */
  readonly path: string;
  readonly scope: () => RuntimeScope;
  /** The texts of its declarations. */
  readonly body: () => string;
  /** Fingerprints of the parts of its body below a comment. */
  readonly fingerprints: () => string;
}

/** The runtime's files by their path. */
export interface RuntimeFiles {
  readonly files: ReadonlyMap<string, RuntimeFile>;
  /** The files with the declarations of their stand-ins. */
  readonly standIns: ReadonlyMap<string, RuntimeFile>;
}

const STAND_IN = /\.absent\.ts$/;

/**
 * Reads the runtime from its sources.
 * @param sources paths below `src/runtime`, or `src/mock`, and texts
 */
export function readRuntimeFiles(sources: readonly GeneratedFile[]): RuntimeFiles {
  const modules = new Map(sources.map(({ path, content }) => [path, readModule(content)]));
  const files = [...modules].filter(([path]) => !STAND_IN.test(path));
  const standIns = [...modules]
    .filter(([path]) => STAND_IN.test(path))
    .map(([from, standIn]) => {
      const path = from.replace(STAND_IN, ".ts");
      const own = `./${posix.basename(path, ".ts")}.js`;
      return [path, withStandIn(modules.get(path)!, standIn, own)] as const;
    });
  return { files: filesOf(files), standIns: filesOf(standIns) };
}

const filesOf = (
  modules: readonly (readonly [path: string, module: SourceModule])[],
): ReadonlyMap<string, RuntimeFile> =>
  new Map(modules.map(([path, module]) => [path, fileOf(path, module)]));

function fileOf(path: string, module: SourceModule): RuntimeFile {
  const body = module.declarations.map(({ text }) => text).join("");
  const scope = scopeOf(path, module);
  const fingerprints = (): string => fingerprintsBelow(body.trim());
  return { path, scope: () => scope, body: () => body, fingerprints };
}

function scopeOf(
  path: string,
  { comment, imports: names, declarations, standIn }: SourceModule,
): RuntimeScope {
  const imports = names
    .map((one): ScopeImport =>
      one.from.startsWith(".") ? { ...one, path: targetOf(path, one.from) } : one,
    )
    .sort((a, b) => compareText(importOrder(a), importOrder(b)));
  const declared: Record<string, number[]> = Object.create(null);
  for (const [i, { names }] of declarations.entries())
    for (const name of names) (declared[name] ??= []).push(i);
  let end = 0;
  return {
    ...{ comment, imports, declared },
    declarations: declarations.map((one) => {
      const range = [end, (end += one.text.length)] as const;
      return { range, ...references(path, one, { imports, declared }) };
    }),
    ...(standIn && {
      standIn: { comment: standIn.comment, declarations: standIn.declarations.length },
    }),
  };
}

/** What the names that a declaration uses refer to. */
function references(
  path: string,
  { names, uses, loads, text }: SourceDeclaration,
  { imports, declared }: Pick<RuntimeScope, "imports" | "declared">,
): Omit<ScopeDeclaration, "range"> {
  const used = new Set(uses);
  const isUsed = ({ keyword, local }: ScopeImport): boolean =>
    keyword === "import" && used.has(local);
  return {
    own: uses.flatMap((name) => declared[name] ?? []),
    imports: imports.flatMap((one, i) => (isUsed(one) ? [i] : [])),
    ...(names.length === 0 && { isStatement: true }),
    ...(/^export /m.test(text) && { isExported: true }),
    ...(loads && { loads: loads.map((from) => targetOf(path, from)) }),
  };
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Path of the file that an import names. */
export function targetOf(from: string, specifier: string): string {
  return targetIn(`${posix.dirname(from)}/${specifier}`);
}

const targetIn = memoize((path) => `${posix.normalize(path).slice(0, -".js".length)}.ts`);
