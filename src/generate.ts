import type { Configuration } from "./configuration/types.js";
import { type Diagnostic, diagnostic, isError, type SourceLocation } from "./diagnostics/index.js";
import { omitUndefined } from "./json.js";
import { findDeepestChain } from "./load/refs/reference-cycles.js";
import { type ApiDocument, load, type LoadOptions } from "./load/index.js";
import { buildModel } from "./model/index.js";
import type { ApiModel } from "./model/types.js";
import type { WorkflowOptions } from "./plan/workflow-planner.js";
import { plan, type PlanOptions, type ToolPlan } from "./plan/index.js";
import {
  deploymentDiagnostics,
  type GeneratedFile,
  render,
  type RenderOptions,
} from "./render/index.js";
import { readProjectCode } from "./project-code/index.js";
import { write, type WriteOptions, type WriteResult } from "./write/index.js";

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
  /** Folder of the project whose own code is read. Default: the folder to write. */
  readonly projectFolder?: string;
  /** Ends after planning, without files. */
  readonly planOnly?: boolean;
  /**
   * Called when a stage begins. The count is that of the operations to plan, the tools to render,
   * or the files to write.
   */
  readonly onStage?: (stage: PipelineStage, count?: number) => void;
}

/** Options of an API of a server of several, whose workflows belong to the server. */
export interface MemberOptions extends Pick<WorkflowOptions, "workflowPlanner"> {
  /** Called with the model of the document. */
  readonly onModel?: (document: ApiDocument, model: ApiModel) => void;
}

/** Current pipeline stage. */
export type PipelineStage = "load" | "model" | "plan" | "render" | "write";

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
  callerOptions: GenerateOptions & MemberOptions = {},
): Promise<GenerateResult> {
  const options = applyConfiguration(callerOptions);
  const run = new Run(options);
  try {
    return await runStages(source, outDir, options, run);
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    run.isBlockedBy([tooDeepDiagnostic(run.document)]);
    return run.result();
  }
}

async function runStages(
  source: string,
  outDir: string | undefined,
  options: GenerateOptions & MemberOptions,
  run: Run,
): Promise<GenerateResult> {
  const projectCode = await readProjectCode(options.projectFolder ?? outDir);
  const toolPlan = await planDocument(
    source,
    { ...options, ...(projectCode && { projectCode }) },
    run,
  );
  if (!toolPlan) return run.result();
  const isBlocked = run.isBlockedBy(planDiagnostics(toolPlan, options));
  if (isBlocked || options.planOnly === true) return run.result({ plan: toolPlan });
  run.releaseDocument();

  run.begin("render", toolPlan.tools.length);
  const files = await render(toolPlan, options);
  if (outDir === undefined) return run.result({ plan: toolPlan, files });
  run.begin("write", files.length);
  const written = await write(files, outDir, options);
  run.isBlockedBy(written.diagnostics);
  return run.result({ plan: toolPlan, files, written });
}

/** Loads and plans a document. Undefined when errors stop the run. */
async function planDocument(
  source: string,
  options: GenerateOptions & MemberOptions,
  run: Run,
): Promise<ToolPlan | undefined> {
  run.begin("load");
  const { document, diagnostics, locate } = await load(source, options);
  run.locate = locate;
  run.document = document;
  if (run.isBlockedBy(diagnostics) || !document) return undefined;

  run.begin("model");
  const { model, diagnostics: modelDiagnostics } = buildModel(document);
  // Warnings stop a strict run only after the operations are selected.
  run.add(modelDiagnostics);
  if (!model || modelDiagnostics.some(isError)) return undefined;
  options.onModel?.(document, model);
  run.begin("plan", model.operations.length);
  const workflows = await planWorkflows(document, model, options);
  if (workflows) run.locate = (location) => workflows.locate(locate(location));
  run.add(workflows?.diagnostics ?? []);
  if (workflows?.diagnostics.some(isError)) return undefined;
  const workflowPlanner = workflows?.planner;
  const toolPlan = plan(workflows?.model ?? model, {
    ...options,
    ...omitUndefined({ workflowPlanner }),
  });
  run.demoteWarnings(toolPlan);
  return toolPlan;
}

/**
 * True for an exhausted stack. Passes over a document recurse no deeper than its parts nest, and
 * only a very long row of references nests deeper than the stack allows.
 */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}

function tooDeepDiagnostic(document: ApiDocument | undefined): Diagnostic {
  const chain = document && findDeepestChain(document.root);
  const message = chain
    ? `References nest too deeply: ${chain.length} parts of the document refer to each other in a row, from here`
    : "The document nests too deeply";
  const location = chain && { pointer: chain.pointer };
  return diagnostic(
    "load-too-deep",
    message,
    location,
    "Break the row up, or flatten a part of it.",
  );
}

/** Plans the workflows of the run. The module is loaded only if there are any. */
async function planWorkflows(document: ApiDocument, model: ApiModel, options: GenerateOptions) {
  if (!options.workflows?.length) return undefined;
  const sources = await import("./workflow-sources/index.js");
  return sources.planWorkflows(options.workflows, document, model, options);
}

function planDiagnostics(toolPlan: ToolPlan, options: GenerateOptions): readonly Diagnostic[] {
  const isIncluded = ({ severity }: Diagnostic) => options.lint === true || severity !== "info";
  const { locationOf } = options.configuration ?? {};
  const deployment = deploymentDiagnostics(toolPlan, options, locationOf);
  const found = [...toolPlan.diagnostics, ...deployment];
  return [...found, ...toolPlan.lint.filter(isIncluded)];
}

/** Stages and diagnostics of one run. */
class Run {
  /** Adds file, line and column to the location of a diagnostic. */
  locate: (location: SourceLocation) => SourceLocation = (location) => location;
  document: ApiDocument | undefined;
  readonly #options: GenerateOptions;
  #diagnostics: Diagnostic[] = [];

  constructor(options: GenerateOptions) {
    this.#options = options;
  }

  begin(stage: PipelineStage, count?: number): void {
    this.#options.onStage?.(stage, count);
  }

  add(diagnostics: readonly Diagnostic[]): void {
    for (const found of diagnostics) this.#diagnostics.push(found);
  }

  /** Turns warnings about operations that were not selected, and that no tool uses, into notes. */
  demoteWarnings({ diagnostics, tools }: ToolPlan): void {
    const used = new Set(
      tools.flatMap(({ operations }) => operations.map(({ location }) => location.pointer)),
    );
    const excluded = diagnostics
      .filter(({ code }) => code === "plan-excluded" || code === "plan-deprecated")
      .flatMap(({ location }) => location?.pointer ?? []);
    const unused = new Set(excluded.filter((pointer) => !used.has(pointer)));
    this.#diagnostics = this.#diagnostics.map((finding) => {
      const pointer = finding.location?.pointer.split("/").slice(0, 4).join("/") ?? "";
      const isUnused = finding.severity === "warning" && unused.has(pointer);
      return isUnused ? { ...finding, severity: "info" } : finding;
    });
  }

  /** Adds diagnostics. Returns whether those collected so far stop the run. */
  isBlockedBy(diagnostics: readonly Diagnostic[]): boolean {
    this.add(diagnostics);
    return hasBlockingDiagnostic(this.#diagnostics, this.#options);
  }

  /** Locates the diagnostics so far, and releases the document and its text for later stages. */
  releaseDocument(): void {
    this.#diagnostics = this.#diagnostics.map((finding) => this.#located(finding));
    this.locate = (location) => location;
    this.document = undefined;
  }

  result(output: Pick<GenerateResult, "plan" | "files" | "written"> = {}): GenerateResult {
    const diagnostics = this.#diagnostics.map((finding) => this.#located(finding));
    return { ...output, diagnostics, ok: !hasBlockingDiagnostic(diagnostics, this.#options) };
  }

  #located(finding: Diagnostic): Diagnostic {
    const { location } = finding;
    if (!location || location.line !== undefined) return finding;
    return { ...finding, location: this.locate(location) };
  }
}

/** Adds the settings of `mcp-gen.yaml` to the options, which take precedence. */
function applyConfiguration(
  options: GenerateOptions & MemberOptions,
): GenerateOptions & MemberOptions {
  const { overlays = [], workflows = [], ...settings } = options.configuration?.settings ?? {};
  return {
    ...options,
    overlays: [...overlays, ...(options.overlays ?? [])],
    workflows: [...workflows, ...(options.workflows ?? [])],
    ...omitUndefined({
      templates: options.templates ?? settings.templates,
      runtime: options.runtime ?? settings.runtime,
      features: options.features ?? settings.features,
      packages: options.packages ?? settings.packages,
      images: options.images ?? settings.images,
      deploy: options.deploy ?? settings.deploy,
      namespace: options.namespace ?? settings.namespace,
      packageName: options.packageName ?? settings.name,
      baseUrl: options.baseUrl ?? settings.baseUrl,
      granularity: options.granularity ?? settings.granularity,
      output: options.output ?? settings.outputSchemas,
      includeDeprecated: options.includeDeprecated ?? settings.includeDeprecated,
      refRoot: options.refRoot ?? settings.refRoot,
      allowRemoteRefs: options.allowRemoteRefs ?? settings.allowRemoteRefs,
    }),
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
