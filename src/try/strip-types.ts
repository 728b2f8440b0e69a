/** Removal of types from modules, without checking them. */

/** A module: its path, and its code. */
type Module = readonly [path: string, code: string];

/**
 * Strips the types of TypeScript modules. One program for all of them takes a fifth of the time of
 * one program for each.
 */
export async function stripTypes(modules: readonly Module[]): Promise<readonly Module[]> {
  const { ts } = await import("ts-morph");
  const target = ts.ScriptTarget.ES2022;
  const sources = new Map(modules);
  const compiled = new Map<string, string>();
  const parsing = { languageVersion: target, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  const program = ts.createProgram({
    rootNames: [...sources.keys()],
    options: {
      target,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      isolatedModules: true,
      noResolve: true,
      noLib: true,
      noCheck: true,
      types: [],
    },
    host: {
      getSourceFile: (path) => {
        const code = sources.get(path);
        return code === undefined ? undefined : ts.createSourceFile(path, code, parsing);
      },
      writeFile: (path, code) => void compiled.set(path, code),
      getDefaultLibFileName: () => "lib.d.ts",
      getCurrentDirectory: () => "",
      getCanonicalFileName: (path) => path,
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => "\n",
      fileExists: (path) => sources.has(path),
      readFile: (path) => sources.get(path),
    },
  });
  program.emit();
  return [...compiled];
}
