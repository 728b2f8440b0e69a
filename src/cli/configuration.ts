import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Configuration } from "../configuration/types.js";
import { formatDiagnostics, toSingleLine } from "../diagnostics/index.js";
import { type ExitCode, exitCodes, type Terminal } from "./terminal.js";
import { type GenerateCommand, reportUsageError } from "./program.js";
import { formatJsonResult } from "./json-output.js";

/** A command completed by `mcp-gen.yaml`. */
export interface ResolvedCommand extends GenerateCommand {
  readonly source: string;
  readonly configuration?: Configuration;
  /** Returns the standard input that was already consumed. */
  readonly stdin?: () => Promise<Uint8Array>;
}

/** Default name of the configuration. */
export const CONFIGURATION_FILE = "mcp-gen.yaml";

/**
 * Completes a command with the configuration: `--config FILE`, else `mcp-gen.yaml` next to the
 * document, else, without a document, in the current folder. Options of the command line take
 * precedence.
 * @param folder whether the command writes a project
 * @returns the completed command, or the exit code after an error message
 */
export async function resolveCommand(
  command: GenerateCommand,
  terminal: Terminal,
  folder: "needed" | "unused" = "needed",
): Promise<ResolvedCommand | ExitCode> {
  const configuration = await readApplicable(command, terminal);
  if (typeof configuration === "number") return configuration;
  const settings = configuration?.settings ?? {};
  const source = command.source ?? settings.spec;
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
    options: command.options,
    ...(command.args && { args: command.args }),
    ...(configuration && { configuration }),
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
  const configuration = await readApplicable(command, terminal);
  return typeof configuration === "number" ? configuration : (configuration?.settings ?? {});
}

async function readApplicable(
  command: GenerateCommand,
  terminal: Terminal,
): Promise<Configuration | undefined | ExitCode> {
  const path = command.options.config ?? findConfiguration(command.source);
  if (path === undefined) return undefined;
  const { readConfiguration } = await import("../configuration/index.js");
  const { configuration, diagnostics } = await readConfiguration(path);
  if (!configuration) return reportInvalid(diagnostics, command, path, terminal);
  const isChosen = command.options.config !== undefined || command.source === undefined;
  if (isChosen || isForDocument(configuration, command.source)) return configuration;
  if (isUrl(command.source ?? "")) return undefined;
  const otherDocument = toSingleLine(configuration.settings.spec ?? "");
  terminal.error(
    `${toSingleLine(path)} configures another document (${otherDocument}) and is not used. ` +
      "Add --config to use it.\n",
  );
  return undefined;
}

/**
 * Finds the configuration next to a document, and for a URL in the current folder. Piped documents
 * have none.
 */
function findConfiguration(source: string | undefined): string | undefined {
  if (source === "-") return undefined;
  const isHere = source === undefined || isUrl(source);
  const path = isHere ? CONFIGURATION_FILE : join(dirname(source), CONFIGURATION_FILE);
  return existsSync(path) ? path : undefined;
}

function isUrl(source: string): boolean {
  return /^https?:/i.test(source);
}

/**
 * Tests whether the configuration is for this document. A folder may hold several documents and one
 * configuration. A URL must be named in it.
 */
export function isForDocument(
  { settings: { spec } }: Configuration,
  source: string | undefined,
): boolean {
  if (source === undefined) return true;
  if (isUrl(source)) return spec === source;
  return spec === undefined || realPath(spec) === realPath(source);
}

/** The path in the spelling of the file system, which may ignore case. */
function realPath(path: string): string {
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
