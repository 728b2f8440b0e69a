import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";

/**
 * Path → text. A text that starts with `-> ` is a symbolic link; a path that ends in `/` is a
 * folder.
 */
export type TreeText = Readonly<Record<string, string>>;

const createdFolders: string[] = [];
afterAll(() => createdFolders.forEach((path) => rmSync(path, { recursive: true, force: true })));

/** Creates an empty temporary folder. It is removed after the tests of the file. */
export function scratch(): string {
  const path = mkdtempSync(join(realpathSync(tmpdir()), "mcp-gen-write-"));
  createdFolders.push(path);
  return path;
}

/** Creates files, links and folders below `root`. */
export function plant(root: string, tree: TreeText): void {
  for (const [path, text] of Object.entries(tree)) {
    const target = join(root, path);
    mkdirSync(path.endsWith("/") ? target : dirname(target), { recursive: true });
    if (path.endsWith("/")) continue;
    if (text.startsWith("-> ")) symlinkSync(text.slice(3), target);
    else writeFileSync(target, text);
  }
}

/**
 * Everything below `root`, sorted, with empty folders. The text of the manifest is omitted, because
 * digests differ with every change.
 */
export function treeOf(root: string, prefix = ""): TreeText {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(join(root, prefix), { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = prefix + entry.name;
    if (entry.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(root, path))}`;
    else if (!entry.isDirectory())
      found[path] = entry.name === "manifest.json" ? "" : readFileSync(join(root, path), "utf8");
    else {
      const below = treeOf(root, `${path}/`);
      Object.assign(found, Object.keys(below).length === 0 ? { [`${path}/`]: "" } : below);
    }
  }
  return found;
}

/** Generated files from a tree; `owned` paths are written once. */
export function filesOf(
  tree: TreeText,
  owned: readonly string[] = [],
): { path: string; content: string; writeOnce?: boolean }[] {
  return Object.entries(tree).map(([path, content]) => ({
    path,
    content,
    ...(owned.includes(path) && { writeOnce: true }),
  }));
}
