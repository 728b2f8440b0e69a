/** Joins the plans of several APIs, each planned alone, to the plan of one server. */
import { formatCount, joinFirst } from "../../diagnostics/index.js";
import { omitUndefined } from "../../json.js";
import type { ApiDefinition } from "../../runtime/api-definition.js";
import type { ServerConfig } from "../../configuration/types.js";
import { describeToolsets } from "../../runtime/tools/describe-toolsets.js";
import { describeApis } from "../../runtime/tools/describe-apis.js";
import { reportUnapproved, strictestScope } from "../approvals.js";
import { planBudget } from "../budget/index.js";
import { DiagnosticCollector } from "../diagnostics.js";
import type { PlanOptions } from "../options.js";
import { customParts, withEditedListings } from "../project-code.js";
import { derivePackageName } from "../server-names.js";
import { planSteps } from "../steps.js";
import type {
  BudgetPlan,
  EnvironmentVariable,
  PlannedTool,
  SharedSchema,
  ToolPlan,
} from "../types.js";
import { linkApis } from "./links.js";
import { joinToolset, joinToolsets } from "./toolsets.js";
import { reportClashes } from "./clashes.js";
import type { MemberPlan } from "./types.js";

export { findClashingNames } from "./clashes.js";
export type { MemberPlan } from "./types.js";

/** Decisions about the server as a whole. */
export interface JoinOptions extends Pick<
  PlanOptions,
  "packageName" | "configuration" | "projectCode"
> {
  /** Prefix of the server's own environment variables. */
  readonly envPrefix: string;
}

/**
 * Joins plans: toolsets are named after their API, tools are bound to it, and the server has one
 * list, one budget and one environment. Names of tools are those of the plans, and must be unique.
 * @param workflows the plan of the workflows across the APIs, whose tools belong to no API
 */
export function joinPlans(
  plans: readonly MemberPlan[],
  options: JoinOptions,
  workflows?: ToolPlan,
): ToolPlan {
  const diagnostics = new DiagnosticCollector();
  const members = linkApis(plans.map(toMember), options.configuration, diagnostics);
  reportClashes(members, diagnostics, workflows?.toolsets);
  const { projectCode } = options;
  const bound = [
    ...members.flatMap(({ name, plan }) => boundTools(name, plan, plan.tools)),
    ...(workflows?.tools ?? []),
  ];
  const hidden = [
    ...members.flatMap(({ name, plan }) => boundTools(name, plan, plan.hiddenTools ?? [])),
    ...(workflows?.hiddenTools ?? []),
  ];
  reportUnapproved([...bound, ...hidden], options.configuration, ["approve"], diagnostics);
  for (const { name, plan } of members)
    reportUnapproved(
      [...plan.tools, ...(plan.hiddenTools ?? [])],
      options.configuration,
      ["apis", name, "approve"],
      diagnostics,
    );
  const tools = projectCode ? withEditedListings(bound, projectCode) : bound;
  for (const { code, message, location, hint } of projectCode?.diagnostics ?? [])
    diagnostics.add(code, message, location, hint);
  const { source, summary, title } = describeServer(members, options);
  const definitions = members.map(({ name, plan }) => ({ name, definition: plan.api }));
  const budget = planServerBudget(tools, members, options, diagnostics);
  return {
    packageName: options.packageName ?? derivePackageName(["apis"]),
    source,
    api: serverDefinition(title, members, { budget, tools }, options),
    summary,
    environment: members.flatMap(({ plan }) => environmentOf(plan)),
    ...omitUndefined({ credentialChoice: joinCredentialChoices(members) }),
    toolsets: [...members.flatMap(joinToolsets), ...(workflows?.toolsets ?? [])],
    tools,
    ...(hidden.length > 0 && { hiddenTools: hidden }),
    types: workflows?.types ?? [],
    sharedSchemas: [...members.flatMap(qualifySchemas), ...(workflows?.sharedSchemas ?? [])].sort(
      byName,
    ),
    omitted: members.flatMap(({ plan }) => plan.omitted),
    ...customParts(projectCode),
    budget,
    mock: workflows?.mock ?? { operations: [], schemas: {}, securitySchemes: {} },
    diagnostics: diagnostics.list,
    lint: [...members.flatMap(({ plan }) => plan.lint), ...(workflows?.lint ?? [])],
    ...(workflows?.workflows && { workflows: workflows.workflows }),
    otherApis: definitions,
    apis: members,
  };
}

/** The API without what concerns a whole server: its list, its budget and the workflows. */
function toMember({ name, plan }: MemberPlan): MemberPlan {
  const { listBudget: _, listed: __, runSteps: ___, ...api } = plan.api;
  const { workflows: ____, otherApis: _____, ...own } = plan;
  return { name, plan: { ...own, api } };
}

/** The tools of an API, bound to it under the names that its toolsets have in the server. */
function boundTools(
  name: string,
  plan: ToolPlan,
  tools: readonly PlannedTool[],
): readonly PlannedTool[] {
  return tools.map((tool) => {
    const toolset = joinToolset(name, tool.toolset, plan);
    return { ...tool, toolset, definition: { ...tool.definition, toolset, api: name } };
  });
}

function describeServer(
  members: readonly MemberPlan[],
  { configuration }: JoinOptions,
): Pick<ToolPlan, "source" | "summary"> & { readonly title: string } {
  const titles = members.map(({ plan }) => plan.api.title);
  return {
    source: members.map(({ plan }) => plan.source).join(", "),
    summary: `MCP server for ${formatCount(members.length, "API")}: ${joinFirst(titles, 10)}.`,
    title: configuration?.content.server?.title ?? joinFirst(titles, 3).slice(0, 100),
  };
}

/** Definition of the server itself, which has no address and no credentials of its own. */
function serverDefinition(
  title: string,
  members: readonly MemberPlan[],
  { budget, tools }: { readonly budget: BudgetPlan; readonly tools: readonly PlannedTool[] },
  { envPrefix, configuration, packageName }: JoinOptions,
): ApiDefinition {
  const { mode, limits, listed } = budget;
  const server: ServerConfig = configuration?.content.server ?? {};
  const { resultTokens } = configuration?.content.budget ?? {};
  return omitUndefined({
    name: server.name ?? packageName?.replace(/^@[^/]*\//, "").slice(0, 60) ?? "apis",
    title,
    version: "0",
    instructions: server.instructions,
    envPrefix,
    servers: [],
    securitySchemes: {},
    apis: Object.fromEntries(members.map(({ name, plan }) => [name, plan.api])),
    listBudget:
      mode === "tools" ? undefined : { tools: limits.tools, tokens: limits.listTokens, mode },
    listed: listed.length > 0 ? listed : undefined,
    approve: serverApprovals(members, configuration),
    maxResultTokens: resultTokens,
    runSteps: planSteps(tools, server),
  });
}

/**
 * The approvals of tools that belong to no API, such as workflows: those of the server, and those
 * of every API, which such a tool may call.
 */
export function serverApprovals(
  members: readonly MemberPlan[],
  configuration: PlanOptions["configuration"],
): ApiDefinition["approve"] {
  return strictestScope([
    configuration?.content.approve,
    ...members.map(({ plan }) => plan.api.approve),
  ]);
}

/** Variables of an API, whose descriptions name it. */
function environmentOf({ environment, api }: ToolPlan): readonly EnvironmentVariable[] {
  return environment.map((variable) => ({
    ...variable,
    description: variable.description.replace("of the API", `of ${api.title}`),
  }));
}

/** The choices of credentials of all APIs: `A or B (Billing); one of C or D (CRM)`. */
function joinCredentialChoices(members: readonly MemberPlan[]): string | undefined {
  const choices = members.flatMap(({ plan: { credentialChoice, api } }) =>
    credentialChoice === undefined ? [] : [`${credentialChoice} (${api.title})`],
  );
  return choices.length === 0 ? undefined : choices.join("; one of ");
}

const byName = (a: SharedSchema, b: SharedSchema): number => (a.name < b.name ? -1 : 1);

/** Shared schemas under the names that they have in the lock of the server. */
function qualifySchemas({ name, plan }: MemberPlan): readonly SharedSchema[] {
  return plan.sharedSchemas.map((schema) => ({
    ...schema,
    name: `${name}.${schema.name}`,
    references: schema.references.map((reference) => `${name}.${reference}`),
  }));
}

function planServerBudget(
  tools: readonly PlannedTool[],
  members: readonly MemberPlan[],
  { configuration, projectCode }: JoinOptions,
  diagnostics: DiagnosticCollector,
): BudgetPlan {
  const definitions = tools.map(({ definition }) => definition);
  const apis = Object.fromEntries(members.map(({ name, plan }) => [name, plan.api]));
  return planBudget(tools, {
    instructions: `${describeApis(apis, definitions)} ${describeToolsets(definitions, undefined)}`,
    configuration,
    namespace: undefined,
    diagnostics,
    customTools: projectCode?.tools ?? [],
    operations: members.flatMap(({ plan }) => plan.mock.operations),
    schemas: Object.assign(
      {},
      ...members.map(({ plan }) => plan.mock.schemas),
    ) as ToolPlan["mock"]["schemas"],
  });
}
