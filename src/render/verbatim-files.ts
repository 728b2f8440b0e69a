import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedFile } from "./types.js";
import { verbatimBundle } from "./verbatim-bundle.js";

/** Folders of ours that are copied as they are, and where to. */
const copiedFolders = [
  ["src/runtime", "src/runtime"],
  ["src/mock", "test/mock"],
] as const;

/**
 * The shared code of every generated server, with its relative imports as they are.
 * @param root the package's folder
 * @param leftOut files and folders of the runtime that this server has no use for
 */
export function verbatimFiles(
  root: string,
  leftOut: readonly string[] = [],
): readonly GeneratedFile[] {
  const files =
    verbatimBundle === undefined
      ? readVerbatimFiles(root)
      : (JSON.parse(readFileSync(join(root, verbatimBundle), "utf8")) as GeneratedFile[]);
  const without = leftOut.map((path) => `src/runtime/${path}`);
  return files.filter(
    ({ path }) => !without.some((left) => path === left || path.startsWith(`${left}/`)),
  );
}

/** All of them, from the sources. Read at once: many small files take longer to wait for. */
export function readVerbatimFiles(root: string): readonly GeneratedFile[] {
  return copiedFolders.flatMap(([from, to]) => readFolder(join(root, from), to));
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
