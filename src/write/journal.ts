import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../json.js";
import { foldersBelow, pruneFolders, rename, requireRealFolder, statOf } from "./file-system.js";
import { folderOf, isLegalPath, MANIFEST_PATH } from "./paths.js";
import { errnoOf, ignoreSystemErrors, WriteRefusal } from "./refusal.js";
import type { Changes, StagedFile } from "./types.js";

/*
 * How files change hands, so that a run can be killed anywhere:
 *
 *   work/new/…          the new texts, staged
 *   work/journal.json   the list of moves; once it is there, the run is decided and will be completed
 *   work/old/…          what was replaced or deleted, until all is done
 *   work/rollback.json  the journal under another name, after a move failed: all is put back
 *
 * Every move can be repeated: what has been moved is no longer where it was.
 */
const JOURNAL = "journal.json";
const ROLLBACK = "rollback.json";

/**
 * Where a run works: `work` holds its staging and journal, on the file system of `root`, the output
 * folder.
 */
export interface WorkArea {
  readonly root: string;
  readonly work: string;
}

/** Writes new texts below `work/new`. */
export function stage(work: string, texts: readonly StagedFile[]): string {
  const fresh = join(work, "new");
  const made = new Set<string>();
  mkdirSync(fresh, { recursive: true });
  for (const { path, content } of texts) {
    const folder = folderOf(path);
    if (!made.has(folder)) mkdirSync(join(fresh, folder), { recursive: true });
    made.add(folder);
    writeFileSync(join(fresh, path), content);
  }
  return fresh;
}

/**
 * Makes the staged changes to the folder: all of them, or none.
 * @throws the system's error when a move failed; everything is as it was then
 */
export function commit(site: WorkArea, changes: Changes): void {
  const draft = join(site.work, `${JOURNAL}.draft`);
  writeFileSync(
    draft,
    JSON.stringify({
      created: changes.created,
      updated: changes.updated,
      deleted: changes.deleted,
    }),
  );
  rename(draft, join(site.work, JOURNAL));
  try {
    moveIn(site, changes);
  } catch (error) {
    undo(site, changes);
    throw error;
  }
  discard(site.work);
}

function undo(site: WorkArea, changes: Changes): void {
  try {
    rename(join(site.work, JOURNAL), join(site.work, ROLLBACK));
    moveBack(site, changes);
  } catch {
    throw new WriteRefusal(
      "write-failed",
      `${site.root} could neither be changed nor put back as it was; what is missing is kept in ${site.work}.`,
      "Make room on the disk or mend the permissions, and run the command again: it continues there.",
    );
  }
  discard(site.work);
}

/** Whether a run was interrupted while it moved files. */
export function isUnfinished(work: string): boolean {
  return existsSync(join(work, JOURNAL)) || existsSync(join(work, ROLLBACK));
}

/**
 * Completes or rolls back what an interrupted run left in `work`, then removes it.
 * @returns whether files were moved
 * @throws Refusal when the journal is not one that mcp-gen writes
 */
export function recover(site: WorkArea): boolean {
  for (const folder of ["", "new", "old"]) requireRealFolder(join(site.work, folder));
  const forward = readJournal(join(site.work, JOURNAL));
  const back = forward === undefined ? readJournal(join(site.work, ROLLBACK)) : undefined;
  if (forward) moveIn(site, forward);
  if (back) moveBack(site, back);
  discard(site.work);
  return forward !== undefined || back !== undefined;
}

/** Journals go first: without one, the rest is only scratch. */
function discard(work: string): void {
  ignoreSystemErrors(() => {
    rmSync(join(work, JOURNAL), { force: true });
    rmSync(join(work, ROLLBACK), { force: true });
    rmSync(work, { recursive: true, force: true });
  });
}

function moveIn({ root, work }: WorkArea, changes: Changes): void {
  const old = foldersBelow(join(work, "old"));
  const fresh = foldersBelow(join(work, "new"));
  const before = foldersBelow(root);
  for (const path of [...changes.updated, ...changes.deleted]) {
    const from = before.find(path);
    // What is in `old` already has been replaced: the file here may be the new one.
    if (from !== undefined && !isThere(old.find(path))) move(from, old.make(path));
  }
  pruneFolders(root, changes.deleted);
  const after = foldersBelow(root);
  for (const path of [...changes.created, ...changes.updated]) {
    const from = fresh.find(path);
    if (isThere(from)) move(from, after.make(path));
  }
}

function moveBack({ root, work }: WorkArea, changes: Changes): void {
  const old = foldersBelow(join(work, "old"));
  const fresh = foldersBelow(join(work, "new"));
  const before = foldersBelow(root);
  for (const path of changes.created) {
    const made = before.find(path);
    if (made !== undefined && !isThere(fresh.find(path))) rmSync(made, { force: true });
  }
  pruneFolders(root, changes.created);
  const after = foldersBelow(root);
  for (const path of [...changes.updated, ...changes.deleted]) {
    const from = old.find(path);
    if (isThere(from)) move(from, after.make(path));
  }
}

function isThere(path: string | undefined): path is string {
  return path !== undefined && statOf(path) !== undefined;
}

/**
 * Moves a file; one that is gone already has been moved by an earlier attempt, or deleted by its
 * owner.
 */
function move(from: string, to: string): void {
  try {
    rename(from, to);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

function readJournal(path: string): Changes | undefined {
  if (!existsSync(path)) return undefined;
  const data = parse(readFileSync(path, "utf8"));
  const list = (value: unknown): value is string[] =>
    Array.isArray(value) &&
    value.every(
      (item) => typeof item === "string" && (item === MANIFEST_PATH || isLegalPath(item)),
    );
  if (isObject(data) && list(data.created) && list(data.updated) && list(data.deleted))
    return { created: data.created, updated: data.updated, deleted: data.deleted };
  throw new WriteRefusal(
    "write-manifest-invalid",
    `${path} is not a journal that mcp-gen wrote. Nothing was changed.`,
    "Delete it, and restore the folder from version control.",
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
