import {
  fingerprintParts,
  splitSource,
  fingerprintPart,
  fingerprintName,
  splitFingerprints,
} from "../source-parts.js";
import { importChanges, importsOf, usedNames } from "./imports.js";
import {
  codeStartOf,
  positionIn,
  type SourceText,
  type Span,
  type Statement,
} from "./statements.js";

/** A change of the owner that nothing carries over. */
export interface UnmarkedEdit {
  readonly line: number;
  /** A clause: `fetchAll is not marked @keep`. */
  readonly what: string;
}

/**
 * The declarations that their owner marked. What stands in the file just as it was generated is not
 * the owner's, whatever its comment says: that text is the document's.
 * @param base the parts of the text as it was generated
 */
export function findKeptStatements(
  { statements, text }: SourceText,
  base: string,
): readonly Statement[] {
  const generated = new Set(splitFingerprints(base));
  return statements.filter(
    ({ kept, start, end }) =>
      kept &&
      !splitFingerprints(fingerprintParts(text.slice(start, end))).every((print) =>
        generated.has(print),
      ),
  );
}

/**
 * What else an owner changed, in order.
 * @param base the parts of the text as it was generated
 * @param generated what is generated now
 */
export function findUnmarkedEdits(
  owner: SourceText,
  kept: readonly Statement[],
  base: string,
  generated: SourceText,
): readonly UnmarkedEdit[] {
  const prints = splitFingerprints(base);
  return [
    ...importEdits(owner, kept, prints, generated),
    ...partEdits(owner, kept, prints, generated),
  ].sort((a, b) => a.line - b.line);
}

/**
 * Imports follow from what is declared: only those that nothing kept needs, of modules that nothing
 * generated imports, are somebody's work.
 */
function importEdits(
  owner: SourceText,
  kept: readonly Statement[],
  base: readonly string[],
  generated: SourceText,
): readonly UnmarkedEdit[] {
  const used = usedNames(kept);
  const clashes = new Set(importChanges(owner, kept, generated).clashes.map(({ local }) => local));
  return importsOf(owner).flatMap(({ statement, module, bindings }): UnmarkedEdit[] => {
    if (statement.kept) return [];
    const { line } = positionIn(owner, codeStartOf(statement, owner));
    const clash = bindings.find(({ local }) => clashes.has(local));
    if (clash)
      return [
        {
          line,
          what: `the import of ${clash.local} from "${module}" is not the one that is generated`,
        },
      ];
    const isGenerated = base.includes(fingerprintPart({ name: "import", text: module }));
    return isGenerated || (bindings.length > 0 && bindings.every(({ local }) => used.has(local)))
      ? []
      : [{ line, what: `the import of "${module}" is not needed by what is kept` }];
  });
}

/**
 * What is left without the kept declarations and the imports must be as generated, in order; what
 * is missing must be what is kept.
 */
function partEdits(
  owner: SourceText,
  kept: readonly Statement[],
  prints: readonly string[],
  generated: SourceText,
): readonly UnmarkedEdit[] {
  const base = prints.filter((print) => !print.startsWith(fingerprintName("import")));
  const replaced = new Set(kept.flatMap(({ names }) => names).map(fingerprintName));
  const names = new Map(
    splitSource(generated.text).map(({ name }) => [fingerprintName(name), name]),
  );
  const edits: UnmarkedEdit[] = [];
  const removed = (missing: readonly string[], line: number): void => {
    for (const print of missing.map((one) => one.slice(0, 4)))
      if (!replaced.has(print))
        edits.push({ line, what: `${names.get(print) || "a part"} is not there any more` });
  };
  let at = 0;
  for (const part of splitSource(withoutKept(owner, kept))) {
    const found = base.indexOf(fingerprintPart(part), at);
    if (found < 0)
      edits.push({
        line: part.line,
        what: changed(
          part.name,
          base.some((print) => print.startsWith(fingerprintName(part.name))),
        ),
      });
    else removed(base.slice(at, found), part.line);
    // A part that was changed is found missing, too: said once.
    at = found < 0 ? at + (base[at]?.startsWith(fingerprintName(part.name)) ? 1 : 0) : found + 1;
  }
  removed(base.slice(at), positionIn(owner, owner.text.length).line);
  return edits;
}

function changed(name: string, isGenerated: boolean): string {
  if (name === "") return "a comment or statement is not as generated";
  return isGenerated
    ? `${name} was changed and is not marked @keep`
    : `${name} is new and not marked @keep`;
}

/** The text without what is kept and without imports; every line is still where it was. */
function withoutKept(owner: SourceText, kept: readonly Statement[]): string {
  const used = usedNames(kept);
  const imports = importsOf(owner)
    .filter(({ statement }) => !statement.kept)
    .map(({ statement, bindings }): Span => ({
      start: bindings.some(({ local }) => used.has(local))
        ? statement.start
        : codeStartOf(statement, owner),
      end: statement.end,
    }));
  const spans = [...kept, ...imports].sort((a, b) => b.start - a.start);
  return spans.reduce(
    (text, { start, end }) =>
      text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, "") + text.slice(end),
    owner.text,
  );
}
