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

/** Workflows are planned when the names of all other tools are known. */
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

/** A step names the tool that does the same alone, if there is one in the end. */
export function linkStepTools(
  workflow: PlannedWorkflow,
  tools: readonly PlannedTool[],
): PlannedWorkflow {
  const names = new Set(tools.map(({ definition }) => definition.name));
  const steps = workflow.steps.map((step) => {
    const { tool, ...definition } = step.definition;
    return tool === undefined || names.has(tool) ? step : { ...step, definition };
  });
  return { ...workflow, steps };
}

/** The toolset of workflows, unless a tag is called like it. */
export function addWorkflowToolset(
  toolsets: readonly Toolset[],
  workflows: PlannedWorkflows | undefined,
): readonly Toolset[] {
  const name = workflows?.tools[0]?.toolset;
  if (name === undefined || toolsets.some((one) => one.name === name)) return toolsets;
  return [...toolsets, { name, title: "Workflows", description: "Tasks of several requests." }];
}

/** What the rest of the plan has decided by the time workflows are planned. */
export interface WorkflowContext {
  readonly tool: ToolContext;
  readonly envPrefix: string;
  readonly variables: readonly EnvironmentVariable[];
  /** Names that tools of operations have. */
  readonly taken: ReadonlySet<string>;
  /** The name that a rule gives to the tool of a workflow. */
  readonly nameOf: (workflowId: string) => string | undefined;
  /** The tool that stands for an operation alone. */
  readonly toolOf: (operation: Operation) => string | undefined;
  /** The tools of operations, as they are inferred. */
  readonly inferred: readonly PlannedTool[];
}

export interface PlannedWorkflows {
  readonly tools: readonly PlannedTool[];
  readonly workflows: readonly PlannedWorkflow[];
  readonly otherApis: readonly OtherApi[];
  readonly environment: readonly EnvironmentVariable[];
  /** Operations of the other APIs, at the addresses that a mock gives them. */
  readonly mock: Pick<ToolPlan["mock"], "operations" | "securitySchemes">;
}

/** Plans workflows beside the tools of operations. */
export interface WorkflowPlanner {
  /** Operations of the document that steps call, whether they have tools of their own or not. */
  readonly operations: readonly Operation[];
  readonly workflowIds: readonly string[];
  plan(context: WorkflowContext): PlannedWorkflows;
}
