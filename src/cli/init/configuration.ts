import { existsSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { toSingleLine } from "../../diagnostics/index.js";
import { scalar } from "../../render/configuration-proposal/suggestions.js";
import type { Configuration } from "../../configuration/types.js";
import type { ApiSource } from "../../generate-apis.js";
import { configuredApis } from "../api-sources.js";
import { readSources } from "../named-documents.js";
import { CONFIGURATION_FILE, isForDocument, realPath, resolveCommand } from "../configuration.js";
import type { ResolvedCommand } from "../resolved-command.js";
import type { CommandOptions } from "../options.js";
import { type GenerateCommand, reportUsageError } from "../program.js";
import { type ExitCode, type Terminal, withSlashes } from "../terminal.js";

/** Options that are keys of `mcp-gen.yaml`. */
type ShapingOptions = Pick<CommandOptions, "output" | "name" | "namespace" | "baseUrl">;

/** The document of a server, or those of its APIs by their names. */
export type Documents = string | Readonly<Record<string, string>>;

/**
 * Resolves the documents and the `mcp-gen.yaml` of the current folder, from which the project is
 * generated and later regenerated. Without this file, no other configuration applies.
 * @param command name of the command, for messages
 * @returns the run, or the exit code after an error message
 */
export async function resolveInit(
  documents: Pick<GenerateCommand, "source" | "sources">,
  { output, ...shaping }: ShapingOptions,
  terminal: Terminal,
  command: string,
): Promise<ResolvedCommand | ExitCode> {
  const { source, sources } = documents;
  if (!existsSync(CONFIGURATION_FILE)) {
    if (source !== undefined) return { source, options: shaping };
    return resolveCommand({ ...documents, options: shaping }, terminal, "unused");
  }
  const options = { config: CONFIGURATION_FILE };
  const run = await resolveCommand({ options }, terminal, "unused");
  if (typeof run === "number") return run;
  const given = sources ? readSources(sources) : source;
  const conflict = findConflict(run, given, { output, ...shaping });
  return conflict === undefined ? run : reportUsageError(terminal, conflict, command);
}

/** Explains an argument that differs from `mcp-gen.yaml`, which is not changed. */
function findConflict(
  { configuration }: ResolvedCommand,
  source: string | readonly ApiSource[] | undefined,
  { output, name, namespace, baseUrl }: ShapingOptions,
): string | undefined {
  if (!configuration) return undefined;
  const { settings } = configuration;
  if (!isForDocuments(configuration, source))
    return (
      `${CONFIGURATION_FILE} configures ${describeDocuments(configuration)}. ` +
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

/** Tests whether the configuration is for these documents, under the names that are given. */
function isForDocuments(
  configuration: Configuration,
  given: string | readonly ApiSource[] | undefined,
): boolean {
  if (typeof given !== "object") return isForDocument(configuration, given);
  const known = configuredApis(configuration) ?? [];
  return given.every(({ name, source }) =>
    known.some(
      (api) =>
        realPath(api.source) === realPath(source) && (name === undefined || name === api.name),
    ),
  );
}

function describeDocuments({ apis, settings }: Configuration): string {
  return apis
    ? `the APIs ${apis.map(({ name }) => name).join(", ")}`
    : `another document (${toSingleLine(settings.spec ?? "")})`;
}

/** The smallest configuration with which `mcp-gen` without arguments regenerates. */
export function configurationText(
  documents: Documents,
  output: string,
  { name, namespace, baseUrl, approve }: ShapingOptions & { readonly approve?: boolean },
): string {
  const isOne = typeof documents === "string";
  const settings = {
    spec: isOne ? portablePath(documents) : undefined,
    output,
    name,
    namespace,
    baseUrl,
    approve: approve ? "destructive" : undefined,
  };
  const lines = Object.entries(settings).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${scalar(value)}`],
  );
  return [
    "# yaml-language-server: $schema=https://unpkg.com/mcp-gen/mcp-gen.schema.json",
    "# Run mcp-gen to regenerate. `mcp-gen plan` prints the rules that you can add here.",
    "version: 1",
    ...lines,
    ...(isOne ? [] : ["apis:"]),
    ...Object.entries(isOne ? {} : documents).flatMap(([api, path]) => [
      `  ${api}:`,
      `    spec: ${scalar(portablePath(path))}`,
    ]),
    "",
  ].join("\n");
}

/** Replaces an absolute path by one relative to the current folder, for other machines. */
function portablePath(source: string): string {
  return isAbsolute(source) ? withSlashes(relative("", source)) : source;
}
