import type { JsonSchema } from "../../json.js";
import type { Operation } from "../../model/types.js";
import type { Api, LinkedWorkflow } from "../../workflow/index.js";
import type { ToolContext } from "../tool.js";
import type {
  EnvironmentVariable,
  OtherApi,
  PlannedTool,
  PlannedWorkflow,
  ToolPlan,
} from "../types.js";
import type { StepContext } from "./bind-step.js";
import { mockOperations } from "./mock.js";
import { planApi, type PlannedApi } from "./other-apis.js";
import { withKnownInputs } from "./known-inputs.js";
import { producersIn } from "./sources-of-inputs.js";
import { planWorkflowTool } from "./tool.js";
import { planWorkflow } from "./workflow.js";
import { uniqueNames } from "./names.js";

/** What `readWorkflowSources` found. */
export interface WorkflowInput {
  /** What a workflow calls stands before it. */
  readonly workflows: readonly LinkedWorkflow[];
  /** Each workflow as an operation whose body is its inputs. */
  readonly operations: ReadonlyMap<LinkedWorkflow, Operation>;
  readonly apis: readonly Api[];
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

/** The toolset of workflow tools. */
export const WORKFLOWS = {
  name: "workflows",
  title: "Workflows",
  description: "Tasks of several requests.",
} as const;

/** Makes the planner of some workflows. */
export function workflowPlanner(input: WorkflowInput): WorkflowPlanner {
  const called = (api: Api): readonly Operation[] => [
    ...new Set(
      input.workflows.flatMap(({ steps }) =>
        steps.flatMap(({ call }) =>
          call.kind === "operation" && call.api === api ? call.operation : [],
        ),
      ),
    ),
  ];
  const main = input.apis.find(({ name }) => name === "");
  return {
    operations: main ? called(main) : [],
    workflowIds: input.workflows.filter(({ isTool }) => isTool).map(({ workflow }) => workflow.id),
    plan: (context) => planAll(input, context, called),
  };
}

function planAll(
  input: WorkflowInput,
  context: WorkflowContext,
  called: (api: Api) => readonly Operation[],
): PlannedWorkflows {
  const { schemas } = context.tool;
  const taken = new Set(context.variables.map(({ name }) => name));
  const names = uniqueNames(input.apis.map(({ name }) => name || "api"));
  const others = input.apis.flatMap((api, i) =>
    api.name === ""
      ? []
      : [
          planApi(api, names[i] as string, called(api), {
            schemas,
            prefix: context.envPrefix,
            taken,
            findings: context.tool.findings,
          }),
        ],
  );
  const contexts = new Map<Api, StepContext & { readonly other?: PlannedApi }>(
    others.map((one) => [one.api, { ...one.context, other: one }]),
  );
  const main = input.apis.find(({ name }) => name === "");
  if (main) contexts.set(main, context.tool);
  const planned = new Map<LinkedWorkflow, PlannedWorkflow>();
  const modules = uniqueNames(input.workflows.map(({ workflow }) => workflow.id));
  const operations = new Map(
    input.workflows.flatMap((linked) => {
      const operation = input.operations.get(linked);
      return operation ? [[linked, withKnownInputs(linked, operation, schemas)] as const] : [];
    }),
  );
  const keyOf = (id: string, i: number): string =>
    input.workflows.filter(({ workflow }) => workflow.id === id).length > 1
      ? (modules[i] as string)
      : id;
  input.workflows.forEach((linked, i) =>
    planned.set(
      linked,
      planWorkflow({
        linked,
        name: modules[i] as string,
        key: keyOf(linked.workflow.id, i),
        inputs: inputsOf(linked, operations),
        declared: inputsOf(linked, input.operations),
        planned,
        contexts,
        schemas,
        toolOf: context.toolOf,
        findings: context.tool.findings,
      }),
    ),
  );
  const used = new Set(context.taken);
  const producersOf = producersIn(context.inferred);
  const tools = input.workflows
    .filter(({ isTool }) => isTool)
    .map((linked) =>
      planWorkflowTool({
        linked,
        planned: planned.get(linked) as PlannedWorkflow,
        operation: operations.get(linked) as Operation,
        used,
        context,
        producersOf,
      }),
    );
  return {
    tools,
    workflows: [...planned.values()],
    otherApis: others.map(({ name, definition }) => ({ name, definition })),
    environment: others.flatMap(({ environment }) => environment),
    mock: mockOperations(others, called),
  };
}

/** The schema of what a workflow runs with; absent when it takes nothing. */
function inputsOf(
  linked: LinkedWorkflow,
  operations: WorkflowInput["operations"],
): JsonSchema | undefined {
  return operations.get(linked)?.body?.contents[0]?.schema;
}
