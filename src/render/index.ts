import { fits } from "../npm.js";
import type { ToolPlan } from "../plan/types.js";
import { flat } from "./code.js";
import { lockFile, lockTools } from "./lock/index.js";
import { mockFile } from "./mock-api.js";
import { outputs } from "./outputs.js";
import { packageRoot } from "./root.js";
import { extraFiles } from "./templates/extra.js";
import { loadTemplates } from "./templates/load.js";
import type { GeneratedFile, RenderOptions } from "./types.js";
import { needsJsonPath } from "./views/package.js";
import { verbatimFiles } from "./verbatim.js";

export { TemplateError } from "./templates/check.js";
export type * from "./types.js";

/**
 * Writes a plan down: every file of the generated project, sorted by path. The same plan gives the
 * same bytes. Reads the templates and the sources that are copied; touches nothing else.
 * @param onFile is given each file as soon as it is there, in no order
 * @throws TemplateError for a mistake in a custom template
 */
export async function render(
  plan: ToolPlan,
  options: RenderOptions = {},
  onFile: (file: GeneratedFile) => void = () => undefined,
): Promise<readonly GeneratedFile[]> {
  const root = packageRoot();
  const templates = await loadTemplates(`${root}/templates`, options.templates);
  const locked = lockTools(plan.tools);
  const files: GeneratedFile[] = [];
  const add = (file: GeneratedFile): void => {
    files.push(file);
    onFile(file);
  };
  const workflows = plan.workflows ? await import("./workflows/index.js") : undefined;
  for (const file of verbatimFiles(root, leftOut(plan))) add(file);
  add(mockFile(plan.mock));
  add(lockFile(locked));
  for (const { template, view, path, owned } of outputs(plan, locked, workflows)) {
    const content = flat(templates.get(template)!(view));
    if (
      options.templates !== undefined &&
      path === "package-lock.json" &&
      !fits(content, textOf("package.json", files))
    )
      continue;
    add(owned ? { path, content, owned } : { path, content });
  }
  if (options.templates !== undefined)
    for (const file of extraFiles(
      plan,
      templates,
      files.map(({ path }) => path),
    ))
      add(file);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function textOf(path: string, files: readonly GeneratedFile[]): string {
  return files.find((file) => file.path === path)?.content ?? "";
}

/**
 * Parts of the runtime that the project does not need; one of them would bring a package with it.
 */
function leftOut({ workflows }: ToolPlan): readonly string[] {
  if (!workflows) return ["workflow"];
  return needsJsonPath(workflows) ? [] : ["workflow/json-path.ts"];
}
