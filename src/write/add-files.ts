import { chmodSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type Diagnostic, joinFirst } from "../diagnostics/index.js";
import {
  foldersBelow,
  ignoreSystemErrors,
  makeFolder,
  rename,
  statOf,
  toDiagnostic,
  WriteRefusal,
} from "./file-system.js";
import { inspectOutputFolder, requireParent } from "./output-folder.js";
import type { StagedFile } from "./types.js";

interface AddFilesResult {
  /** Relative paths in the given order. */
  readonly written: readonly string[];
  /** Existing files with the same content. */
  readonly unchanged: readonly string[];
  /** Set when nothing was written. */
  readonly problem?: Diagnostic;
}

/**
 * Adds files to a user's folder. Existing files with other content stop it, unless `force` is set.
 * @param folder created if absent; its parent must exist
 */
export function addFiles(
  files: readonly StagedFile[],
  folder: string,
  force: boolean,
): AddFilesResult {
  try {
    const target = inspectOutputFolder(folder);
    const isSame = ({ path, content }: StagedFile): boolean =>
      statOf(join(target.path, path))?.isFile() === true &&
      readFileSync(join(target.path, path), "utf8") === content;
    const changed = files.filter((file) => !isSame(file));
    const existing = changed.filter(({ path }) => statOf(join(target.path, path)) !== undefined);
    if (existing.length > 0 && !force) throw existingFilesRefusal(folder, existing);
    makeFolder(target.path);
    const folders = foldersBelow(target.path);
    for (const { path, content } of changed) writeAtomically(folders.make(path), content);
    return {
      written: changed.map(({ path }) => path),
      unchanged: files.filter((file) => !changed.includes(file)).map(({ path }) => path),
    };
  } catch (error) {
    return { written: [], unchanged: [], problem: toDiagnostic(error, folder) };
  }
}

function existingFilesRefusal(folder: string, existing: readonly StagedFile[]): WriteRefusal {
  const paths = existing.map(({ path }) => path);
  return new WriteRefusal(
    "write-files-not-generated",
    `${folder} already contains ${joinFirst(paths, 5)}. Nothing was changed.`,
    "Move these files, select other files, or add --force to overwrite them.",
  );
}

interface ReplaceOptions {
  /** True to create the folder of the file, if it is absent. */
  readonly makesFolder?: boolean;
  /** Permissions, such as 0o600; by default those of the existing file. */
  readonly mode?: number | undefined;
  /** Folders that the file is in, once links are resolved; by default any. */
  readonly within?: readonly string[];
}

/**
 * Writes one file atomically, replacing an existing one. With `within`, a link is followed and
 * stays.
 * @returns the problem, if any
 */
export function replaceFile(
  name: string,
  content: string,
  { makesFolder = false, mode, within }: ReplaceOptions = {},
): Diagnostic | undefined {
  try {
    const path = within === undefined ? name : targetWithin(name, within);
    if (makesFolder) makeFolder(dirname(resolve(path)));
    const stats = statOf(path);
    if (stats === undefined) requireParent(name, dirname(name));
    if (stats?.isDirectory())
      throw new WriteRefusal(
        "write-folder-unusable",
        `${name} is a folder.`,
        "Give the path of a file.",
      );
    if (stats === undefined || stats.isFile()) writeAtomically(path, content, mode ?? stats?.mode);
    // A device or a pipe is written to, not replaced: /dev/stdout.
    else writeFileSync(path, content);
    return undefined;
  } catch (error) {
    return toDiagnostic(error, name);
  }
}

/**
 * Writes a file that the command line names. A path below the current folder stays there once links
 * are resolved, and any other stays in its folder.
 * @returns the problem, if any
 */
export function replaceNamedFile(
  name: string,
  content: string,
  currentFolder = ".",
): Diagnostic | undefined {
  const isOwn = isBelow(resolve(name), resolve(currentFolder));
  const folder = isOwn ? currentFolder : dirname(name);
  return replaceFile(name, content, isDevice(name) ? {} : { within: [folder] });
}

/** True for a device or a pipe, such as `/dev/stdout`, which is a link. */
function isDevice(name: string): boolean {
  try {
    const stats = statSync(name);
    return !stats.isFile() && !stats.isDirectory();
  } catch {
    return false;
  }
}

/**
 * The path of a file once links are resolved. A downloaded repository can have links in the places
 * where files are written.
 * @throws WriteRefusal if it is outside of the folders, or if a link has no target
 */
function targetWithin(name: string, folders: readonly string[]): string {
  const path = join(realPathOfFolder(dirname(resolve(name))), basename(name));
  const isLink = statOf(path)?.isSymbolicLink() === true;
  const target = isLink && statSync(path, { throwIfNoEntry: false }) ? realpathSync(path) : path;
  const isInside = folders.some((folder) => isBelow(target, realPathOfFolder(resolve(folder))));
  if (isInside && (target !== path || !isLink)) return target;
  throw new WriteRefusal(
    "write-not-a-file",
    `${name} leads through a link to a file of another folder. Nothing was written to it.`,
    "Replace the link, or write to that file yourself.",
  );
}

/** The real path of a folder, of which the last parts need not exist. */
function realPathOfFolder(folder: string): string {
  if (statOf(folder) === undefined && dirname(folder) !== folder)
    return join(realPathOfFolder(dirname(folder)), basename(folder));
  return realpathSync(folder);
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function writeAtomically(path: string, content: string, mode?: number): void {
  const draft = join(dirname(path), `.mcp-gen-draft-${process.pid}`);
  try {
    // A leftover of a killed run, or a link. Files are never written through links.
    rmSync(draft, { force: true });
    // A new file gets its permissions at once, because it may contain credentials.
    writeFileSync(draft, content, { flag: "wx", ...(mode !== undefined && { mode }) });
    // The umask may have removed permissions of the existing file.
    if (mode !== undefined) chmodSync(draft, mode);
    rename(draft, path);
  } catch (error) {
    ignoreSystemErrors(() => rmSync(draft, { force: true }));
    throw error;
  }
}
