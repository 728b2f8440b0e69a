import { lstatSync, mkdirSync, renameSync, rmdirSync, statSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { folderOf, selfAndAncestors } from "./paths.js";
import { errnoOf, WriteRefusal } from "./refusal.js";

/** Calls `lstat`; undefined when nothing exists at the path. */
export function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/**
 * Creates a folder and its parents, if absent. `mkdirSync` with `recursive` never returns where the
 * system forbids new folders in an existing one, such as `/proc`.
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

/** Errors of Windows while a virus scanner, an indexer or an editor has a file open. */
const TRANSIENT_ERRORS: ReadonlySet<string | undefined> = new Set(["EPERM", "EACCES", "EBUSY"]);

/** Delays between the attempts in milliseconds; two seconds in total. */
const RETRY_DELAYS = [5, 10, 20, 40, 80, 160, 320, 640, 725];

/**
 * Renames a file or a folder. On Windows, retries while another program has it, or a file in it,
 * open. On other systems the same errors mean missing permissions.
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

/** Resolves paths below one folder without following links. */
export interface Folders {
  /** Absolute path; missing folders are created. */
  readonly make: (path: string) => string;
  /** Absolute path; undefined when its folder does not exist. */
  readonly find: (path: string) => string | undefined;
}

/** Creates `Folders`, which check each folder once. */
export function foldersBelow(root: string): Folders {
  const checked = new Set<string>();
  const walk = (path: string, absent: (folder: string) => boolean): string | undefined => {
    for (const folder of ["", ...selfAndAncestors(folderOf(path)).toReversed()]) {
      if (checked.has(folder)) continue;
      if (!requireRealFolder(join(root, folder)) && !absent(join(root, folder))) return undefined;
      checked.add(folder);
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
 * Checks whether a folder exists.
 * @throws WriteRefusal when something else is at the path
 */
export function requireRealFolder(path: string): boolean {
  const stats = statOf(path);
  if (stats !== undefined && !stats.isDirectory()) {
    throw new WriteRefusal(
      "write-not-a-file",
      `${path} is not a folder; files are not written through links.`,
      "Replace it with a folder.",
    );
  }
  return stats !== undefined;
}

/** Removes the folders that are empty after `paths` were removed, innermost first. */
export function pruneFolders(root: string, paths: readonly string[]): void {
  const folders = new Set(paths.flatMap((path) => selfAndAncestors(folderOf(path))));
  for (const folder of [...folders].sort((a, b) => b.length - a.length))
    removeIfEmpty(join(root, folder));
}

/** Removes a folder only if it is empty. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno !== "ENOTEMPTY" && errno !== "EEXIST" && errno !== "ENOENT") throw error;
  }
}
