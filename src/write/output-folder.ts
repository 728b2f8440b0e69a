import { readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, parse, resolve } from "node:path";
import { isJunkFile } from "../file-name.js";
import { statOf } from "./file-system.js";
import { STATE_FOLDER } from "./paths.js";
import { errnoOf, WriteRefusal } from "./refusal.js";

/** The output folder before anything is compared. */
export interface OutputFolder {
  /** As the user named it, for messages. */
  readonly name: string;
  /** Absolute, not a link. */
  readonly path: string;
  readonly exists: boolean;
}

/**
 * Looks at the place itself: can it be an output folder at all?
 * @throws Refusal when it is a file or a link, or its parent is not a folder
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

/** @throws Refusal when what is to be made, a file or a folder, has no folder to be in */
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
 * Refuses folders that hold a person's other things. Asked only when the folder has no manifest:
 * one that mcp-gen made before may well be the current folder.
 * @throws Refusal for `/`, the home folder, and folders that are not empty
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
  // Whoever made a folder and went into it means it.
  return path === realPath(process.cwd()) && !isEmpty(path) ? "the current folder" : undefined;
}

/** As the system spells it, upper and lower case included. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** A fresh repository is as good as an empty folder. */
function isEmpty(path: string): boolean {
  return readdirSync(path).every(
    (name) => name === ".git" || name === STATE_FOLDER || isJunkFile(name),
  );
}
