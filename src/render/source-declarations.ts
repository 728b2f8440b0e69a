/**
 * Splitting of the runtime's files into declarations, and the names that each of them uses. It reads
 * lines instead of a syntax tree, because every process that runs the sources splits all files.
 */
import { memoize } from "../memoize.js";
import { importsOf, type ImportStatement, withoutImports } from "./import-list.js";

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
  readonly imports: readonly NamedImports[];
  readonly declarations: readonly SourceDeclaration[];
  /** The parts of a stand-in that replaces some of the declarations. */
  readonly standIn?: Pick<SourceModule, "comment" | "declarations">;
}

/** A statement with the names that it adds. */
interface NamedImports extends ImportStatement {
  readonly names: readonly ImportedName[];
}

/** A name that an import or re-export adds to the scope of its file. */
export interface ImportedName {
  /** Name in the file that exports it; `*` for all of its names. */
  readonly imported: string;
  readonly local: string;
  /** The text in the statement. */
  readonly item: string;
  /** True for a name in braces. */
  readonly isInList: boolean;
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
  const imports = importsOf(content).map((one) => ({ ...one, names: importedNames(one) }));
  const slices = slicesOf(withoutImports(content.slice(comment.length)));
  const declared = slices.map((text) => ({ text, names: namesIn(text) }));
  const scope = new Set([
    ...declared.flatMap(({ names }) => names),
    ...imports.flatMap(({ keyword, names }) =>
      keyword === "import" ? names.map(({ local }) => local) : [],
    ),
  ]);
  const declarations = declared.map(({ text, names }): SourceDeclaration => {
    const loads = [...text.matchAll(/\bimport\(\s*"(\.[^"]+)"/g)].map(([, from = ""]) => from);
    const uses = usedNames(text, scope).filter((name) => !names.includes(name));
    return { names, uses, ...(loads.length > 0 && { loads }), text };
  });
  return { comment, imports, declarations };
});

/** Names that a statement imports or exports again. */
export const importedNames = ({ clause }: ImportStatement): readonly ImportedName[] => {
  const [, before = "", list = ""] = /^([^{,]*)(?:, )?(?:\{([^}]*)\})?$/.exec(clause) ?? [];
  const items = list.split(",").map((item) => item.trim());
  const named = items.filter(Boolean).map((item): ImportedName => {
    const [imported = "", local = imported] = item.replace(/^type /, "").split(" as ");
    return { imported, local, item, isInList: true };
  });
  return before === "" ? named : [{ ...nameOutside(before), isInList: false }, ...named];
};

function nameOutside(item: string): Omit<ImportedName, "isInList"> {
  const [imported = "", local] = item.split(" as ");
  if (imported === "*") return { imported, local: local ?? imported, item };
  return { imported: "default", local: imported, item };
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
