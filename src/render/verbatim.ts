import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedFile } from "./types.js";

/** Folders of ours that are copied as they are, and where to. */
const copies = [
  ["src/runtime", "src/runtime"],
  ["src/mock", "test/mock"],
] as const;

/** The shared code of every generated server, with its relative imports as they are. Read at once: many small files take longer to wait for. */
export function verbatimFiles(root: string): readonly GeneratedFile[] {
  return copies.flatMap(([from, to]) => copyFolder(join(root, from), to));
}

function copyFolder(from: string, to: string): readonly GeneratedFile[] {
  return readdirSync(from, { withFileTypes: true }).flatMap((entry) => {
    const path = join(from, entry.name);
    if (entry.isDirectory()) return copyFolder(path, `${to}/${entry.name}`);
    if (!entry.name.endsWith(".ts")) return [];
    return [{ path: `${to}/${entry.name}`, content: readFileSync(path, "utf8").replaceAll("\r\n", "\n") }];
  });
}
