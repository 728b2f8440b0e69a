import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { GeneratedFile } from "../../src/index.js";

/**
 * What TypeScript says of generated projects with workflows, put into `folder` as `p0`, `p1`, …;
 * empty when all is well. They share this repository's runtime, which is read once for all of them.
 */
export function typeFaults(
  folder: string,
  projects: readonly (readonly GeneratedFile[])[],
): string {
  projects.forEach((files, i) => project(join(folder, `p${i}`), files));
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
  return spawnSync(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", folder], {
    encoding: "utf8",
  }).stdout;
}

/** The files of a project that are its own. */
function project(folder: string, all: readonly GeneratedFile[]): void {
  mkdirSync(join(folder, "src"), { recursive: true });
  for (const { path, content } of all) {
    if (!/^src\/(?:workflows|tools|apis|schemas\.ts|api\.ts)/.test(path)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(
      join(folder, path),
      content.replace(/"(?:\.\.?\/)+runtime\//g, `"${resolve("src/runtime")}/`),
    );
  }
}
