/** A lock between processes: a directory with one file, whose name is that of the owner. */
import { randomUUID } from "node:crypto";
import {
  mkdir,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Age in milliseconds above which a lock is that of a process that was killed. */
const STALE_MS = 60_000;
const POLL_MS = 50;

/**
 * Takes the lock at a path, or waits for it. An owner moves its directory to the path, which fails
 * while that has another owner. The owner of a stale lock is removed by its name, so that two
 * processes cannot take over the same lock.
 * @returns a function that releases the lock
 * @throws an error of the file system
 */
export async function acquireLock(path: string): Promise<() => Promise<void>> {
  const owner = randomUUID();
  const own = `${path}.${owner}`;
  try {
    await mkdir(own, { mode: 0o700 });
    await writeFile(join(own, owner), "", { mode: 0o600 });
    while (!(await tryMove(own, path, owner))) {
      await removeStaleOwner(path);
      await delay(POLL_MS);
    }
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    throw error;
  }
  return () => removeOwner(path, owner);
}

/** Moves the directory of an owner to the path. An empty directory there is replaced. */
async function tryMove(own: string, path: string, owner: string): Promise<boolean> {
  const now = new Date();
  await utimes(join(own, owner), now, now);
  return !(await failedWith(rename(own, path), heldCodes));
}

/** Removes the owner of a lock if its process was killed. */
async function removeStaleOwner(path: string): Promise<void> {
  const owners = await readdir(path).catch(() => []);
  for (const owner of owners) {
    const stats = await stat(join(path, owner)).catch(() => undefined);
    if (stats && Date.now() - stats.mtimeMs > STALE_MS) await removeOwner(path, owner);
  }
  if (owners.length === 0) await failedWith(rmdir(path), [...heldCodes, "ENOENT"]);
}

async function removeOwner(path: string, owner: string): Promise<void> {
  await failedWith(unlink(join(path, owner)), ["ENOENT"]);
  await failedWith(rmdir(path), [...heldCodes, "ENOENT"]);
}

/** Codes for a directory that is not empty. Windows also denies to replace an empty one. */
const heldCodes: readonly string[] = [
  "ENOTEMPTY",
  "EEXIST",
  ...(process.platform === "win32" ? ["EPERM", "EACCES", "EBUSY"] : []),
];

/** True if an operation fails with one of the codes. Other errors are thrown. */
async function failedWith(operation: Promise<void>, codes: readonly string[]): Promise<boolean> {
  try {
    await operation;
    return false;
  } catch (error) {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? "")) return true;
    throw error;
  }
}
