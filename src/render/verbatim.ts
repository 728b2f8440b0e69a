import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedFile } from "./types.js";

/** Folders of ours that are copied as they are, and where to. */
const copies = [
  ["src/runtime", "src/runtime"],
  ["src/mock", "test/mock"],
] as const;

/**
 * The shared code of every generated server, with its relative imports as they are. Read at once: many small files take longer to wait for.
 * @param leftOut files and folders of the runtime that this server has no use for
 */
export function verbatimFiles(root: string, leftOut: readonly string[] = []): readonly GeneratedFile[] {
  const without = new Set(leftOut.map((path) => `src/runtime/${path}`));
  return copies.flatMap(([from, to]) => copyFolder(join(root, from), to, without));
}

function copyFolder(from: string, to: string, without: ReadonlySet<string>): readonly GeneratedFile[] {
  return readdirSync(from, { withFileTypes: true }).flatMap((entry) => {
    const path = join(from, entry.name);
    if (without.has(`${to}/${entry.name}`)) return [];
    if (entry.isDirectory()) return copyFolder(path, `${to}/${entry.name}`, without);
    if (!entry.name.endsWith(".ts")) return [];
    return [{ path: `${to}/${entry.name}`, content: readFileSync(path, "utf8").replaceAll("\r\n", "\n") }];
  });
}
