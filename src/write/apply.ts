import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Comparison } from "./compare.js";
import { Refusal, tidy } from "./failure.js";
import { commit, isUnfinished, recover, stage } from "./journal.js";
import { releaseLock, takeLock } from "./lock.js";
import { MANIFEST_PATH, STATE_FOLDER } from "./paths.js";
import { rename } from "./rename.js";
import { statOf, type Target } from "./target.js";
import type { WriteOptions } from "./types.js";

/*
 * A folder that exists is worked on inside its own `.mcp-gen`: that is the same file system even when the folder is a
 * mount point or a container's volume. One that does not exist yet is put together beside its place, and renamed.
 */
function insideOf(target: Target): string {
  return join(target.path, STATE_FOLDER);
}
export function besideOf(target: Target): string {
  return join(dirname(target.path), `.${basename(target.path)}${STATE_FOLDER}`);
}
export function workOf(state: string): string {
  return join(state, "work");
}

/**
 * Completes or undoes what interrupted runs left. A run that may not write only refuses to judge a
 * half-moved folder.
 * @returns whether files of the folder were moved
 * @throws Refusal when another run is going on
 */
export function settle(target: Target, options: WriteOptions): boolean {
  const inside = insideOf(target);
  if (options.dryRun === true) {
    if (isUnfinished(workOf(inside)))
      throw new Refusal(
        "write-interrupted",
        `An earlier run in ${target.name} was interrupted, or is not done yet.`,
        "Run the command without --dry-run and --check to complete it.",
      );
    return false;
  }
  if (statOf(besideOf(target))) underLock(besideOf(target), () => undefined);
  return hasLeftovers(inside) && underLock(inside, () => recoverIn(target));
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
export function undisturbed<T>(target: Target, look: () => T): T {
  const before = momentOf(target);
  const check = (): void => {
    if (before === undefined || momentOf(target) !== before) throw overtaken(target);
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
function momentOf(target: Target): string | undefined {
  if (!target.exists) return "absent";
  if (isUnfinished(workOf(insideOf(target)))) return undefined;
  const manifest = statOf(join(target.path, MANIFEST_PATH));
  return manifest === undefined
    ? "none"
    : `${manifest.ino} ${manifest.mtimeMs} ${manifest.ctimeMs}`;
}

function recoverIn(target: Target): boolean {
  const work = workOf(insideOf(target));
  return statOf(work) !== undefined && recover({ root: target.path, work });
}

/**
 * Makes the changes of a comparison.
 * @param manifestText the manifest that the comparison was made with: another run may have changed
 *   the folder since
 * @throws Refusal or a system error; nothing is changed then
 */
export function apply(
  target: Target,
  comparison: Comparison,
  manifestText: string | undefined,
): void {
  if (target.exists) underLock(insideOf(target), () => change(target, comparison, manifestText));
  else underLock(besideOf(target), () => create(target, comparison));
}

function change(target: Target, comparison: Comparison, manifestText: string | undefined): void {
  const path = join(target.path, MANIFEST_PATH);
  const now = statOf(path) ? readFileSync(path, "utf8") : undefined;
  if (now !== manifestText || recoverIn(target)) throw overtaken(target);
  const site = { root: target.path, work: workOf(insideOf(target)) };
  stage(site.work, comparison.texts);
  commit(site, comparison);
}

function create(target: Target, comparison: Comparison): void {
  putInPlace(stage(workOf(besideOf(target)), comparison.texts), target);
}

/**
 * Gives a folder that is ready the name that it was made for.
 * @throws Refusal when something has that name by now; Windows calls that a lack of permission
 */
export function putInPlace(fresh: string, target: Target): void {
  try {
    rename(fresh, target.path);
  } catch (error) {
    throw statOf(target.path) === undefined ? error : overtaken(target);
  }
}

/** Another run was quicker. */
function overtaken(target: Target): Refusal {
  return new Refusal(
    "write-locked",
    `Another run changed ${target.name} meanwhile. Nothing was changed by this one.`,
    "Run the command again.",
  );
}

/** Runs `action` alone, and leaves nothing behind but a journal that could not be completed. */
function underLock<T>(state: string, action: () => T): T {
  takeLock(state);
  try {
    return action();
  } finally {
    tidy(() => {
      if (!isUnfinished(workOf(state))) rmSync(workOf(state), { recursive: true, force: true });
    });
    tidy(() => releaseLock(state));
  }
}
