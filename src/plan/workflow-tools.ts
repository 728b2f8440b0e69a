import type { PlannedTool, PlannedWorkflow, Toolset } from "./types.js";
import type { PlannedWorkflows, WorkflowContext, WorkflowPlanner } from "./workflows/index.js";

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
export function withTools(
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
export function withWorkflows(
  toolsets: readonly Toolset[],
  workflows: PlannedWorkflows | undefined,
): readonly Toolset[] {
  const name = workflows?.tools[0]?.toolset;
  if (name === undefined || toolsets.some((one) => one.name === name)) return toolsets;
  return [...toolsets, { name, title: "Workflows", description: "Tasks of several requests." }];
}
