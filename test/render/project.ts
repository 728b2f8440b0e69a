import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { GeneratedFile } from "../../src/render/index.js";
import { compile } from "../compiler.js";

const modules = resolve(import.meta.dirname, "../../node_modules");

/**
 * Writes a project to a new temporary folder, with our dependencies as its own. The caller removes
 * it.
 */
export function writeProject(files: readonly GeneratedFile[]): string {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-render-"));
  for (const { path, content } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  symlinkSync(modules, join(folder, "node_modules"));
  return folder;
}

/** The first lines that the compiler prints about a project: none when it is well typed. */
export async function typeErrors(folder: string): Promise<readonly string[]> {
  const output = await compile(folder, "--noEmit");
  return output
    .split("\n")
    .filter((line) => line !== "")
    .slice(0, 10);
}
