import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { GeneratedFile } from "../../src/index.js";
import { compile } from "../compiler.js";

/**
 * Type-checks generated projects with workflows, which are written to `folder` as `p0`, `p1`, …
 * They share this repository's runtime.
 * @returns the compiler's output; empty without errors
 */
export async function typeErrors(
  folder: string,
  projects: readonly (readonly GeneratedFile[])[],
): Promise<string> {
  projects.forEach((files, i) => writeProject(join(folder, `p${i}`), files));
  mkdirSync(folder, { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "junction");
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2023"],
    module: "NodeNext",
    moduleResolution: "NodeNext",
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions,
      include: ["*/src/workflows", "*/src/tools", "*/src/apis", "index.ts"],
    }),
  );
  writeFileSync(join(folder, "index.ts"), "export {};\n");
  return compile(folder);
}

/** Writes the files of a project that are specific to it. */
function writeProject(folder: string, all: readonly GeneratedFile[]): void {
  mkdirSync(join(folder, "src"), { recursive: true });
  for (const { path, content } of all) {
    if (!/^src\/(?:workflows|tools|apis|schemas|api\.ts)/.test(path)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(
      join(folder, path),
      content.replace(/"(?:\.\.?\/)+runtime\//g, `"${resolve("src/runtime")}/`),
    );
  }
}
