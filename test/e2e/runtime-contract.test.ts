/**
 * Compatibility of `mcp-gen-runtime` with projects of other versions of the generator, as the caret
 * range of their package.json promises. The recorded versions are the first of the current range.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { packageProject } from "../runtime-contract/projects.mjs";
import { plant, scratch } from "../write/tree.js";

type Files = Readonly<Record<string, string>>;

const recorded = JSON.parse(
  brotliDecompressSync(readFileSync("test/runtime-contract/recorded.json.br")).toString(),
) as { readonly project: Files; readonly runtime: Files };

function planted(files: Files): string {
  const folder = scratch();
  plant(folder, files);
  return folder;
}

/** Runs the contract tests of a project with a runtime: an installed folder, or files. */
function runProject(project: Files, runtime: Files | string): string {
  const folder = planted(project);
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  for (const name of ["@cfworker", "@modelcontextprotocol", "esbuild", "jose", "undici"])
    symlinkSync(resolve("node_modules", name), join(modules, name));
  const installed = typeof runtime === "string" ? resolve(runtime) : planted(runtime);
  if (typeof runtime !== "string") symlinkSync(modules, join(installed, "node_modules"));
  symlinkSync(installed, join(modules, "mcp-gen-runtime"));
  return ["bundle.mjs", "test/run.mjs"]
    .map((script) => {
      const { stdout, stderr } = spawnSync(process.execPath, [script], {
        cwd: folder,
        encoding: "utf8",
      });
      return stdout + stderr;
    })
    .join("");
}

const passed = /^# pass [1-9]\d*\n# fail 0$/m;

test.each([
  ["a project of the recorded generator runs on this runtime", recorded.project, "dist/runtime"],
  ["a project of this generator runs on the recorded runtime", undefined, recorded.runtime],
])("%s", async (_, project, runtime) => {
  expect(runProject(project ?? (await packageProject()), runtime)).toMatch(passed);
});

test("this generator asks for a range of the recorded version", async () => {
  const [now, then] = [await packageProject(), recorded.project].map(
    (files) => (JSON.parse(files["package.json"]!) as Manifest).dependencies["mcp-gen-runtime"]!,
  );
  expect(leftmost(now!)).toBe(leftmost(then!));
});

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The part of a version that a caret range holds, by Semantic Versioning. */
const leftmost = (range: string): string | undefined => /^\^(?:0\.)*[1-9]\d*/.exec(range)?.[0];
