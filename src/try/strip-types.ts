/** Removal of types from modules, without checking them. */

type Module = readonly [path: string, code: string];

/**
 * Strips the types of `.ts` modules, which become `.js`. Imports without a use stay, as with
 * `verbatimModuleSyntax`. The compiler of TypeScript takes seven times as long for 1,500 tools.
 */
export async function stripTypes(modules: readonly Module[]): Promise<readonly Module[]> {
  const { transform } = await import("sucrase");
  const options = {
    transforms: ["typescript" as const],
    disableESTransforms: true,
    keepUnusedImports: true,
  };
  return modules.map(([path, code]) => [
    `${path.slice(0, -3)}.js`,
    transform(code, { ...options, filePath: path }).code,
  ]);
}
