/** Runs of the pipeline for a command, and delivery of a single file. */
import { Option } from "commander";
import type { Configuration } from "../configuration/types.js";
import {
  formatDiagnostic,
  formatDiagnostics,
  isError,
  toSingleLine,
} from "../diagnostics/index.js";
import { generate, type GenerateOptions, type GenerateResult } from "../generate.js";
import { generateApis } from "../generate-apis.js";
import { omitUndefined } from "../json.js";
import type { ToolPlan } from "../plan/types.js";
import { replaceNamedFile } from "../write/add-files.js";
import { resolveCommand } from "./configuration.js";
import { INVALID_HEADER, readDocumentHeader } from "./document-header.js";
import type { ResolvedCommand } from "./resolved-command.js";
import { formatJsonResult } from "./json-output.js";
import { type CommandOptions, notEmpty, planningOptions } from "./options.js";
import { startProgress } from "./progress.js";
import { newProgram, parse, reportUsageError, toApisCommand, withDocument } from "./program.js";
import { type ExitCode, exitCodes, pathKind, type Terminal } from "./terminal.js";

/**
 * Runs the pipeline for a command. Without an output folder it returns the plan and the files.
 * @returns the result, or the exit code after an error message about a folder or a template
 */
export async function runPipeline(
  run: ResolvedCommand,
  terminal: Terminal,
  { onStage, ...more }: Pick<GenerateOptions, "planOnly" | "onStage" | "projectFolder"> = {},
): Promise<GenerateResult | ExitCode> {
  const problem = findFolderProblem(run);
  if (problem) return (terminal.error(`error: ${problem}\n`), exitCodes.usage);
  if (run.source === "-" && process.stdin.isTTY) {
    const keys = process.platform === "win32" ? "Ctrl-Z and Enter" : "Ctrl-D";
    terminal.error(`Reading the document from standard input; press ${keys} to end it.\n`);
  }
  const { source, apis, outDir, options, configuration, stdin } = run;
  const documentHeader = readDocumentHeader(process.env);
  if (documentHeader === "invalid") return reportUsageError(terminal, INVALID_HEADER);
  const { stage, end } = startProgress(terminal);
  try {
    const start = apis
      ? (own: GenerateOptions) =>
          generateApis(apis, outDir, { ...own, ...omitUndefined({ onlyApi: options.onlyApi }) })
      : (own: GenerateOptions) => generate(source, outDir, own);
    return await start({
      ...toGenerateOptions(options),
      ...more,
      onStage: (...args) => {
        stage(...args);
        onStage?.(...args);
      },
      ...(configuration && { configuration: configuration }),
      ...(stdin && { stdin }),
      ...(documentHeader && { documentHeader }),
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
  { outDir, ...run }: ResolvedCommand,
  options: Partial<CommandOptions>,
  terminal: Terminal,
  more: Pick<GenerateOptions, "planOnly"> = {},
): Promise<GenerateResult | ExitCode> {
  return runPipeline({ ...run, options: { ...run.options, ...options } }, terminal, {
    ...(outDir !== undefined && { projectFolder: outDir }),
    ...more,
  });
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
    workflows: _drafts,
    watch: _watch,
    cache: _cache,
    onlyApi: _api,
    timings: _timings,
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

/** The common part of `plan` and `report`, which print one text or write it to one file. */
interface SingleFileCommand {
  /** `mcp-gen plan`. */
  readonly name: string;
  readonly afterHelp: string;
  /** Description of `--force`. */
  readonly force: string;
  /** Tests whether a file must not be overwritten without `--force`. */
  readonly isProtected: (file: string) => boolean;
  /** Reason of the protection, as a clause after the path: `exists`. */
  readonly protection: string;
  /** Further options. */
  readonly options?: readonly Option[];
  /** Finds a wrong combination of options. */
  readonly usageProblem?: (file: string | undefined, json: boolean) => string | undefined;
}

/** A resolved command and the file that it writes; none if it prints. */
interface SingleFileRun {
  readonly run: ResolvedCommand;
  readonly file: string | undefined;
}

/**
 * Parses the arguments and applies the configuration.
 * @returns the run, or the exit code after an error message
 */
export async function resolveSingleFile(
  command: SingleFileCommand,
  args: readonly string[],
  terminal: Terminal,
): Promise<SingleFileRun | ExitCode> {
  const own = [
    new Option("-o, --output <file>", "file to write, instead of printing it").argParser(notEmpty),
    new Option("--force", command.force),
    ...(command.options ?? []),
  ];
  const program = withDocument(
    newProgram(command.name, "[options] [spec...] [-o <file>]", planningOptions(...own), terminal),
  ).addHelpText("after", command.afterHelp);
  const parsed = parse(program, args, toApisCommand);
  if (typeof parsed === "number") return parsed;
  const { outDir: _, ...rest } = parsed;
  const { output: file, ...options } = parsed.options;
  const problem = command.usageProblem?.(file, options.json === true);
  if (problem) return reportUsageError(terminal, problem, command.name);
  if (file !== undefined && options.force !== true && command.isProtected(file))
    return rejectOverwrite(file, command.protection, terminal);
  const run = await resolveCommand({ ...rest, options }, terminal, "unused");
  return typeof run === "number" ? run : { run, file };
}

function rejectOverwrite(file: string, protection: string, terminal: Terminal): ExitCode {
  terminal.error(
    `error: ${toSingleLine(file)} ${protection}. Nothing was written. ` +
      "Give another file, or add --force to overwrite it.\n",
  );
  return exitCodes.refused;
}

/**
 * Plans the document without writing a project, and prints its errors.
 * @returns the result, or the exit code after an error message
 */
export async function planDocument(
  run: ResolvedCommand,
  options: Partial<CommandOptions>,
  terminal: Terminal,
): Promise<(GenerateResult & { readonly plan: ToolPlan }) | ExitCode> {
  const result = await runInMemory(run, options, terminal, { planOnly: true });
  if (typeof result === "number") return result;
  const errors = result.diagnostics.filter(isError);
  terminal.error(
    formatDiagnostics(errors, { source: run.source, verbose: true, colorize: terminal.paint }),
  );
  // A document that only --strict rejects has a plan and no errors.
  if (result.plan && errors.length === 0) return { ...result, plan: result.plan };
  if (run.options.json) terminal.print(formatJsonResult(result, run, exitCodes.document));
  return exitCodes.document;
}

/**
 * Writes a text to a file, or prints it without one.
 * @param success line to print after the file is written
 */
export function deliver(
  text: string,
  file: string | undefined,
  success: string,
  terminal: Terminal,
): ExitCode {
  const problem = file === undefined ? undefined : replaceNamedFile(file, text);
  if (problem) {
    terminal.error(`${formatDiagnostic(problem, { colorize: terminal.paint })}\n`);
    return exitCodes.refused;
  }
  terminal.print(file === undefined ? text : `Wrote ${toSingleLine(file)}: ${success}\n`);
  return exitCodes.done;
}
