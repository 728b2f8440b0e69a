import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./documents.js";

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
 * Type-checks generated projects under strict options in one run of the compiler. All projects have
 * the same runtime, three quarters of their sources. It is checked once, and each project then gets
 * its declarations, because a hundred copies need 6 GB and a minute.
 *
 * @param workspace a folder for the compiler's files, with the packages that projects import
 * @param projects folders inside of the workspace, whose `src/runtime` is replaced
 * @returns the output of the compiler; empty without errors
 */
export function typeErrors(workspace: string, projects: readonly string[]): string {
  writeFileSync(path.join(workspace, "package.json"), '{"type":"module"}');
  const declarationsByDigest = new Map<string, string>();
  const runtimeProblems = projects.map((project) => {
    const runtime = path.join(project, "src/runtime");
    const digest = digestOf(runtime);
    const isNew = !declarationsByDigest.has(digest);
    const declarations = path.join(workspace, `runtime${declarationsByDigest.size}`);
    const problems = isNew
      ? compile(
          workspace,
          {
            ...strictOptions,
            declaration: true,
            emitDeclarationOnly: true,
            rootDir: runtime,
            outDir: declarations,
          },
          [`${runtime}/**/*.ts`],
        )
      : "";
    if (isNew) declarationsByDigest.set(digest, declarations);
    rmSync(runtime, { recursive: true });
    symlinkSync(declarationsByDigest.get(digest)!, runtime);
    return problems;
  });
  return [
    ...runtimeProblems,
    compile(
      workspace,
      { ...strictOptions, noEmit: true },
      projects.map((folder) => `${folder}/src/**/*.ts`),
      projects.map((folder) => `${folder}/src/runtime`),
    ),
  ].join("");
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

function compile(
  workspace: string,
  compilerOptions: object,
  include: readonly string[],
  exclude: readonly string[] = [],
): string {
  const config = path.join(workspace, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions, include, exclude }));
  try {
    execFileSync(path.join(root, "node_modules/.bin/tsc"), ["-p", config], {
      encoding: "utf8",
      maxBuffer: 1 << 26,
    });
    return "";
  } catch (error) {
    return String((error as { stdout?: string }).stdout).slice(0, 4000);
  }
}
