import { join } from "node:path";
import type { Configuration } from "./configuration/types.js";
import { type Diagnostic, isError } from "./diagnostics/index.js";
import { load, type LoadOptions } from "./load/index.js";
import { buildModel } from "./model/index.js";
import { plan, type PlanOptions, type ToolPlan } from "./plan/index.js";
import { packageRoot } from "./render/package-root.js";
import { render, type GeneratedFile, type RenderOptions } from "./render/index.js";
import {
  startBackgroundWriter,
  write,
  type WriteOptions,
  type WriteResult,
} from "./write/index.js";

/** Options of every module; see the type of each. `strict` raises warnings to errors. */
export interface GenerateOptions extends LoadOptions, PlanOptions, RenderOptions, WriteOptions {
  readonly strict?: boolean;
  /**
   * Adds the notes of the quality lint (`plan.lint`) to the diagnostics. Its warnings are always
   * among them.
   */
  readonly lint?: boolean;
  /** Arazzo files, whose workflows become tools. */
  readonly workflows?: readonly string[];
  /**
   * `mcp-gen.yaml`, read by `readConfiguration`. Other options take precedence. Overlays of both
   * are applied, those of the file first.
   */
  readonly configuration?: Configuration;
  /** Called when a stage begins. */
  readonly onStage?: (stage: PipelineStage) => void;
}

/** Current pipeline stage. */
export type PipelineStage = "load" | "plan" | "render" | "write";

/**
 * Result of a run. `plan` and `files` are absent when an earlier stage reports an error, `written`
 * when no folder is given.
 */
export interface GenerateResult {
  readonly plan?: ToolPlan;
  readonly files?: readonly GeneratedFile[];
  readonly written?: WriteResult;
  /** In the order of detection, with file, line and column. */
  readonly diagnostics: readonly Diagnostic[];
  readonly ok: boolean;
}

/**
 * Runs the whole pipeline: load → model → plan → render → write.
 * @param source a path, `-` for stdin, or an `https:` (or loopback `http:`) URL
 * @param outDir the folder to write; without it nothing is written, and the files are returned
 * @throws TemplateError for a mistake in a custom template; the error of the file system when the
 *   folder of templates cannot be read
 */
export async function generate(
  source: string,
  outDir: string | undefined,
  callerOptions: GenerateOptions = {},
): Promise<GenerateResult> {
  const options = applyConfiguration(callerOptions);
  const collected: Diagnostic[] = [];
  const reportStage = options.onStage ?? (() => undefined);
  reportStage("load");
  const loaded = await load(source, options);
  let locate = loaded.locate;
  const finish = (rest: Omit<GenerateResult, "diagnostics" | "ok">): GenerateResult => {
    const diagnostics = collected.map((d) =>
      d.location && d.location.line === undefined ? { ...d, location: locate(d.location) } : d,
    );
    return { ...rest, diagnostics, ok: !hasBlockingDiagnostic(diagnostics, options) };
  };
  const add = (diagnostics: readonly Diagnostic[]): boolean => (
    collected.push(...diagnostics),
    hasBlockingDiagnostic(collected, options)
  );

  if (add(loaded.diagnostics) || !loaded.document) return finish({});
  reportStage("plan");
  const { model: apiModel, diagnostics } = buildModel(loaded.document);
  if (add(diagnostics) || !apiModel) return finish({});
  const workflows = options.workflows?.length
    ? await (
        await import("./workflow-sources/index.js")
      ).planWorkflows(options.workflows, loaded.document, apiModel, options)
    : undefined;
  if (workflows) locate = (place) => workflows.locate(loaded.locate(place));
  if (add(workflows?.diagnostics ?? [])) return finish({});
  const toolPlan = plan(workflows?.model ?? apiModel, {
    ...options,
    ...(workflows?.planner && { workflowPlanner: workflows.planner }),
  });
  if (
    add([
      ...toolPlan.diagnostics,
      ...toolPlan.lint.filter(({ severity }) => options.lint === true || severity !== "info"),
    ])
  )
    return finish({ plan: toolPlan });
  const ahead =
    outDir === undefined
      ? undefined
      : startBackgroundWriter(
          outDir,
          toolPlan.tools.length,
          options,
          join(packageRoot(), "dist", "background-thread.js"),
        );
  try {
    reportStage("render");
    const files = await render(toolPlan, options, ahead?.add);
    if (outDir === undefined) return finish({ plan: toolPlan, files });
    reportStage("write");
    const written = await write(files, outDir, options, ahead);
    add(written.diagnostics);
    return finish({ plan: toolPlan, files, written });
  } finally {
    await ahead?.close();
  }
}

function applyConfiguration(options: GenerateOptions): GenerateOptions {
  const {
    overlays = [],
    workflows = [],
    templates = options.templates,
    runtime = options.runtime,
    namespace = options.namespace,
  } = options.configuration?.settings ?? {};
  return {
    ...options,
    overlays: [...overlays, ...(options.overlays ?? [])],
    workflows: [...workflows, ...(options.workflows ?? [])],
    ...(templates !== undefined && { templates: options.templates ?? templates }),
    ...(runtime !== undefined && { runtime: options.runtime ?? runtime }),
    ...(namespace !== undefined && { namespace: options.namespace ?? namespace }),
  };
}

function hasBlockingDiagnostic(
  diagnostics: readonly Diagnostic[],
  options: GenerateOptions,
): boolean {
  return diagnostics.some(
    (d) => isError(d) || (options.strict === true && d.severity === "warning"),
  );
}
