import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Configuration } from "../configuration/types.js";
import { formatDiagnostics, toSingleLine } from "../diagnostics/index.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { helpPointer } from "./help.js";
import type { GenerateCommand } from "./program.js";
import { formatJsonResult } from "./json-output.js";
import type { Terminal } from "./terminal.js";

/** A command with everything it needs: from the command line, else from `mcp-gen.yaml`. */
export interface ResolvedCommand extends GenerateCommand {
  readonly source: string;
  readonly configuration?: Configuration;
  /** Standard input, when it has been read already. */
  readonly stdin?: () => Promise<Uint8Array>;
}

/** What the configuration is called that is found by itself. */
export const CONFIGURATION_FILE = "mcp-gen.yaml";

/**
 * Completes a command by the configuration: `--config FILE`, else `mcp-gen.yaml` beside the
 * document, else, when no document is given, in the current folder. What the command line says goes
 * before what the file says.
 * @param folder whether the command writes a project; others need no folder
 * @returns the run, or the exit code after saying what is wrong or missing
 */
export async function resolveCommand(
  command: GenerateCommand,
  terminal: Terminal,
  folder: "needed" | "unused" = "needed",
): Promise<ResolvedCommand | ExitCode> {
  const read = await readConfiguration(command, terminal);
  if (typeof read === "number") return read;
  const settings = read?.settings ?? {};
  const source = command.source ?? settings.spec;
  const outDir = command.outDir ?? settings.output;
  if (source === undefined)
    return complain(
      terminal,
      `Give an OpenAPI document: a path, an https: URL, or - for standard input${read ? `; ${CONFIGURATION_FILE} names no spec` : ""}.`,
    );
  const preview =
    folder === "unused" || (command.options.dryRun === true && command.options.check !== true);
  if (outDir === undefined && !preview)
    return complain(
      terminal,
      `Give the folder to write to: -o DIR${read ? `; ${CONFIGURATION_FILE} names no output` : ""}.`,
    );
  return {
    source,
    ...(outDir !== undefined && { outDir }),
    options: command.options,
    ...(command.args && { args: command.args }),
    ...(read && { configuration: read }),
  };
}

/**
 * What the configuration says of a run; nothing when there is none.
 * @returns the settings, or the exit code after saying what is wrong with the file
 */
export async function readSettings(
  command: GenerateCommand,
  terminal: Terminal,
): Promise<Configuration["settings"] | ExitCode> {
  const read = await readConfiguration(command, terminal);
  return typeof read === "number" ? read : (read?.settings ?? {});
}

async function readConfiguration(
  command: GenerateCommand,
  terminal: Terminal,
): Promise<Configuration | undefined | ExitCode> {
  const path = command.options.config ?? findConfiguration(command.source);
  if (path === undefined) return undefined;
  const { readConfiguration } = await import("../configuration/read-configuration.js");
  const { configuration: curated, diagnostics } = await readConfiguration(path);
  if (!curated) return reportInvalid(diagnostics, command, path, terminal);
  const isChosen = command.options.config !== undefined || command.source === undefined;
  if (isChosen || isForDocument(curated, command.source)) return curated;
  terminal.error(
    `${toSingleLine(path)} is about another document (${toSingleLine(curated.settings.spec ?? "")}) and is not used; --config uses it.\n`,
  );
  return undefined;
}

/** Only a file has a folder; what is piped in or fetched has not. */
function findConfiguration(source: string | undefined): string | undefined {
  if (source === "-" || (source !== undefined && /^https?:/i.test(source))) return undefined;
  const path =
    source === undefined ? CONFIGURATION_FILE : join(dirname(source), CONFIGURATION_FILE);
  return existsSync(path) ? path : undefined;
}

/** A folder of several documents has one such file, and it may be about one of the others. */
function isForDocument({ settings: { spec } }: Configuration, source: string | undefined): boolean {
  return spec === undefined || source === undefined || realPath(spec) === realPath(source);
}

/** As the system spells it, where it takes upper and lower case for the same. */
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

function complain(terminal: Terminal, sentence: string): ExitCode {
  terminal.error(`error: ${sentence}\n${helpPointer()}\n`);
  return exitCodes.usage;
}
