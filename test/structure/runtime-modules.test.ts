/** The runtime's files, joined into the modules that generated projects have. */
import { posix, resolve } from "node:path";
import { Project, ts } from "ts-morph";
import { describe, expect, test } from "vitest";
import { readSources } from "../../src/render/package-files.js";
import { reachableCode } from "../../src/render/reachable-code.js";
import { joinRuntimeFiles } from "../../src/render/runtime-modules.js";
import { entryPaths } from "../../src/render/runtime-features.js";
import { readRuntimeFiles } from "../../src/render/runtime-scopes.js";
import { cyclesOf } from "./cycles.js";

const { files, standIns } = readRuntimeFiles(
  readSources(resolve(import.meta.dirname, "../.."), "runtime"),
);

/** Names of types that every file has without an import, such as `Pick` and `Error`. */
const languageTypes: ReadonlySet<string> = new Set(readLanguageTypes());

/** The files of a project with all features, and of one with none of them. */
const selections = {
  "all features": reachableCode((path) => files.get(path), [...files.keys()]),
  "stand-ins": reachableCode((path) => standIns.get(path) ?? files.get(path), entryPaths),
};

describe.each(Object.entries(selections))("with %s", (_, selection) => {
  const modules = [...joinRuntimeFiles(selection)].map(
    ([path, { content }]) =>
      [path, ts.createSourceFile(path, content, ts.ScriptTarget.Latest)] as const,
  );

  test("no module declares or imports a name twice", () => {
    const repeated = modules.flatMap(([path, source]) => {
      const names = source.statements.flatMap(namesOf);
      return names.filter((name, i) => names.indexOf(name) !== i).map((name) => `${path}: ${name}`);
    });
    expect(repeated).toEqual([]);
  });

  test("no module declares the name of a type of the language, which another file may use", () => {
    const shadowed = modules.flatMap(([path, source]) =>
      source.statements
        .flatMap(namesOf)
        .flatMap((name) => (languageTypes.has(name) ? [`${path}: ${name}`] : [])),
    );
    expect(shadowed).toEqual([]);
    expect(languageTypes).toContain("Pick");
  });

  test("modules import existing modules, not themselves, and form no cycle", () => {
    const edges = modules.flatMap(([path, { text }]) =>
      [...text.matchAll(/(?:^(?:import|export|\}).* from |\bimport\(\s*)"(\.[^"]+)\.js"/gm)].map(
        ([, to = ""]) => [path, `${posix.join(posix.dirname(path), to)}.ts`] as const,
      ),
    );
    const paths = new Set(modules.map(([path]) => path));
    expect(edges.filter(([from, to]) => from === to || !paths.has(to))).toEqual([]);
    expect(cyclesOf(edges)).toEqual([]);
    expect(edges.length).toBeGreaterThan(100);
  });

  test("what workers load imports no module of Node", () => {
    const sources = new Map(modules);
    const reached = new Set(["index.ts"]);
    const found: string[] = [];
    for (const path of reached)
      for (const { moduleSpecifier, importClause } of importsIn(sources.get(path)!)) {
        const { text } = moduleSpecifier as ts.StringLiteral;
        const isType = importClause?.isTypeOnly === true;
        if (text.startsWith("node:") && !isType) found.push(`${path} imports ${text}`);
        if (text.startsWith(".") && !isType)
          reached.add(`${posix.join(posix.dirname(path), text).slice(0, -".js".length)}.ts`);
      }
    expect(found).toEqual([]);
    expect(reached).toContain("transport.ts");
  });
});

function readLanguageTypes(): readonly string[] {
  const compilerOptions = { lib: ["lib.es5.d.ts"] };
  const project = new Project({ useInMemoryFileSystem: true, compilerOptions });
  project.createSourceFile("empty.ts", "");
  const sources = project.getProgram().compilerObject.getSourceFiles();
  return sources.flatMap(({ statements }) => statements.flatMap(namesOf));
}

type Statement = ts.ImportDeclaration | ts.ExportDeclaration;

function importsIn(source: ts.SourceFile): readonly {
  readonly moduleSpecifier: ts.Expression;
  readonly importClause?: { readonly isTypeOnly: boolean } | undefined;
}[] {
  return source.statements.flatMap((node) => {
    if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) return [];
    const { moduleSpecifier } = node as Statement;
    if (!moduleSpecifier) return [];
    const importClause = ts.isImportDeclaration(node) ? node.importClause : node;
    return [{ moduleSpecifier, ...(importClause && { importClause }) }];
  });
}

/** Names that a statement adds to the scope of its module. */
function namesOf(node: ts.Statement): readonly string[] {
  if (ts.isImportDeclaration(node)) {
    const { name, namedBindings } = node.importClause ?? {};
    const named =
      namedBindings === undefined
        ? []
        : ts.isNamespaceImport(namedBindings)
          ? [namedBindings.name.text]
          : namedBindings.elements.map((element) => element.name.text);
    return [...(name ? [name.text] : []), ...named];
  }
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap((one) => bindingNames(one.name));
  const { name } = node as { readonly name?: ts.Node };
  return name && ts.isIdentifier(name) ? [name.text] : [];
}

function bindingNames(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) =>
    ts.isOmittedExpression(element) ? [] : bindingNames(element.name),
  );
}
