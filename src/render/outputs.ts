import type { ToolPlan } from "../plan/types.js";
import { fileName, type FilePath, literal, path } from "./code.js";
import type { LockedTool } from "./lock/index.js";
import { catalogueView, type PlacedTool, placeTools } from "./views/catalogue.js";
import { contractTestView } from "./views/contract-test.js";
import { envView } from "./views/environment.js";
import { header } from "./views/header.js";
import { packageView } from "./views/package.js";
import { bundleView, dockerView, registryView } from "./views/packaging.js";
import { readmeView } from "./views/readme.js";
import { schemasView, typeNames } from "./views/schemas.js";
import type { Views } from "./views/shapes.js";
import { toolView } from "./views/tool.js";

/** One file to make: a template, what it sees, and where the result goes. */
export interface Output {
  readonly template: keyof Views;
  readonly view: object;
  readonly path: FilePath;
  readonly owned?: boolean;
}

/** What writes workflows down; loaded only when there are any. */
export type WorkflowViews = typeof import("./workflows/index.js");

/**
 * Every file that comes from a template, with its view: one at a time, because the views of a large
 * API are larger than its files.
 * @param locked of each tool of the plan, in its order
 */
export function* outputs(
  plan: ToolPlan,
  locked: readonly LockedTool[],
  workflows?: WorkflowViews,
): Generator<Output> {
  const types = typeNames(plan.types);
  const tools = placeTools(plan.tools);
  yield* projectFiles(plan, tools);
  if (plan.types.length > 0)
    yield only("src/schemas.ts", schemasView(plan, types), path`src/schemas.ts`);
  for (const [i, tool] of tools.entries()) {
    if (tool.tool.workflow)
      yield only(
        "src/tools/[toolset]/[workflow].ts",
        workflows!.workflowToolView(tool, locked[i]!, plan.source, types),
        tool.path,
      );
    else
      yield only(
        "src/tools/[toolset]/[tool].ts",
        toolView(tool, locked[i]!, plan.source, types),
        tool.path,
      );
  }
  for (const workflow of plan.workflows ?? [])
    yield only(
      "src/workflows/[workflow].ts",
      workflows!.workflowView(workflow, types),
      path`src/workflows/${fileName(workflow.name)}.ts`,
    );
  for (const { name, definition } of plan.otherApis ?? [])
    yield only(
      "src/apis/[api].ts",
      { header: header(definition.title), api: literal(definition) },
      path`src/apis/${fileName(name)}.ts`,
    );
}

/** An output whose view fits its template. */
function only<Template extends keyof Views>(
  template: Template,
  view: Views[Template],
  at: FilePath,
  owned = false,
): Output {
  return { template, view, path: at, ...(owned && { owned }) };
}

function projectFiles(plan: ToolPlan, tools: readonly PlacedTool[]): readonly Output[] {
  const headerOnly = { header: header(plan.source) };
  return [
    only("README.md", readmeView(plan), path`README.md`),
    only("package.json", packageView(plan), path`package.json`),
    only("package-lock.json", packageView(plan), path`package-lock.json`),
    only(".npmrc", {}, path`.npmrc`, true),
    only("server.json", registryView(plan), path`server.json`),
    only("manifest.json", bundleView(plan), path`manifest.json`),
    only("Dockerfile", dockerView(plan), path`Dockerfile`),
    only(".dockerignore", {}, path`.dockerignore`),
    only(".mcpbignore", {}, path`.mcpbignore`),
    only("tsconfig.json", {}, path`tsconfig.json`),
    only("bundle.mjs", {}, path`bundle.mjs`),
    only(".env.example", envView(plan), path`.env.example`),
    only(".gitignore", {}, path`.gitignore`),
    only("src/main.ts", headerOnly, path`src/main.ts`),
    only("src/worker.ts", headerOnly, path`src/worker.ts`),
    only("src/dev.ts", headerOnly, path`src/dev.ts`),
    only("src/api.ts", { ...headerOnly, api: literal(plan.api) }, path`src/api.ts`),
    only("src/tools/index.ts", catalogueView(plan, tools), path`src/tools/index.ts`),
    only("src/custom/index.ts", {}, path`src/custom/index.ts`, true),
    only("test/run.mjs", {}, path`test/run.mjs`),
    only("test/tools.test.ts", contractTestView(plan), path`test/tools.test.ts`),
  ];
}
