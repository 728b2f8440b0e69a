import { dirname, isAbsolute, join } from "node:path";
import type { Diagnostic } from "../diagnostics/index.js";
import { omitUndefined } from "../json.js";
import { readTextFile } from "../load/index.js";
import type { Configuration, ConfigurationFile, FileSettings } from "./types.js";

/** Configuration, or the reasons why it cannot be used. */
export interface ConfigurationResult {
  readonly configuration?: Configuration;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a configuration file (`mcp-gen.yaml`) for `generate(…, { configuration })`.
 * @param path name in messages; paths in the file are relative to it
 * @returns the configuration, or every fault with its line, column and a suggestion
 */
export async function readConfiguration(path: string): Promise<ConfigurationResult> {
  const text = await readTextFile(path);
  if (text.problem) return { diagnostics: [text.problem] };
  const { parseConfiguration } = await import("./parse-configuration.js"); // loads its YAML parser and validator
  const { content, locationOf, diagnostics } = parseConfiguration(text.value, path);
  return {
    ...(content && { configuration: { content, locationOf, settings: settingsOf(content, path) } }),
    diagnostics,
  };
}

/**
 * Resolves the paths in a configuration relative to its file. Windows separators work on every
 * system.
 * @param file path of the configuration file
 */
export function settingsOf(
  { spec, output, overlays, workflows, templates, runtime, namespace }: ConfigurationFile,
  file: string,
): FileSettings {
  const resolvePath = (path: string): string =>
    /^https?:/i.test(path) ? path : below(dirname(file), path.replaceAll("\\", "/"));
  return omitUndefined({
    spec: spec === undefined ? undefined : resolvePath(spec),
    output: output === undefined ? undefined : resolvePath(output),
    overlays: overlays?.map(resolvePath),
    workflows: workflows?.map(resolvePath),
    templates: templates === undefined ? undefined : resolvePath(templates),
    runtime,
    namespace,
  });
}

function below(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}
