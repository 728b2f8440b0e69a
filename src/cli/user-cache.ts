/**
 * Entries in the user's cache folder. An entry is used only if its checksum is right and no other
 * user could have written it. Everything else is a miss, never an error.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { packageRoot } from "../render/package-files.js";
import { version } from "../version.js";

/** Digests of files by path; undefined for a file that cannot be read. */
export type FileDigests = ReadonlyMap<string, string | undefined>;

/** Digests of the contents that a run reads. */
export class ReadFiles {
  readonly #digests = new Map<string, string | undefined>();
  #isConsistent = true;

  /**
   * Adds a file. Its content is hashed as the run has it, because reading a large document again
   * takes longer than hashing it.
   */
  add(path: string, content: Uint8Array | undefined): void {
    const key = resolve(path);
    const digest = content && sha256(content);
    if (this.#digests.has(key) && this.#digests.get(key) !== digest) this.#isConsistent = false;
    this.#digests.set(key, digest);
  }

  /** The digests; undefined if a file changed between two reads. */
  get digests(): FileDigests | undefined {
    return this.#isConsistent ? this.#digests : undefined;
  }
}

/** Parts of the cache, each with its own folder. */
const PARTS = { plans: "mcp-gen-plans", runs: "mcp-gen-runs" } as const;

const MAX_BYTES = 200_000_000;

export const sha256 = (data: string | Uint8Array): string =>
  createHash("sha256").update(data).digest("hex");

/** Digest of the content of a file; undefined if it cannot be read. */
export function digestOf(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? sha256(readFileSync(path)) : undefined;
  } catch {
    return undefined;
  }
}

/** True if every file still has the content of its digest. */
export function areUnchanged(digests: Iterable<readonly [string, string | null]>): boolean {
  for (const [path, digest] of digests) if ((digestOf(path) ?? null) !== digest) return false;
  return true;
}

/** Digests as JSON. */
export function toPairs(digests: FileDigests): readonly (readonly [string, string | null])[] {
  return [...digests].map(([path, digest]) => [path, digest ?? null] as const);
}

/** Key of an entry: this very program, Node, the current folder, and everything else that matters. */
export function cacheKey(parts: readonly unknown[]): string {
  const own = [version, programDigest(), process.version, process.cwd()];
  return sha256(JSON.stringify([...own, ...parts])).slice(0, 40);
}

/** Changes whenever the program is built anew. */
function programDigest(): string {
  const files = ["cli.cjs", "verbatim.txt", "runtime/index.js"];
  const states = files.map((name) =>
    statSync(join(packageRoot(), "dist", name), { throwIfNoEntry: false }),
  );
  return states.map((state) => `${state?.size}-${state?.mtimeMs}`).join(" ");
}

/** One entry of the cache. */
export interface CacheEntry {
  /** The stored value; undefined if there is none that can be trusted. */
  readonly read: () => unknown;
  /** Stores a value as JSON. */
  readonly store: (value: object) => void;
}

/**
 * Opens an entry.
 * @param maxEntries older entries of the part are removed when one is stored
 */
export function openEntry(part: keyof typeof PARTS, key: string, maxEntries: number): CacheEntry {
  const folder = cacheFolder(part);
  const path = join(folder, `${key}.json`);
  return {
    read: () => readEntry(folder, path),
    store: (value) => storeEntry(folder, path, value, maxEntries),
  };
}

/**
 * Removes all entries of all parts.
 * @returns the folders that were removed
 */
export function clearCache(): readonly string[] {
  const folders = Object.keys(PARTS).map((part) => cacheFolder(part as keyof typeof PARTS));
  const present = folders.filter((folder) => lstatSync(folder, { throwIfNoEntry: false }));
  for (const folder of present) rmSync(folder, { recursive: true, force: true });
  return present;
}

/** Folder of a part, in the user's cache folder. */
function cacheFolder(part: keyof typeof PARTS): string {
  const { env, platform } = process;
  const home = homedir();
  const [chosen = "", fallback] =
    platform === "win32"
      ? [env["LOCALAPPDATA"], "AppData/Local"]
      : [env["XDG_CACHE_HOME"], platform === "darwin" ? "Library/Caches" : ".cache"];
  // A relative path would be in the folder of the document. The XDG specification ignores it.
  return join(isAbsolute(chosen) ? chosen : join(home, fallback), PARTS[part]);
}

/** True if only this user can have written a file or folder. */
function isPrivate({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
}

function isPrivateFolder(folder: string): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && isPrivate(stats);
}

function readEntry(folder: string, path: string): unknown {
  try {
    const text = isPrivateFolder(folder) ? readPrivateFile(path) : undefined;
    const end = text?.indexOf("\n") ?? -1;
    if (text === undefined || sha256(text.slice(end + 1)) !== text.slice(0, end)) return undefined;
    return JSON.parse(text.slice(end + 1));
  } catch {
    return undefined;
  }
}

function readPrivateFile(path: string): string | undefined {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(file);
    const isUsable = stats.isFile() && isPrivate(stats) && stats.size <= MAX_BYTES;
    return isUsable ? readFileSync(file, "utf8") : undefined;
  } finally {
    closeSync(file);
  }
}

function storeEntry(folder: string, path: string, value: object, maxEntries: number): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivateFolder(folder)) return;
    // An earlier process may have ended while it wrote.
    rmSync(draft, { force: true });
    const text = JSON.stringify(value);
    if (text.length > MAX_BYTES) return;
    writeFileSync(draft, `${sha256(text)}\n${text}`, { flag: "wx", mode: 0o600 });
    renameSync(draft, path);
    removeOldEntries(folder, maxEntries);
  } catch {
    // A cache that cannot be written costs time only.
    removeFile(draft);
  }
}

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Its folder may be a file.
  }
}

function removeOldEntries(folder: string, maxEntries: number): void {
  const names = readdirSync(folder);
  if (names.length <= maxEntries) return;
  const byAge = names
    .map((name) => join(folder, name))
    .map((path) => ({ path, written: lstatSync(path).mtimeMs }))
    .sort((a, b) => b.written - a.written);
  for (const { path } of byAge.slice(maxEntries)) rmSync(path, { force: true });
}
