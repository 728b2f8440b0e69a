import { constants, type Stats } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { basename, join, parse, relative, resolve, isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import type { Folder, LocalFile } from "../files/folder.js";

/** Larger files are not read: a request is put together in memory. */
const mostBytes = 50_000_000;
const mostNames = 1000;

/** Windows has no such flags, and no FIFOs to wait for. */
const toRead = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const toWrite =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens the folder that the owner names. @returns what is wrong with it, as a clause, when it
 * cannot be used
 */
export async function openFolder(path: string): Promise<Folder | string> {
  const root = await realpath(path).catch(() => undefined);
  if (root === undefined || !(await stat(root)).isDirectory()) return "is not a folder";
  if (root === parse(root).root)
    return "is the root of the file system; name a folder for files only";
  return {
    path: root,
    read: (given) => read(root, given),
    save: (name, bytes) => save(root, name, bytes),
  };
}

/** Nothing outside the folder is read, and nobody is told whether it exists. */
async function read(root: string, given: string): Promise<LocalFile | string> {
  const absence = `names no file in ${root}`;
  const path = pathOf(root, given);
  const real = path === undefined ? undefined : await realpath(path).catch(() => undefined);
  if (real === undefined || !isInside(root, real)) return absence;
  const handle = await open(real, toRead).catch(() => undefined);
  if (!handle) return absence;
  try {
    const opened = await handle.stat();
    if (!opened.isFile() || !(await isStill(real, opened))) return absence;
    if (opened.size > mostBytes) return `is larger than ${mostBytes} bytes`;
    return await whole(handle, basename(real), opened.size);
  } finally {
    await handle.close();
  }
}

async function whole(handle: FileHandle, name: string, size: number): Promise<LocalFile | string> {
  const bytes = await handle.readFile();
  return bytes.byteLength > Math.max(size, mostBytes)
    ? `is larger than ${mostBytes} bytes`
    : { name, bytes };
}

/** `file:a.pdf` is in the folder; `file:///x/a.pdf` is absolute. */
function pathOf(root: string, given: string): string | undefined {
  const rest = given.slice("file:".length);
  if (rest.includes("\0")) return undefined;
  if (!rest.startsWith("//")) return resolve(root, rest);
  try {
    return fileURLToPath(given);
  } catch {
    return undefined;
  }
}

function isInside(root: string, path: string): boolean {
  const from = relative(root, path);
  return from !== "" && !/^\.\.(?:[/\\]|$)/.test(from) && !isAbsolute(from);
}

/**
 * Between looking and opening, a folder on the way may have become a link: then what was opened is
 * not what is there.
 */
async function isStill(real: string, opened: Stats): Promise<boolean> {
  const [again, there] = await Promise.all([
    realpath(real).catch(() => undefined),
    stat(real).catch(() => undefined),
  ]);
  return again === real && there?.ino === opened.ino && there.dev === opened.dev;
}

async function save(root: string, name: string, bytes: Uint8Array): Promise<string | undefined> {
  const { name: stem, ext } = parse(basename(name));
  for (let count = 1; count <= mostNames; count++) {
    const path = join(root, count === 1 ? `${stem}${ext}` : `${stem}-${count}${ext}`);
    if ((await realpath(root).catch(() => undefined)) !== root) return undefined;
    const handle = await open(path, toWrite, 0o644).catch(
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (handle === "EEXIST") continue;
    return typeof handle === "object" ? written(handle, path, bytes) : undefined;
  }
  return undefined;
}

async function written(
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
