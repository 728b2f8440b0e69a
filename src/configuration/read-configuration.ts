import { dirname, isAbsolute, join } from "node:path";
import type { Diagnostic } from "../diagnostics/index.js";
import { readTextFile } from "../load/index.js";
import type { Configuration, ConfigurationFile, FileSettings } from "./types.js";

/** A curation file that was read, or why it cannot be used. */
export interface ConfigurationResult {
  readonly configuration?: Configuration;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a curation file (`mcp-gen.yaml`), for `generate(…, { curation })`.
 * @param path as messages call it; the paths in the file are relative to it
 * @returns the curation, or an error for each fault with line, column and the nearest right word
 */
export async function readConfiguration(path: string): Promise<ConfigurationResult> {
  const text = await readTextFile(path);
  if (text.problem) return { diagnostics: [text.problem] };
  const { parseConfiguration } = await import("./parse-configuration.js"); // with its YAML parser and validator
  const { content, locationOf, diagnostics } = parseConfiguration(text.value, path);
  return {
    ...(content && { configuration: { content, locationOf, settings: settingsOf(content, path) } }),
    diagnostics,
  };
}

/**
 * What a curation says about files. Paths in it are relative to the file they stand in; those that
 * somebody wrote on Windows mean the same everywhere.
 * @param file path of the curation file, as the program would open it
 */
export function settingsOf(
  { spec, output, overlays, workflows, templates, runtime, namespace }: ConfigurationFile,
  file: string,
): FileSettings {
  const at = (path: string): string =>
    /^https?:/i.test(path) ? path : below(dirname(file), path.replaceAll("\\", "/"));
  return {
    ...(spec !== undefined && { spec: at(spec) }),
    ...(output !== undefined && { output: at(output) }),
    ...(overlays && { overlays: overlays.map(at) }),
    ...(workflows && { workflows: workflows.map(at) }),
    ...(templates !== undefined && { templates: at(templates) }),
    ...(runtime !== undefined && { runtime }),
    ...(namespace !== undefined && { namespace }),
  };
}

function below(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}
