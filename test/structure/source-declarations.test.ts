/** The files of the runtime and of the mock, split into declarations without a parser, compared with their syntax trees. */
import { resolve } from "node:path";
import { ts } from "ts-morph";
import { expect, test } from "vitest";
import { readSources } from "../../src/render/package-files.js";
import { readModule } from "../../src/render/source-declarations.js";

const root = resolve(import.meta.dirname, "../..");
const sources = [...readSources(root, "runtime"), ...readSources(root, "mock")]
  .filter(({ path }) => !path.endsWith(".d.ts"))
  .map(({ path, content }) => ({
    ...{ path, module: readModule(content) },
    tree: ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true),
  }));

test("every file is split at its statements", () => {
  const different = sources.filter(({ module: { declarations }, tree }) => {
    const want = statementsOf(tree).map((node) => namesOf(node).join());
    return declarations.map(({ names }) => names.join()).join("\n") !== want.join("\n");
  });
  expect(different.map(({ path }) => path)).toEqual([]);
  expect(sources.length).toBeGreaterThan(250);
});

test("every name that a declaration uses is found", () => {
  const missing = sources.flatMap(({ path, module: { declarations, imports }, tree }) => {
    const nodes = statementsOf(tree);
    const scope = new Set([...nodes.flatMap(namesOf), ...imports.map(({ local }) => local)]);
    return nodes.flatMap((node, i) => {
      const { names = [], uses = [] } = declarations[i] ?? {};
      const lost = identifiersIn(node).filter(
        (name) => scope.has(name) && !uses.includes(name) && !names.includes(name),
      );
      return lost.map((name) => `${path}: ${names.join()} uses ${name}`);
    });
  });
  expect(missing).toEqual([]);
});

function statementsOf(tree: ts.SourceFile): readonly ts.Statement[] {
  return tree.statements.filter(
    (node) =>
      !ts.isImportDeclaration(node) && !(ts.isExportDeclaration(node) && node.moduleSpecifier),
  );
}

/** Names that a statement declares. */
function namesOf(node: ts.Node): readonly string[] {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  const { name } = node as { readonly name?: ts.Node };
  return name && ts.isIdentifier(name) ? [name.text] : [];
}

function boundNames(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((one) => (ts.isOmittedExpression(one) ? [] : boundNames(one.name)));
}

/** Identifiers below a node that are not names of properties. */
function identifiersIn(node: ts.Node): readonly string[] {
  if (ts.isIdentifier(node)) return isProperty(node) ? [] : [node.text];
  const names: string[] = [];
  ts.forEachChild(node, (child) => void names.push(...identifiersIn(child)));
  return names;
}

function isProperty(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return parent.initializer !== node;
  if (ts.isParameter(parent)) return parent.name === node;
  const isMember =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isMethodSignature(parent);
  return isMember && parent.name === node;
}
