import { isLockfileCurrent } from "../package-lock.js";
import type { ToolPlan } from "../plan/types.js";
import { flattenString } from "./code/index.js";
import { lockFile, createLockEntries } from "./lock.js";
import { mockApiFile } from "./mock-files.js";
import { templatedFiles } from "./templated-files.js";
import { packageRoot, runtimePackageFiles } from "./own-package.js";
import { addedFiles } from "./templates/added-files.js";
import { loadTemplates } from "./templates/load.js";
import type { GeneratedFile, RenderOptions } from "./types.js";
import { usesJsonPath, usesSignIn } from "./views/packaging.js";
import { verbatimFiles } from "./verbatim-files.js";

export { TemplateError } from "./templates/check.js";
export type * from "./types.js";

/**
 * Renders a plan: every file of the generated project, sorted by path. The same plan gives the same
 * bytes. Reads only the templates and the copied sources.
 * @throws TemplateError for a mistake in a custom template
 */
export async function render(
  plan: ToolPlan,
  options: RenderOptions = {},
): Promise<readonly GeneratedFile[]> {
  const root = packageRoot();
  const templates = await loadTemplates(`${root}/templates`, options.templates);
  const locked = createLockEntries(plan);
  const files: GeneratedFile[] = [];
  // The default templates of package.json and package-lock.json belong together.
  const isCurrent = (packageLock: string): boolean =>
    (options.templates === undefined && options.runtime !== "package") ||
    isLockfileCurrent(packageLock, contentOf("package.json", files));
  const workflows = plan.workflows ? await import("./workflows/index.js") : undefined;
  files.push(
    ...sharedFiles(root, plan, options),
    mockApiFile(plan.mock),
    lockFile(locked, plan.sharedSchemas, plan.budget.mode),
  );
  for (const { template, view, path, writeOnce } of templatedFiles(
    plan,
    locked,
    options,
    workflows,
  )) {
    const content = flattenString(templates.get(template)!(view));
    if (path === "package-lock.json" && !isCurrent(content)) continue;
    files.push(writeOnce ? { path, content, writeOnce } : { path, content });
  }
  if (options.templates !== undefined)
    files.push(
      ...addedFiles(
        plan,
        templates,
        files.map(({ path }) => path),
      ),
    );
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function contentOf(path: string, files: readonly GeneratedFile[]): string {
  return files.find((file) => file.path === path)?.content ?? "";
}

const RUNTIME_FOLDER = "src/runtime/";

/** The runtime and the mock. The runtime is copied or imported from the package mcp-gen. */
function sharedFiles(
  root: string,
  plan: ToolPlan,
  { runtime }: RenderOptions,
): readonly GeneratedFile[] {
  const unused = unusedRuntimePaths(plan);
  const isUnused = (path: string): boolean =>
    unused.some((left) => path === left || path.startsWith(`${left}/`));
  const files = verbatimFiles(root);
  const mock = files.filter(({ path }) => !path.startsWith(RUNTIME_FOLDER));
  const copied = (): readonly GeneratedFile[] =>
    files.filter(
      ({ path }) => path.startsWith(RUNTIME_FOLDER) && !isUnused(path.slice(RUNTIME_FOLDER.length)),
    );
  return [...(runtime === "package" ? runtimePackageFiles(isUnused) : copied()), ...mock];
}

/** Files and folders of the runtime that the project does not need. Some need a package. */
function unusedRuntimePaths(plan: ToolPlan): readonly string[] {
  return [...(usesSignIn(plan) ? [] : ["auth/sign-in"]), ...unusedWorkflowPaths(plan)];
}

function unusedWorkflowPaths({ workflows }: ToolPlan): readonly string[] {
  if (!workflows) return ["workflow"];
  if (usesJsonPath(workflows)) return [];
  return ["json-path", "json-path-budget", "json-path-query"].map((name) => `workflow/${name}.ts`);
}
