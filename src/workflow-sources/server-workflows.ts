/** Workflows across the APIs of a server. */
import { type Diagnostic, isError } from "../diagnostics/index.js";
import { omitUndefined } from "../json.js";
import type { LoadOptions } from "../load/index.js";
import type { ApiModel } from "../model/types.js";
import { plan, type PlanOptions, type ToolPlan } from "../plan/index.js";
import type { ApiMembership } from "../plan/options.js";
import { type MemberPlan, serverApprovals } from "../plan/join/index.js";
import { createCalledPlanner, type WorkflowPlanner } from "../plan/workflow-planner.js";
import { createWorkflowPlanner } from "../plan/workflows/index.js";
import type { WorkflowMember } from "../plan/workflows/step-context.js";
import { readServerWorkflows, type WorkflowApi, type WorkflowSources } from "./index.js";

/** Workflows across the APIs of a server, read but not planned. */
export interface OpenedWorkflows {
  readonly diagnostics: readonly Diagnostic[];
  /** The planner with which an API is planned that steps call. */
  readonly plannerOf: (api: string) => WorkflowPlanner | undefined;
  /** Plans the workflows, once the APIs are planned with their planners. */
  readonly plan: (
    members: readonly MemberPlan[],
    membership: ApiMembership,
  ) => { readonly workflows?: ToolPlan; readonly diagnostics: readonly Diagnostic[] };
}

/** Reads workflow documents whose sources are the APIs of a server. */
export async function openServerWorkflows(
  paths: readonly string[],
  apis: readonly WorkflowApi[],
  options: LoadOptions & PlanOptions,
): Promise<OpenedWorkflows> {
  const { sources, diagnostics, calledOperations, locate } = await readServerWorkflows(
    paths,
    apis,
    options,
  );
  const contexts = new Map<string, WorkflowMember["context"]>();
  const plannerOf = (api: string): WorkflowPlanner | undefined => {
    const operations = calledOperations(api);
    return operations.length === 0
      ? undefined
      : createCalledPlanner(operations, (context) => contexts.set(api, context));
  };
  const planAcross: OpenedWorkflows["plan"] = (members, membership) => {
    if (!sources) return { diagnostics: [] };
    const steps = new Map(members.flatMap((member) => stepsOf(member, contexts)));
    const taken = new Set(
      members.flatMap(({ plan: { tools } }) => tools.map(({ definition }) => definition.name)),
    );
    const planner = createWorkflowPlanner(sources, steps);
    const workflows = plan(emptyModel(sources), {
      membership: { ...membership, api: "workflows", otherTools: taken },
      configuration: configurationOf(members, options.configuration),
      workflowPlanner: { ...planner, plan: (context) => planner.plan({ ...context, taken }) },
    });
    const found = workflows.diagnostics
      .filter(({ code }) => code !== "plan-no-server" && !code.startsWith("plan-budget-"))
      .map((one) => (one.location ? { ...one, location: locate(one.location) } : one));
    return found.some(isError) ? { diagnostics: found } : { workflows, diagnostics: found };
  };
  return { diagnostics, plannerOf, plan: planAcross };
}

/**
 * The part of the configuration that is about workflows: rules of their tools, and what holds for
 * all tools of the server. The rest is about tools that send one request.
 */
function configurationOf(
  members: readonly MemberPlan[],
  configuration: PlanOptions["configuration"],
): NonNullable<PlanOptions["configuration"]> {
  const { errors, tools, server: { openWorld } = {} } = configuration?.content ?? { version: 1 };
  const approve = serverApprovals(members, configuration);
  return {
    content: {
      version: 1,
      ...omitUndefined({ approve, errors, tools }),
      ...(openWorld !== undefined && { server: { openWorld } }),
    },
    locationOf: configuration?.locationOf ?? (() => ({ pointer: "#" })),
  };
}

/** A model without operations, which has the schemas of the workflows. */
function emptyModel({ schemas, workflows }: WorkflowSources): ApiModel {
  return {
    title: "Workflows",
    version: "0",
    source: [...new Set(workflows.map(({ file }) => file.name))].join(", "),
    servers: [],
    securitySchemes: {},
    tags: [],
    operations: [],
    schemas,
  };
}

/** An API that steps call. */
function stepsOf(
  { name, plan: { api, tools } }: MemberPlan,
  contexts: ReadonlyMap<string, WorkflowMember["context"]>,
): readonly (readonly [string, WorkflowMember])[] {
  const context = contexts.get(name);
  if (!context) return [];
  const byOperation = new Map(
    tools.flatMap(({ operations, definition }) =>
      operations.map(({ method, path }) => [`${method} ${path}`, definition.name] as const),
    ),
  );
  const toolOf: WorkflowMember["toolOf"] = ({ method, path }) =>
    byOperation.get(`${method} ${path}`);
  return [[name, { definition: api, context, toolOf }]];
}
