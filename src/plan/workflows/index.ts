/** Planner of the tools of workflows, and the producers of their inputs. */
import type { JsonSchema } from "../../json.js";
import type { Operation } from "../../model/types.js";
import type { LinkedWorkflow, SourceApi } from "../../workflow/index.js";
import type { PlannedWorkflow, ToolPlan } from "../types.js";
import type { PlannedWorkflows, WorkflowContext, WorkflowPlanner } from "../workflow-planner.js";
import { inferWorkflowInputs } from "./infer-workflow-inputs.js";
import { producersByParameter } from "./input-producers.js";
import type { Schemas } from "../schemas/refs.js";
import { type PlannedApi, planOtherApi } from "./other-apis.js";
import type { StepContext, WorkflowMember } from "./step-context.js";
import { planWorkflowTool, uniqueNames } from "./workflow-tool.js";
import { planWorkflow } from "./workflow.js";

/** Workflows with the data that planning needs. */
interface WorkflowSet {
  /** Callees before callers. */
  readonly workflows: readonly LinkedWorkflow[];
  /** Each workflow as an operation whose body is its inputs. */
  readonly operations: ReadonlyMap<LinkedWorkflow, Operation>;
  readonly apis: readonly SourceApi[];
}

/**
 * Creates the planner of some workflows.
 * @param members the APIs of a server of several, by name
 */
export function createWorkflowPlanner(
  input: WorkflowSet,
  members: ReadonlyMap<string, WorkflowMember> = new Map(),
): WorkflowPlanner {
  const called = (api: SourceApi): readonly Operation[] => [
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
    plan: (context) => planWorkflows(input, context, members, called),
  };
}

function planWorkflows(
  input: WorkflowSet,
  context: WorkflowContext,
  members: ReadonlyMap<string, WorkflowMember>,
  called: (api: SourceApi) => readonly Operation[],
): PlannedWorkflows {
  const { schemas } = context.tool;
  const memberApis = planMemberApis(input, schemas, members);
  const apis = input.apis.filter((api) => !memberApis.some((member) => member.api === api));
  const others = [...memberApis, ...planOtherApis(apis, context, called)];
  const operations = new Map(
    input.workflows.flatMap((linked) => {
      const operation = input.operations.get(linked);
      return operation ? [[linked, inferWorkflowInputs(linked, operation, schemas)] as const] : [];
    }),
  );
  const planned = planFunctions(input, operations, others, context);
  const used = new Set(context.taken);
  const producersOf = producersByParameter(context.inferred);
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

/** The APIs of a server, whose plans exist. Schemas are those of all sources. */
function planMemberApis(
  { apis }: WorkflowSet,
  schemas: Schemas,
  members: ReadonlyMap<string, WorkflowMember>,
): readonly PlannedApi[] {
  return apis.flatMap((api) => {
    const member = members.get(api.name);
    if (!member) return [];
    const { definition, context: own, toolOf } = member;
    const context = { ...own, schemas, roles: { ...own.roles, schemas } };
    return [{ api, name: api.name, definition, environment: [], context, toolOf }];
  });
}

/** Plans all APIs but that of the document, whose name is empty. */
function planOtherApis(
  apis: readonly SourceApi[],
  { tool, envPrefix, variables }: WorkflowContext,
  called: (api: SourceApi) => readonly Operation[],
): readonly PlannedApi[] {
  const { schemas, diagnostics } = tool;
  const taken = new Set(variables.map(({ name }) => name));
  const shared = { schemas, prefix: envPrefix, taken, diagnostics };
  const names = uniqueNames(apis.map(({ name }) => name || "api"));
  const others = apis.map((api, i) => ({ api, name: names[i]! })).filter(({ api }) => api.name);
  // `TILL` before `TILL_EU`, whose prefix begins with the other one.
  const planned = new Map(
    others
      .toSorted((a, b) => a.name.length - b.name.length)
      .map(({ api, name }) => [api, planOtherApi(api, name, called(api), shared)]),
  );
  return others.map(({ api }) => planned.get(api)!);
}

/** Plans the function of every workflow, callees first. */
function planFunctions(
  input: WorkflowSet,
  operations: WorkflowSet["operations"],
  others: readonly PlannedApi[],
  context: WorkflowContext,
): ReadonlyMap<LinkedWorkflow, PlannedWorkflow> {
  const { workflows } = input;
  const contexts = new Map<SourceApi, StepContext & { readonly other?: PlannedApi }>(
    others.map((otherApi) => [otherApi.api, { ...otherApi.context, other: otherApi }]),
  );
  const main = input.apis.find(({ name }) => name === "");
  if (main) contexts.set(main, context.tool);
  const modules = uniqueNames(workflows.map(({ workflow }) => workflow.id));
  const isUnique = (id: string): boolean =>
    workflows.filter(({ workflow }) => workflow.id === id).length <= 1;
  const planned = new Map<LinkedWorkflow, PlannedWorkflow>();
  for (const [i, linked] of workflows.entries()) {
    const name = modules[i] as string;
    const { id } = linked.workflow;
    const parts = {
      linked,
      name,
      key: isUnique(id) ? id : name,
      inputs: inputSchema(linked, operations),
      declared: inputSchema(linked, input.operations),
      planned,
      contexts,
      schemas: context.tool.schemas,
      toolOf: context.toolOf,
      diagnostics: context.tool.diagnostics,
    };
    planned.set(linked, planWorkflow(parts));
  }
  return planned;
}

/** Schema of the inputs of a workflow; absent without inputs. */
function inputSchema(
  linked: LinkedWorkflow,
  operations: WorkflowSet["operations"],
): JsonSchema | undefined {
  return operations.get(linked)?.body?.contents[0]?.schema;
}

/** Path of another API in the mock, which no API has. */
const mockPath = (name: string): string => `/~${name}`;

/** Operations of other APIs in the mock. Credentials are tested with their own server. */
function mockOperations(
  others: readonly PlannedApi[],
  called: (api: SourceApi) => readonly Operation[],
): Pick<ToolPlan["mock"], "operations" | "securitySchemes"> {
  const operations = others.flatMap(({ api, name }) =>
    called(api).map(({ security: _, servers: __, ...operation }): Operation => ({
      ...operation,
      path: mockPath(name) + operation.path,
    })),
  );
  return { operations, securitySchemes: {} };
}
