import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, diagnostic, joinFirst } from "../../diagnostics/index.js";
import { isLockfileCurrent } from "../../package-lock.js";
import type { GeneratedFile } from "../../render/types.js";
import type { Comparison, DiskState } from "../compare.js";
import { isGenerated, normalizeLineEndings } from "../manifest.js";
import type { PreservedContent } from "../types.js";
import {
  fingerprintMembers,
  memberTitle,
  mergePackage,
  type PackageMember,
  type RaisedPackage,
  readGeneratedBase,
  withoutVersion,
} from "../package-json.js";

const PACKAGE = "package.json";
const LOCK = "package-lock.json";

/** Folder, generated files and their comparison. */
interface NpmInput {
  readonly files: readonly GeneratedFile[];
  readonly present: DiskState;
  readonly comparison: Comparison;
  readonly force: boolean;
  /** Dependencies whose version the configuration states. */
  readonly pinned: ReadonlySet<string>;
  /** Folder as the user named it, for messages. */
  readonly folder: string;
}

/** Files that npm and users edit too. */
interface NpmResult {
  readonly merged: ReadonlyMap<string, string>;
  /** Files that stay unchanged. */
  readonly skipped: ReadonlySet<string>;
  readonly preserved: readonly PreservedContent[];
  readonly problems: readonly Diagnostic[];
}

/**
 * Preserves additions to package.json and the lockfile that npm made of it. npm changes the
 * lockfile on many occasions, and it follows from package.json, so it never causes a conflict.
 */
export function preserveNpmFiles(input: NpmInput): NpmResult {
  const { files, comparison, present, force, folder } = input;
  const isOthers = (path: string): boolean =>
    comparison.editedFiles.includes(path) || comparison.ungeneratedFiles.includes(path);
  const textOf = (path: string): string | undefined =>
    files.find((file) => file.path === path)?.content;
  const onDisk = (path: string): string => readFileSync(join(present.root ?? "", path), "utf8");
  const packageJson: NpmResult = comparison.editedFiles.includes(PACKAGE)
    ? preserveMembers(onDisk(PACKAGE), textOf(PACKAGE), input)
    : { merged: new Map(), skipped: new Set(), preserved: [], problems: [] };
  const packageText = packageJson.merged.get(PACKAGE) ?? textOf(PACKAGE) ?? "";
  const lockOnDisk = isOthers(LOCK) ? onDisk(LOCK) : undefined;
  const isGivenUp =
    force &&
    lockOnDisk !== undefined &&
    !isLockfileCurrent(lockOnDisk, packageText) &&
    isLockfileCurrent(textOf(LOCK) ?? "", packageText);
  const preservedLock = lockOnDisk !== undefined && !isGivenUp ? lockOnDisk : undefined;
  const lock = preservedLock ?? textOf(LOCK);
  const isBehind =
    packageJson.problems.length === 0 &&
    (preservedLock !== undefined || packageJson.merged.size > 0) &&
    lock !== undefined &&
    !isLockfileCurrent(lock, packageText);
  return {
    ...packageJson,
    skipped: new Set(preservedLock === undefined ? [] : [LOCK]),
    problems: [...packageJson.problems, ...(isBehind ? [outdatedLockfile(folder)] : [])],
  };
}

/**
 * Merges additions to package.json into the generated one. Without fingerprints of the last run,
 * every difference is an edit.
 */
function preserveMembers(
  onDiskText: string,
  generatedText: string | undefined,
  { present, force, folder, pinned }: NpmInput,
): NpmResult {
  const fingerprints = present.manifest.get(PACKAGE);
  const isAsBefore =
    generatedText !== undefined &&
    fingerprints !== undefined &&
    isGenerated(PACKAGE, generatedText, fingerprints);
  const base =
    fingerprints?.parts ??
    (isAsBefore ? fingerprintMembers(withoutVersion(PACKAGE, generatedText)) : undefined);
  const result =
    generatedText === undefined || base === undefined
      ? undefined
      : mergePackage(
          normalizeLineEndings(onDiskText),
          generatedText,
          readGeneratedBase(base),
          pinned,
        );
  const nothing: NpmResult = { merged: new Map(), skipped: new Set(), preserved: [], problems: [] };
  if (!result) return nothing;
  if (result.edits.length > 0 && !force)
    return { ...nothing, problems: [editedProblem(onDiskText, result.edits, folder)] };
  const kept = [...result.kept, ...result.raised.map(({ member }) => member)];
  return {
    ...nothing,
    merged: new Map([[PACKAGE, result.text]]),
    preserved: kept.length === 0 ? [] : [{ path: PACKAGE, names: kept.map(memberTitle) }],
    problems: result.raised.filter(({ isCompatible }) => !isCompatible).map(untestedProblem),
  };
}

function editedProblem(
  onDiskText: string,
  edits: readonly PackageMember[],
  folder: string,
): Diagnostic {
  const names = joinFirst(edits.map(memberTitle), 5);
  const line =
    onDiskText
      .split("\n")
      .findIndex((text) =>
        text.trimStart().startsWith(`${JSON.stringify(edits[0]?.path.at(-1))}:`),
      ) + 1;
  const location = { file: join(folder, PACKAGE), pointer: "", line: Math.max(line, 1) };
  return diagnostic(
    "write-files-edited",
    `Generated entries were edited: ${names}. Nothing was changed`,
    location,
    "Additions and newer versions of packages are preserved. Revert the other edits, set older " +
      "versions with the key packages of mcp-gen.yaml, use a template of package.json " +
      "(--templates), or add --force to discard them.",
  );
}

function untestedProblem({ member, generated }: RaisedPackage): Diagnostic {
  return diagnostic(
    "write-package-untested",
    `${memberTitle(member)} is ${String(member.value)}, and generated projects are tested with ` +
      `${String(generated)}.`,
    undefined,
    "Run npm test, because a new major version can break the project.",
  );
}

function outdatedLockfile(folder: string): Diagnostic {
  return diagnostic(
    "write-lockfile-outdated",
    `${join(folder, LOCK)} does not match ${PACKAGE}.`,
    undefined,
    `Run npm install in ${folder}.`,
  );
}
