/** Generation of one server for several APIs: each is planned alone, and their plans are joined. */
import type { Configuration } from "./configuration/types.js";
import { type Diagnostic, diagnostic, isError } from "./diagnostics/index.js";
import { quoteText } from "./diagnostics/text.js";
import { generate, type GenerateOptions, type GenerateResult } from "./generate.js";
import { omitUndefined } from "./json.js";
import { findClashingNames, joinPlans, type MemberPlan } from "./plan/join/index.js";
import { serverPrefix } from "./plan/membership.js";
import { memberDiagnostics } from "./member-diagnostics.js";
import { findOnlyApiProblem } from "./only-api.js";
import type { ToolPlan } from "./plan/index.js";
import type { ApiMembership } from "./plan/options.js";
import type { WorkflowPlanner } from "./plan/workflow-planner.js";
import { deploymentDiagnostics, render } from "./render/index.js";
import type { WorkflowApi } from "./workflow-sources/index.js";
import { readProjectCode } from "./project-code/index.js";
import { write } from "./write/index.js";

/** One of several APIs of a server. */
export interface ApiSource {
  /** Name of the API: `^[a-z][a-z0-9_]{0,23}$`. Default: from the document's title. */
  readonly name?: string;
  /** A path or a URL, as for `generate`. */
  readonly source: string;
  /** What `mcp-gen.yaml` says about this API. */
  readonly configuration?: Configuration;
}

/** Options of the server, and those that are the same for every API. */
export interface GenerateApisOptions extends Omit<
  GenerateOptions,
  "overlays" | "only" | "skip" | "baseUrl" | "stdin"
> {
  /** Name of the only API whose files may change. Nothing is written if others would change, too. */
  readonly onlyApi?: string;
}

/** An API with the result of its planning. */
interface Member {
  readonly api: ApiSource;
  readonly result: GenerateResult;
  readonly source?: Pick<WorkflowApi, "document" | "model">;
}

/**
 * Runs the whole pipeline for several APIs, whose tools one server has. Nothing is written if a
 * document cannot be used; the diagnostics are those of all documents.
 * @param outDir the folder to write; without it nothing is written, and the files are returned
 * @throws as `generate` does
 */
export async function generateApis(
  apis: readonly ApiSource[],
  outDir: string | undefined,
  options: GenerateApisOptions = {},
): Promise<GenerateResult> {
  options.onStage?.("load");
  const prefix = serverPrefix(options);
  const first = await Promise.all(
    apis.map((api) => planApi(api, { serverPrefix: prefix, clashingNames: new Set() }, options)),
  );
  const diagnostics = [
    ...memberDiagnostics(first, workflowPaths(options).length > 0),
    ...reportNames(first),
  ];
  const members = membersOf(first);
  if (!members || diagnostics.some(isError)) return { diagnostics, ok: false };
  const planned = await planTogether(first, members, prefix, options);
  diagnostics.push(...planned.diagnostics);
  if (!planned.members) return { diagnostics, ok: false };
  options.onStage?.(
    "plan",
    planned.members.reduce((sum, { plan }) => sum + plan.tools.length, 0),
  );
  const projectCode = await readProjectCode(options.projectFolder ?? outDir);
  const settings = {
    ...settingsOf(options),
    envPrefix: prefix,
    ...(projectCode && { projectCode }),
  };
  const plan = joinPlans(planned.members, settings, planned.workflows);
  return deliver(plan, diagnostics, outDir, options);
}

/** The final plans of the APIs, and that of the workflows across them. */
interface PlannedTogether {
  /** Absent after an error. */
  readonly members?: readonly MemberPlan[];
  readonly workflows?: ToolPlan;
  readonly diagnostics: readonly Diagnostic[];
}

/** Plans again what depends on the other APIs: names that clash, and operations in workflows. */
async function planTogether(
  first: readonly Member[],
  members: readonly MemberPlan[],
  prefix: string,
  options: GenerateApisOptions,
): Promise<PlannedTogether> {
  const membership = { serverPrefix: prefix, clashingNames: findClashingNames(members) };
  const paths = workflowPaths(options);
  if (paths.length === 0) {
    const diagnostics = unknownWorkflows(options.configuration);
    if (diagnostics.length > 0) return { diagnostics };
  }
  const workflows = paths.length > 0 ? await openWorkflows(paths, first, options) : undefined;
  if (workflows?.diagnostics.some(isError)) return { diagnostics: workflows.diagnostics };
  if (membership.clashingNames.size === 0 && !workflows) return { members, diagnostics: [] };
  const final = await Promise.all(
    first.map(({ api }, i) => {
      const { name } = members[i]!;
      return planApi({ ...api, name }, membership, options, workflows?.plannerOf(name));
    }),
  );
  const plans = membersOf(final) ?? members;
  return workflows
    ? { members: plans, ...workflows.plan(plans, membership) }
    : { members: plans, diagnostics: [] };
}

/** Paths of the documents of workflows. */
const workflowPaths = ({ workflows, configuration }: GenerateOptions): readonly string[] =>
  workflows ?? configuration?.settings.workflows ?? [];

/** Reports rules of workflows in a server that has none. */
function unknownWorkflows(configuration: Configuration | undefined): readonly Diagnostic[] {
  return Object.entries(configuration?.content.tools ?? {}).map(([name, { workflow = "" }]) =>
    diagnostic(
      "config-unknown-workflow",
      `The workflow ${quoteText(workflow)} does not exist.`,
      configuration?.locationOf(["tools", name, "workflow"]),
      "Name its document under workflows, or by --workflow.",
    ),
  );
}

/** Reads the workflows across the APIs. The module is loaded only if there are any. */
async function openWorkflows(
  paths: readonly string[],
  members: readonly Member[],
  options: GenerateApisOptions,
) {
  const { openServerWorkflows } = await import("./workflow-sources/server-workflows.js");
  const apis = members.flatMap(({ source, result: { plan } }) =>
    source && plan ? [{ name: plan.api.name, ...source }] : [],
  );
  return openServerWorkflows(paths, apis, options);
}

async function deliver(
  plan: ToolPlan,
  found: readonly Diagnostic[],
  outDir: string | undefined,
  options: GenerateApisOptions,
): Promise<GenerateResult> {
  const settings = settingsOf(options);
  const diagnostics = [
    ...found,
    ...plan.diagnostics,
    ...deploymentDiagnostics(plan, settings, options.configuration?.locationOf),
  ];
  const isOk = (all: readonly Diagnostic[]): boolean =>
    !all.some((d) => isError(d) || (options.strict === true && d.severity === "warning"));
  if (!isOk(diagnostics) || options.planOnly) return { plan, diagnostics, ok: isOk(diagnostics) };
  options.onStage?.("render", plan.tools.length);
  const files = await render(plan, settings);
  const problem =
    options.onlyApi === undefined
      ? undefined
      : await findOnlyApiProblem(options.onlyApi, plan, files, outDir, settings);
  if (problem) return { plan, diagnostics: [...diagnostics, problem], ok: false };
  if (outDir === undefined) return { plan, files, diagnostics, ok: true };
  options.onStage?.("write", files.length);
  const written = await write(files, outDir, settings);
  const all = [...diagnostics, ...written.diagnostics];
  return { plan, files, written, diagnostics: all, ok: isOk(all) };
}

/** The options of the server, completed by `mcp-gen.yaml`. */
function settingsOf(options: GenerateApisOptions): GenerateApisOptions {
  const settings = options.configuration?.settings ?? {};
  return {
    ...options,
    ...omitUndefined({
      packageName: options.packageName ?? settings.name,
      templates: options.templates ?? settings.templates,
      runtime: options.runtime ?? settings.runtime,
      features: options.features ?? settings.features,
      packages: options.packages ?? settings.packages,
      images: options.images ?? settings.images,
      deploy: options.deploy ?? settings.deploy,
    }),
  };
}

async function planApi(
  api: ApiSource,
  membership: ApiMembership,
  options: GenerateApisOptions,
  workflowPlanner?: WorkflowPlanner,
): Promise<Member> {
  const {
    configuration: _,
    onStage: __,
    packageName: ___,
    projectFolder: ____,
    onlyApi: _____,
    workflows,
    ...shared
  } = options;
  let source: Member["source"];
  const result = await generate(api.source, undefined, {
    ...shared,
    ...(api.configuration && { configuration: api.configuration }),
    ...(workflowPlanner && { workflowPlanner }),
    membership: { ...membership, ...(api.name !== undefined && { api: api.name }) },
    onModel: (document, model) => {
      source = { document, model };
    },
    planOnly: true,
  });
  return { api, result, ...(source && { source }) };
}

/** The plans of all APIs under their names; undefined if one could not be planned. */
function membersOf(members: readonly Member[]): readonly MemberPlan[] | undefined {
  const planned = members.flatMap(({ result: { plan } }) =>
    plan ? [{ name: plan.api.name, plan }] : [],
  );
  return planned.length === members.length ? planned : undefined;
}

/** Reports APIs of one name, and documents that occur twice. */
function reportNames(members: readonly Member[]): readonly Diagnostic[] {
  const bySource = new Map<string, string>();
  const byName = new Map<string, string>();
  return members.flatMap(({ api: { source }, result }) => {
    const name = result.plan?.api.name ?? "";
    const [sameName, sameSource] = [byName.get(name), bySource.get(source)];
    byName.set(name, source);
    bySource.set(source, name);
    if (name === "") return [];
    if (sameName !== undefined) return [sameNameDiagnostic(name, sameName, source)];
    return sameSource === undefined ? [] : [sameSourceDiagnostic(source, sameSource, name)];
  });
}

function sameNameDiagnostic(name: string, one: string, other: string): Diagnostic {
  const which =
    one === other
      ? `${quoteText(one)} is given twice`
      : `${quoteText(one)} and ${quoteText(other)}`;
  return diagnostic(
    "apis-same-name",
    one === other
      ? `${which}, and both of its APIs are called ${name}.`
      : `Two APIs are called ${name}: ${which}.`,
    undefined,
    `Give them different names, as in ${name}=FILE, or as keys of \`apis\` in mcp-gen.yaml.`,
  );
}

function sameSourceDiagnostic(source: string, one: string, other: string): Diagnostic {
  return diagnostic(
    "apis-same-document",
    `${one} and ${other} are the same document, ${quoteText(source)}: their tools differ only by ` +
      "the name of the API.",
    undefined,
    "Give each a base URL of its own, or remove one.",
  );
}
