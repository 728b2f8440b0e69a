import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { GeneratedFile } from "./types.js";

/** Folders of ours that are copied as they are, and where to. */
const copies = [
  ["src/runtime", "src/runtime"],
  ["src/mock", "test/mock"],
] as const;

/** The shared code of every generated server, with its relative imports as they are. */
export async function verbatimFiles(root: string): Promise<readonly GeneratedFile[]> {
  const folders = await Promise.all(copies.map(([from, to]) => copyFolder(join(root, from), to)));
  return folders.flat();
}

async function copyFolder(from: string, to: string): Promise<readonly GeneratedFile[]> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".ts"));
  return Promise.all(
    files.map(async (file) => {
      const path = join(file.parentPath, file.name);
      const content = (await readFile(path, "utf8")).replaceAll("\r\n", "\n");
      return { path: to + path.slice(from.length).replaceAll("\\", "/"), content };
    }),
  );
}
