/** The folder of local files on Node: opened, read and written without leaving it. */
import { constants, type Stats } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import paths, { basename, join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import type { Folder, LocalFile } from "../files/files.js";

/** Sentence for the user who asks for the folder; undefined if it is possible. */
export const filesProblem: string | undefined = undefined;

/** Maximum size of a file to read: requests are built in memory. */
const maxFileBytes = 50_000_000;
/** Numbered names that are tried for a file to save. */
const maxNames = 1000;

/** O_NONBLOCK keeps `open` from waiting for a FIFO. Windows has neither these flags nor FIFOs. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const writeFlags =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens the configured folder.
 * @returns on failure, the reason as a clause without a subject
 */
export async function openFolder(path: string): Promise<Folder | string> {
  const root = await realpath(path).catch(() => undefined);
  if (root === undefined || !(await stat(root)).isDirectory()) return "is not a folder";
  if (root === parse(root).root)
    return "is the root of the file system; name a folder for files only";
  return {
    path: root,
    read: (reference) => readFromFolder(root, reference),
    save: (name, bytes) => saveInFolder(root, name, bytes),
  };
}

/**
 * Reads a file inside the folder. All paths outside have the same reason, whether they exist or
 * not. A file with several hard links may also be outside of the folder.
 */
async function readFromFolder(root: string, reference: string): Promise<LocalFile | string> {
  const notFound = "names no file in the folder for files";
  const path = resolveReference(root, reference);
  const realPath = path === undefined ? undefined : await realpath(path).catch(() => undefined);
  if (realPath === undefined || !isInside(root, realPath)) return notFound;
  const handle = await open(realPath, openFlags).catch(() => undefined);
  if (!handle) return notFound;
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || !(await isUnchanged(realPath, stats))) return notFound;
    if (stats.nlink > 1) return "has several hard links, which are not followed; use a copy of it";
    const tooLarge = `is larger than ${maxFileBytes} bytes`;
    if (stats.size > maxFileBytes) return tooLarge;
    const bytes = await handle.readFile();
    return bytes.byteLength > maxFileBytes ? tooLarge : { name: basename(realPath), bytes };
  } finally {
    await handle.close();
  }
}

/**
 * Resolves a reference: `file:a.pdf` is in the folder, `file:///x/a.pdf` is absolute. Undefined for
 * a path on another machine (`\\host\share`), to which Windows would present the user's
 * credentials.
 */
export function resolveReference(
  root: string,
  reference: string,
  { resolve, relative, isAbsolute }: PathFunctions = paths,
): string | undefined {
  const rest = reference.slice("file:".length);
  if (rest.includes("\0")) return undefined;
  try {
    const path = rest.startsWith("//") ? fileURLToPath(reference) : resolve(root, rest);
    const isOnOtherMachine = /^[\\/]{2}/.test(path);
    return isOnOtherMachine && !isInside(root, path, { relative, isAbsolute }) ? undefined : path;
  } catch {
    return undefined;
  }
}

type PathFunctions = Pick<typeof paths, "resolve" | "relative" | "isAbsolute">;

function isInside(
  root: string,
  path: string,
  { relative, isAbsolute }: Pick<PathFunctions, "relative" | "isAbsolute"> = paths,
): boolean {
  const relativePath = relative(root, path);
  return relativePath !== "" && !/^\.\.(?:[/\\]|$)/.test(relativePath) && !isAbsolute(relativePath);
}

/**
 * True if the opened file is still the one at the path: a parent folder may have been replaced by a
 * link between the check and the opening.
 */
async function isUnchanged(path: string, opened: Stats): Promise<boolean> {
  const [currentPath, currentStats] = await Promise.all([
    realpath(path).catch(() => undefined),
    stat(path).catch(() => undefined),
  ]);
  return (
    currentPath === path && currentStats?.ino === opened.ino && currentStats.dev === opened.dev
  );
}

async function saveInFolder(
  root: string,
  name: string,
  bytes: Uint8Array,
): Promise<string | undefined> {
  const { name: stem, ext } = parse(basename(name));
  for (let count = 1; count <= maxNames; count++) {
    const path = join(root, count === 1 ? `${stem}${ext}` : `${stem}-${count}${ext}`);
    if ((await realpath(root).catch(() => undefined)) !== root) return undefined;
    const handle = await open(path, writeFlags, 0o644).catch(
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (handle === "EEXIST") continue;
    return typeof handle === "object" ? writeAll(handle, path, bytes) : undefined;
  }
  return undefined;
}

async function writeAll(
  handle: FileHandle,
  path: string,
  bytes: Uint8Array,
): Promise<string | undefined> {
  try {
    await handle.writeFile(bytes);
    return path;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
