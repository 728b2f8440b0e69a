import { dirname, isAbsolute, join } from "node:path";
import type { Diagnostic } from "../diagnostics/index.js";
import { omitUndefined } from "../json.js";
import { readTextFile } from "../load/index.js";
import { findMisplacedKeys, readApis } from "./apis.js";
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
  if (text.problem) return { diagnostics: [withHint(text.problem)] };
  const { parseConfiguration } = await import("./parse-configuration.js"); // loads its YAML parser and validator
  const { content, locationOf, diagnostics } = parseConfiguration(text.value, path);
  if (!content) return { diagnostics };
  const problems = [...diagnostics, ...findMisplacedKeys({ content, locationOf })];
  if (problems.length > 0) return { diagnostics: problems };
  const apis = readApis({ content, locationOf }, (own) => settingsOf(own, path));
  const settings = settingsOf(content, path);
  return {
    configuration: { content, locationOf, settings, ...(apis && { apis }) },
    diagnostics: problems,
  };
}

/** Replaces the advice for an empty document. */
function withHint(problem: Diagnostic): Diagnostic {
  return problem.code === "load-empty"
    ? { ...problem, hint: "Start it with the line `version: 1`." }
    : problem;
}

/**
 * Resolves the paths in a configuration relative to its file. Windows separators work on every
 * system.
 * @param file path of the configuration file
 */
export function settingsOf(content: ConfigurationFile, file: string): FileSettings {
  const { spec, output, overlays, workflows, templates, refRoot } = content;
  const resolvePath = (path: string): string =>
    /^https?:/i.test(path) ? path : below(dirname(file), path.replaceAll("\\", "/"));
  const resolveOptional = (path: string | undefined) =>
    path === undefined ? undefined : resolvePath(path);
  return omitUndefined({
    spec: resolveOptional(spec),
    output: resolveOptional(output),
    overlays: overlays?.map(resolvePath),
    workflows: workflows?.map(resolvePath),
    templates: resolveOptional(templates),
    refRoot: resolveOptional(refRoot),
    runtime: content.runtime,
    features: content.features,
    packages: content.packages,
    images: content.images,
    deploy: content.deploy,
    namespace: content.namespace,
    name: content.name,
    baseUrl: content.baseUrl,
    granularity: content.granularity,
    outputSchemas: content.outputSchemas,
    includeDeprecated: content.includeDeprecated,
    allowRemoteRefs: content.allowRemoteRefs,
  });
}

function below(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}
