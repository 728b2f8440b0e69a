import { type TextEdit, importChanges } from "./imports.js";
import { isImport, type SourceText, type Statement } from "./statements.js";

/** Item of the merged file. */
interface MergedItem {
  /** Generated statement; absent for an added one. */
  readonly generated?: Statement;
  readonly kept?: Statement;
}

/**
 * Inserts kept declarations into a regenerated file: in place of the generated declaration of the
 * same name, or after their former predecessor, with the imports they need. Their text is
 * unchanged.
 */
export function mergeDeclarations(
  edited: SourceText,
  kept: readonly Statement[],
  generated: SourceText,
): string {
  const { edits, added } = importChanges(edited, kept, generated);
  const lastImport = generated.statements.findLast(isImport);
  const writer = new MergeWriter(generated, edits);
  writer.copyTo(generated.statements[0]?.start ?? generated.text.length);
  if (!lastImport) writer.insert(added.join("\n"));
  for (const item of orderItems(edited, kept, generated)) {
    if (item.generated && item.kept) writer.replace(item.generated, textOf(item.kept, edited));
    else if (item.generated) writer.copyTo(item.generated.end);
    else if (item.kept) writer.insert(textOf(item.kept, edited));
    if (item.generated && item.generated === lastImport) writer.append(added);
  }
  writer.copyTo(generated.text.length);
  return writer.text;
}

/** Writes the merged text from left to right. */
class MergeWriter {
  text = "";
  #at = 0;

  constructor(
    private readonly generated: SourceText,
    private readonly edits: readonly TextEdit[],
  ) {}

  copyTo(end: number): void {
    if (end <= this.#at) return;
    this.text += withEdits(this.generated.text, this.#at, end, this.edits);
    this.#at = end;
  }

  replace({ start, end }: Statement, text: string): void {
    this.copyTo(start);
    this.text += text;
    this.#at = end;
  }

  /** Inserts text between blank lines, after the last statement or before the first one. */
  insert(text: string): void {
    if (text === "") return;
    const isFirst = !this.generated.statements.some(({ end }) => end <= this.#at);
    if (isFirst && this.generated.statements.length > 0) this.text += `${text}\n\n`;
    else
      this.text = `${this.text.trimEnd()}\n\n${text}${this.#at === this.generated.text.length ? "\n" : ""}`;
  }

  /** Appends lines after the last statement. */
  append(lines: readonly string[]): void {
    for (const line of lines) this.text += `\n${line}`;
  }
}

function textOf({ start, end }: Statement, { text }: SourceText): string {
  return text.slice(start, end);
}

/** Range of a text with its edits applied. */
function withEdits(text: string, from: number, to: number, edits: readonly TextEdit[]): string {
  let result = "";
  let index = from;
  for (const edit of edits
    .filter(({ start }) => start >= from && start < to)
    .sort((a, b) => a.start - b.start)) {
    result += text.slice(index, edit.start) + edit.text;
    index = edit.end;
  }
  return result + text.slice(index, to);
}

/** Determines the order of the merged file. */
function orderItems(
  edited: SourceText,
  kept: readonly Statement[],
  generated: SourceText,
): readonly MergedItem[] {
  const items: MergedItem[] = generated.statements.map((statement) => ({ generated: statement }));
  for (const declaration of kept) {
    const index = items.findIndex(
      (item) =>
        item.generated !== undefined &&
        item.kept === undefined &&
        isReplaced(item.generated, declaration, edited, kept),
    );
    if (index >= 0) items[index] = { ...items[index], kept: declaration };
    else items.splice(insertionIndex(declaration, edited, items), 0, { kept: declaration });
  }
  return items;
}

/**
 * True when a kept declaration replaces a generated one of the same name. If the user's file has
 * both, they are meant to merge.
 */
function isReplaced(
  generated: Statement,
  one: Statement,
  edited: SourceText,
  kept: readonly Statement[],
): boolean {
  if (!isSame(generated, one)) return false;
  return !edited.statements.some(
    (statement) => !kept.includes(statement) && isSame(generated, statement),
  );
}

function isSame(a: Statement, b: Statement): boolean {
  return (
    a.names.some((name) => b.names.includes(name)) &&
    ((a.declares.value && b.declares.value) || (a.declares.type && b.declares.type))
  );
}

/** Index after the nearest preceding statement that still exists, or after the imports. */
function insertionIndex(
  statement: Statement,
  edited: SourceText,
  items: readonly MergedItem[],
): number {
  for (const predecessor of edited.statements
    .slice(0, edited.statements.indexOf(statement))
    .toReversed()) {
    const index = items.findIndex(
      (item) =>
        item.kept === predecessor ||
        (item.generated !== undefined && isSame(item.generated, predecessor)),
    );
    if (index >= 0) return index + 1;
  }
  return items.findLastIndex(({ generated }) => generated !== undefined && isImport(generated)) + 1;
}
