import { isPortableName } from "../../file-name.js";
import type { ToolPlan } from "../../plan/types.js";
import type { GeneratedFile } from "../types.js";
import { projectView } from "../views/project.js";
import { TemplateError } from "./check.js";
import type { Templates } from "./compile.js";
import { ADDED_FILES } from "./sources.js";

/**
 * Renders the files that custom templates add to the output.
 * @param taken paths of all other generated files
 * @throws TemplateError when a file would replace another one
 */
export function addedFiles(
  plan: ToolPlan,
  templates: Templates,
  taken: readonly string[],
): readonly GeneratedFile[] {
  const extra = [...templates].filter(([path]) => path.startsWith(ADDED_FILES));
  if (extra.length === 0) return [];
  const view = projectView(plan);
  const others = new Set(taken.map((path) => path.toLowerCase()));
  return extra.map(([template, make]) => {
    // macOS decomposes accented characters in file names.
    const path = template.slice(ADDED_FILES.length).normalize("NFC");
    const problem = findPathProblem(path.toLowerCase(), others);
    if (problem !== undefined) throw new TemplateError(`${template}.hbs:1:1: ${path} ${problem}`);
    return { path, content: make(view) };
  });
}

function findPathProblem(path: string, others: ReadonlySet<string>): string | undefined {
  if (others.has(path))
    return "is a generated file; put the template that replaces it outside of files/";
  if (!path.split("/").every(isPortableName)) return "has a name that Windows does not allow";
  if (path.startsWith("src/custom/")) return "is in src/custom, which mcp-gen never writes";
  return /^(\.git|\.mcp-gen|node_modules)\//.test(path)
    ? "is in a folder that cannot hold generated files"
    : undefined;
}
