import { lstatSync, mkdirSync, renameSync, rmdirSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { diagnostic, type Diagnostic, type DiagnosticCode } from "../diagnostics/index.js";
import { folderOf, selfAndAncestors } from "./paths.js";

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

/** Reason to stop a run. Thrown within this module and converted to a diagnostic in `index.ts`. */
export class WriteRefusal extends Error {
  constructor(
    readonly code: DiagnosticCode,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

const ERRNO_TEXTS: Readonly<Record<string, string>> = {
  ENOSPC: "no space left on the disk",
  EDQUOT: "the disk quota is used up",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  EXDEV: "it is on another file system than its parent",
  ENAMETOOLONG: "a path is too long",
  EMFILE: "too many files are open",
  EBUSY: "it is in use",
  EIO: "the disk reported an error",
  ENOENT: "a file name is not allowed on this system, or a folder was removed",
  EINVAL: "a file name is not allowed on this system",
};

/** Windows has one error code for both. */
const deniedOrOpen = "permission denied, or another program has a file open";
const WINDOWS_ERRNO_TEXTS: Readonly<Record<string, string>> = {
  ...ERRNO_TEXTS,
  EPERM: deniedOrOpen,
  EACCES: deniedOrOpen,
};

/** Code of a system error (`ENOENT`), or undefined for other values. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error &&
    "code" in error &&
    "syscall" in error &&
    typeof error.code === "string"
    ? error.code
    : undefined;
}

/**
 * Converts a thrown value to a diagnostic.
 * @param outDir the folder as the user named it
 * @throws `error` itself when it is a defect: neither a refusal nor a system error
 */
export function toDiagnostic(error: unknown, outDir: string): Diagnostic {
  if (error instanceof WriteRefusal)
    return diagnostic(error.code, error.message, undefined, error.hint);
  const errno = errnoOf(error);
  if (errno === undefined) throw error;
  const cause =
    (process.platform === "win32" ? WINDOWS_ERRNO_TEXTS : ERRNO_TEXTS)[errno] ??
    `the system reported ${errno}`;
  return diagnostic(
    "write-failed",
    `${outDir} could not be written: ${cause}. Nothing was changed.`,
    undefined,
    "Fix this and run the command again.",
  );
}

/** Runs a cleanup and ignores system errors; the next run cleans up again. */
export function ignoreSystemErrors(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}
