import type { Configuration } from "../configuration/types.js";
import { toSingleLine } from "../diagnostics/index.js";
import {
  generate,
  type GenerateOptions,
  type GenerateResult,
  type PipelineStage,
} from "../generate.js";
import type { ResolvedCommand } from "./configuration.js";
import { type ExitCode, exitCodes, type Terminal } from "./terminal.js";
import type { CommandOptions } from "./options.js";
import { pathKind } from "./platform.js";

/**
 * Runs the pipeline for a command. Without an output folder it returns the plan and the files.
 * @returns the result, or the exit code after an error message about a folder or a template
 */
export async function runPipeline(
  run: ResolvedCommand,
  terminal: Terminal,
  more: Pick<GenerateOptions, "planOnly"> = {},
): Promise<GenerateResult | ExitCode> {
  const problem = findFolderProblem(run);
  if (problem) return (terminal.error(`error: ${problem}\n`), exitCodes.usage);
  if (run.source === "-" && process.stdin.isTTY) {
    const keys = process.platform === "win32" ? "Ctrl-Z and Enter" : "Ctrl-D";
    terminal.error(`Reading the document from standard input; press ${keys} to end it.\n`);
  }
  const { source, outDir, options, configuration, stdin } = run;
  const { stage, end } = startProgress(terminal);
  try {
    return await generate(source, outDir, {
      ...toGenerateOptions(options),
      ...more,
      onStage: stage,
      ...(configuration && { configuration: configuration }),
      ...(stdin && { stdin }),
    });
  } catch (error) {
    end();
    // The render module throws mistakes in custom templates, with their location.
    if (!(error instanceof Error && error.name === "TemplateError")) throw error;
    terminal.error(`error: ${toSingleLine(error.message)}. Nothing was written.\n`);
    return exitCodes.usage;
  } finally {
    end();
  }
}

/**
 * Runs the pipeline without writing a project.
 * @param options options that replace those of the command line
 */
export function runInMemory(
  { outDir: _, ...run }: ResolvedCommand,
  options: Partial<CommandOptions>,
  terminal: Terminal,
  more: Pick<GenerateOptions, "planOnly"> = {},
): Promise<GenerateResult | ExitCode> {
  return runPipeline({ ...run, options: { ...run.options, ...options } }, terminal, more);
}

function findFolderProblem({ options, configuration }: ResolvedCommand): string | undefined {
  const settings = configuration?.settings ?? {};
  for (const [option, key] of [
    ["--templates", "templates"],
    ["--ref-root", "refRoot"],
  ] as const) {
    const folder = options[key] ?? settings[key];
    const place = options[key] === undefined ? placeOf(configuration, key) : option;
    if (folder !== undefined && pathKind(folder) !== "folder")
      return `${place}: ${folder} is not a readable folder.`;
  }
  return undefined;
}

/** Location of a key of the configuration: `mcp-gen.yaml:4:1`. */
function placeOf(configuration: Configuration | undefined, key: string): string {
  const { file, line, column } = configuration?.locationOf([key]) ?? {};
  return `${file}:${line}:${column}`;
}

function toGenerateOptions(options: CommandOptions): GenerateOptions {
  const {
    name,
    outputSchemas,
    overlay,
    workflow,
    check,
    dryRun,
    ci: _ci,
    output: _folder,
    config: _config,
    watch: _watch,
    json,
    verbose,
    ...same
  } = options;
  return {
    ...same,
    ...(overlay && { overlays: overlay }),
    ...(workflow && { workflows: workflow }),
    packageName: name,
    output: outputSchemas,
    lint: json === true || verbose === true,
    dryRun: dryRun === true || check === true,
    anyVersion: check === true,
  };
}

const STAGE_LABELS: Readonly<Record<PipelineStage, string>> = {
  load: "Reading the document",
  plan: "Planning the tools",
  render: "Rendering the files",
  write: "Writing the files",
};

/** Delay before progress is shown. */
const DELAY_MS = 1000;

/** Progress of a run. */
interface Progress {
  readonly stage: (stage: PipelineStage) => void;
  /** Clears the progress line. */
  readonly end: () => void;
}

/**
 * Shows the current stage of a run that takes more than a second: twice a second, and when a stage
 * begins.
 * @param now milliseconds on any clock
 */
export function startProgress(
  { progress }: Terminal,
  now: () => number = () => performance.now(),
): Progress {
  if (!progress) return { stage: () => undefined, end: () => undefined };
  const started = now();
  let current: PipelineStage = "load";
  let shown = false;
  const show = (): void => {
    const waited = now() - started;
    if (waited < DELAY_MS) return;
    shown = true;
    progress(`${STAGE_LABELS[current]} … ${Math.floor(waited / 1000)} s`);
  };
  const timer = setInterval(show, 500);
  timer.unref();
  return {
    stage: (stage) => {
      current = stage;
      show();
    },
    end: () => {
      clearInterval(timer);
      if (shown) progress();
    },
  };
}
