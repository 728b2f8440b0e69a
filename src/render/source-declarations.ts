/**
 * Splitting of the runtime's files into declarations, and the names that each of them uses. It
 * reads lines instead of a syntax tree, because every process that runs the sources splits all
 * files.
 */
import { memoize } from "../memoize.js";
import type { ImportedName } from "./import-list.js";

/** A declaration at the top level of a file, or another statement there. */
export interface SourceDeclaration {
  /** Declared names. None for a statement that runs when the file is loaded. */
  readonly names: readonly string[];
  /** Names of the file's scope that it may use. May have further names. */
  readonly uses: readonly string[];
  /** Files that it imports when it runs, or whose types it queries. */
  readonly loads?: readonly string[];
  /** Text with the comment before it. */
  readonly text: string;
}

/** A file of the runtime in parts. */
export interface SourceModule {
  /** The comment about the file. */
  readonly comment: string;
  readonly imports: readonly ImportedName[];
  readonly declarations: readonly SourceDeclaration[];
  /** The parts of a stand-in that replaces some of the declarations. */
  readonly standIn?: Pick<SourceModule, "comment" | "declarations">;
}

/** The comment about a file, which is before its imports or an empty line. */
const openingComment = /^\/\*\*(?:(?!\*\/)[^])*\*\/\n(?=\n|import |export [^;]* from )/;

/** Start of a statement, or of the comment before it. Other lines without indentation continue one. */
const start =
  /^(?:(?:export )?(?:abstract class|async function|class|const|declare|enum|function|interface|let|type)\b|for \(|\/\*|\/\/)/;

const declaredName =
  /^(?:export )?(?:declare )?(?:abstract )?(?:async )?(?:class|const|enum|function\*?|interface|let|type) ([\w$]+|[{[][^=]*)/m;

/** Parts of a file that is formatted like this project. */
export const readModule = memoize((content): SourceModule => {
  const [comment = ""] = openingComment.exec(content) ?? [];
  const imports = importsIn(content);
  const slices = slicesOf(content.slice(comment.length).replace(statement, ""));
  const declared = slices.map((text) => ({ text, names: namesIn(text) }));
  const scope = new Set([
    ...declared.flatMap(({ names }) => names),
    ...imports.flatMap(({ keyword, local }) => (keyword === "import" ? [local] : [])),
  ]);
  const declarations = declared.map(({ text, names }): SourceDeclaration => {
    const loads = [...text.matchAll(/\bimport\(\s*"(\.[^"]+)"/g)].map(([, from = ""]) => from);
    const uses = usedNames(text, scope).filter((name) => !names.includes(name));
    return { names, uses, ...(loads.length > 0 && { loads }), text };
  });
  return { comment, imports, declarations };
});

/** Statements in the formatting of this project, with their line ends. */
const statement =
  /^(import|export) (type )?(\{[^}]*\}|\*(?: as \w+)?|\w+(?:, \{[^}]*\})?) from "([^"]+)";\n/gm;

/** Names that the statements of a file import, or export again. */
const importsIn = (content: string): readonly ImportedName[] =>
  [...content.matchAll(statement)].flatMap(([, word, type, clause = "", from = ""]) => {
    const keyword = word === "export" ? word : "import";
    const isType = type !== undefined;
    return namesOf(clause).map((one) => ({
      ...{ keyword, from },
      ...one,
      ...(isType && { isType }),
    }));
  });

type NamesOfClause = readonly Omit<ImportedName, "keyword" | "from">[];

/** Names of a clause: `{ a, type B as C }`, `* as name`, `name`, or `*`. */
function namesOf(clause: string): NamesOfClause {
  const [, before = "", list = ""] = /^([^{,]*)(?:, )?(?:\{([^}]*)\})?$/.exec(clause) ?? [];
  const items = list.split(",").map((item) => item.trim());
  const named = items.filter(Boolean).map((item) => {
    const [imported = "", local = imported] = item.replace(/^type /, "").split(" as ");
    return { imported, local, ...(item.startsWith("type ") && { isType: true as const }) };
  });
  return before === "" ? named : [nameAlone(before), ...named];
}

function nameAlone(item: string): NamesOfClause[number] {
  const [imported = "", local] = item.split(" as ");
  if (imported === "*") return { imported, local: local ?? imported, isAlone: true };
  return { imported: "default", local: imported, isAlone: true };
}

/** Texts of the statements, each with the comments before it. */
function slicesOf(body: string): readonly string[] {
  const slices: string[][] = [];
  let isComment = false;
  for (const line of body.split("\n")) {
    const last = slices.at(-1);
    if (last && (isComment || !start.test(line))) last.push(line);
    else if (last || line !== "") slices.push([line]);
    isComment = /^(?:\/[/*]| \*)/.test(line);
  }
  return slices.map((lines) => `${lines.join("\n")}\n`);
}

const comments = /^\s*(?:\/\*(?:(?!\*\/)[^])*\*\/|\/\/.*)$/gm;

function namesIn(text: string): readonly string[] {
  const [, name = ""] = declaredName.exec(text.replace(comments, "").trim()) ?? [];
  return name.match(/[\w$]+/g) ?? [];
}

/** Identifiers that are neither a property of another value nor the name of a field. */
const identifier = /(?<![\w$])(?<!(?<!\.\.)\.)[A-Za-z_$][\w$]*(?![\w$]|\??: )/g;

function usedNames(text: string, scope: ReadonlySet<string>): readonly string[] {
  const found = new Set(text.replace(comments, "").match(identifier));
  return [...found].filter((name) => scope.has(name)).sort();
}

/**
 * A file in which the declarations of a stand-in replace those of the same names. The others stay,
 * if something uses them.
 */
export function withStandIn(
  module: SourceModule,
  standIn: SourceModule,
  own: string,
): SourceModule {
  const replaced = new Set(standIn.declarations.flatMap(({ names }) => names));
  const others = module.declarations.filter(
    ({ names }) => names.length > 0 && !names.some((name) => replaced.has(name)),
  );
  const imports = standIn.imports.filter(({ from }) => from !== own);
  return {
    comment: module.comment,
    imports: [...imports, ...module.imports],
    declarations: [...standIn.declarations, ...others],
    standIn,
  };
}
