/** A store in a folder, for several processes of one machine. */
import { createHash, randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { acquireLock } from "./file-lock.js";
import { type Store, StoreUnavailable } from "./types.js";

/** The content of a file. */
interface Entry {
  readonly value: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Milliseconds between two removals of expired files. */
const SWEEP_MS = 60_000;

/**
 * Opens a store. The folder is created, for this user only.
 * @throws StoreUnavailable if other users could change the folder. They could restore old values,
 *   such as a sign-in that has ended or a state that was used
 */
export async function openFileStore(folder: string): Promise<Store> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const problem = folderProblem(await lstat(folder));
  if (problem !== undefined)
    throw new StoreUnavailable(
      `The folder ${problem}. Name one that only the user of the server can use, such as a new one in it.`,
    );
  return new FileStore(folder);
}

/** The reason why other users could change a folder, as a clause. On Windows, profiles are private. */
function folderProblem(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return "is a symbolic link";
  if (process.getuid === undefined) return undefined;
  if (stats.uid !== process.getuid()) return "belongs to another user";
  return (stats.mode & 0o077) === 0 ? undefined : "is accessible to other users";
}

class FileStore implements Store {
  readonly #folder: string;
  #sweptAt = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get = (key: string): Promise<string | undefined> => attempt(async () => this.#read(key));

  set = (key: string, value: string, ttlMs: number): Promise<void> =>
    this.#locked(key, () => this.#write(key, { value, expiresAt: Date.now() + ttlMs }));

  delete = (key: string): Promise<boolean> =>
    this.#locked(key, async () => {
      const isPresent = (await this.#read(key)) !== undefined;
      await rm(this.#path(key), { force: true });
      return isPresent;
    });

  compareAndSet = (
    key: string,
    expected: string | undefined,
    value: string,
    ttlMs: number,
  ): Promise<boolean> =>
    this.#locked(key, async () => {
      if ((await this.#read(key)) !== expected) return false;
      await this.#write(key, { value, expiresAt: Date.now() + ttlMs });
      return true;
    });

  increment = (key: string, ttlMs: number): Promise<number> =>
    this.#locked(key, async () => {
      const entry = await this.#readEntry(key);
      const count = countOf(entry?.value) + 1;
      const expiresAt = entry?.expiresAt ?? Date.now() + ttlMs;
      await this.#write(key, { value: String(count), expiresAt });
      return count;
    });

  count = (key: string): Promise<number> => attempt(async () => countOf(await this.#read(key)));

  close = async (): Promise<void> => {};

  #path(key: string): string {
    return join(this.#folder, `${createHash("sha256").update(key).digest("hex")}.json`);
  }

  async #read(key: string): Promise<string | undefined> {
    return (await this.#readEntry(key))?.value;
  }

  async #readEntry(key: string): Promise<Entry | undefined> {
    const entry = await readEntry(this.#path(key));
    return entry && entry.expiresAt > Date.now() ? entry : undefined;
  }

  /** Replaces a file at once, so that no reader meets a part of it. */
  async #write(key: string, entry: Entry): Promise<void> {
    const temporary = join(this.#folder, `${randomUUID()}.tmp`);
    await writeFile(temporary, JSON.stringify(entry), { mode: 0o600 });
    await rename(temporary, this.#path(key));
    if (Date.now() - this.#sweptAt > SWEEP_MS) await this.#sweep();
  }

  async #locked<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
    return attempt(async () => {
      const release = await acquireLock(`${this.#path(key)}.lock`);
      return run().finally(release);
    });
  }

  /** Removes expired files, and those of writers that were killed. */
  async #sweep(): Promise<void> {
    this.#sweptAt = Date.now();
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      if (await isObsolete(path)) await rm(path, { force: true });
    }
  }
}

/** @throws Error for a value that is not a count, which would end all limits */
function countOf(value = "0"): number {
  const count = Number(value);
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new Error("The value is not a count.");
}

/** Reads a file; undefined if there is none. */
async function readEntry(path: string): Promise<Entry | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Entry;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function isObsolete(path: string): Promise<boolean> {
  if (path.endsWith(".json")) {
    const entry = await readEntry(path).catch(() => undefined);
    return entry !== undefined && entry.expiresAt <= Date.now();
  }
  const stats = path.endsWith(".tmp") ? await stat(path).catch(() => undefined) : undefined;
  return stats !== undefined && Date.now() - stats.mtimeMs > SWEEP_MS;
}

/** @throws StoreUnavailable instead of an error of the file system */
async function attempt<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch {
    throw new StoreUnavailable("The folder of the store cannot be used.");
  }
}
