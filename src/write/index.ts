import { readFileSync } from "node:fs";
import { join } from "node:path";
import { diagnostic, type Diagnostic, type DiagnosticCode, isError } from "../diagnostics/index.js";
import type { GeneratedFile } from "../render/types.js";
import type { Ahead } from "./ahead.js";
import { apply, settle, undisturbed } from "./apply.js";
import { compare, type Comparison, type Present } from "./compare.js";
import { Refusal, toDiagnostic } from "./failure.js";
import { requireRealFolder } from "./folders.js";
import type { CarriedOver } from "./keep/index.js";
import { type Manifest, parseManifest } from "./manifest.js";
import { keepNpmFiles } from "./npm/index.js";
import { packageVersion, withVersion } from "./npm/version.js";
import { folded, isLegalPath, MANIFEST_PATH, STATE_FOLDER } from "./paths.js";
import { findTarget, requireOwnFolder, statOf, type Target } from "./target.js";
import type { StagedFile, WriteOptions, WriteResult } from "./types.js";

export { startAhead } from "./ahead.js";
export type * from "./types.js";

/**
 * Makes a folder hold the generated files, or says what that would change.
 *
 * What the owner of the folder changed or added is never touched without `force`, and declarations
 * marked `@keep` are carried over; a run that is killed is completed or undone by the next one; a
 * run that changes nothing writes nothing. All file access after the last look at the folder is
 * synchronous: it is faster, and two calls in one process cannot interleave.
 * @param files relative POSIX paths, each once, and whole texts
 * @param outDir the folder, as the user named it; it may be absent, its parent may not
 * @param ahead a new folder that these files have been given to already
 * @returns what was done; with an error among the diagnostics, nothing was
 */
export async function write(
  files: readonly GeneratedFile[],
  outDir: string,
  options: WriteOptions = {},
  ahead?: Ahead,
): Promise<WriteResult> {
  try {
    return ahead ? await runAhead(files, ahead) : await run(files, outDir, options);
  } catch (error) {
    return {
      created: [],
      updated: [],
      deleted: [],
      unchanged: 0,
      refused: [],
      kept: [],
      diagnostics: [toDiagnostic(error, outDir)],
    };
  }
}

async function run(
  files: readonly GeneratedFile[],
  outDir: string,
  options: WriteOptions,
): Promise<WriteResult> {
  requireLegalPaths(files);
  const target = findTarget(outDir);
  const diagnostics = settle(target, options)
    ? [diagnostic("write-recovered", `An interrupted run in ${outDir} was completed first.`)]
    : [];
  const first = look(files, target, options);
  const seen =
    first.comparison.marked.length === 0
      ? first
      : look(files, target, options, await import("./keep/index.js"));
  const { present, comparison, carried } = seen;
  const problems = [...carried.problems, ...problemsOf(comparison, carried, target, options)];
  if (!problems.some(isError) && options.dryRun !== true && changesAnything(comparison))
    apply(target, comparison, present.manifestText);
  return report(comparison, carried, [...diagnostics, ...problems], options);
}

/** Nothing is compared, because nothing was there. */
async function runAhead(files: readonly GeneratedFile[], ahead: Ahead): Promise<WriteResult> {
  requireLegalPaths(files);
  const known = await ahead.written();
  const comparison = compare(
    files,
    { root: undefined, manifest: new Map(), manifestText: undefined },
    { known },
  );
  ahead.settle(comparison.texts.at(-1) as StagedFile);
  return report(comparison, nothingKept, [], {});
}

/** The folder as it is, against what was generated. */
interface Seen {
  readonly present: Present;
  readonly comparison: Comparison;
  readonly carried: CarriedOver;
}

const nothingKept: CarriedOver = { merged: new Map(), kept: [], problems: [] };

/** @param keep what carries declarations over; loaded only when a file has some */
function look(
  rendered: readonly GeneratedFile[],
  target: Target,
  options: WriteOptions,
  keep?: typeof import("./keep/index.js"),
): Seen {
  return undisturbed(target, () => {
    const present = readPresent(target, options);
    const files = ofVersion(rendered, packageVersion(present.root));
    const anyVersion = options.anyVersion === true;
    const first = compare(files, present, { anyVersion });
    const given = {
      files,
      manifest: present.manifest,
      force: options.force === true,
      folder: target.name,
    };
    const npm = keepNpmFiles({ ...given, present, comparison: first });
    const carried = keep ? keep.carryOver({ ...given, marked: first.marked }) : nothingKept;
    const merged = new Map([...carried.merged, ...npm.merged]);
    const comparison =
      merged.size + npm.left.size > 0
        ? compare(files, present, { merged, left: npm.left, anyVersion })
        : first;
    const broken =
      keep && changesAnything(comparison) && carried.merged.size > 0
        ? keep.checkKept({
            ...given,
            root: target.path,
            merged: carried.merged,
            deleted: comparison.deleted,
          })
        : [];
    return {
      present,
      comparison,
      carried: {
        merged,
        kept: [...npm.kept, ...carried.kept],
        problems: [...npm.problems, ...carried.problems, ...broken],
      },
    };
  });
}

/** The files with the version that the package has, where it has one already. */
function ofVersion(
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
  { kept, problems }: CarriedOver,
  diagnostics: readonly Diagnostic[],
  options: WriteOptions,
): WriteResult {
  const { created, updated, deleted, unchanged, edited, foreign, blocked } = comparison;
  const broken = problems.some(({ code }) => code === "write-kept-broken")
    ? kept.map(({ path }) => path)
    : [];
  const refused =
    options.force === true
      ? blocked
      : [...new Set([...edited, ...foreign, ...blocked, ...broken])].sort();
  return { created, updated, deleted, unchanged, refused, kept, diagnostics };
}

function changesAnything({ created, updated, deleted }: Comparison): boolean {
  return created.length + updated.length + deleted.length > 0;
}

/** Names that differ only in case are one file on some systems. */
function requireLegalPaths(files: readonly GeneratedFile[]): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    const key = folded(path);
    if (!isLegalPath(path))
      throw new Refusal(
        "write-path-illegal",
        `${JSON.stringify(path)} is not a path inside the output folder that every system can have. Nothing was written.`,
      );
    if (seen.has(key))
      throw new Refusal(
        "write-path-illegal",
        `Two generated files have the path ${path}, upper and lower case aside. Nothing was written.`,
      );
    seen.add(key);
  }
}

/** Reads the manifest; without one, the folder must be absent, empty, or meant. */
function readPresent(target: Target, options: WriteOptions): Present {
  const root = target.exists ? target.path : undefined;
  const text = readManifest(target);
  const forced = options.force === true;
  if (text === undefined && !forced) requireOwnFolder(target);
  const manifest: Manifest | string = text === undefined ? new Map() : parseManifest(text);
  if (typeof manifest !== "string") return { root, manifest, manifestText: text };
  if (forced) return { root, manifest: new Map(), manifestText: text };
  throw new Refusal(
    "write-manifest-invalid",
    `${join(target.name, MANIFEST_PATH)} ${manifest}. Nothing was changed.`,
    "Restore it from version control, or add --force to overwrite the generated files.",
  );
}

function readManifest(target: Target): string | undefined {
  if (!target.exists || !requireRealFolder(join(target.path, STATE_FOLDER))) return undefined;
  const path = join(target.path, MANIFEST_PATH);
  const found = statOf(path);
  if (found === undefined) return undefined;
  if (!found.isFile())
    throw new Refusal(
      "write-not-a-file",
      `${join(target.name, MANIFEST_PATH)} is not a plain file.`,
      "Remove it, or restore it from version control.",
    );
  return readFileSync(path, "utf8");
}

/** What stands in the way, besides what was found where declarations are kept. */
function problemsOf(
  { edited, foreign, blocked, behind }: Comparison,
  { problems }: CarriedOver,
  target: Target,
  options: WriteOptions,
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const told = new Set(problems.map(({ place }) => place?.file));
  const add = (
    code: DiagnosticCode,
    paths: readonly string[],
    what: string,
    hint: string,
  ): void => {
    if (paths.length > 0)
      found.push(
        diagnostic(
          code,
          `${count(paths.length)} in ${target.name} ${what}: ${shorten(paths)}. Nothing was changed.`,
          undefined,
          hint,
        ),
      );
  };
  add(
    "write-not-a-file",
    blocked,
    "cannot be written, because a link or a folder is in the way",
    "Remove what is in the way; files are not written through links.",
  );
  if (behind.length > 0)
    found.push(
      diagnostic(
        "write-version-behind",
        `${shorten(behind)} in ${target.name} will have the version of package.json with the next run.`,
      ),
    );
  if (options.force === true) return found;
  const untold = edited.filter((path) => !told.has(join(target.name, path)));
  add(
    "write-files-edited",
    untold,
    "would lose changes that were made since the last run",
    "Mark declarations that are yours with /** @keep */, or move the changes to src/custom/, or add --force to overwrite them.",
  );
  add(
    "write-files-foreign",
    foreign,
    "would be replaced, and mcp-gen did not write what is there",
    "Move what is there away, or add --force to overwrite it.",
  );
  return found;
}

function count(files: number): string {
  return files === 1 ? "1 file" : `${files} files`;
}

const SHOWN = 10;

function shorten(paths: readonly string[]): string {
  return paths.length <= SHOWN
    ? paths.join(", ")
    : `${paths.slice(0, SHOWN).join(", ")} and ${paths.length - SHOWN} more`;
}
