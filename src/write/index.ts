import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  diagnostic,
  type Diagnostic,
  type DiagnosticCode,
  formatCount,
  isError,
  joinFirst,
} from "../diagnostics/index.js";
import type { GeneratedFile } from "../render/types.js";
import { applyChanges, readConsistently, recoverInterrupted } from "./apply.js";
import { compare, type Comparison, type DiskState } from "./compare.js";
import { requireRealFolder, statOf, toDiagnostic, WriteRefusal } from "./file-system.js";
import type { CarryOverResult } from "./keep/index.js";
import {
  canBeGenerated,
  isLegalPath,
  MANIFEST_PATH,
  normalizePath,
  STATE_FOLDER,
} from "./paths.js";
import { type Manifest, parseManifest } from "./manifest.js";
import { preserveNpmFiles } from "./npm/index.js";
import { packageVersion, withVersion } from "./package-json.js";
import { inspectOutputFolder, type OutputFolder, requireDedicatedFolder } from "./output-folder.js";
import type { WriteOptions, WriteResult } from "./types.js";

export type * from "./types.js";

/**
 * Writes the generated files to a folder, or reports what that would change.
 *
 * User edits are never overwritten without `force`, and declarations marked `@keep` are kept. An
 * interrupted run is completed or rolled back by the next one. A run without changes writes
 * nothing. File access after the comparison is synchronous, so that two calls in one process cannot
 * interleave.
 *
 * @param files relative POSIX paths, each once, with complete contents
 * @param outDir the folder as the user named it; its parent must exist
 * @returns the changes; after an error, nothing was changed
 */
export async function write(
  files: readonly GeneratedFile[],
  outDir: string,
  options: WriteOptions = {},
): Promise<WriteResult> {
  try {
    return await writeFolder(files, outDir, options);
  } catch (error) {
    return {
      created: [],
      updated: [],
      deleted: [],
      unchanged: 0,
      refused: [],
      preserved: [],
      diagnostics: [toDiagnostic(error, outDir)],
    };
  }
}

async function writeFolder(
  files: readonly GeneratedFile[],
  outDir: string,
  options: WriteOptions,
): Promise<WriteResult> {
  requireLegalPaths(files);
  const target = inspectOutputFolder(outDir);
  const diagnostics = recoverInterrupted(target, options, replaceablePaths(files))
    ? [diagnostic("write-recovered", `An interrupted run in ${outDir} was completed first.`)]
    : [];
  const first = inspect(files, target, options);
  const inspection =
    first.comparison.withKeepMarks.length === 0
      ? first
      : inspect(files, target, options, await import("./keep/index.js"));
  const { present, comparison, carried } = inspection;
  const problems = [
    ...carried.problems,
    ...problemsOf(comparison, carried, target, options),
    ...foreignPathsDiagnostic(present, target),
  ];
  if (!problems.some(isError) && options.dryRun !== true && changesAnything(comparison))
    applyChanges(target, comparison, present.manifestText, replaceablePaths(files));
  return report(comparison, carried, [...diagnostics, ...problems], options);
}

/** Comparison of the folder with the generated files. */
interface Inspection {
  readonly present: DiskState;
  readonly comparison: Comparison;
  readonly carried: CarryOverResult;
}

const NOTHING_CARRIED: CarryOverResult = { merged: new Map(), preserved: [], problems: [] };

/**
 * Compares the folder with the generated files, after edits that a run keeps are carried over.
 * @param keep module that carries declarations over; loaded only for files with `@keep`
 */
function inspect(
  rendered: readonly GeneratedFile[],
  target: OutputFolder,
  options: WriteOptions,
  keep?: typeof import("./keep/index.js"),
): Inspection {
  return readConsistently(target, () => {
    const present = readDiskState(target, options, replaceablePaths(rendered));
    const files = withPackageVersion(rendered, packageVersion(present.root));
    const anyVersion = options.anyVersion === true;
    const first = compare(files, present, { anyVersion });
    const { manifest } = present;
    const input = { files, manifest, force: options.force === true, folder: target.name };
    const pinned = new Set(Object.keys(options.packages ?? {}));
    const npm = preserveNpmFiles({ ...input, present, comparison: first, pinned });
    const code = keep?.carryOver({ ...input, marked: first.withKeepMarks }) ?? NOTHING_CARRIED;
    const merged = new Map([...code.merged, ...npm.merged]);
    const comparison =
      merged.size + npm.skipped.size > 0
        ? compare(files, present, { merged, skipped: npm.skipped, anyVersion })
        : first;
    const checked = {
      ...input,
      root: target.path,
      merged: code.merged,
      deleted: comparison.deleted,
    };
    const typeErrors =
      keep && code.merged.size > 0 && changesAnything(comparison)
        ? keep.checkKeptTypes(checked)
        : [];
    const preserved = [...npm.preserved, ...code.preserved];
    const problems = [...npm.problems, ...code.problems, ...typeErrors];
    return { present, comparison, carried: { merged, preserved, problems } };
  });
}

/** Test for paths that a run may replace: its own, and those that mcp-gen can generate. */
function replaceablePaths(files: readonly GeneratedFile[]): (path: string) => boolean {
  const own = new Set(files.flatMap(({ path, writeOnce }) => (writeOnce === true ? [] : [path])));
  return (path) => own.has(path) || canBeGenerated(path);
}

/** Applies the existing version of the package to the files. */
function withPackageVersion(
  files: readonly GeneratedFile[],
  version: string | undefined,
): readonly GeneratedFile[] {
  if (version === undefined) return files;
  return files.map((file) => {
    const content = withVersion(file.path, file.content, version);
    return content === file.content ? file : { ...file, content };
  });
}

function report(
  comparison: Comparison,
  { preserved, problems }: CarryOverResult,
  diagnostics: readonly Diagnostic[],
  options: WriteOptions,
): WriteResult {
  const { created, updated, deleted, unchanged, editedFiles, ungeneratedFiles, blocked } =
    comparison;
  const typeErrors = problems.some(({ code }) => code === "write-keep-conflict")
    ? preserved.map(({ path }) => path)
    : [];
  const refused =
    options.force === true
      ? blocked
      : [...new Set([...editedFiles, ...ungeneratedFiles, ...blocked, ...typeErrors])].sort();
  return { created, updated, deleted, unchanged, refused, preserved, diagnostics };
}

function changesAnything({ created, updated, deleted }: Comparison): boolean {
  return created.length + updated.length + deleted.length > 0;
}

/** Checks all paths. Names that differ only in case are one file on some systems. */
function requireLegalPaths(files: readonly GeneratedFile[]): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    const key = normalizePath(path);
    if (!isLegalPath(path))
      throw new WriteRefusal(
        "write-path-invalid",
        `${JSON.stringify(path)} is not a portable path inside the output folder. Nothing was written.`,
      );
    if (seen.has(key))
      throw new WriteRefusal(
        "write-path-invalid",
        `Two generated files have the path ${path}, ignoring case. Nothing was written.`,
      );
    seen.add(key);
  }
}

/**
 * Reads the state of the folder. Without a manifest, it must be absent or empty, unless `force` is
 * set.
 */
function readDiskState(
  target: OutputFolder,
  options: WriteOptions,
  isReplaceable: (path: string) => boolean,
): DiskState {
  const root = target.exists ? target.path : undefined;
  const text = readManifest(target);
  const forced = options.force === true;
  if (text === undefined && !forced) requireDedicatedFolder(target);
  const manifest: Manifest | string = text === undefined ? new Map() : parseManifest(text);
  if (typeof manifest !== "string") {
    const entries = [...manifest];
    return {
      root,
      manifest: new Map(entries.filter(([path]) => isReplaceable(path))),
      manifestText: text,
      foreignPaths: entries.map(([path]) => path).filter((path) => !isReplaceable(path)),
    };
  }
  if (forced) return { root, manifest: new Map(), manifestText: text };
  throw new WriteRefusal(
    "write-manifest-invalid",
    `${join(target.name, MANIFEST_PATH)} ${manifest}. Nothing was changed.`,
    "Restore it from version control, or add --force to overwrite the generated files.",
  );
}

function readManifest(target: OutputFolder): string | undefined {
  if (!target.exists || !requireRealFolder(join(target.path, STATE_FOLDER))) return undefined;
  const path = join(target.path, MANIFEST_PATH);
  const stats = statOf(path);
  if (stats === undefined) return undefined;
  if (!stats.isFile())
    throw new WriteRefusal(
      "write-not-a-file",
      `${join(target.name, MANIFEST_PATH)} is not a plain file.`,
      "Remove it, or restore it from version control.",
    );
  return readFileSync(path, "utf8");
}

/** Reports conflicts other than those of `@keep` declarations. */
function problemsOf(
  { editedFiles, ungeneratedFiles, blocked, outdated }: Comparison,
  { problems }: CarryOverResult,
  target: OutputFolder,
  options: WriteOptions,
): readonly Diagnostic[] {
  const report = pathReporter(target);
  const diagnostics = [
    ...report(
      "write-not-a-file",
      blocked,
      "cannot be written: a link or a folder is at this path",
      "Remove the link or folder; files are not written through links.",
    ),
    ...(outdated.length > 0 ? [outdatedVersionDiagnostic(outdated, target)] : []),
  ];
  if (options.force === true) return diagnostics;
  const reportedFiles = new Set(problems.map(({ location }) => location?.file));
  return [
    ...diagnostics,
    ...report(
      "write-files-edited",
      editedFiles.filter((path) => !reportedFiles.has(join(target.name, path))),
      "would lose edits that were made since the last run",
      "Mark your declarations with /** @keep */, or move the edits to src/custom/, " +
        "or add --force to overwrite them.",
    ),
    ...report(
      "write-files-not-generated",
      ungeneratedFiles,
      "would be overwritten, but mcp-gen did not write these files",
      "Move these files, or add --force to overwrite them.",
    ),
  ];
}

/** Reports paths with one problem in one diagnostic; none without paths. */
function pathReporter({ name }: OutputFolder) {
  return (
    code: DiagnosticCode,
    paths: readonly string[],
    problem: string,
    hint: string,
  ): readonly Diagnostic[] => {
    if (paths.length === 0) return [];
    const subject = `${formatCount(paths.length, "file")} in ${name}`;
    const message = `${subject} ${problem}: ${joinFirst(paths, MAX_PATHS)}. Nothing was changed.`;
    return [diagnostic(code, message, undefined, hint)];
  };
}

function foreignPathsDiagnostic(
  { foreignPaths = [] }: DiskState,
  { name }: OutputFolder,
): readonly Diagnostic[] {
  if (foreignPaths.length === 0) return [];
  return [
    diagnostic(
      "write-manifest-foreign",
      `${join(name, MANIFEST_PATH)} lists ${formatCount(foreignPaths.length, "file")} that mcp-gen ` +
        `cannot have generated: ${joinFirst(foreignPaths, MAX_PATHS)}. Left unchanged.`,
      undefined,
      "If a custom template no longer adds a file, delete it. Otherwise review the change of the manifest.",
    ),
  ];
}

function outdatedVersionDiagnostic(paths: readonly string[], { name }: OutputFolder): Diagnostic {
  return diagnostic(
    "write-version-outdated",
    `${joinFirst(paths, MAX_PATHS)} in ${name} will get the version of package.json with the next run.`,
  );
}

/** Maximum number of paths that a message lists. */
const MAX_PATHS = 10;
