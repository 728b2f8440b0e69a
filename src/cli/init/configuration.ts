import { existsSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { toSingleLine } from "../../diagnostics/index.js";
import { scalar } from "../../render/configuration-proposal/suggestions.js";
import { CONFIGURATION_FILE, isForDocument, resolveCommand } from "../configuration.js";
import type { ResolvedCommand } from "../resolved-command.js";
import type { CommandOptions } from "../options.js";
import { reportUsageError } from "../program.js";
import { type ExitCode, type Terminal, withSlashes } from "../terminal.js";

/** Options that are keys of `mcp-gen.yaml`. */
type ShapingOptions = Pick<CommandOptions, "output" | "name" | "namespace" | "baseUrl">;

/**
 * Resolves the document and the `mcp-gen.yaml` of the current folder, from which the project is
 * generated and later regenerated. Without this file, no other configuration applies.
 * @param command name of the command, for messages
 * @returns the run, or the exit code after an error message
 */
export async function resolveInit(
  source: string | undefined,
  { output, ...shaping }: ShapingOptions,
  terminal: Terminal,
  command: string,
): Promise<ResolvedCommand | ExitCode> {
  if (!existsSync(CONFIGURATION_FILE) && source !== undefined) return { source, options: shaping };
  const options = { config: CONFIGURATION_FILE };
  const run = await resolveCommand({ options }, terminal, "unused");
  if (typeof run === "number") return run;
  const conflict = findConflict(run, source, { output, ...shaping });
  return conflict === undefined ? run : reportUsageError(terminal, conflict, command);
}

/** Explains an argument that differs from `mcp-gen.yaml`, which is not changed. */
function findConflict(
  { configuration }: ResolvedCommand,
  source: string | undefined,
  { output, name, namespace, baseUrl }: ShapingOptions,
): string | undefined {
  if (!configuration) return undefined;
  const { settings } = configuration;
  if (!isForDocument(configuration, source))
    return (
      `${CONFIGURATION_FILE} configures another document (${toSingleLine(settings.spec ?? "")}). ` +
      "Run init in another folder"
    );
  const folder = output === undefined ? undefined : resolve(output);
  const given = { output: folder, name, namespace, baseUrl };
  const configured = { ...settings, output: settings.output && resolve(settings.output) };
  const key = Object.entries(given).find(
    ([key, value]) => value !== undefined && value !== configured[key as keyof typeof configured],
  )?.[0];
  return key && `${CONFIGURATION_FILE} exists. Set ${key} in it, not on the command line`;
}

/** The smallest configuration with which `mcp-gen` without arguments regenerates. */
export function configurationText(
  source: string,
  output: string,
  { name, namespace, baseUrl, approve }: ShapingOptions & { readonly approve?: boolean },
): string {
  const approval = approve ? "destructive" : undefined;
  const settings = {
    spec: portablePath(source),
    output,
    name,
    namespace,
    baseUrl,
    approve: approval,
  };
  const lines = Object.entries(settings).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${scalar(value)}`],
  );
  return [
    "# yaml-language-server: $schema=https://unpkg.com/mcp-gen/mcp-gen.schema.json",
    "# Run mcp-gen to regenerate. `mcp-gen plan` prints the rules that you can add here.",
    "version: 1",
    ...lines,
    "",
  ].join("\n");
}

/** Replaces an absolute path by one relative to the current folder, for other machines. */
function portablePath(source: string): string {
  return isAbsolute(source) ? withSlashes(relative("", source)) : source;
}
