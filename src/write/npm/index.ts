import { readFileSync } from "node:fs";
import { join } from "node:path";
import { diagnostic, type Diagnostic } from "../../diagnostics/index.js";
import { fits } from "../../npm.js";
import type { GeneratedFile } from "../../render/types.js";
import type { Comparison, Present } from "../compare.js";
import { isGenerated, withoutCarriageReturns } from "../manifest.js";
import type { Kept } from "../types.js";
import { formatMembers, type Member, readBase, titleOf } from "./members.js";
import { mergePackage } from "./merge.js";
import { withoutVersion } from "./version.js";

const PACKAGE = "package.json";
const LOCK = "package-lock.json";

/** The folder, and what is to be in it. */
interface Given {
  readonly files: readonly GeneratedFile[];
  readonly present: Present;
  readonly comparison: Comparison;
  readonly force: boolean;
  /** The folder as the user named it, for messages. */
  readonly folder: string;
}

/** What becomes of the files that npm and those who use it write, too. */
export interface NpmFiles {
  readonly merged: ReadonlyMap<string, string>;
  /** Files that are left as they are. */
  readonly left: ReadonlySet<string>;
  readonly kept: readonly Kept[];
  readonly problems: readonly Diagnostic[];
}

/**
 * Keeps what an owner added to package.json, and the lock that npm made of it. Whoever adds a
 * package changes both, and npm changes the lock on other occasions, too; it follows from
 * package.json, so it never stands in the way.
 */
export function keepNpmFiles(given: Given): NpmFiles {
  const { files, comparison, present, force, folder } = given;
  const isOthers = (path: string): boolean =>
    comparison.edited.includes(path) || comparison.foreign.includes(path);
  const textOf = (path: string): string | undefined =>
    files.find((file) => file.path === path)?.content;
  const onDisk = (path: string): string => readFileSync(join(present.root ?? "", path), "utf8");
  const manifest: NpmFiles = comparison.edited.includes(PACKAGE)
    ? keepMembers(onDisk(PACKAGE), textOf(PACKAGE), given)
    : { merged: new Map(), left: new Set(), kept: [], problems: [] };
  const wanted = manifest.merged.get(PACKAGE) ?? textOf(PACKAGE) ?? "";
  const own = isOthers(LOCK) ? onDisk(LOCK) : undefined;
  const isGivenUp =
    force && own !== undefined && !fits(own, wanted) && fits(textOf(LOCK) ?? "", wanted);
  const left = own !== undefined && !isGivenUp ? own : undefined;
  const lock = left ?? textOf(LOCK);
  const isBehind =
    manifest.problems.length === 0 &&
    (left !== undefined || manifest.merged.size > 0) &&
    lock !== undefined &&
    !fits(lock, wanted);
  return {
    ...manifest,
    left: new Set(left === undefined ? [] : [LOCK]),
    problems: [...manifest.problems, ...(isBehind ? [behind(folder)] : [])],
  };
}

/**
 * What the owner added to package.json, in what is generated now. Where it cannot be told from what
 * was generated, it is an edit like any other.
 */
function keepMembers(
  owner: string,
  now: string | undefined,
  { present, force, folder }: Given,
): NpmFiles {
  const known = present.manifest.get(PACKAGE);
  const isAsBefore = now !== undefined && known !== undefined && isGenerated(PACKAGE, now, known);
  const base =
    known?.parts ?? (isAsBefore ? formatMembers(withoutVersion(PACKAGE, now)) : undefined);
  const result =
    now === undefined || base === undefined
      ? undefined
      : mergePackage(withoutCarriageReturns(owner), now, readBase(base));
  const nothing: NpmFiles = { merged: new Map(), left: new Set(), kept: [], problems: [] };
  if (!result) return nothing;
  if (result.edits.length > 0 && !force)
    return { ...nothing, problems: [edited(owner, result.edits, folder)] };
  return {
    ...nothing,
    merged: new Map([[PACKAGE, result.text]]),
    kept: result.kept.length === 0 ? [] : [{ path: PACKAGE, names: result.kept.map(titleOf) }],
  };
}

function edited(owner: string, edits: readonly Member[], folder: string): Diagnostic {
  const names =
    edits.slice(0, 5).map(titleOf).join(", ") +
    (edits.length > 5 ? ` and ${edits.length - 5} more` : "");
  const line =
    owner
      .split("\n")
      .findIndex((text) =>
        text.trimStart().startsWith(`${JSON.stringify(edits[0]?.path.at(-1))}:`),
      ) + 1;
  const place = { file: join(folder, PACKAGE), pointer: "", line: Math.max(line, 1) };
  return diagnostic(
    "write-files-edited",
    `What was generated here is changed: ${names}. Nothing was changed by this run`,
    place,
    "What you add is kept. Take the other changes back, or write a template of package.json (--templates), or add --force to lose them.",
  );
}

function behind(folder: string): Diagnostic {
  return diagnostic(
    "write-lock-behind",
    `${join(folder, LOCK)} does not have all that ${PACKAGE} needs.`,
    undefined,
    `Run npm install in ${folder}.`,
  );
}
