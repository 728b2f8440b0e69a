import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Comparison } from "./compare.js";
import { ignoreSystemErrors, rename, statOf, WriteRefusal } from "./file-system.js";
import { commit, isUnfinished, recover, stage } from "./journal.js";
import { type OutputFolder, releaseLock, takeLock } from "./output-folder.js";
import { MANIFEST_PATH, STATE_FOLDER } from "./paths.js";
import type { WriteOptions } from "./types.js";

/*
 * An existing folder is changed from inside its own `.mcp-gen`, which is on the same file system
 * even if the folder is a mount point or a container volume. A new folder is created beside its
 * path and renamed.
 */
function innerStateFolder(target: OutputFolder): string {
  return join(target.path, STATE_FOLDER);
}
function siblingStateFolder(target: OutputFolder): string {
  return join(dirname(target.path), `.${basename(target.path)}${STATE_FOLDER}`);
}
function workFolder(state: string): string {
  return join(state, "work");
}

/** Test for paths that a run may replace or delete. */
type PathTest = (path: string) => boolean;

/**
 * Completes or rolls back interrupted runs. Read-only runs refuse a folder with an unfinished run.
 * @returns whether files of the folder were moved
 * @throws WriteRefusal when another run is in progress
 */
export function recoverInterrupted(
  target: OutputFolder,
  options: WriteOptions,
  isReplaceable: PathTest,
): boolean {
  const inside = innerStateFolder(target);
  if (options.dryRun === true) {
    if (isUnfinished(workFolder(inside)))
      throw new WriteRefusal(
        "write-interrupted",
        `An earlier run in ${target.name} was interrupted or is still in progress.`,
        "Run the command without --dry-run and --check to complete it.",
      );
    return false;
  }
  if (statOf(siblingStateFolder(target))) withLock(siblingStateFolder(target), () => undefined);
  return hasLeftovers(inside) && withLock(inside, () => recoverTarget(target, isReplaceable));
}

/** True if another run is in progress, or was interrupted. */
export function hasUnfinishedRun(target: OutputFolder): boolean {
  return statOf(siblingStateFolder(target)) !== undefined || hasLeftovers(innerStateFolder(target));
}

function hasLeftovers(state: string): boolean {
  return (
    statOf(state)?.isDirectory() === true &&
    readdirSync(state).some((name) => name === "work" || name.startsWith("lock"))
  );
}

/**
 * Reads a folder and verifies that no other run changed it meanwhile.
 * @throws WriteRefusal when another run was in progress
 */
export function readConsistently<T>(target: OutputFolder, read: () => T): T {
  const before = snapshotOf(target);
  const check = (): void => {
    if (before === undefined || snapshotOf(target) !== before) throw changedMeanwhile(target);
  };
  try {
    const result = read();
    check();
    return result;
  } catch (error) {
    check();
    throw error;
  }
}

/** Identity of the manifest in the file system; undefined while a run moves files. */
function snapshotOf(target: OutputFolder): string | undefined {
  if (!target.exists) return "absent";
  if (isUnfinished(workFolder(innerStateFolder(target)))) return undefined;
  const manifest = statOf(join(target.path, MANIFEST_PATH));
  return manifest === undefined
    ? "none"
    : `${manifest.ino} ${manifest.mtimeMs} ${manifest.ctimeMs}`;
}

function recoverTarget(target: OutputFolder, isReplaceable: PathTest): boolean {
  const work = workFolder(innerStateFolder(target));
  return statOf(work) !== undefined && recover({ root: target.path, work }, isReplaceable);
}

/**
 * Applies the changes of a comparison.
 * @param manifestText manifest that the comparison is based on
 * @param isReplaceable test for paths that may be replaced, should another run have been
 * interrupted
 * @throws WriteRefusal or a system error; nothing is changed then
 */
export function applyChanges(
  target: OutputFolder,
  comparison: Comparison,
  manifestText: string | undefined,
  isReplaceable: PathTest,
): void {
  if (target.exists)
    withLock(innerStateFolder(target), () =>
      changeFolder(target, comparison, manifestText, isReplaceable),
    );
  else withLock(siblingStateFolder(target), () => createFolder(target, comparison));
}

function changeFolder(
  target: OutputFolder,
  comparison: Comparison,
  manifestText: string | undefined,
  isReplaceable: PathTest,
): void {
  const path = join(target.path, MANIFEST_PATH);
  const currentText = statOf(path) ? readFileSync(path, "utf8") : undefined;
  if (currentText !== manifestText || recoverTarget(target, isReplaceable))
    throw changedMeanwhile(target);
  const area = { root: target.path, work: workFolder(innerStateFolder(target)) };
  stage(area.work, comparison.texts);
  commit(area, comparison);
}

function createFolder(target: OutputFolder, comparison: Comparison): void {
  renameIntoPlace(stage(workFolder(siblingStateFolder(target)), comparison.texts), target);
}

/**
 * Renames a complete folder to its final name.
 * @throws WriteRefusal when the name is taken; Windows reports that as a lack of permission
 */
function renameIntoPlace(staged: string, target: OutputFolder): void {
  try {
    rename(staged, target.path);
  } catch (error) {
    throw statOf(target.path) === undefined ? error : changedMeanwhile(target);
  }
}

/** Refusal because another run changed the folder. */
function changedMeanwhile(target: OutputFolder): WriteRefusal {
  return new WriteRefusal(
    "write-locked",
    `Another run changed ${target.name} meanwhile. This run changed nothing.`,
    "Run the command again.",
  );
}

/** Runs `action` under the lock and removes the work folder, unless its journal is unfinished. */
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
