import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GeneratedFile } from "./types.js";

/** Modules of `src/mock` that a generated project uses. Their exports are those of its file. */
const entryModules = ["index.ts", "contract.ts"];

const banner = `// A mock of the API and the contract tests of this server, for test/tools.test.ts.
// One file made from src/mock of mcp-gen (https://www.npmjs.com/package/mcp-gen), which does not
// depend on src/runtime: the mock checks the requests of the runtime independently.
// Do not edit: mcp-gen replaces this file. Write tests of your own beside it.
`;

/**
 * `test/mock.ts`: the modules of `src/mock` as one TypeScript file. Types stay, so that tests of the
 * project are type-checked against it; no two modules declare the same name.
 * @param root the package's folder
 */
export function mockFile(root: string): GeneratedFile {
  const folder = join(root, "src/mock");
  const modules = inDependencyOrder((path) => readModule(join(folder, path)), entryModules);
  const exported = exportedNames(modules);
  const imports = [...modules.values()].flatMap(packageImports).sort();
  const bodies = [...modules]
    .map(([path, text]) => [path, moduleBody(text, exported)] as const)
    .filter(([, body]) => body !== "")
    .map(([path, body]) => `// ---- src/mock/${path} ----\n\n${body}`);
  const content = `${banner}\n${imports.join("\n")}\n\n${bodies.join("\n\n")}\n`;
  return { path: "test/mock.ts", content };
}

function readModule(path: string): string {
  return readFileSync(path, "utf8").replaceAll("\r\n", "\n");
}

const importOrReexport =
  /^(?:import|export)\s(?:type\s)?(?:\{[^}]*\}|\*|[\w\s,{}]+?)\sfrom\s"([^"]+)";\n?/gm;

/** The text of each module by its path: a module stands after the modules that it imports. */
function inDependencyOrder(
  read: (path: string) => string,
  entries: readonly string[],
): ReadonlyMap<string, string> {
  const ordered = new Map<string, string>();
  const visited = new Set<string>();
  const visit = (path: string): void => {
    if (visited.has(path)) return;
    visited.add(path);
    const text = read(path);
    for (const [, specifier = ""] of text.matchAll(importOrReexport))
      if (specifier.startsWith(".")) visit(moduleAt(path, specifier));
    ordered.set(path, text);
  };
  entries.forEach(visit);
  return ordered;
}

function moduleAt(from: string, specifier: string): string {
  return join(dirname(from), specifier).replaceAll("\\", "/").replace(/\.js$/, ".ts");
}

/** Names that an entry module declares or exports from another module. */
function exportedNames(modules: ReadonlyMap<string, string>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const path of entryModules) {
    const text = modules.get(path) ?? "";
    for (const name of declaredExports(text)) names.add(name);
    for (const [, list = ""] of text.matchAll(/^export (?:type )?\{([^}]*)\} from/gm))
      for (const [, name = ""] of list.matchAll(/(?:type\s+)?(\w+)\s*(?:,|$)/g)) names.add(name);
    for (const [, specifier = ""] of text.matchAll(/^export (?:type )?\* from "([^"]+)";/gm))
      for (const name of declaredExports(modules.get(moduleAt(path, specifier)) ?? ""))
        names.add(name);
  }
  return names;
}

const exportedDeclaration = /^export ((?:async )?(?:function|class|const|interface|type) (\w+))/gm;

function declaredExports(text: string): readonly string[] {
  return [...text.matchAll(exportedDeclaration)].map(([, , name = ""]) => name);
}

function packageImports(text: string): readonly string[] {
  const statements = [...text.matchAll(importOrReexport)];
  return statements
    .filter(([, specifier = ""]) => !specifier.startsWith("."))
    .map(([statement]) => statement.trim());
}

/** A module without its imports, and without `export` where the name is internal. */
function moduleBody(text: string, exported: ReadonlySet<string>): string {
  return text
    .replace(importOrReexport, "")
    .replace(exportedDeclaration, (statement, declaration: string, name: string) =>
      exported.has(name) ? statement : declaration,
    )
    .trim();
}
