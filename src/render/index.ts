/** Rendering of a plan: every file of the generated project. */
import { isLockfileCurrent } from "../package-lock.js";
import type { ToolPlan } from "../plan/types.js";
import { fileName, filePath, type FilePath, flattenString, literal } from "./code/index.js";
import { lockFile } from "./lock.js";
import { mockApiFile } from "./mock-files.js";
import {
  packageRoot,
  runtimePackageFiles,
  runtimeVersion,
  verbatimFiles,
} from "./package-files.js";
import { addedFiles, loadTemplates } from "./templates/load.js";
import type { DeployTarget, GeneratedFile, RenderOptions } from "./types.js";
import { composeView, environmentView, kubernetesView, workerView } from "./views/deployment.js";
import {
  bundleView,
  dockerView,
  packageView,
  registryView,
  usesJsonPath,
  usesSignIn,
} from "./views/packaging.js";
import { hasToolsFile, readmeView, toolsFileView } from "./views/readme.js";
import { fileHeader, schemaFiles, schemaNames } from "./views/schemas.js";
import type { Views } from "./views/shapes.js";
import {
  assignToolModules,
  contractTestView,
  toolIndexView,
  type ToolModule,
  toolView,
} from "./views/tools.js";

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
  const files: GeneratedFile[] = [];
  // The default templates of package.json and package-lock.json belong together.
  const isCurrent = (packageLock: string): boolean =>
    (options.templates === undefined && options.runtime !== "package") ||
    isLockfileCurrent(packageLock, contentOf("package.json", files));
  const workflows = plan.workflows ? await import("./workflows/index.js") : undefined;
  files.push(...sharedFiles(root, plan, options), mockApiFile(plan.mock), lockFile(plan));
  for (const { template, view, path, writeOnce } of templatedFiles(plan, options, workflows)) {
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
  return ["json-path", "json-path-limits", "json-path-query"].map((name) => `workflow/${name}.ts`);
}

/** A file to render: its template, its view and its path. */
interface TemplatedFile {
  readonly template: keyof Views;
  readonly view: object;
  readonly path: FilePath;
  readonly writeOnce?: boolean;
}

/** Views of workflows. Loaded only for plans with workflows. */
type WorkflowViews = typeof import("./workflows/index.js");

/**
 * Yields every file of a template with its view. A generator, because the views of a large API take
 * more memory than its files.
 */
export function* templatedFiles(
  plan: ToolPlan,
  options: RenderOptions = {},
  workflows?: WorkflowViews,
): Generator<TemplatedFile> {
  const names = schemaNames(plan);
  const tools = assignToolModules(plan.tools);
  yield* fixedFiles(plan, tools, options);
  for (const { name, view } of schemaFiles(plan, names))
    yield templatedFile(
      "src/schemas.ts",
      view,
      name === undefined ? filePath`src/schemas.ts` : filePath`src/schemas/${name}.ts`,
    );
  for (const tool of tools) {
    if (tool.tool.workflow)
      yield templatedFile(
        "src/tools/[toolset]/[workflow].ts",
        workflows!.workflowToolView(tool, plan.source, names),
        tool.path,
      );
    else
      yield templatedFile(
        "src/tools/[toolset]/[tool].ts",
        toolView(tool, plan.source, names),
        tool.path,
      );
  }
  for (const workflow of plan.workflows ?? [])
    yield templatedFile(
      "src/workflows/[workflow].ts",
      workflows!.workflowView(workflow, names),
      filePath`src/workflows/${fileName(workflow.name)}.ts`,
    );
  for (const { name, definition } of plan.otherApis ?? [])
    yield templatedFile(
      "src/apis/[api].ts",
      { header: fileHeader(definition.title), api: literal(definition) },
      filePath`src/apis/${fileName(name)}.ts`,
    );
}

/** Pairs a template with a view of its type. */
function templatedFile<Template extends keyof Views>(
  template: Template,
  view: Views[Template],
  at: FilePath,
  writeOnce = false,
): TemplatedFile {
  return { template, view, path: at, ...(writeOnce && { writeOnce }) };
}

function fixedFiles(
  plan: ToolPlan,
  tools: readonly ToolModule[],
  options: RenderOptions,
): readonly TemplatedFile[] {
  const npmPackage = packageView(plan, options.runtime === "package" ? runtimeVersion : undefined);
  const headerOnly = { header: fileHeader(plan.source) };
  const entry = { ...headerOnly, usesSignIn: usesSignIn(plan) };
  return [
    templatedFile("README.md", readmeView(plan, options), filePath`README.md`),
    ...(hasToolsFile(plan)
      ? [templatedFile("TOOLS.md", toolsFileView(plan), filePath`TOOLS.md`)]
      : []),
    templatedFile("package.json", npmPackage, filePath`package.json`),
    templatedFile("package-lock.json", npmPackage, filePath`package-lock.json`),
    templatedFile(".npmrc", {}, filePath`.npmrc`, true),
    templatedFile(".gitattributes", {}, filePath`.gitattributes`, true),
    templatedFile("server.json", registryView(plan), filePath`server.json`),
    templatedFile("manifest.json", bundleView(plan), filePath`manifest.json`),
    templatedFile("Dockerfile", dockerView(plan), filePath`Dockerfile`),
    ...deploymentFiles(plan, options),
    templatedFile(".dockerignore", {}, filePath`.dockerignore`),
    templatedFile(".mcpbignore", {}, filePath`.mcpbignore`),
    templatedFile("tsconfig.json", {}, filePath`tsconfig.json`),
    templatedFile("bundle.mjs", {}, filePath`bundle.mjs`),
    templatedFile(".env.example", environmentView(plan), filePath`.env.example`),
    templatedFile(".gitignore", {}, filePath`.gitignore`),
    templatedFile("src/main.ts", entry, filePath`src/main.ts`),
    templatedFile("src/worker.ts", headerOnly, filePath`src/worker.ts`),
    templatedFile("src/dev.ts", entry, filePath`src/dev.ts`),
    templatedFile("src/api.ts", { ...headerOnly, api: literal(plan.api) }, filePath`src/api.ts`),
    templatedFile("src/tools/index.ts", toolIndexView(plan, tools), filePath`src/tools/index.ts`),
    templatedFile("src/custom/index.ts", {}, filePath`src/custom/index.ts`, true),
    templatedFile("test/run.mjs", {}, filePath`test/run.mjs`),
    templatedFile("test/tools.test.ts", contractTestView(plan), filePath`test/tools.test.ts`),
  ];
}

/** Configurations of the engines that the options name. */
function deploymentFiles(plan: ToolPlan, { deploy = [] }: RenderOptions): readonly TemplatedFile[] {
  const files: Readonly<Record<DeployTarget, () => readonly TemplatedFile[]>> = {
    compose: () => [
      templatedFile("compose.yaml", composeView(plan), filePath`compose.yaml`),
      templatedFile("Caddyfile", {}, filePath`Caddyfile`),
    ],
    kubernetes: () => [
      templatedFile("kubernetes.yaml", kubernetesView(plan), filePath`kubernetes.yaml`),
    ],
    workers: () => [templatedFile("wrangler.jsonc", workerView(plan), filePath`wrangler.jsonc`)],
  };
  return [...new Set(deploy)].flatMap((target) => files[target]());
}
