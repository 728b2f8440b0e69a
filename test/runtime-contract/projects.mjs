// Projects that import their runtime, and the package that they import.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { generate } from "../../dist/index.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const runtime = join(root, "dist/runtime");

/** Files of a project of today's generator, by path. */
export async function packageProject() {
  const document = fileURLToPath(new URL("openapi.yaml", import.meta.url));
  const { files } = await generate(document, undefined, { runtime: "package" });
  const isCode = /^(?:src|test)\/|^(?:bundle\.mjs|package\.json|tsconfig\.json)$/;
  return Object.fromEntries(
    files.filter(({ path }) => isCode.test(path)).map(({ path, content }) => [path, content]),
  );
}

/** Today's package mcp-gen-runtime as few small files, by path: what a project can import. */
export async function smallRuntime() {
  const manifest = readFileSync(join(runtime, "package.json"), "utf8");
  const entries = Object.values(JSON.parse(manifest).exports).flatMap(
    (entry) => entry.default ?? [],
  );
  const { outputFiles } = await build({
    absWorkingDir: runtime,
    entryPoints: entries,
    outdir: ".",
    outbase: ".",
    ...{ bundle: true, splitting: true, minify: true, write: false },
    ...{ format: "esm", platform: "node", packages: "external", target: "es2022" },
  });
  const modules = outputFiles.map(({ path, text }) => [path.slice(runtime.length + 1), text]);
  return { "package.json": manifest, ...Object.fromEntries(modules) };
}
