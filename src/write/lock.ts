import { linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isObject } from "../json.js";
import { makeFolder, removeIfEmpty, rename, requireRealFolder } from "./file-system.js";
import { errnoOf, ignoreSystemErrors, WriteRefusal } from "./refusal.js";

/**
 * Age in milliseconds after which a lock of another machine (a container, a network disk) is stale.
 * A run holds it for well under a second.
 */
const FOREIGN_LOCK_MS = 60_000;

/**
 * Locks of this process. A lock with its process ID that is not listed here is from an earlier
 * process.
 */
const heldLocks = new Set<string>();

interface Holder {
  readonly pid: number;
  readonly host: string;
}

/**
 * Acquires the lock in `state`, a folder of mcp-gen that is created if absent. Takes over a lock
 * whose process has ended.
 * @throws WriteRefusal when another run holds it
 */
export function takeLock(state: string): void {
  requireRealFolder(state);
  const lock = join(state, "lock");
  const ownLock = join(state, `lock.${process.pid}`);
  try {
    writeOwnLock(ownLock, state);
    if (!linkLock(ownLock, lock)) {
      if (!heldLocks.has(lock) && isStale(lock, ownLock)) removeStale(lock, ownLock);
      if (!linkLock(ownLock, lock)) throw lockedBy(lock);
    }
    heldLocks.add(lock);
  } finally {
    ignoreSystemErrors(() => {
      rmSync(ownLock, { force: true });
      removeIfEmpty(state);
    });
  }
}

/**
 * Writes the lock file of this process. Another run may remove the folder at the same time, so it
 * retries.
 */
function writeOwnLock(ownLock: string, state: string, attempts = 3): void {
  makeFolder(state);
  try {
    // A leftover of a killed run, or a link. Files are never written through links.
    rmSync(ownLock, { force: true });
    writeFileSync(ownLock, JSON.stringify({ pid: process.pid, host: hostname() }), { flag: "wx" });
  } catch (error) {
    if (errnoOf(error) !== "ENOENT" || attempts === 0) throw error;
    writeOwnLock(ownLock, state, attempts - 1);
  }
}

/** Creates the lock atomically, with its content. */
function linkLock(ownLock: string, lock: string): boolean {
  try {
    linkSync(ownLock, lock);
    return true;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "EEXIST" || errno === "ENOENT") return false;
    return copyLock(ownLock, lock);
  }
}

/** Creates the lock on file systems without hard links. */
function copyLock(ownLock: string, lock: string): boolean {
  try {
    writeFileSync(lock, readFileSync(ownLock), { flag: "wx" });
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

function isStale(lock: string, ownLock: string): boolean {
  const holder = readHolder(lock);
  if (holder?.host === hostname()) return holder.pid === process.pid || !isAlive(holder.pid);
  // Both times come from the file system's clock.
  const stats = statSync(lock, { throwIfNoEntry: false });
  return stats !== undefined && statSync(ownLock).mtimeMs - stats.mtimeMs > FOREIGN_LOCK_MS;
}

/** Removes a stale lock. Renames it first, so that a fresh lock of another run can be restored. */
function removeStale(lock: string, ownLock: string): void {
  const aside = `${ownLock}.stale`;
  try {
    rename(lock, aside);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return;
    throw error;
  }
  if (isStale(aside, ownLock)) rmSync(aside);
  else rename(aside, lock);
}

function readHolder(lock: string): Holder | undefined {
  try {
    const data: unknown = JSON.parse(readFileSync(lock, "utf8"));
    return isObject(data) && typeof data.pid === "number" && typeof data.host === "string"
      ? { pid: data.pid, host: data.host }
      : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== "ESRCH";
  }
}

function lockedBy(lock: string): WriteRefusal {
  const pid = readHolder(lock)?.pid;
  const holderText = pid === undefined ? "" : ` (process ${pid})`;
  return new WriteRefusal(
    "write-locked",
    `Another run of mcp-gen is writing to this folder${holderText}. Nothing was changed.`,
    `Run the command again when it has finished. If no other run is active, delete ${lock}.`,
  );
}

/** Releases the lock and removes leftovers of ended processes, and the folder if it is empty. */
export function releaseLock(state: string): void {
  heldLocks.delete(join(state, "lock"));
  const leftover = (name: string): boolean =>
    name.startsWith("lock.") && !isAlive(Number.parseInt(name.slice(5), 10));
  for (const name of readdirSync(state))
    if (name === "lock" || leftover(name)) rmSync(join(state, name), { force: true });
  removeIfEmpty(state);
}
