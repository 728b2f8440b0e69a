import {
  fingerprintParts,
  splitSource,
  fingerprintPart,
  fingerprintName,
  splitFingerprints,
} from "../../source-parts.js";
import { importChanges, importsOf, usedNames } from "./imports.js";
import {
  codeStartOf,
  positionIn,
  type SourceText,
  type Span,
  type Statement,
} from "./statements.js";

/** Edit that is not carried over. */
interface UnmarkedEdit {
  readonly line: number;
  /** Description as a clause: `fetchAll is not marked @keep`. */
  readonly what: string;
}

/**
 * Finds declarations marked `@keep` by the user. A declaration as generated is not one: its comment
 * is document text.
 * @param base fingerprints of the generated parts
 */
export function findKeptStatements(
  { statements, text }: SourceText,
  base: string,
): readonly Statement[] {
  const generated = new Set(splitFingerprints(base));
  return statements.filter(
    ({ hasKeepMark, start, end }) =>
      hasKeepMark &&
      !splitFingerprints(fingerprintParts(text.slice(start, end))).every((print) =>
        generated.has(print),
      ),
  );
}

/**
 * Finds other edits, in order.
 * @param base fingerprints of the parts of the last run
 * @param generated newly generated file
 */
export function findUnmarkedEdits(
  edited: SourceText,
  keptStatements: readonly Statement[],
  base: string,
  generated: SourceText,
): readonly UnmarkedEdit[] {
  const prints = splitFingerprints(base);
  return [
    ...importEdits(edited, keptStatements, prints, generated),
    ...partEdits(edited, keptStatements, prints, generated),
  ].sort((a, b) => a.line - b.line);
}

/**
 * Finds edited imports: those that no kept declaration needs, of modules that were not imported.
 */
function importEdits(
  edited: SourceText,
  keptStatements: readonly Statement[],
  base: readonly string[],
  generated: SourceText,
): readonly UnmarkedEdit[] {
  const used = usedNames(keptStatements);
  const clashes = new Set(
    importChanges(edited, keptStatements, generated).clashes.map(({ local }) => local),
  );
  return importsOf(edited).flatMap(({ statement, module, bindings }): UnmarkedEdit[] => {
    if (statement.hasKeepMark) return [];
    const { line } = positionIn(edited, codeStartOf(statement, edited));
    const clash = bindings.find(({ local }) => clashes.has(local));
    if (clash)
      return [
        {
          line,
          what: `the import of ${clash.local} from "${module}" differs from the generated one`,
        },
      ];
    const isGenerated = base.includes(fingerprintPart({ name: "import", text: module }));
    return isGenerated || (bindings.length > 0 && bindings.every(({ local }) => used.has(local)))
      ? []
      : [{ line, what: `the import of "${module}" is not needed by kept code` }];
  });
}

/**
 * Finds edited parts. Apart from kept declarations and imports, the parts must be as generated and
 * in order.
 */
function partEdits(
  edited: SourceText,
  keptStatements: readonly Statement[],
  prints: readonly string[],
  generated: SourceText,
): readonly UnmarkedEdit[] {
  const base = prints.filter((print) => !print.startsWith(fingerprintName("import")));
  const replaced = new Set(keptStatements.flatMap(({ names }) => names).map(fingerprintName));
  const names = new Map(
    splitSource(generated.text).map(({ name }) => [fingerprintName(name), name]),
  );
  const edits: UnmarkedEdit[] = [];
  const removed = (missing: readonly string[], line: number): void => {
    for (const print of missing.map((fingerprint) => fingerprint.slice(0, 4)))
      if (!replaced.has(print))
        edits.push({ line, what: `${names.get(print) || "a part"} was removed` });
  };
  let at = 0;
  for (const part of splitSource(withoutKept(edited, keptStatements))) {
    const index = base.indexOf(fingerprintPart(part), at);
    if (index < 0)
      edits.push({
        line: part.line,
        what: describeChange(
          part.name,
          base.some((print) => print.startsWith(fingerprintName(part.name))),
        ),
      });
    else removed(base.slice(at, index), part.line);
    // A changed part is also missing; report it once.
    at = index < 0 ? at + (base[at]?.startsWith(fingerprintName(part.name)) ? 1 : 0) : index + 1;
  }
  removed(base.slice(at), positionIn(edited, edited.text.length).line);
  return edits;
}

function describeChange(name: string, isGenerated: boolean): string {
  if (name === "") return "a comment or statement was changed";
  return isGenerated
    ? `${name} was changed and is not marked @keep`
    : `${name} is new and not marked @keep`;
}

/** Blanks kept declarations and imports; line numbers are preserved. */
function withoutKept(edited: SourceText, keptStatements: readonly Statement[]): string {
  const used = usedNames(keptStatements);
  const imports = importsOf(edited)
    .filter(({ statement }) => !statement.hasKeepMark)
    .map(({ statement, bindings }): Span => ({
      start: bindings.some(({ local }) => used.has(local))
        ? statement.start
        : codeStartOf(statement, edited),
      end: statement.end,
    }));
  const spans = [...keptStatements, ...imports].sort((a, b) => b.start - a.start);
  return spans.reduce(
    (text, { start, end }) =>
      text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, "") + text.slice(end),
    edited.text,
  );
}
