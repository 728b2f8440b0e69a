import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
import { Option } from "commander";
import type { Configuration } from "../configuration/types.js";
import { formatDiagnostic, formatDiagnostics, toSingleLine } from "../diagnostics/index.js";
import { proposeConfiguration } from "../render/configuration-proposal/index.js";
import { replaceFile } from "../write/add-files.js";
import { CONFIGURATION_FILE, resolveCommand, type ResolvedCommand } from "./configuration.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { notEmpty, planningOptions } from "./options.js";
import { runPipeline } from "./pipeline.js";
import { newProgram, parse, toCommand, withDocument } from "./program.js";
import { quoteForUser, withSlashes } from "./quote.js";
import { formatJsonResult } from "./json-output.js";
import type { Terminal } from "./terminal.js";

const NAME = "mcp-gen plan";

const afterHelp = `
Prints an mcp-gen.yaml to start from: every tool with its operations, how it was derived, and
suggestions as comments. The unchanged file gives the same tools as no file.

Examples:
  mcp-gen plan openapi.yaml                   print it
  mcp-gen plan openapi.yaml -o mcp-gen.yaml   write it beside the document
  mcp-gen                                     from then on
`;

/** `mcp-gen plan [spec] [-o FILE]`: the inferred plan as a configuration file. */
export async function runPlan(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const own = [
    new Option("-o, --output <file>", "file to write, instead of printing it").argParser(notEmpty),
    new Option("--force", "overwrite the file"),
  ];
  const program = withDocument(
    newProgram(NAME, "[options] [spec] [-o <file>]", planningOptions(...own), terminal),
  ).addHelpText("after", afterHelp);
  const command = parse(program, args, toCommand);
  if (typeof command === "number") return command;
  const { output: file, ...options } = command.options;
  if (file !== undefined && existsSync(file) && options.force !== true)
    return rejectOverwrite(file, terminal);
  const { outDir: _, ...rest } = command;
  const configured = await resolveCommand({ ...rest, options }, terminal, "unused");
  if (typeof configured === "number") return configured;
  return printPlan(ignoreRules(configured, terminal), file, terminal);
}

function rejectOverwrite(file: string, terminal: Terminal): ExitCode {
  terminal.error(
    `error: ${toSingleLine(file)} exists. Nothing was written. ` +
      "Give another file, or add --force to overwrite it.\n",
  );
  return exitCodes.refused;
}

async function printPlan(
  run: ResolvedCommand,
  file: string | undefined,
  terminal: Terminal,
): Promise<ExitCode> {
  const { outDir: _, ...inMemory } = run;
  const result = await runPipeline(inMemory, terminal);
  if (typeof result === "number") return result;
  terminal.error(
    formatDiagnostics(
      result.diagnostics.filter(({ severity }) => severity === "error"),
      { source: run.source, verbose: true, colorize: terminal.paint },
    ),
  );
  if (!result.ok || !result.plan)
    return (
      run.options.json && terminal.print(formatJsonResult(result, run, exitCodes.document)),
      exitCodes.document
    );
  if (run.options.json)
    return (terminal.print(formatJsonResult(result, run, exitCodes.done)), exitCodes.done);
  const text = proposeConfiguration(result.plan, proposalOptions(run, file));
  if (file === undefined) return (terminal.print(text), exitCodes.done);
  const problem = replaceFile(file, text);
  if (problem)
    return (
      terminal.error(`${formatDiagnostic(problem, { colorize: terminal.paint })}\n`),
      exitCodes.refused
    );
  const count = result.plan.tools.length;
  const how = basename(file) === CONFIGURATION_FILE ? "there" : `--config ${quoteForUser(file)}`;
  terminal.print(
    `Wrote ${toSingleLine(file)}: ${count} tool${count === 1 ? "" : "s"}. ` +
      `Edit it, then run mcp-gen ${how}.\n`,
  );
  return exitCodes.done;
}

/**
 * Removes the rules of an existing configuration, because the proposal shows inference. Its
 * settings about files remain.
 */
function ignoreRules(
  { configuration, ...run }: ResolvedCommand,
  terminal: Terminal,
): ResolvedCommand {
  if (!configuration) return run;
  const { tools, select, parameters, errors } = configuration.content;
  if (tools ?? select ?? parameters ?? errors)
    terminal.error(
      "The rules in mcp-gen.yaml are ignored: the plan shows inference without them.\n",
    );
  const bare: Configuration = { ...configuration, content: { version: 1 } };
  return { ...run, configuration: bare };
}

/**
 * Options of the proposal, with paths relative to the file, or to the folder of the document when
 * the proposal is printed.
 */
function proposalOptions(
  { source, options, configuration }: ResolvedCommand,
  file: string | undefined,
): Parameters<typeof proposeConfiguration>[1] {
  const isFile = source !== "-" && !/^https?:/i.test(source);
  const folder = file !== undefined ? dirname(file) : isFile ? dirname(source) : ".";
  const at = (path: string): string =>
    /^https?:/i.test(path) ? path : dotted(withSlashes(relative(resolve(folder), resolve(path))));
  const overlays = [...(configuration?.settings.overlays ?? []), ...(options.overlay ?? [])];
  const workflows = [...(configuration?.settings.workflows ?? []), ...(options.workflow ?? [])];
  return {
    ...(source !== "-" && { spec: at(source) }),
    output:
      configuration?.settings.output === undefined ? "./server" : at(configuration.settings.output),
    overlays: overlays.map(at),
    workflows: workflows.map(at),
    namespace: options.namespace ?? configuration?.settings.namespace,
    isFiltered: (options.only ?? options.skip) !== undefined,
  };
}

/** Prefixes `./`. A path on another drive of Windows stays absolute. */
const dotted = (path: string): string =>
  path.startsWith(".") || isAbsolute(path) ? path : `./${path}`;
