import { join } from "node:path";
import { type Diagnostic, diagnostic, joinFirst, toSingleLine } from "../../diagnostics/index.js";
import type { GeneratedFile } from "../../render/types.js";
import {
  type Fingerprints,
  fingerprint,
  type Manifest,
  normalizeLineEndings,
} from "../manifest.js";
import { fingerprintParts } from "../../source-parts.js";
import type { PreservedContent, StagedFile } from "../types.js";
import { type FileOverlay, type TypeProblem, typeProblems } from "./type-check.js";
import { findKeptStatements, findUnmarkedEdits } from "./unmarked-edits.js";
import { adaptInputs, type AdaptedTool } from "./adapt-inputs.js";
import { importsOf, usedNames } from "./imports.js";
import { mergeDeclarations } from "./merge-declarations.js";
import {
  isKeepMark,
  positionIn,
  readSource,
  type SourceText,
  type Statement,
  syntaxError,
  titleOf,
} from "./statements.js";

/** Files with `@keep`, and the generated files. */
interface CarryOverInput {
  /** Contents on disk. */
  readonly marked: readonly StagedFile[];
  readonly files: readonly GeneratedFile[];
  readonly manifest: Manifest;
  /** Discard other edits. */
  readonly force: boolean;
  /** Folder as the user named it, for messages. */
  readonly folder: string;
}

/** Result of carrying declarations over. */
export interface CarryOverResult {
  /** Merged contents by path. Files with problems are omitted. */
  readonly merged: ReadonlyMap<string, string>;
  readonly preserved: readonly PreservedContent[];
  /** Errors, at most one per file, and warnings of adapted tools. */
  readonly problems: readonly Diagnostic[];
}

/** Carries declarations marked `@keep` over into the generated files. Pure. */
export function carryOver(input: CarryOverInput): CarryOverResult {
  const generated = new Map(input.files.map(({ path, content }) => [path, content]));
  const merged = new Map<string, string>();
  const kept: PreservedContent[] = [];
  const problems: Diagnostic[] = [];
  for (const { path, content } of input.marked) {
    const fingerprints = input.manifest.get(path);
    if (fingerprints === undefined && !input.force) continue;
    const result = carryFile(
      readSource(path, content.replace(/^\ufeff/, "")),
      generated.get(path),
      fingerprints,
      input,
    );
    if ("problem" in result) problems.push(result.problem);
    else if (result.kept.length > 0) {
      merged.set(path, result.text);
      problems.push(...result.warnings);
      kept.push({ path, names: result.kept.map(titleOf) });
    }
  }
  return { merged, preserved: kept, problems };
}

type CarriedFile =
  | { readonly problem: Diagnostic }
  | {
      readonly text: string;
      readonly kept: readonly Statement[];
      readonly warnings: readonly Diagnostic[];
    };

/** Carries the declarations with `@keep` of one file over to its generated text, if it has one. */
function carryFile(
  edited: SourceText,
  generatedText: string | undefined,
  fingerprints: Fingerprints | undefined,
  { force, folder }: CarryOverInput,
): CarriedFile {
  const locationAt = (line: number, column?: number): Diagnostic["location"] => ({
    file: join(folder, edited.path),
    pointer: "",
    line,
    ...(column && { column }),
  });
  const syntaxFault = syntaxError(edited.path, edited.text);
  if (syntaxFault && !force) return { problem: syntaxProblem(edited, syntaxFault, locationAt) };
  if (generatedText === undefined) {
    const lost = force ? [] : findKeptStatements(edited, fingerprints?.parts ?? "");
    return lost.length === 0
      ? { text: "", kept: [], warnings: [] }
      : { problem: removedFileProblem(edited, lost, locationAt) };
  }
  const isSame = fingerprint(generatedText) === fingerprints?.digest;
  const base =
    fingerprints?.parts ??
    (isSame ? fingerprintParts(normalizeLineEndings(generatedText)) : undefined);
  const kept = syntaxFault
    ? []
    : findKeptStatements(edited, base ?? fingerprintParts(generatedText));
  const generated = readSource(edited.path, normalizeLineEndings(generatedText));
  if (!force) {
    if (base === undefined) return { problem: unknownBaseProblem(locationAt(1)) };
    const edits = findUnmarkedEdits(edited, kept, base, generated);
    if (edits.length > 0) return { problem: unmarkedEditProblem(edited, edits, locationAt) };
    if (isSame) return { text: edited.text, kept, warnings: [] };
  }
  return mergeKept(edited, kept, generated, join(folder, edited.path));
}

/** Merges kept declarations into the generated file, after their inputs are adapted to it. */
function mergeKept(
  edited: SourceText,
  kept: readonly Statement[],
  generated: SourceText,
  file: string,
): CarriedFile {
  const adapted = adaptInputs(edited, kept, generated);
  return {
    text: mergeDeclarations(adapted.source, adapted.kept, generated),
    kept,
    warnings: adapted.tools.map((tool) => adaptedWarning(tool, adapted.source, file)),
  };
}

function adaptedWarning(
  { statement, added, removed }: AdaptedTool,
  { text }: SourceText,
  file: string,
): Diagnostic {
  const words = new Set(text.slice(statement.start, statement.end).match(/[\w$-]+/g));
  const named = removed.filter((name) => words.has(name));
  const changes = [
    ...(removed.length > 0 ? [`no longer takes ${listOf(removed)}`] : []),
    ...(added.length > 0 ? [`takes ${listOf(added)}, too`] : []),
  ];
  return diagnostic(
    "write-keep-inputs",
    `${titleOf(statement)}, marked @keep, was adapted to the API, which ${changes.join(" and ")}`,
    { file, pointer: "" },
    named.length > 0
      ? `Its other parts are unchanged, and still name ${listOf(named)}: correct them.`
      : "Its other parts are unchanged.",
  );
}

const OPTIONS_HINT =
  "Mark your declarations with /** @keep */, or move them to src/custom/, or add --force to discard the edits.";

function syntaxProblem(
  edited: SourceText,
  { at, message }: NonNullable<ReturnType<typeof syntaxError>>,
  locationAt: (line: number, column: number) => Diagnostic["location"],
): Diagnostic {
  const { line, column } = positionIn(edited, at);
  return diagnostic(
    "write-files-edited",
    `This file has @keep declarations and a syntax error: ${toSingleLine(message)} Nothing was changed`,
    locationAt(line, column),
    "Correct it, restore the file, or add --force to overwrite it.",
  );
}

function unknownBaseProblem(location: Diagnostic["location"]): Diagnostic {
  return diagnostic(
    "write-files-edited",
    "This file has @keep declarations, but its generated version is unknown. Nothing was changed",
    location,
    OPTIONS_HINT,
  );
}

function removedFileProblem(
  edited: SourceText,
  kept: readonly Statement[],
  locationAt: (line: number, column: number) => Diagnostic["location"],
): Diagnostic {
  const first = kept[0] ? positionIn(edited, kept[0].start) : { line: 1, column: 1 };
  return diagnostic(
    "write-keep-file-removed",
    `${listOf(kept.map(titleOf))} ${kept.length === 1 ? "is" : "are"} marked @keep, ` +
      "but this file is no longer generated. Nothing was changed",
    locationAt(first.line, first.column),
    "Move the code to src/custom/ and delete the file, or add --force to delete it.",
  );
}

function unmarkedEditProblem(
  edited: SourceText,
  edits: readonly { readonly line: number; readonly what: string }[],
  locationAt: (line: number) => Diagnostic["location"],
): Diagnostic {
  const misplaced = misplacedMark(edited);
  const lines = edits.map(({ line, what }) => `line ${line}: ${what}`);
  const list = joinFirst(lines, MAX_EDITS, "; ");
  const hint =
    misplaced === undefined
      ? OPTIONS_HINT
      : "@keep must be in a JSDoc comment above a top-level declaration; " +
        `the one in line ${misplaced} is not. ${OPTIONS_HINT}`;
  return diagnostic(
    "write-files-edited",
    `Code without @keep was edited: ${list}. Nothing was changed`,
    locationAt(edits[0]?.line ?? 1),
    hint,
  );
}

const MAX_EDITS = 5;

/**
 * Line of a `@keep` that does not mark a declaration, such as one inside a body or in a plain
 * comment.
 */
function misplacedMark(edited: SourceText): number | undefined {
  const { text, statements } = edited;
  for (let at = text.indexOf("@keep"); at >= 0; at = text.indexOf("@keep", at + 1)) {
    const statement = statements.find(({ start, end }) => at >= start && at < end);
    const head =
      statement && text.slice(statement.start, statement.nodes[0]?.getStart(edited.file));
    if (
      !statement?.hasKeepMark ||
      !head ||
      at >= statement.start + head.length ||
      !(head.match(/\/\*\*[\s\S]*?\*\//g) ?? []).some(isKeepMark)
    )
      return positionIn(edited, at).line;
  }
  return undefined;
}

function listOf(names: readonly string[]): string {
  return names.length <= 1
    ? names.join("")
    : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** Input of `checkKeptTypes`. */
interface CheckInput {
  readonly root: string;
  readonly folder: string;
  readonly files: readonly GeneratedFile[];
  readonly merged: ReadonlyMap<string, string>;
  readonly deleted: readonly string[];
  readonly manifest: Manifest;
  readonly force: boolean;
}

/**
 * Type-checks kept declarations against the generated code. Errors that existed before, or that are
 * due to missing packages, are not reported.
 */
export function checkKeptTypes({
  root,
  folder,
  files,
  merged,
  deleted,
  manifest,
  force,
}: CheckInput): readonly Diagnostic[] {
  const overlay: FileOverlay = new Map([
    ...files
      .filter(({ writeOnce }) => writeOnce !== true)
      .map(({ path, content }) => [path, merged.get(path) ?? content] as const),
    ...deleted.map((path) => [path, null] as const),
  ]);
  const paths = [...merged.keys()];
  const problems = typeProblems(root, paths, overlay);
  if (problems.length === 0) return [];
  const earlier = new Set(
    typeProblems(
      root,
      paths.filter((path) => manifest.has(path)),
      new Map(),
    ).map(keyOf),
  );
  return problems
    .filter((problem) => !earlier.has(keyOf(problem)))
    .map((problem) =>
      keptTypeProblem(
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

function keptTypeProblem(
  { path, at: offset, message }: TypeProblem,
  source: SourceText,
  folder: string,
  force: boolean,
): Diagnostic {
  const location = { file: join(folder, path), pointer: "", ...positionIn(source, offset) };
  const names = listOf(affectedStatements(source, offset).map(titleOf)) || "Kept code";
  const sentence = `${names}, marked @keep, does not match the generated code: ${toSingleLine(message)}`;
  return force
    ? diagnostic(
        "write-keep-conflict-forced",
        sentence,
        location,
        "It was carried over unchanged; correct it.",
      )
    : diagnostic(
        "write-keep-conflict",
        `${sentence}. Nothing was changed`,
        location,
        "Adapt it, remove @keep and restore the file, move it to src/custom/, or add --force " +
          "to carry it over unchanged and correct it afterwards.",
      );
}

/** Kept declarations at an offset, or those that use a name imported there. */
function affectedStatements(source: SourceText, offset: number): readonly Statement[] {
  const kept = source.statements.filter((statement) => statement.hasKeepMark);
  const enclosing = kept.filter(({ start, end }) => offset >= start && offset < end);
  if (enclosing.length > 0) return enclosing;
  const imported = importsOf(source).find(
    ({ statement }) => offset >= statement.start && offset < statement.end,
  );
  return kept.filter((statement) =>
    imported?.bindings.some(({ local }) => usedNames([statement]).has(local)),
  );
}
