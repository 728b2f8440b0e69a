import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Comparison } from "./compare.js";
import { rename, statOf } from "./file-system.js";
import { commit, isUnfinished, recover, stage } from "./journal.js";
import { releaseLock, takeLock } from "./lock.js";
import type { OutputFolder } from "./output-folder.js";
import { MANIFEST_PATH, STATE_FOLDER } from "./paths.js";
import { ignoreSystemErrors, WriteRefusal } from "./refusal.js";
import type { WriteOptions } from "./types.js";

/*
 * A folder that exists is worked on inside its own `.mcp-gen`: that is the same file system even when the folder is a
 * mount point or a container's volume. One that does not exist yet is put together beside its place, and renamed.
 */
function innerStateFolder(target: OutputFolder): string {
  return join(target.path, STATE_FOLDER);
}
export function siblingStateFolder(target: OutputFolder): string {
  return join(dirname(target.path), `.${basename(target.path)}${STATE_FOLDER}`);
}
export function workFolder(state: string): string {
  return join(state, "work");
}

/**
 * Completes or undoes what interrupted runs left. A run that may not write only refuses to judge a
 * half-moved folder.
 * @returns whether files of the folder were moved
 * @throws Refusal when another run is going on
 */
export function recoverInterrupted(target: OutputFolder, options: WriteOptions): boolean {
  const inside = innerStateFolder(target);
  if (options.dryRun === true) {
    if (isUnfinished(workFolder(inside)))
      throw new WriteRefusal(
        "write-interrupted",
        `An earlier run in ${target.name} was interrupted, or is not done yet.`,
        "Run the command without --dry-run and --check to complete it.",
      );
    return false;
  }
  if (statOf(siblingStateFolder(target))) withLock(siblingStateFolder(target), () => undefined);
  return hasLeftovers(inside) && withLock(inside, () => recoverTarget(target));
}

function hasLeftovers(state: string): boolean {
  return (
    statOf(state)?.isDirectory() === true &&
    readdirSync(state).some((name) => name === "work" || name.startsWith("lock"))
  );
}

/**
 * Looks at a folder that holds still. Another run that is moving files would make us judge a
 * half-moved folder.
 * @throws Refusal when a run is going on, or was while we looked
 */
export function readConsistently<T>(target: OutputFolder, look: () => T): T {
  const before = snapshotOf(target);
  const check = (): void => {
    if (before === undefined || snapshotOf(target) !== before) throw changedMeanwhile(target);
  };
  try {
    const seen = look();
    check();
    return seen;
  } catch (error) {
    check();
    throw error;
  }
}

/**
 * Which manifest is there, as the file system tells one file from another; undefined while a run
 * moves files.
 */
function snapshotOf(target: OutputFolder): string | undefined {
  if (!target.exists) return "absent";
  if (isUnfinished(workFolder(innerStateFolder(target)))) return undefined;
  const manifest = statOf(join(target.path, MANIFEST_PATH));
  return manifest === undefined
    ? "none"
    : `${manifest.ino} ${manifest.mtimeMs} ${manifest.ctimeMs}`;
}

function recoverTarget(target: OutputFolder): boolean {
  const work = workFolder(innerStateFolder(target));
  return statOf(work) !== undefined && recover({ root: target.path, work });
}

/**
 * Makes the changes of a comparison.
 * @param manifestText the manifest that the comparison was made with: another run may have changed
 *   the folder since
 * @throws Refusal or a system error; nothing is changed then
 */
export function applyChanges(
  target: OutputFolder,
  comparison: Comparison,
  manifestText: string | undefined,
): void {
  if (target.exists)
    withLock(innerStateFolder(target), () => changeFolder(target, comparison, manifestText));
  else withLock(siblingStateFolder(target), () => createFolder(target, comparison));
}

function changeFolder(
  target: OutputFolder,
  comparison: Comparison,
  manifestText: string | undefined,
): void {
  const path = join(target.path, MANIFEST_PATH);
  const now = statOf(path) ? readFileSync(path, "utf8") : undefined;
  if (now !== manifestText || recoverTarget(target)) throw changedMeanwhile(target);
  const site = { root: target.path, work: workFolder(innerStateFolder(target)) };
  stage(site.work, comparison.texts);
  commit(site, comparison);
}

function createFolder(target: OutputFolder, comparison: Comparison): void {
  renameIntoPlace(stage(workFolder(siblingStateFolder(target)), comparison.texts), target);
}

/**
 * Gives a folder that is ready the name that it was made for.
 * @throws Refusal when something has that name by now; Windows calls that a lack of permission
 */
export function renameIntoPlace(fresh: string, target: OutputFolder): void {
  try {
    rename(fresh, target.path);
  } catch (error) {
    throw statOf(target.path) === undefined ? error : changedMeanwhile(target);
  }
}

/** Another run was quicker. */
function changedMeanwhile(target: OutputFolder): WriteRefusal {
  return new WriteRefusal(
    "write-locked",
    `Another run changed ${target.name} meanwhile. Nothing was changed by this one.`,
    "Run the command again.",
  );
}

/** Runs `action` alone, and leaves nothing behind but a journal that could not be completed. */
function withLock<T>(state: string, action: () => T): T {
  takeLock(state);
  try {
    return action();
  } finally {
    ignoreSystemErrors(() => {
      if (!isUnfinished(workFolder(state)))
        rmSync(workFolder(state), { recursive: true, force: true });
    });
    ignoreSystemErrors(() => releaseLock(state));
  }
}
