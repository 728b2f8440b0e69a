/** Parts of the runtime's files as texts, which the build stores: a process reads them faster. */
import { importedNames, readModule, type SourceModule } from "./source-declarations.js";

/** Separators of the lines, of the fields of a line, and of the items of a field. */
const [LINE, FIELD, ITEM] = ["\n", "\t", " "];

/**
 * The parts of a file: a line with the length of its comment, lines of its imports, an empty line,
 * and lines of its declarations, whose texts are positions in the content.
 */
export function storeModule(content: string): string {
  const { comment, imports, declarations } = readModule(content);
  let end = 0;
  const lines = declarations.map(({ names, uses, loads = [], text }) => {
    const start = content.indexOf(text.trimEnd(), end);
    end = start + text.length;
    const lists = [names, uses, loads].map((list) => list.join(ITEM));
    return [String(start), String(end), ...lists].join(FIELD);
  });
  const statements = imports.map(({ keyword, isType, clause, from }) =>
    [keyword, isType ? "type" : "", clause.replace(/\s+/g, " "), from].join(FIELD),
  );
  return [String(comment.length), ...statements, "", ...lines].join(LINE);
}

/** The parts of a file from what `storeModule` returned for its content. */
export function restoreModule(stored: string, content: string): SourceModule {
  const [length = "", ...lines] = stored.split(LINE);
  const middle = lines.indexOf("");
  const imports = lines.slice(0, middle).map((line) => {
    const [keyword = "", type, clause = "", from = ""] = line.split(FIELD);
    const statement = {
      keyword: keyword as "import" | "export",
      isType: type !== "",
      clause,
      from,
    };
    return { ...statement, names: importedNames(statement) };
  });
  const declarations = lines.slice(middle + 1).map((line) => {
    const [start, end, names = "", uses = "", loads = ""] = line.split(FIELD);
    const text = content.slice(Number(start), Number(end));
    return {
      ...{ names: listOf(names), uses: listOf(uses), text },
      ...(loads !== "" && { loads: listOf(loads) }),
    };
  });
  return { comment: content.slice(0, Number(length)), imports, declarations };
}

const listOf = (field: string): readonly string[] => (field === "" ? [] : field.split(ITEM));
