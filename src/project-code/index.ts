/**
 * Definitions in the code of a project: custom tools, and generated tools marked `@keep`. The code
 * is parsed and never run.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ProjectCode } from "../plan/project-code.js";
import type { ToolPath } from "./definitions.js";
import { readGenerated, readText } from "./read-text.js";

/** Code of `src/custom/index.ts` as generated, without comments and white space. */
const UNTOUCHED =
  'importtype{Hooks}from"../runtime/index.js";importtype{Tools}from"../tools/index.js";' +
  "consthooks:Hooks<Tools>={};exportdefaulthooks;";

/**
 * Reads the definitions of a project.
 * @param folder folder of the project, which may not exist yet
 * @returns undefined if all definitions are as generated
 */
export async function readProjectCode(
  folder: string | undefined,
): Promise<ProjectCode | undefined> {
  if (folder === undefined) return undefined;
  const custom = join(folder, "src/custom/index.ts");
  const text = readText(custom);
  const isCustomized = text !== undefined && !isUntouched(text);
  const kept = toolFolders(folder).flatMap(filesWithKeepMarks);
  if (!isCustomized && kept.length === 0) return undefined;
  // Parsers of TypeScript are slow to load, and few projects need one.
  const { readDefinitions } = await import("./definitions.js");
  return readDefinitions(folder, isCustomized ? custom : undefined, kept);
}

/** True for the generated module without customizations. */
export function isUntouched(text: string): boolean {
  const code = text.replace(/\/\*[^]*?\*\/|\/\/.*/g, "").replace(/\s+/g, "");
  return code === UNTOUCHED;
}

/** Folders of tools, with the API that they belong to in a server of several. */
function toolFolders(folder: string): readonly ToolPath[] {
  const apis = join(folder, "src/apis");
  return [
    { path: join(folder, "src/tools") },
    ...foldersIn(apis).map((api) => ({ path: join(apis, api, "tools"), api })),
  ];
}

function filesWithKeepMarks({ path, api }: ToolPath): readonly ToolPath[] {
  return foldersIn(path).flatMap((toolset) =>
    filesIn(join(path, toolset))
      .filter((file) => readGenerated(file).includes("@keep"))
      .map((file) => ({ path: file, ...(api !== undefined && { api }) })),
  );
}

function foldersIn(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function filesIn(path: string): readonly string[] {
  return readdirSync(path)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(path, name));
}
