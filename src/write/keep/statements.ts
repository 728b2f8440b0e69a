import { ts } from "ts-morph";

/** Range of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Top-level statement with its comments. Overloads of a function are one statement. */
export interface Statement extends Span {
  readonly nodes: readonly ts.Statement[];
  /**
   * Declared names, including `default` for a default export. Empty for imports and expressions.
   */
  readonly names: readonly string[];
  /** Declared meanings; a class has both. */
  readonly declares: { readonly value: boolean; readonly type: boolean };
  /** Marked with `@keep`. */
  readonly hasKeepMark: boolean;
}

export interface SourceText {
  readonly path: string;
  readonly text: string;
  readonly file: ts.SourceFile;
  readonly statements: readonly Statement[];
}

/** Reads the statements of a TypeScript text with LF line endings. */
export function readSource(path: string, text: string): SourceText {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const statements: Statement[] = [];
  for (const node of file.statements) {
    const statement = toStatement(node, file);
    const before = statements.at(-1);
    if (before && isOverload(before, statement))
      statements[statements.length - 1] = joined(before, statement);
    else statements.push(statement);
  }
  return { path, text, file, statements };
}

/** First syntax error of a text. */
export function syntaxError(
  path: string,
  text: string,
): { readonly at: number; readonly message: string } | undefined {
  const { diagnostics = [] } = ts.transpileModule(text, {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext },
  });
  const [first] = diagnostics;
  return (
    first && {
      at: first.start ?? 0,
      message: ts.flattenDiagnosticMessageText(first.messageText, " "),
    }
  );
}

/** 1-based line and column. */
export function positionIn(
  { file }: SourceText,
  at: number,
): { readonly line: number; readonly column: number } {
  const { line, character } = file.getLineAndCharacterOfPosition(at);
  return { line: line + 1, column: character + 1 };
}

export function isImport({ nodes: [node] }: Statement): boolean {
  return node !== undefined && ts.isImportDeclaration(node);
}

/** Name of a statement in messages. */
export function titleOf(statement: Statement): string {
  const [name] = statement.names;
  if (name === undefined) return isImport(statement) ? "an import" : "a statement";
  return name === "default" ? "the default export" : name;
}

/** Start of a statement's code, after its comments. */
export function codeStartOf({ nodes }: Statement, { file }: SourceText): number {
  return nodes[0]?.getStart(file) ?? 0;
}

function toStatement(node: ts.Statement, file: ts.SourceFile): Statement {
  const comments = commentsOf(node, file);
  const isDefault =
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) === true;
  return {
    start: comments[0]?.pos ?? node.getStart(file),
    end: trailingEnd(file.text, node.end),
    nodes: [node],
    names: [...namesOf(node), ...(isDefault || ts.isExportAssignment(node) ? ["default"] : [])],
    declares: meaningOf(node),
    hasKeepMark: comments.some((comment) => isKeepMark(file.text.slice(comment.pos, comment.end))),
  };
}

/**
 * Comments directly above a node. Comments above the first statement belong to the file, except
 * JSDoc.
 */
function commentsOf(node: ts.Statement, file: ts.SourceFile): readonly ts.CommentRange[] {
  const { text } = file;
  const attached: ts.CommentRange[] = [];
  let next = node.getStart(file);
  for (const comment of (
    ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []
  ).toReversed()) {
    const isAttached = text.slice(comment.end, next).split("\n").length <= 2;
    const isAboutFile = file.statements[0] === node && !text.startsWith("/**", comment.pos);
    if (!isAttached || isAboutFile) break;
    attached.unshift(comment);
    next = comment.pos;
  }
  return attached;
}

/** True for a JSDoc comment with the tag `@keep`. */
export function isKeepMark(comment: string): boolean {
  return comment.startsWith("/**") && /(?:^\/\*\*|\n)[\s*]*@keep(?![\w-])/.test(comment);
}

/** End of a statement including a trailing comment on its last line. */
function trailingEnd(text: string, end: number): number {
  return ts.getTrailingCommentRanges(text, end)?.at(-1)?.end ?? end;
}

function namesOf(node: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node))
    return node.name ? [node.name.text] : [];
  if (
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isModuleDeclaration(node)
  )
    return [node.name.text];
  return [];
}

function boundNames(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? boundNames(element.name) : [],
  );
}

function meaningOf(node: ts.Statement): Statement["declares"] {
  const type = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
  const isBoth =
    ts.isClassDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isModuleDeclaration(node) ||
    ts.isExportAssignment(node);
  return {
    value: isBoth || ts.isVariableStatement(node) || ts.isFunctionDeclaration(node),
    type: isBoth || type,
  };
}

function isOverload(before: Statement, { nodes: [node], names: [name] }: Statement): boolean {
  const last = before.nodes.at(-1);
  return (
    last !== undefined &&
    node !== undefined &&
    ts.isFunctionDeclaration(last) &&
    ts.isFunctionDeclaration(node) &&
    last.body === undefined &&
    name !== undefined &&
    before.names.includes(name)
  );
}

function joined(before: Statement, after: Statement): Statement {
  return {
    ...before,
    end: after.end,
    nodes: [...before.nodes, ...after.nodes],
    hasKeepMark: before.hasKeepMark || after.hasKeepMark,
  };
}
