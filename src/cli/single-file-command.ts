/** The common part of `plan` and `report`, which print one text or write it to one file. */
import { Option } from "commander";
import {
  formatDiagnostic,
  formatDiagnostics,
  isError,
  toSingleLine,
} from "../diagnostics/index.js";
import type { GenerateResult } from "../generate.js";
import type { ToolPlan } from "../plan/types.js";
import { replaceFile } from "../write/add-files.js";
import { type ResolvedCommand, resolveCommand } from "./configuration.js";
import { type ExitCode, exitCodes, type Terminal } from "./terminal.js";
import { formatJsonResult } from "./json-output.js";
import { type CommandOptions, notEmpty, planningOptions } from "./options.js";
import { runInMemory } from "./pipeline.js";
import { newProgram, parse, toCommand, withDocument } from "./program.js";
import { reportUsageError } from "./commands.js";

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
  ];
  const program = withDocument(
    newProgram(command.name, "[options] [spec] [-o <file>]", planningOptions(...own), terminal),
  ).addHelpText("after", command.afterHelp);
  const parsed = parse(program, args, toCommand);
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
  const problem = file === undefined ? undefined : replaceFile(file, text);
  if (problem) {
    terminal.error(`${formatDiagnostic(problem, { colorize: terminal.paint })}\n`);
    return exitCodes.refused;
  }
  terminal.print(file === undefined ? text : `Wrote ${toSingleLine(file)}: ${success}\n`);
  return exitCodes.done;
}
