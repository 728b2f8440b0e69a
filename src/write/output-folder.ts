import { readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, parse, resolve } from "node:path";
import { isJunkFile } from "../file-name.js";
import { statOf } from "./file-system.js";
import { STATE_FOLDER } from "./paths.js";
import { errnoOf, WriteRefusal } from "./refusal.js";

/** Output folder before the comparison. */
export interface OutputFolder {
  /** Name as the user typed it, for messages. */
  readonly name: string;
  /** Absolute path, not a link. */
  readonly path: string;
  readonly exists: boolean;
}

/**
 * Checks that a path can be an output folder.
 * @throws WriteRefusal for a file or a link, or if the parent is not a folder
 */
export function inspectOutputFolder(outDir: string): OutputFolder {
  const path = resolve(outDir);
  const found = statOrUndefined(path);
  if (found === undefined) {
    requireParent(outDir, dirname(path));
    return { name: outDir, path, exists: false };
  }
  if (found.isSymbolicLink())
    throw new WriteRefusal(
      "write-folder-unusable",
      `${outDir} is a symbolic link, and files are not written through links.`,
      "Give the folder that the link points to.",
    );
  if (!found.isDirectory())
    throw new WriteRefusal(
      "write-folder-unusable",
      `${outDir} is not a folder.`,
      "Give another folder with -o, or remove the file.",
    );
  return { name: outDir, path, exists: true };
}

function statOrUndefined(path: string): Stats | undefined {
  try {
    return statOf(path);
  } catch (error) {
    if (errnoOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** @throws WriteRefusal when the parent folder does not exist */
export function requireParent(name: string, parent: string): void {
  if (isFolder(parent)) return;
  throw new WriteRefusal(
    "write-folder-unusable",
    `${name} cannot be made: ${parent} is not an existing folder.`,
    `Create that folder first, or give another one with -o.`,
  );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Refuses folders with other content. Called only for folders without a manifest: a generated
 * folder may be the current one.
 * @throws WriteRefusal for `/`, the home folder, and folders that are not empty
 */
export function requireDedicatedFolder(target: OutputFolder): void {
  if (!target.exists) return;
  const path = realPath(target.path);
  const special = nameOfSpecialFolder(path);
  if (special)
    throw new WriteRefusal(
      "write-folder-refused",
      `${target.name} is ${special}; files are not generated into it without consent.`,
      "Give a folder of its own with -o, or add --force (--force --dry-run lists what would be overwritten).",
    );
  if (isEmpty(path)) return;
  throw new WriteRefusal(
    "write-folder-not-empty",
    `${target.name} is not empty, and mcp-gen did not make it (it has no ${STATE_FOLDER}/manifest.json).`,
    "Give a new or empty folder with -o, or add --force to overwrite files of the same name (--force --dry-run lists them).",
  );
}

function nameOfSpecialFolder(path: string): string | undefined {
  if (path === parse(path).root) return "the root of the file system";
  if (path === realPath(homedir())) return "the home folder";
  // An empty current folder was created for this purpose.
  return path === realPath(process.cwd()) && !isEmpty(path) ? "the current folder" : undefined;
}

/** Real path in the file system's spelling. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** True for an empty folder or a new repository. */
function isEmpty(path: string): boolean {
  return readdirSync(path).every(
    (name) => name === ".git" || name === STATE_FOLDER || isJunkFile(name),
  );
}
