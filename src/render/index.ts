import { isLockfileCurrent } from "../package-lock.js";
import type { ToolPlan } from "../plan/types.js";
import { flattenString } from "./code/index.js";
import { lockFile, createLockEntries } from "./lock/index.js";
import { mockApiFile } from "./mock-api-file.js";
import { templatedFiles } from "./templated-files.js";
import { packageRoot } from "./package-root.js";
import { addedFiles } from "./templates/added-files.js";
import { loadTemplates } from "./templates/load.js";
import type { GeneratedFile, RenderOptions } from "./types.js";
import { usesJsonPath } from "./views/packaging.js";
import { verbatimFiles } from "./verbatim-files.js";

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
  const locked = createLockEntries(plan.tools);
  const files: GeneratedFile[] = [];
  const add = (file: GeneratedFile): void => {
    files.push(file);
    onFile(file);
  };
  const workflows = plan.workflows ? await import("./workflows/index.js") : undefined;
  for (const file of verbatimFiles(root, unusedRuntimeFiles(plan))) add(file);
  add(mockApiFile(plan.mock));
  add(lockFile(locked));
  for (const { template, view, path, writeOnce } of templatedFiles(plan, locked, workflows)) {
    const content = flattenString(templates.get(template)!(view));
    if (
      options.templates !== undefined &&
      path === "package-lock.json" &&
      !isLockfileCurrent(content, contentOf("package.json", files))
    )
      continue;
    add(writeOnce ? { path, content, writeOnce } : { path, content });
  }
  if (options.templates !== undefined)
    for (const file of addedFiles(
      plan,
      templates,
      files.map(({ path }) => path),
    ))
      add(file);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function contentOf(path: string, files: readonly GeneratedFile[]): string {
  return files.find((file) => file.path === path)?.content ?? "";
}

/**
 * Parts of the runtime that the project does not need; one of them would bring a package with it.
 */
function unusedRuntimeFiles({ workflows }: ToolPlan): readonly string[] {
  if (!workflows) return ["workflow"];
  return usesJsonPath(workflows) ? [] : ["workflow/json-path.ts"];
}
