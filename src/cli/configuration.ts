import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Configuration } from "../configuration/types.js";
import { formatDiagnostics, toSingleLine } from "../diagnostics/index.js";
import { configuredApis, describeSources, findApisProblem } from "./api-sources.js";
import { readSources } from "./named-documents.js";
import { type ExitCode, exitCodes, quoteForUser, type Terminal } from "./terminal.js";
import { type GenerateCommand, reportUsageError } from "./program.js";
import { formatJsonResult } from "./json-output.js";
import type { ResolvedCommand } from "./resolved-command.js";

/** Default name of the configuration. */
export const CONFIGURATION_FILE = "mcp-gen.yaml";

/**
 * Completes a command with the configuration: `--config FILE`, else the `mcp-gen.yaml` of the
 * current folder, if it is for the document. Options of the command line take precedence.
 * @param folder whether the command writes a project
 * @returns the completed command, or the exit code after an error message
 */
export async function resolveCommand(
  command: GenerateCommand,
  terminal: Terminal,
  folder: "needed" | "unused" = "needed",
): Promise<ResolvedCommand | ExitCode> {
  if (command.sources && command.options.config !== undefined)
    return reportUsageError(
      terminal,
      "Several documents are given, and --config: name the documents in `apis` of the configuration",
    );
  const applicable = command.sources ? undefined : await readApplicable(command, terminal);
  if (typeof applicable === "number") return applicable;
  const { configuration, file } = applicable ?? {};
  const settings = configuration?.settings ?? {};
  const apis = command.sources
    ? readSources(command.sources)
    : configuration && command.source === undefined
      ? configuredApis(configuration)
      : undefined;
  const problem = apis && findApisProblem(apis, command.options);
  if (problem !== undefined) return reportUsageError(terminal, problem);
  const source = apis ? describeSources(apis) : (command.source ?? settings.spec);
  const outDir = command.outDir ?? settings.output;
  if (source === undefined)
    return reportUsageError(
      terminal,
      "Give an OpenAPI document: a path, an https: URL, or - for standard input" +
        (configuration ? `; ${CONFIGURATION_FILE} has no spec` : ""),
    );
  const preview =
    folder === "unused" || (command.options.dryRun === true && command.options.check !== true);
  if (outDir === undefined && !preview)
    return reportUsageError(
      terminal,
      "Give the output folder: -o DIR" +
        (configuration ? `; ${CONFIGURATION_FILE} has no output` : ""),
    );
  return {
    source,
    ...(outDir !== undefined && { outDir }),
    ...(apis && { apis }),
    options: command.options,
    ...(command.args && { args: command.args }),
    ...(configuration && { configuration }),
    ...(file !== undefined && { configurationFile: file }),
  };
}

/**
 * Reads the settings of the configuration; empty without one.
 * @returns the settings, or the exit code after an error message
 */
export async function readSettings(
  command: GenerateCommand,
  terminal: Terminal,
): Promise<Configuration["settings"] | ExitCode> {
  const applicable = await readApplicable(command, terminal);
  return typeof applicable === "number" ? applicable : (applicable?.configuration.settings ?? {});
}

interface ApplicableConfiguration {
  readonly configuration: Configuration;
  readonly file: string;
}

async function readApplicable(
  command: GenerateCommand,
  terminal: Terminal,
): Promise<ApplicableConfiguration | undefined | ExitCode> {
  const applicable = await readOwn(command, terminal);
  if (applicable === undefined) reportForeign(command.source, terminal);
  return applicable;
}

async function readOwn(
  command: GenerateCommand,
  terminal: Terminal,
): Promise<ApplicableConfiguration | undefined | ExitCode> {
  const path = command.options.config ?? findConfiguration(command.source);
  if (path === undefined) return undefined;
  const { readConfiguration } = await import("../configuration/index.js");
  const { configuration, diagnostics } = await readConfiguration(path);
  if (!configuration) return reportInvalid(diagnostics, command, path, terminal);
  const isChosen = command.options.config !== undefined || command.source === undefined;
  if (isChosen || isForDocument(configuration, command.source))
    return { configuration, file: path };
  if (!isInCurrentFolder(command.source ?? "")) return undefined;
  const otherDocument = configuration.apis
    ? configuration.apis.map(({ name }) => name).join(", ")
    : toSingleLine(configuration.settings.spec ?? "");
  terminal.error(
    `${toSingleLine(path)} configures another document (${otherDocument}) and is not used. ` +
      "Add --config to use it.\n",
  );
  return undefined;
}

/**
 * Finds the configuration of the current folder. Other folders may be those of other people, and a
 * configuration has templates, which are code, and names variables of the machine. Piped documents
 * have none.
 */
function findConfiguration(source: string | undefined): string | undefined {
  if (source === "-") return undefined;
  const isBeside = source !== undefined && isInCurrentFolder(source);
  const path = isBeside ? join(dirname(source), CONFIGURATION_FILE) : CONFIGURATION_FILE;
  return existsSync(path) ? path : undefined;
}

/** Tests whether a file is in the current folder itself, once the links of its folder are resolved. */
export function isInCurrentFolder(path: string): boolean {
  return path !== "-" && !isUrl(path) && realPath(dirname(path)) === realPath(".");
}

/** Says how to use the configuration next to a document of another folder. */
function reportForeign(source: string | undefined, terminal: Terminal): void {
  if (source === undefined || source === "-" || isUrl(source) || isInCurrentFolder(source)) return;
  const path = join(dirname(source), CONFIGURATION_FILE);
  if (!existsSync(path)) return;
  terminal.error(
    `${toSingleLine(path)} is not used, because it is not in the current folder. ` +
      `To use it, add --config ${quoteForUser(path)}.\n`,
  );
}

/** Describes the files beside the document that a command uses; empty if there are none. */
export function describeFiles(
  { configuration, configurationFile, options }: ResolvedCommand,
  envFile?: string,
): string {
  const templates = options.templates ?? configuration?.settings.templates;
  const isImplied = options.templates === undefined && templates !== undefined;
  const files = [
    ...(configurationFile === undefined ? [] : [toSingleLine(configurationFile)]),
    ...(isImplied ? [`the templates in ${toSingleLine(templates)}`] : []),
    ...(envFile === undefined ? [] : [toSingleLine(envFile)]),
  ];
  return files.length === 0 ? "" : `Using ${files.join(", ")}.\n`;
}

export function isUrl(source: string): boolean {
  return /^https?:/i.test(source);
}

/**
 * Tests whether the configuration is for this document. A folder may hold several documents and one
 * configuration. A URL, and a document of another folder, must be named in it.
 */
export function isForDocument(
  { settings: { spec }, apis }: Pick<Configuration, "settings" | "apis">,
  source: string | undefined,
): boolean {
  if (source === undefined) return true;
  if (apis) return false;
  if (isUrl(source)) return spec === source;
  if (spec === undefined) return isInCurrentFolder(source);
  return realPath(spec) === realPath(source);
}

/** The path in the spelling of the file system, which may ignore case. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

function reportInvalid(
  diagnostics: Parameters<typeof formatDiagnostics>[0],
  command: GenerateCommand,
  path: string,
  terminal: Terminal,
): ExitCode {
  terminal.error(formatDiagnostics(diagnostics, { verbose: true, colorize: terminal.paint }));
  const code = exitCodes.document;
  if (command.options.json)
    terminal.print(
      formatJsonResult(
        { diagnostics, ok: false },
        { ...command, source: command.source ?? path },
        code,
      ),
    );
  return code;
}
