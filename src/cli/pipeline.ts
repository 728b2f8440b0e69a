import { oneLine } from "../diagnostics/index.js";
import { generate, type GenerateOptions, type GenerateResult } from "../generate.js";
import type { Run } from "./configuration.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { kindOf } from "./kind-of.js";
import type { CommandOptions } from "./options.js";
import { startProgress } from "./progress.js";
import type { Terminal } from "./terminal.js";

/**
 * Runs the pipeline as a command asks; without a folder to write to, for the plan and the files
 * alone.
 * @returns what came of it, or the exit code after saying what is wrong with a folder or a template
 */
export async function runPipeline(
  run: Run,
  terminal: Terminal,
): Promise<GenerateResult | ExitCode> {
  const complaint = complainAboutFolders(run);
  if (complaint) return (terminal.error(`error: ${complaint}\n`), exitCodes.usage);
  if (run.source === "-" && process.stdin.isTTY)
    terminal.error(
      `Reading the document from standard input; end it with ${process.platform === "win32" ? "Ctrl-Z and Enter" : "Ctrl-D"}.\n`,
    );
  const { source, outDir, options, curated, stdin } = run;
  const { stage, end } = startProgress(terminal);
  try {
    return await generate(source, outDir, {
      ...toOptions(options),
      onStage: stage,
      ...(curated && { curation: curated }),
      ...(stdin && { stdin }),
    });
  } catch (error) {
    end();
    // Mistakes in a custom template are thrown by the render room, with their place.
    if (!(error instanceof Error && error.name === "TemplateError")) throw error;
    terminal.error(`error: ${oneLine(error.message)}. Nothing was written.\n`);
    return exitCodes.usage;
  } finally {
    end();
  }
}

function complainAboutFolders({
  options: { templates, refRoot },
  curated,
}: Run): string | undefined {
  for (const [option, folder] of [
    ["--templates", templates ?? curated?.settings.templates],
    ["--ref-root", refRoot],
  ] as const) {
    if (folder !== undefined && kindOf(folder) !== "folder")
      return `${option}: ${folder} is not a folder that can be read.`;
  }
  return undefined;
}

function toOptions(options: CommandOptions): GenerateOptions {
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
