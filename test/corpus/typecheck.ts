import { createHash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { compile } from "../compiler.js";

const strictOptions = {
  target: "ES2022",
  lib: ["ES2023"],
  module: "NodeNext",
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  types: ["node"],
  verbatimModuleSyntax: true,
};

/**
 * Type-checks generated projects under strict options. Three quarters of their sources are
 * runtimes, which have few forms. All forms are checked once, in one run of the compiler, and each
 * project then gets declarations, because a hundred copies need 6 GB and a minute.
 *
 * @param workspace a folder for the compiler's files, with the packages that projects import
 * @param projects folders inside of the workspace, whose `src/runtime` is replaced
 * @returns the output of the compiler; empty without errors
 */
export async function typeErrors(workspace: string, projects: readonly string[]): Promise<string> {
  writeFileSync(path.join(workspace, "package.json"), '{"type":"module"}');
  const runtimeProblems = await compileFolders(
    workspace,
    declarationOptions,
    moveRuntimes(workspace, projects),
  );
  const projectProblems = await compileFolders(
    workspace,
    { noEmit: true },
    projects.map((folder) => `${folder}/src`),
    projects.map((folder) => `${folder}/src/runtime`),
  );
  return runtimeProblems + projectProblems;
}

const declarationOptions = {
  declaration: true,
  emitDeclarationOnly: true,
  rootDir: ".",
  outDir: "declarations",
};

/** Moves each form of a runtime into the workspace, and links projects to its future declarations. */
function moveRuntimes(workspace: string, projects: readonly string[]): readonly string[] {
  const nameByDigest = new Map<string, string>();
  for (const project of projects) {
    const runtime = path.join(project, "src/runtime");
    const digest = digestOf(runtime);
    const known = nameByDigest.get(digest);
    const name = known ?? `runtime${nameByDigest.size}`;
    if (known === undefined) renameSync(runtime, path.join(workspace, name));
    else rmSync(runtime, { recursive: true });
    nameByDigest.set(digest, name);
    symlinkSync(path.join(workspace, declarationOptions.outDir, name), runtime);
  }
  return [...nameByDigest.values()];
}

/** Computes a digest of the TypeScript files in a folder. */
function digestOf(folder: string): string {
  const digest = createHash("sha256");
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .sort())
    digest.update(`${file}\n`).update(readFileSync(path.join(folder, file)));
  return digest.digest("hex");
}

async function compileFolders(
  workspace: string,
  options: object,
  folders: readonly string[],
  exclude: readonly string[] = [],
): Promise<string> {
  const compilerOptions = { ...strictOptions, ...options };
  const include = folders.map((folder) => `${folder}/**/*.ts`);
  writeFileSync(
    path.join(workspace, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include, exclude }),
  );
  return (await compile(workspace)).slice(0, 4000);
}
