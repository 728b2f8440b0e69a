import { formatParts, partsOf, printOf, printOfName, splitParts } from "../parts.js";
import { importChanges, importsOf, usedNames } from "./imports.js";
import { codeStart, placeIn, type Source, type Span, type Statement } from "./source.js";

/** A change of the owner that nothing carries over. */
export interface OtherEdit {
  readonly line: number;
  /** A clause: `fetchAll is not marked @keep`. */
  readonly what: string;
}

/**
 * The declarations that their owner marked. What stands in the file just as it was generated is not
 * the owner's, whatever its comment says: that text is the document's.
 * @param base the parts of the text as it was generated
 */
export function keptStatements({ statements, text }: Source, base: string): readonly Statement[] {
  const generated = new Set(splitParts(base));
  return statements.filter(
    ({ kept, start, end }) =>
      kept &&
      !splitParts(formatParts(text.slice(start, end))).every((print) => generated.has(print)),
  );
}

/**
 * What else an owner changed, in order.
 * @param base the parts of the text as it was generated
 * @param generated what is generated now
 */
export function otherEdits(
  owner: Source,
  kept: readonly Statement[],
  base: string,
  generated: Source,
): readonly OtherEdit[] {
  const prints = splitParts(base);
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
  owner: Source,
  kept: readonly Statement[],
  base: readonly string[],
  generated: Source,
): readonly OtherEdit[] {
  const used = usedNames(kept);
  const clashes = new Set(importChanges(owner, kept, generated).clashes.map(({ local }) => local));
  return importsOf(owner).flatMap(({ statement, module, bindings }): OtherEdit[] => {
    if (statement.kept) return [];
    const { line } = placeIn(owner, codeStart(statement, owner));
    const clash = bindings.find(({ local }) => clashes.has(local));
    if (clash)
      return [
        {
          line,
          what: `the import of ${clash.local} from "${module}" is not the one that is generated`,
        },
      ];
    const isGenerated = base.includes(printOf({ name: "import", text: module }));
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
  owner: Source,
  kept: readonly Statement[],
  prints: readonly string[],
  generated: Source,
): readonly OtherEdit[] {
  const base = prints.filter((print) => !print.startsWith(printOfName("import")));
  const replaced = new Set(kept.flatMap(({ names }) => names).map(printOfName));
  const names = new Map(partsOf(generated.text).map(({ name }) => [printOfName(name), name]));
  const edits: OtherEdit[] = [];
  const removed = (missing: readonly string[], line: number): void => {
    for (const print of missing.map((one) => one.slice(0, 4)))
      if (!replaced.has(print))
        edits.push({ line, what: `${names.get(print) || "a part"} is not there any more` });
  };
  let at = 0;
  for (const part of partsOf(rest(owner, kept))) {
    const found = base.indexOf(printOf(part), at);
    if (found < 0)
      edits.push({
        line: part.line,
        what: changed(
          part.name,
          base.some((print) => print.startsWith(printOfName(part.name))),
        ),
      });
    else removed(base.slice(at, found), part.line);
    // A part that was changed is found missing, too: said once.
    at = found < 0 ? at + (base[at]?.startsWith(printOfName(part.name)) ? 1 : 0) : found + 1;
  }
  removed(base.slice(at), placeIn(owner, owner.text.length).line);
  return edits;
}

function changed(name: string, isGenerated: boolean): string {
  if (name === "") return "a comment or statement is not as generated";
  return isGenerated
    ? `${name} was changed and is not marked @keep`
    : `${name} is new and not marked @keep`;
}

/** The text without what is kept and without imports; every line is still where it was. */
function rest(owner: Source, kept: readonly Statement[]): string {
  const used = usedNames(kept);
  const imports = importsOf(owner)
    .filter(({ statement }) => !statement.kept)
    .map(({ statement, bindings }): Span => ({
      start: bindings.some(({ local }) => used.has(local))
        ? statement.start
        : codeStart(statement, owner),
      end: statement.end,
    }));
  const spans = [...kept, ...imports].sort((a, b) => b.start - a.start);
  return spans.reduce(
    (text, { start, end }) =>
      text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, "") + text.slice(end),
    owner.text,
  );
}
