import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mockFile } from "./mock-files.js";
import type { GeneratedFile } from "./types.js";
import { verbatimBundle } from "./verbatim-bundle.js";

/**
 * The code that every generated project shares: the runtime as it is, and the mock as one file.
 * @param root the package's folder
 */
export function verbatimFiles(root: string): readonly GeneratedFile[] {
  if (verbatimBundle === undefined) return readVerbatimFiles(root);
  return JSON.parse(readFileSync(join(root, verbatimBundle), "utf8")) as GeneratedFile[];
}

/** All shared files, from the sources. Reads synchronously, which is faster for many small files. */
export function readVerbatimFiles(root: string): readonly GeneratedFile[] {
  return [...readFolder(join(root, "src/runtime"), "src/runtime"), mockFile(root)];
}

function readFolder(from: string, to: string): readonly GeneratedFile[] {
  return readdirSync(from, { withFileTypes: true }).flatMap((entry) => {
    const path = join(from, entry.name);
    if (entry.isDirectory()) return readFolder(path, `${to}/${entry.name}`);
    if (!entry.name.endsWith(".ts")) return [];
    return [
      { path: `${to}/${entry.name}`, content: readFileSync(path, "utf8").replaceAll("\r\n", "\n") },
    ];
  });
}
