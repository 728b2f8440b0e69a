import { join } from "node:path";
import { diagnostic, type Diagnostic, oneLine } from "../../diagnostics/index.js";
import type { GeneratedFile } from "../../render/types.js";
import {
  type Fingerprints,
  fingerprint,
  type Manifest,
  withoutCarriageReturns,
} from "../manifest.js";
import { formatParts } from "../parts.js";
import type { Kept, StagedFile } from "../types.js";
import { type Overlay, type TypeProblem, typeProblems } from "./check.js";
import { keptStatements, otherEdits } from "./edits.js";
import { importsOf, usedNames } from "./imports.js";
import { merge } from "./merge.js";
import {
  isKeepMark,
  placeIn,
  readSource,
  type Source,
  type Statement,
  syntaxError,
  titleOf,
} from "./source.js";

/** Files that hold `@keep`, and what is generated in their place. */
export interface Given {
  /** On disk, as their owner left them. */
  readonly marked: readonly StagedFile[];
  readonly files: readonly GeneratedFile[];
  readonly manifest: Manifest;
  /** What else the owner changed is given up. */
  readonly force: boolean;
  /** The folder as the user named it, for messages. */
  readonly folder: string;
}

/** What became of them. */
export interface CarriedOver {
  /**
   * What the files become: their text with the declarations that were kept. Files with problems are
   * not in it.
   */
  readonly merged: ReadonlyMap<string, string>;
  readonly kept: readonly Kept[];
  /** Errors, one for each file. */
  readonly problems: readonly Diagnostic[];
}

/** Carries declarations that are marked `@keep` over into what is generated now. Pure. */
export function carryOver(given: Given): CarriedOver {
  const generated = new Map(given.files.map(({ path, content }) => [path, content]));
  const merged = new Map<string, string>();
  const kept: Kept[] = [];
  const problems: Diagnostic[] = [];
  for (const { path, content } of given.marked) {
    const known = given.manifest.get(path);
    if (known === undefined && !given.force) continue;
    const result = carryFile(
      readSource(path, content.replace(/^\ufeff/, "")),
      generated.get(path),
      known,
      given,
    );
    if ("problem" in result) problems.push(result.problem);
    else if (result.kept.length > 0) {
      merged.set(path, result.text);
      kept.push({ path, names: result.kept.map(titleOf) });
    }
  }
  return { merged, kept, problems };
}

type Carried =
  | { readonly problem: Diagnostic }
  | { readonly text: string; readonly kept: readonly Statement[] };

function carryFile(
  owner: Source,
  now: string | undefined,
  known: Fingerprints | undefined,
  { force, folder }: Given,
): Carried {
  const at = (line: number, column?: number): Diagnostic["place"] => ({
    file: join(folder, owner.path),
    pointer: "",
    line,
    ...(column && { column }),
  });
  const broken = syntaxError(owner.path, owner.text);
  if (broken && !force) {
    const { line, column } = placeIn(owner, broken.at);
    return {
      problem: diagnostic(
        "write-files-edited",
        `This file has declarations to keep and cannot be read: ${oneLine(broken.message)} Nothing was changed`,
        at(line, column),
        "Correct it, restore the file, or add --force to overwrite it.",
      ),
    };
  }
  const isSame = now !== undefined && fingerprint(now) === known?.digest;
  const base =
    known?.parts ??
    (isSame && now !== undefined ? formatParts(withoutCarriageReturns(now)) : undefined);
  const kept = broken
    ? []
    : keptStatements(owner, base ?? (now === undefined ? "" : formatParts(now)));
  if (now === undefined)
    return kept.length === 0 || force ? { text: "", kept: [] } : { problem: gone(owner, kept, at) };
  const generated = readSource(owner.path, withoutCarriageReturns(now));
  if (force) return { text: merge(owner, kept, generated), kept };
  if (base === undefined)
    return {
      problem: diagnostic(
        "write-files-edited",
        "This file has declarations to keep, but what it was generated as is not known any more. Nothing was changed",
        at(1),
        WAYS_OUT,
      ),
    };
  const edits = otherEdits(owner, kept, base, generated);
  if (edits.length > 0) return { problem: edited(owner, edits, at) };
  return { text: isSame ? owner.text : merge(owner, kept, generated), kept };
}

const WAYS_OUT =
  "Mark what is yours with /** @keep */, or move it to src/custom/, or add --force to lose it.";

function gone(
  owner: Source,
  kept: readonly Statement[],
  at: (line: number, column: number) => Diagnostic["place"],
): Diagnostic {
  const first = kept[0] ? placeIn(owner, kept[0].start) : { line: 1, column: 1 };
  return diagnostic(
    "write-kept-gone",
    `${listOf(kept.map(titleOf))} ${kept.length === 1 ? "is" : "are"} kept in this file, and the file is not generated any more. Nothing was changed`,
    at(first.line, first.column),
    "Move what you want of it to src/custom/, then delete the file, or add --force to have it deleted.",
  );
}

function edited(
  owner: Source,
  edits: readonly { readonly line: number; readonly what: string }[],
  at: (line: number) => Diagnostic["place"],
): Diagnostic {
  const misplaced = misplacedMark(owner);
  const list =
    edits
      .slice(0, SHOWN)
      .map(({ line, what }) => `line ${line}: ${what}`)
      .join("; ") + (edits.length > SHOWN ? `; and ${edits.length - SHOWN} more` : "");
  const hint =
    misplaced === undefined
      ? WAYS_OUT
      : `@keep is for whole declarations at the top of a file, in a JSDoc comment above them; the one in line ${misplaced} is not. ${WAYS_OUT}`;
  return diagnostic(
    "write-files-edited",
    `More than kept declarations was changed here: ${list}. Nothing was changed by this run`,
    at(edits[0]?.line ?? 1),
    hint,
  );
}

const SHOWN = 5;

/**
 * The line of a `@keep` that marks no declaration: inside of one, or in a comment that is no JSDoc.
 */
function misplacedMark(owner: Source): number | undefined {
  const { text, statements } = owner;
  for (let at = text.indexOf("@keep"); at >= 0; at = text.indexOf("@keep", at + 1)) {
    const statement = statements.find(({ start, end }) => at >= start && at < end);
    const head = statement && text.slice(statement.start, statement.nodes[0]?.getStart(owner.file));
    if (
      !statement?.kept ||
      !head ||
      at >= statement.start + head.length ||
      !(head.match(/\/\*\*[\s\S]*?\*\//g) ?? []).some(isKeepMark)
    )
      return placeIn(owner, at).line;
  }
  return undefined;
}

function listOf(names: readonly string[]): string {
  return names.length <= 1
    ? names.join("")
    : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** What `checkKept` compares. */
export interface Checked {
  readonly root: string;
  readonly folder: string;
  readonly files: readonly GeneratedFile[];
  readonly merged: ReadonlyMap<string, string>;
  readonly deleted: readonly string[];
  readonly manifest: Manifest;
  readonly force: boolean;
}

/**
 * Holds what was kept against what is generated now, with the type checker: an input, a type or a
 * whole operation may be gone. What was wrong before this run already, or is only missing because
 * nothing is installed, is no news.
 */
export function checkKept({
  root,
  folder,
  files,
  merged,
  deleted,
  manifest,
  force,
}: Checked): readonly Diagnostic[] {
  const overlay: Overlay = new Map([
    ...files
      .filter(({ owned }) => owned !== true)
      .map(({ path, content }) => [path, merged.get(path) ?? content] as const),
    ...deleted.map((path) => [path, null] as const),
  ]);
  const paths = [...merged.keys()];
  const found = typeProblems(root, paths, overlay);
  if (found.length === 0) return [];
  const before = new Set(
    typeProblems(
      root,
      paths.filter((path) => manifest.has(path)),
      new Map(),
    ).map(keyOf),
  );
  return found
    .filter((problem) => !before.has(keyOf(problem)))
    .map((problem) =>
      toDiagnostic(
        problem,
        readSource(problem.path, merged.get(problem.path) ?? ""),
        folder,
        force,
      ),
    );
}

function keyOf({ path, message }: TypeProblem): string {
  return `${path} ${message}`;
}

function toDiagnostic(
  { path, at, message }: TypeProblem,
  source: Source,
  folder: string,
  force: boolean,
): Diagnostic {
  const place = { file: join(folder, path), pointer: "", ...placeIn(source, at) };
  const who = listOf(concerned(source, at).map(titleOf)) || "What is kept";
  const sentence = `${who}, kept here, does not fit what is generated now: ${oneLine(message)}`;
  return force
    ? diagnostic("write-kept-unfit", sentence, place, "It was carried over as it is; correct it.")
    : diagnostic(
        "write-kept-broken",
        `${sentence}. Nothing was changed`,
        place,
        "Adapt it, or take its @keep away and restore the file, or move it to src/custom/, or add --force to carry it over as it is and correct it then.",
      );
}

/**
 * The kept declarations that a place is about: the one it is in, or those that use what is imported
 * there.
 */
function concerned(source: Source, at: number): readonly Statement[] {
  const kept = source.statements.filter((statement) => statement.kept);
  const inside = kept.filter(({ start, end }) => at >= start && at < end);
  if (inside.length > 0) return inside;
  const imported = importsOf(source).find(
    ({ statement }) => at >= statement.start && at < statement.end,
  );
  return kept.filter((statement) =>
    imported?.bindings.some(({ local }) => usedNames([statement]).has(local)),
  );
}
