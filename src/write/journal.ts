import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../json.js";
import {
  errnoOf,
  foldersBelow,
  ignoreSystemErrors,
  pruneFolders,
  rename,
  requireRealFolder,
  statOf,
  WriteRefusal,
} from "./file-system.js";
import { folderOf, isLegalPath, MANIFEST_PATH } from "./paths.js";
import type { Changes, StagedFile } from "./types.js";

/*
 * Journal of file moves, so that a run can be killed at any time:
 *
 * work/new/…          staged new contents
 * work/journal.json   list of moves; once it exists, the run will be completed
 * work/old/…          replaced and deleted files, until the run is complete
 * work/rollback.json  the journal, renamed after a failed move: all files are restored
 *
 * Every move is idempotent: a moved file is no longer at its source.
 */
const JOURNAL = "journal.json";
const ROLLBACK = "rollback.json";

/**
 * Folders of a run. `work` has the staging area and the journal, on the file system of `root`, the
 * output folder.
 */
interface WorkArea {
  readonly root: string;
  readonly work: string;
}

/** Writes new contents below `work/new`. */
export function stage(work: string, texts: readonly StagedFile[]): string {
  const staged = join(work, "new");
  const createdFolders = new Set<string>();
  mkdirSync(staged, { recursive: true });
  for (const { path, content } of texts) {
    const folder = folderOf(path);
    if (!createdFolders.has(folder)) mkdirSync(join(staged, folder), { recursive: true });
    createdFolders.add(folder);
    writeFileSync(join(staged, path), content);
  }
  return staged;
}

/**
 * Applies the staged changes: all or none.
 * @throws the system error of a failed move; all files are restored then
 */
export function commit(area: WorkArea, changes: Changes): void {
  const draft = join(area.work, `${JOURNAL}.draft`);
  writeFileSync(
    draft,
    JSON.stringify({
      created: changes.created,
      updated: changes.updated,
      deleted: changes.deleted,
    }),
  );
  rename(draft, join(area.work, JOURNAL));
  try {
    moveIn(area, changes, () => true);
  } catch (error) {
    undo(area, changes);
    throw error;
  }
  discard(area.work);
}

function undo(area: WorkArea, changes: Changes): void {
  try {
    rename(join(area.work, JOURNAL), join(area.work, ROLLBACK));
    moveBack(area, changes, () => true);
  } catch {
    throw new WriteRefusal(
      "write-failed",
      `${area.root} could neither be changed nor restored; the missing files are in ${area.work}.`,
      "Free disk space or fix the permissions, then run the command again: it will continue.",
    );
  }
  discard(area.work);
}

/** True when a run was interrupted while moving files. */
export function isUnfinished(work: string): boolean {
  return existsSync(join(work, JOURNAL)) || existsSync(join(work, ROLLBACK));
}

/**
 * Completes or rolls back an interrupted run in `work`, then removes it.
 * @param isReplaceable test for paths that may be replaced or deleted; a journal may be forged
 * @returns whether files were moved
 * @throws WriteRefusal when the journal is invalid
 */
export function recover(area: WorkArea, isReplaceable: (path: string) => boolean): boolean {
  for (const folder of ["", "new", "old"]) requireRealFolder(join(area.work, folder));
  const read = (name: string): Changes | undefined =>
    readJournal(join(area.work, name), isReplaceable);
  const forward = read(JOURNAL);
  const rollback = forward === undefined ? read(ROLLBACK) : undefined;
  if (forward) moveIn(area, forward, isReplaceable);
  if (rollback) moveBack(area, rollback, isReplaceable);
  discard(area.work);
  return forward !== undefined || rollback !== undefined;
}

/** Removes the work folder, journals first: without one, the rest is disposable. */
function discard(work: string): void {
  ignoreSystemErrors(() => {
    rmSync(join(work, JOURNAL), { force: true });
    rmSync(join(work, ROLLBACK), { force: true });
    rmSync(work, { recursive: true, force: true });
  });
}

/** Moves the staged files in. A created file replaces only what may be replaced. */
function moveIn(
  { root, work }: WorkArea,
  changes: Changes,
  isReplaceable: (path: string) => boolean,
): void {
  const replaced = foldersBelow(join(work, "old"));
  const staged = foldersBelow(join(work, "new"));
  const current = foldersBelow(root);
  for (const path of [...changes.updated, ...changes.deleted]) {
    const from = current.find(path);
    // A file in `old` has been replaced already; the file here may be the new one.
    if (from !== undefined && !isThere(replaced.find(path))) move(from, replaced.make(path));
  }
  pruneFolders(root, changes.deleted);
  const result = foldersBelow(root);
  for (const path of [...changes.created, ...changes.updated]) {
    const from = staged.find(path);
    const isTaken = !isReplaceable(path) && path !== MANIFEST_PATH && isThere(result.find(path));
    if (isThere(from) && !isTaken) move(from, result.make(path));
  }
}

/** Moves the replaced files back. Of the created ones, only what may be replaced is removed. */
function moveBack(
  { root, work }: WorkArea,
  changes: Changes,
  isReplaceable: (path: string) => boolean,
): void {
  const replaced = foldersBelow(join(work, "old"));
  const staged = foldersBelow(join(work, "new"));
  const current = foldersBelow(root);
  for (const path of changes.created) {
    const file = current.find(path);
    if (file !== undefined && isReplaceable(path) && !isThere(staged.find(path)))
      rmSync(file, { force: true });
  }
  pruneFolders(root, changes.created);
  const result = foldersBelow(root);
  for (const path of [...changes.updated, ...changes.deleted]) {
    const from = replaced.find(path);
    if (isThere(from)) move(from, result.make(path));
  }
}

function isThere(path: string | undefined): path is string {
  return path !== undefined && statOf(path) !== undefined;
}

/** Moves a file. A missing file was moved by an earlier attempt, or deleted by the user. */
function move(from: string, to: string): void {
  try {
    rename(from, to);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

function readJournal(path: string, isReplaceable: (path: string) => boolean): Changes | undefined {
  if (!existsSync(path)) return undefined;
  const data = parse(readFileSync(path, "utf8"));
  const list = (value: unknown): value is string[] =>
    Array.isArray(value) &&
    value.every(
      (item) => typeof item === "string" && (item === MANIFEST_PATH || isLegalPath(item)),
    );
  if (!isObject(data) || !list(data.created) || !list(data.updated) || !list(data.deleted))
    throw new WriteRefusal(
      "write-manifest-invalid",
      `${path} is not a journal that mcp-gen wrote. Nothing was changed.`,
      "Delete it, and restore the folder from version control.",
    );
  const { created, updated, deleted } = data;
  const foreign = [...updated, ...deleted].find(
    (item) => item !== MANIFEST_PATH && !isReplaceable(item),
  );
  if (foreign === undefined) return { created, updated, deleted };
  throw new WriteRefusal(
    "write-manifest-invalid",
    `${path} lists ${foreign}, which this run does not generate. Nothing was changed.`,
    "Delete the journal if you do not recognize it, and restore the folder from version control.",
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
