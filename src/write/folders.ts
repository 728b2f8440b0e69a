import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { errnoOf, Refusal } from "./failure.js";
import { folderOf, selfAndAncestors } from "./paths.js";
import { statOf } from "./target.js";

/** Reaches files below one folder, and goes through no link on the way. */
export interface Folders {
  /** Absolute path of a relative one, whose folders are made when absent. */
  readonly make: (path: string) => string;
  /** Absolute path of a relative one; undefined when its folder does not exist. */
  readonly find: (path: string) => string | undefined;
}

/** Remembers the folders that it has seen, so that each costs one look. */
export function foldersBelow(root: string): Folders {
  const known = new Set<string>();
  const walk = (path: string, absent: (folder: string) => boolean): string | undefined => {
    for (const folder of ["", ...selfAndAncestors(folderOf(path)).toReversed()]) {
      if (known.has(folder)) continue;
      if (!requireRealFolder(join(root, folder)) && !absent(join(root, folder))) return undefined;
      known.add(folder);
    }
    return join(root, path);
  };
  const make = (folder: string): boolean => (mkdirSync(folder), true);
  return {
    make: (path) => walk(path, make) ?? join(root, path),
    find: (path) => walk(path, () => false),
  };
}

/**
 * Whether a folder is there.
 * @throws Refusal when something else is in its place
 */
export function requireRealFolder(path: string): boolean {
  const found = statOf(path);
  if (found !== undefined && !found.isDirectory()) {
    throw new Refusal(
      "write-not-a-file",
      `${path} is not a folder, and files are not written through links.`,
      "Replace it by a real folder.",
    );
  }
  return found !== undefined;
}

/** Removes folders that the loss of `paths` left empty, innermost first. */
export function pruneFolders(root: string, paths: readonly string[]): void {
  const folders = new Set(paths.flatMap((path) => selfAndAncestors(folderOf(path))));
  for (const folder of [...folders].sort((a, b) => b.length - a.length))
    removeIfEmpty(join(root, folder));
}

/** Removes a folder that may be in use by others: only when there is nothing in it. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno !== "ENOTEMPTY" && errno !== "EEXIST" && errno !== "ENOENT") throw error;
  }
}
