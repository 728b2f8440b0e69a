import { ts } from "ts-morph";
import type { SourceText, Statement } from "./statements.js";

/** One name that a file imports. */
export interface ImportedName {
  /** What the file calls it. */
  readonly local: string;
  readonly module: string;
  /** What the module calls it; `default`, or `*` for all of it. */
  readonly imported: string;
  /** `import type`, or `type` before the name. */
  readonly typeOnly: boolean;
}

/** An import statement. */
export interface ImportStatement {
  readonly statement: Statement;
  readonly module: string;
  /** The whole statement is `import type`. */
  readonly typeOnly: boolean;
  readonly bindings: readonly ImportedName[];
  readonly node: ts.ImportDeclaration;
}

export function importsOf({ statements }: SourceText): readonly ImportStatement[] {
  return statements.flatMap((statement) => {
    const [node] = statement.nodes;
    return node && ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)
      ? [toImport(statement, node, node.moduleSpecifier.text)]
      : [];
  });
}

function toImport(
  statement: Statement,
  node: ts.ImportDeclaration,
  module: string,
): ImportStatement {
  const clause = node.importClause;
  const typeOnly = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  const bindings: ImportedName[] = [];
  if (clause?.name)
    bindings.push({ local: clause.name.text, module, imported: "default", typeOnly });
  const named = clause?.namedBindings;
  if (named && ts.isNamespaceImport(named))
    bindings.push({ local: named.name.text, module, imported: "*", typeOnly });
  for (const { name, propertyName, isTypeOnly } of named && ts.isNamedImports(named)
    ? named.elements
    : []) {
    bindings.push({
      local: name.text,
      module,
      imported: (propertyName ?? name).text,
      typeOnly: typeOnly || isTypeOnly,
    });
  }
  return { statement, module, typeOnly, bindings, node };
}

/**
 * The names that statements use and may have from elsewhere. Names of members and properties are
 * none.
 */
export function usedNames(statements: readonly Statement[]): ReadonlySet<string> {
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isUse(node)) used.add(node.text);
    ts.forEachChild(node, visit);
  };
  for (const { nodes } of statements) nodes.forEach(visit);
  return used;
}

function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isMetaProperty(parent))
    return parent.name !== node;
  if (ts.isQualifiedName(parent)) return parent.right !== node;
  if (
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent)
  )
    return parent.name !== node;
  if (ts.isMethodDeclaration(parent) || ts.isMethodSignature(parent) || ts.isEnumMember(parent))
    return parent.name !== node;
  return true;
}

/** A change of a text: what stands between the positions becomes `text`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What the generated file must import besides, for what is kept. */
export interface ImportChanges {
  /** Names that go into import statements that are there. */
  readonly edits: readonly TextEdit[];
  /** New import statements, in order. */
  readonly added: readonly string[];
  /** Names that the generated file uses for something else. */
  readonly clashes: readonly ImportedName[];
}

/**
 * Finds what kept statements need of the imports beside them, and how the generated file gets it.
 * @param owner the file with the kept statements
 * @param generated the file that they go into
 */
export function importChanges(
  owner: SourceText,
  kept: readonly Statement[],
  generated: SourceText,
): ImportChanges {
  const used = usedNames(kept);
  const have = new Map(
    importsOf(generated).flatMap(({ bindings }) =>
      bindings.map((binding) => [binding.local, binding] as const),
    ),
  );
  const edits: TextEdit[] = [];
  const added: string[] = [];
  const clashes: ImportedName[] = [];
  for (const one of importsOf(owner)) {
    if (one.statement.kept) continue;
    const needed = one.bindings.filter(({ local }) => used.has(local));
    clashes.push(...needed.filter((binding) => isDifferent(have.get(binding.local), binding)));
    const missing = needed.filter(({ local }) => !have.has(local));
    const host = missing.length === 0 ? undefined : hostFor(one, missing, generated);
    if (host) edits.push(insertion(host, missing, one.typeOnly));
    else if (missing.length > 0)
      added.push(
        missing.length === one.bindings.length
          ? owner.text.slice(one.statement.start, one.statement.end)
          : printImport(one, missing, owner),
      );
  }
  return { edits, added, clashes };
}

function isDifferent(have: ImportedName | undefined, want: ImportedName): boolean {
  return (
    have !== undefined &&
    (have.module !== want.module ||
      have.imported !== want.imported ||
      (have.typeOnly && !want.typeOnly))
  );
}

/** An import of the same module in braces that the names can go into. */
function hostFor(
  { module, typeOnly }: ImportStatement,
  missing: readonly ImportedName[],
  generated: SourceText,
): ts.NamedImports | undefined {
  if (
    missing.some(
      ({ imported, local }) => imported === "*" || (imported === "default" && local !== "default"),
    )
  )
    return undefined;
  const host = importsOf(generated).find(
    (one) =>
      one.module === module &&
      one.typeOnly === typeOnly &&
      one.node.importClause?.namedBindings &&
      ts.isNamedImports(one.node.importClause.namedBindings),
  );
  const named = host?.node.importClause?.namedBindings;
  return named && ts.isNamedImports(named) && named.elements.length > 0 ? named : undefined;
}

function insertion(
  host: ts.NamedImports,
  missing: readonly ImportedName[],
  typeOnly: boolean,
): TextEdit {
  const last = host.elements.at(-1)?.end ?? host.end - 1;
  const text = host.getSourceFile().text;
  const between = text.slice(last, host.end);
  const separator = between.includes("\n")
    ? `,\n${/\n([ \t]*)\S/.exec(host.getText())?.[1] ?? "  "}`
    : ", ";
  return {
    start: last,
    end: last,
    text: missing.map((binding) => separator + specifier(binding, typeOnly)).join(""),
  };
}

function specifier({ local, imported, typeOnly }: ImportedName, inTypeImport: boolean): string {
  return `${typeOnly && !inTypeImport ? "type " : ""}${imported === local ? local : `${imported} as ${local}`}`;
}

function printImport(
  { node, typeOnly }: ImportStatement,
  missing: readonly ImportedName[],
  owner: SourceText,
): string {
  const whole = missing.flatMap(({ imported, local }) =>
    imported === "*" ? [`* as ${local}`] : imported === "default" ? [local] : [],
  );
  const named = missing
    .filter(({ imported }) => imported !== "*" && imported !== "default")
    .map((binding) => specifier(binding, typeOnly));
  const names = [...whole, ...(named.length > 0 ? [`{ ${named.join(", ")} }`] : [])].join(", ");
  return `import ${typeOnly ? "type " : ""}${names} from ${node.moduleSpecifier.getText(owner.file)};`;
}
