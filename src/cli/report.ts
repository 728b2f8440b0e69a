import { readFileSync, statSync } from "node:fs";
import { Option } from "commander";
import {
  formatDiagnostic,
  formatDiagnostics,
  isError,
  toSingleLine,
} from "../diagnostics/index.js";
import { REPORT_MARKER, reportData, type ReportData, reportPage } from "../render/report/index.js";
import { replaceFile } from "../write/add-files.js";
import { resolveCommand, type ResolvedCommand } from "./configuration.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { notEmpty, planningOptions } from "./options.js";
import { runPipeline } from "./pipeline.js";
import { newProgram, parse, toCommand, withDocument } from "./program.js";
import { asciiJson, formatJsonResult } from "./json-output.js";
import type { Terminal } from "./terminal.js";
import { reportUsageError } from "./usage-error.js";

const NAME = "mcp-gen report";

const afterHelp = `
Writes one self-contained HTML page: every operation with its tool or the reason for omission, the
token cost of each tool, the producers of its inputs, how it was derived, and all diagnostics.

Examples:
  mcp-gen report openapi.yaml -o report.html
  mcp-gen report openapi.yaml > report.html
  mcp-gen report openapi.yaml --json | jq '.tools[] | {name, tokens}'
`;

/** `mcp-gen report [spec] [-o FILE] [--json]`. */
export async function runReport(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const own = [
    new Option("-o, --output <file>", "file to write, instead of printing it").argParser(notEmpty),
    new Option("--force", "overwrite the file, even if it is not a report"),
  ];
  const program = withDocument(
    newProgram(NAME, "[options] [spec] [-o <file>]", planningOptions(...own), terminal),
  ).addHelpText("after", afterHelp);
  const command = parse(program, args, toCommand);
  if (typeof command === "number") return command;
  const { output: file, ...options } = command.options;
  const problem = findUsageProblem(file, options.json === true);
  if (problem) return reportUsageError(terminal, problem, NAME);
  if (file !== undefined && options.force !== true && isForeignFile(file))
    return rejectOverwrite(file, terminal);
  const { outDir: _, ...rest } = command;
  const run = await resolveCommand({ ...rest, options }, terminal, "unused");
  return typeof run === "number" ? run : writeReport(run, file, terminal);
}

/** Requires a file for an HTML page instead of a terminal. */
function findUsageProblem(file: string | undefined, json: boolean): string | undefined {
  return file === undefined && !json && process.stdout.isTTY
    ? "Give a file for the page: -o report.html."
    : undefined;
}

/** Tests whether the file exists and is not a report, which may be replaced. */
function isForeignFile(file: string): boolean {
  return (
    statSync(file, { throwIfNoEntry: false })?.isFile() === true &&
    !readFileSync(file, "utf8").slice(0, 2000).includes(REPORT_MARKER)
  );
}

function rejectOverwrite(file: string, terminal: Terminal): ExitCode {
  terminal.error(
    `error: ${toSingleLine(file)} exists and is not a report. Nothing was written. ` +
      "Give another file, or add --force to overwrite it.\n",
  );
  return exitCodes.refused;
}

async function writeReport(
  run: ResolvedCommand,
  file: string | undefined,
  terminal: Terminal,
): Promise<ExitCode> {
  const { outDir: _, ...inMemory } = run;
  const result = await runPipeline(
    { ...inMemory, options: { ...run.options, verbose: true } },
    terminal,
  );
  if (typeof result === "number") return result;
  const { plan, diagnostics, ok } = result;
  terminal.error(
    formatDiagnostics(diagnostics.filter(isError), {
      source: run.source,
      verbose: true,
      colorize: terminal.paint,
    }),
  );
  // A document that only --strict rejects has a plan, and its report shows the warnings.
  if (!plan || diagnostics.some(isError))
    return (
      run.options.json && terminal.print(formatJsonResult(result, run, exitCodes.document)),
      exitCodes.document
    );
  const data = reportData(plan, run.source, diagnostics);
  const code = ok ? exitCodes.done : exitCodes.document;
  return deliver(data, file, run.options.json === true, terminal) ?? code;
}

/**
 * Writes or prints the report.
 * @returns the exit code when that fails
 */
function deliver(
  data: ReportData,
  file: string | undefined,
  json: boolean,
  terminal: Terminal,
): ExitCode | undefined {
  const text = json ? asciiJson(data) : reportPage(data);
  if (file === undefined) return (terminal.print(text), undefined);
  const problem = replaceFile(file, text);
  if (problem)
    return (
      terminal.error(`${formatDiagnostic(problem, { colorize: terminal.paint })}\n`),
      exitCodes.refused
    );
  terminal.print(
    `Wrote ${toSingleLine(file)}: ${data.operations.length} operations, ` +
      `${data.tools.length} tools, about ${data.budget.listTokens} tokens in tools/list.\n`,
  );
  return undefined;
}
