import { lstatSync, mkdirSync, renameSync, rmdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { folderOf, selfAndAncestors } from "./paths.js";
import { errnoOf, WriteRefusal } from "./refusal.js";

/** `lstat`, or undefined when there is nothing. */
export function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/**
 * What Windows says while a virus scanner, an indexer or an editor has a file open, and a moment
 * later not any more.
 */
const TRANSIENT_ERRORS: ReadonlySet<string | undefined> = new Set(["EPERM", "EACCES", "EBUSY"]);

/** Milliseconds between the attempts, two seconds together. */
const RETRY_DELAYS = [5, 10, 20, 40, 80, 160, 320, 640, 725];

/**
 * Renames a file or a folder. On Windows that fails while somebody else has it, or a file in it,
 * open: it is tried again for a while there. Elsewhere the same answers are about permissions,
 * which do not pass.
 */
export function rename(from: string, to: string): void {
  for (const pause of process.platform === "win32" ? RETRY_DELAYS : []) {
    try {
      return renameSync(from, to);
    } catch (error) {
      if (!TRANSIENT_ERRORS.has(errnoOf(error))) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
  }
  renameSync(from, to);
}

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
    throw new WriteRefusal(
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
