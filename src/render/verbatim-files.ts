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
  const bytes = readFileSync(join(root, verbatimBundle));
  let end = bytes.indexOf("\n");
  const entries = JSON.parse(bytes.toString("utf8", 0, end++)) as readonly BundleEntry[];
  return entries.map(({ size, ...file }) => ({
    ...file,
    content: bytes.toString("utf8", end, (end += size)),
  }));
}

/** A file of the bundle, without its content, and the size of that in bytes. */
type BundleEntry = Omit<GeneratedFile, "content"> & { readonly size: number };

/** The files as one text: a line of JSON with their entries, then their contents. */
export function writeVerbatimBundle(files: readonly GeneratedFile[]): string {
  const entries = files.map(({ content, ...file }): BundleEntry => ({
    ...file,
    size: Buffer.byteLength(content),
  }));
  return `${JSON.stringify(entries)}\n${files.map(({ content }) => content).join("")}`;
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
