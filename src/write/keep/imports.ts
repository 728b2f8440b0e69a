import { ts } from "ts-morph";
import type { SourceText, Statement } from "./statements.js";

interface ImportedName {
  /** Name in the file. */
  readonly local: string;
  readonly module: string;
  /** Name in the module; `default`, or `*` for the namespace. */
  readonly imported: string;
  /** `import type`, or `type` before the name. */
  readonly typeOnly: boolean;
}

interface ImportStatement {
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

/** Names that statements use from their scope, without names of members and properties. */
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

/** Replacement of a range of a text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Imports to add to the generated file for kept declarations. */
interface ImportChanges {
  /** Additions to existing import statements. */
  readonly edits: readonly TextEdit[];
  /** New import statements, in order. */
  readonly added: readonly string[];
  /** Names with another meaning in the generated file. */
  readonly clashes: readonly ImportedName[];
}

/**
 * Finds the imports that kept statements need, and how to add them.
 * @param edited file with the kept statements
 * @param generated file that receives them
 */
export function importChanges(
  edited: SourceText,
  keptStatements: readonly Statement[],
  generated: SourceText,
): ImportChanges {
  const used = usedNames(keptStatements);
  const have = new Map(
    importsOf(generated).flatMap(({ bindings }) =>
      bindings.map((binding) => [binding.local, binding] as const),
    ),
  );
  const edits: TextEdit[] = [];
  const added: string[] = [];
  const clashes: ImportedName[] = [];
  for (const statement of importsOf(edited)) {
    if (statement.statement.hasKeepMark) continue;
    const needed = statement.bindings.filter(({ local }) => used.has(local));
    clashes.push(...needed.filter((binding) => isDifferent(have.get(binding.local), binding)));
    const missing = needed.filter(({ local }) => !have.has(local));
    const host = missing.length === 0 ? undefined : hostFor(statement, missing, generated);
    if (host) edits.push(insertion(host, missing, statement.typeOnly));
    else if (missing.length > 0)
      added.push(
        missing.length === statement.bindings.length
          ? edited.text.slice(statement.statement.start, statement.statement.end)
          : printImport(statement, missing, edited),
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

/** Named import of the same module that can be extended. */
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
    (statement) =>
      statement.module === module &&
      statement.typeOnly === typeOnly &&
      statement.node.importClause?.namedBindings &&
      ts.isNamedImports(statement.node.importClause.namedBindings),
  );
  const bindings = host?.node.importClause?.namedBindings;
  return bindings && ts.isNamedImports(bindings) && bindings.elements.length > 0
    ? bindings
    : undefined;
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
  edited: SourceText,
): string {
  const defaults = missing.flatMap(({ imported, local }) =>
    imported === "*" ? [`* as ${local}`] : imported === "default" ? [local] : [],
  );
  const bindings = missing
    .filter(({ imported }) => imported !== "*" && imported !== "default")
    .map((binding) => specifier(binding, typeOnly));
  const names = [...defaults, ...(bindings.length > 0 ? [`{ ${bindings.join(", ")} }`] : [])].join(
    ", ",
  );
  return `import ${typeOnly ? "type " : ""}${names} from ${node.moduleSpecifier.getText(edited.file)};`;
}
