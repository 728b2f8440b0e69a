import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedFile } from "../../render/index.js";
import { withSlashes } from "../terminal.js";

const CUSTOM = "src/custom";
const LOCK = "mcp-gen.lock.json";

/**
 * The generated files with the owner's modules of an existing project in place of the empty ones.
 * @returns the same array if the folder is not a generated project, or its owner changed nothing
 */
export function withOwnerFiles(
  files: readonly GeneratedFile[],
  folder: string | undefined,
): readonly GeneratedFile[] {
  if (folder === undefined || !existsSync(join(folder, LOCK))) return files;
  const own = readModules(folder);
  const isChanged = own.some(
    ({ path, content }) => files.find((file) => file.path === path)?.content !== content,
  );
  if (!isChanged) return files;
  const paths = new Set(own.map(({ path }) => path));
  return [...files.filter(({ path }) => !paths.has(path)), ...own];
}

function readModules(folder: string): readonly GeneratedFile[] {
  const root = join(folder, CUSTOM);
  if (!existsSync(root)) return [];
  const names = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
  return names.map((name) => ({
    path: withSlashes(name.slice(folder.length + 1)),
    content: readFileSync(name, "utf8"),
  }));
}
