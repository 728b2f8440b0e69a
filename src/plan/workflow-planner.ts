import type { Operation } from "../model/types.js";
import type { ToolContext } from "./tool-context.js";
import type {
  EnvironmentVariable,
  OtherApi,
  PlannedTool,
  PlannedWorkflow,
  ToolPlan,
  Toolset,
} from "./types.js";

/** Plans workflows, when the names of all other tools are known. */
export function planWorkflows(
  planner: WorkflowPlanner,
  tools: readonly PlannedTool[],
  context: Omit<WorkflowContext, "toolOf" | "inferred">,
): PlannedWorkflows {
  const byOperation = new Map(
    tools.flatMap(({ operations, definition }) =>
      operations.map(({ method, path }) => [`${method} ${path}`, definition.name] as const),
    ),
  );
  return planner.plan({
    ...context,
    inferred: tools,
    toolOf: ({ method, path }) => byOperation.get(`${method} ${path}`),
  });
}

/** Keeps the tool of a step only if the tool is part of the server. Those of other APIs are. */
export function linkStepTools(
  workflow: PlannedWorkflow,
  tools: readonly PlannedTool[],
): PlannedWorkflow {
  const names = new Set(tools.map(({ definition }) => definition.name));
  const steps = workflow.steps.map((step) => {
    const { tool, ...definition } = step.definition;
    const isServed = tool === undefined || step.api !== undefined || names.has(tool);
    return isServed ? step : { ...step, definition };
  });
  return { ...workflow, steps };
}

/** Toolset of workflow tools. */
export const WORKFLOW_TOOLSET: Toolset = {
  name: "workflows",
  title: "Workflows",
  description: "Tasks of several requests.",
};

/** Adds the toolset of workflows, unless a tag has its name. */
export function addWorkflowToolset(
  toolsets: readonly Toolset[],
  workflows: PlannedWorkflows | undefined,
): readonly Toolset[] {
  const hasTools = workflows !== undefined && workflows.tools.length > 0;
  return !hasTools || toolsets.some(({ name }) => name === WORKFLOW_TOOLSET.name)
    ? toolsets
    : [...toolsets, WORKFLOW_TOOLSET];
}

/** Context of workflows from the rest of the plan. */
export interface WorkflowContext {
  readonly tool: ToolContext;
  readonly envPrefix: string;
  readonly variables: readonly EnvironmentVariable[];
  /** Names of operations' tools. */
  readonly taken: ReadonlySet<string>;
  /** Name that the configuration gives to the tool of a workflow. */
  readonly nameOf: (workflowId: string) => string | undefined;
  readonly toolOf: (operation: Operation) => string | undefined;
  /** Inferred tools of operations. */
  readonly inferred: readonly PlannedTool[];
}

export interface PlannedWorkflows {
  readonly tools: readonly PlannedTool[];
  readonly workflows: readonly PlannedWorkflow[];
  readonly otherApis: readonly OtherApi[];
  readonly environment: readonly EnvironmentVariable[];
  /** Operations of the other APIs, at their paths in the mock. */
  readonly mock: Pick<ToolPlan["mock"], "operations" | "securitySchemes">;
}

/** Options of plans with workflows. */
export interface WorkflowOptions {
  /** Planner of workflows, loaded only when there are any. */
  readonly workflowPlanner?: WorkflowPlanner;
}

/** Plans workflows in addition to the tools of operations. */
export interface WorkflowPlanner {
  /** Operations of the document that steps call, with or without a tool. */
  readonly operations: readonly Operation[];
  readonly workflowIds: readonly string[];
  plan(context: WorkflowContext): PlannedWorkflows;
}

/**
 * Creates a planner for an API whose operations are called by workflows of its server. It plans no
 * workflow; it adds the operations to those that need credentials, and reports the context of
 * steps.
 */
export function createCalledPlanner(
  operations: readonly Operation[],
  onContext: (context: ToolContext) => void,
): WorkflowPlanner {
  const mock = { operations: [], securitySchemes: {} };
  const none = { tools: [], workflows: [], otherApis: [], environment: [], mock };
  return {
    operations,
    workflowIds: [],
    plan: ({ tool }) => {
      onContext(tool);
      return none;
    },
  };
}
