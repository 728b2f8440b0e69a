import { formatDiagnostics } from "../diagnostics/index.js";
import type { GenerateResult } from "../generate.js";
import { resolveCommand, type ResolvedCommand } from "./configuration.js";
import { type ExitCode, exitCodes, type Terminal } from "./terminal.js";
import { formatJsonResult } from "./json-output.js";
import type { CommandOptions } from "./options.js";
import { runPipeline } from "./pipeline.js";
import type { GenerateCommand } from "./program.js";
import {
  compareWithPreviousLock,
  formatVariableChanges,
  readPreviousLock,
  readPreviousVariables,
} from "./regeneration-changes.js";
import { isUnchanged, summarize } from "./summary.js";
import { reportUsageError } from "./commands.js";

interface GenerateCallbacks {
  /** Formats the summary of a successful run. */
  readonly formatSummary?: typeof summarize;
  readonly onConfigured?: (run: ResolvedCommand) => void;
}

/**
 * Runs the pipeline for the command line and prints the result.
 * @returns the exit code
 */
export async function runGenerate(
  command: GenerateCommand,
  terminal: Terminal,
  { formatSummary = summarize, onConfigured }: GenerateCallbacks = {},
): Promise<ExitCode> {
  const run = await resolveCommand(command, terminal);
  if (typeof run === "number") return run;
  onConfigured?.(run);
  const ciProblem =
    run.options.ci !== undefined && (await import("./ci-workflow.js")).findCiProblem(run);
  if (ciProblem) return reportUsageError(terminal, ciProblem);
  const [before, variables] = [readPreviousLock(run.outDir), readPreviousVariables(run.outDir)];
  const result = await runPipeline(run, terminal);
  if (typeof result === "number") return result;
  const code = exitCodeOf(result, run.options);
  terminal.error(formatStderr(result, run, terminal));
  const changes = await compareWithPreviousLock(before, result);
  if (run.options.json) terminal.print(formatJsonResult(result, run, code, changes));
  else if (
    !run.options.quiet &&
    result.plan &&
    (code === exitCodes.done || code === exitCodes.different)
  )
    terminal.print(formatSummary(result, run, changes, formatVariableChanges(variables, result)));
  const isWritten =
    code === exitCodes.done && run.options.dryRun !== true && run.options.check !== true;
  return isWritten && run.options.ci !== undefined
    ? (await import("./ci-workflow.js")).writeCiWorkflow(run, terminal)
    : code;
}

/** Diagnostics of `src/write` are about the folder, all others about the document. */
function exitCodeOf(
  { diagnostics, ok, written }: GenerateResult,
  { check }: CommandOptions,
): ExitCode {
  const errors = diagnostics.filter((d) => d.severity === "error");
  if (errors.some((d) => !d.code.startsWith("write-"))) return exitCodes.document;
  if (check && written && !isUnchanged(written)) return exitCodes.different;
  if (errors.length > 0) return exitCodes.refused;
  return ok ? exitCodes.done : exitCodes.document;
}

/**
 * Formats the diagnostics for stderr. With `--json` they are part of the result, and only errors
 * are repeated. A run that changes nothing leaves out the warnings of the run that wrote the files.
 */
function formatStderr(
  { diagnostics, written }: GenerateResult,
  { source, options }: ResolvedCommand,
  terminal: Terminal,
): string {
  const isRepeated = written !== undefined && isUnchanged(written);
  const shown = diagnostics.filter(
    (d) =>
      d.severity === "error" ||
      (!options.json &&
        !options.quiet &&
        ((d.severity === "warning" && !isRepeated) ||
          options.verbose === true ||
          d.code.startsWith("write-"))),
  );
  const text = formatDiagnostics(shown, {
    source,
    verbose: options.verbose === true,
    colorize: terminal.paint,
  });
  const warnings = options.strict ? diagnostics.filter((d) => d.severity === "warning").length : 0;
  if (warnings === 0) return text;
  const error = terminal.paint("error", "error");
  const subject = warnings === 1 ? "this warning" : `these ${warnings} warnings`;
  return `${text}${error}: --strict treats ${subject} as errors. Nothing was written.\n`;
}
