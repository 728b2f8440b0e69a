import { Option } from "commander";
import { formatCount } from "../diagnostics/index.js";
import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { FileSettings } from "../configuration/types.js";
import type { ApiSource } from "../generate-apis.js";
import type { ToolPlan } from "../plan/types.js";
import { proposeApis, proposeConfiguration } from "../render/configuration-proposal/index.js";
import { draftWorkflows } from "../render/configuration-proposal/workflow-drafts.js";
import { CONFIGURATION_FILE } from "./configuration.js";
import type { ResolvedCommand } from "./resolved-command.js";
import { type ExitCode, exitCodes, quoteForUser, type Terminal, withSlashes } from "./terminal.js";
import { formatJsonResult } from "./json-output.js";
import type { CommandOptions } from "./options.js";
import { deliver, planDocument, resolveSingleFile } from "./pipeline.js";

const afterHelp = `
Prints an mcp-gen.yaml to start from: every tool with its operations, how it was derived, and
suggestions as comments. The unchanged file gives the same tools as no file. Rules of an existing
mcp-gen.yaml are carried over.

Examples:
  mcp-gen plan openapi.yaml                   print it
  mcp-gen plan openapi.yaml -o mcp-gen.yaml   write it next to the document
  mcp-gen plan openapi.yaml --workflows -o tasks.arazzo.yaml
                                              write drafts of workflows, each a task of two calls
  mcp-gen                                     generate with this file
`;

/** `mcp-gen plan [spec] [-o FILE]`: the inferred plan as a configuration file. */
export async function runPlan(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const resolved = await resolveSingleFile(
    {
      name: "mcp-gen plan",
      afterHelp,
      force: "overwrite the file",
      isProtected: existsSync,
      protection: "exists",
      options: [new Option("--workflows", "write up to ten drafts of workflows (Arazzo) instead")],
    },
    args,
    terminal,
  );
  if (typeof resolved === "number") return resolved;
  return printPlan(resolved.run, resolved.file, terminal);
}

async function printPlan(
  run: ResolvedCommand,
  file: string | undefined,
  terminal: Terminal,
): Promise<ExitCode> {
  const result = await planDocument(run, {}, terminal);
  if (typeof result === "number") return result;
  if (!result.ok || run.options.json) {
    const code = result.ok ? exitCodes.done : exitCodes.document;
    if (run.options.json) terminal.print(formatJsonResult(result, run, code));
    return code;
  }
  if (run.options.workflows) return printDrafts(run, result.plan, file, terminal);
  const text = run.apis
    ? proposeApis(result.plan, apisOptions(run, run.apis, file))
    : proposeConfiguration(result.plan, proposalOptions(run, file));
  return deliver(text, file, successText(result.plan.tools.length, file ?? ""), terminal);
}

/** Prints drafts of workflows, for the owner to keep or delete. */
function printDrafts(
  run: ResolvedCommand,
  plan: ToolPlan,
  file: string | undefined,
  terminal: Terminal,
): ExitCode {
  const { text, count } = draftWorkflows(plan, specsOf(run, plan, file));
  if (count === 0) {
    terminal.error("No drafts: no chain of tools ends in a write with a known ID.\n");
    return exitCodes.done;
  }
  const next =
    `${formatCount(count, "draft")}. Keep what your users ask for, ` +
    `then run mcp-gen --workflow ${quoteForUser(file ?? "")}.`;
  return deliver(text, file, next, terminal);
}

/** Path of the document, or those of the APIs by name. */
function specsOf(
  run: ResolvedCommand,
  plan: ToolPlan,
  file: string | undefined,
): Parameters<typeof draftWorkflows>[1] {
  const { spec = "./openapi.yaml" } = proposalOptions(run, file);
  if (!run.apis || !plan.apis) return spec;
  const { apis } = apisOptions(run, run.apis, file);
  return Object.fromEntries(plan.apis.map(({ name }, i) => [name, apis[i]?.spec ?? ""]));
}

function successText(toolCount: number, file: string): string {
  const place = basename(file) === CONFIGURATION_FILE ? "there" : `--config ${quoteForUser(file)}`;
  return `${formatCount(toolCount, "tool")}. Edit it, then run mcp-gen ${place}.`;
}

/**
 * Options of the proposal, with paths relative to the file. A printed proposal is relative to the
 * configuration that it replaces, or to the folder of the document.
 */
function proposalOptions(
  { source, options, configuration, configurationFile }: ResolvedCommand,
  file: string | undefined,
): Parameters<typeof proposeConfiguration>[1] {
  const isFile = source !== "-" && !/^https?:/i.test(source);
  const written = file ?? configurationFile;
  const folder = written !== undefined ? dirname(written) : isFile ? dirname(source) : ".";
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
    settings: {
      ...proposalSettings(options, configuration?.settings ?? {}, at),
    },
    rules: configuration?.content ?? {},
    isFiltered: (options.only ?? options.skip) !== undefined,
  };
}

/** Options of the proposal for several APIs. Settings of the server are at its head. */
function apisOptions(
  run: ResolvedCommand,
  apis: readonly ApiSource[],
  file: string | undefined,
): Parameters<typeof proposeApis>[1] {
  const { namespace, settings, output, rules = {}, workflows = [] } = proposalOptions(run, file);
  const folder = dirname(file ?? apis[0]?.source ?? "");
  return {
    output,
    settings: { namespace, ...settings },
    rules,
    workflows,
    apis: apis.map(({ name, source, configuration }) => ({
      ...proposalOptions(
        { source, options: {}, ...(configuration && { configuration }) },
        file ?? join(folder, CONFIGURATION_FILE),
      ),
      // Without the defaults of the server, which are at the head.
      rules: run.configuration?.content.apis?.[name ?? ""] ?? {},
    })),
  };
}

/** Settings that were given on the command line or in the configuration, by their key. */
function proposalSettings(
  options: CommandOptions,
  settings: FileSettings,
  at: (path: string) => string,
): NonNullable<Parameters<typeof proposeConfiguration>[1]["settings"]> {
  const refRoot = options.refRoot ?? settings.refRoot;
  return {
    name: options.name ?? settings.name,
    baseUrl: options.baseUrl ?? settings.baseUrl,
    granularity: options.granularity ?? settings.granularity,
    outputSchemas: options.outputSchemas ?? settings.outputSchemas,
    includeDeprecated: options.includeDeprecated ?? settings.includeDeprecated,
    refRoot: refRoot === undefined ? undefined : at(refRoot),
    allowRemoteRefs: options.allowRemoteRefs ?? settings.allowRemoteRefs,
    templates: settings.templates === undefined ? undefined : at(settings.templates),
    runtime: settings.runtime,
    features: settings.features,
    packages: settings.packages,
    images: settings.images,
    deploy: settings.deploy,
  };
}

/** Prefixes `./`. A path on another drive of Windows stays absolute. */
const dotted = (path: string): string =>
  path.startsWith(".") || isAbsolute(path) ? path : `./${path}`;
