import { omitUndefined } from "../json.js";
import type { ApiModel } from "../model/types.js";
import { planHosts, reportForeignOrigins, reportTokenEndpoints } from "./security/origins.js";
import { apiDefinition, apiSummary } from "./api.js";
import { splitHidden } from "./hidden-tools.js";
import { approvalScope } from "./approvals.js";
import { lint } from "./lint/index.js";
import { reportIneffectiveOptions } from "./ineffective-options.js";
import { reportIneffectiveRules } from "./ineffective-rules.js";
import { collectSchemas, mockModel } from "./named-types.js";
import type { PlanOptions } from "./options.js";
import {
  credentialAlternatives,
  describeCredentialChoice,
} from "./security/assumed-requirement.js";
import { derivePackageName, isDefaultTitle, titleWords } from "./server-names.js";
import { customParts } from "./project-code.js";
import { planSteps } from "./steps.js";
import {
  budgetPass,
  classifyPass,
  configureOperationsPass,
  configureToolsPass,
  connectPass,
  describePass,
  finishPass,
  groupPass,
  instructionsPass,
  internSchemasPass,
  mergePass,
  namePass,
  printPass,
  projectCodePass,
  selectPass,
  workflowsPass,
} from "./passes.js";
import { type FinalState, initialState, type InitialState, Passes } from "./state.js";
import type { PlannedWorkflow, ToolPlan } from "./types.js";
import type { RequestMapping } from "../runtime/types.js";
import { linkStepTools, type WorkflowOptions } from "./workflow-planner.js";

export type { PlanOptions } from "./options.js";
export type * from "./types.js";

/** The passes of planning, in order. `mcp-gen.yaml` and `x-mcp` act in the two `configure` passes. */
export const planPasses: Passes<InitialState, FinalState> = Passes.from<InitialState>()
  .add("classify", classifyPass)
  .add("name", namePass)
  .add("configure operations", configureOperationsPass)
  .add("select", selectPass)
  .add("connect", connectPass)
  .add("group", groupPass)
  .add("merge", mergePass)
  .add("describe", describePass)
  .add("plan workflows", workflowsPass)
  .add("configure tools", configureToolsPass)
  .add("finish", finishPass)
  .add("print descriptions", printPass)
  .add("intern schemas", internSchemasPass)
  .add("write instructions", instructionsPass)
  .add("read project code", projectCodePass)
  .add("check budget", budgetPass);

/**
 * Makes every decision about the server: the operations that become tools, their names, inputs,
 * schemas, descriptions and bindings, and the name and needs of the server as a whole.
 *
 * Pure: the same model and options give the same plan. Problems are diagnostics in the plan. Only
 * diagnostics of severity `error` make a plan unusable.
 */
export function plan(model: ApiModel, options: PlanOptions & WorkflowOptions = {}): ToolPlan {
  return toPlan(planPasses.run(initialState(model, options)));
}

function toPlan(state: FinalState): ToolPlan {
  const { model, options, workflows, environment, budget, schemaGraph } = state;
  const { servers, environmentPrefix } = state;
  const [tools, hidden] = splitHidden(state.tools);
  const { security, roles } = state.toolContext;
  const selected = state.selected.map(({ operation }) => operation);
  const mocked = workflows ? [...state.called, ...workflows.mock.operations] : selected;
  const origins = { servers, operations: state.called, options, diagnostics: state.diagnostics };
  const requests = requestsOf(state.tools, workflows?.workflows);
  const api = apiDefinition(model, options, {
    requests,
    envPrefix: environmentPrefix,
    servers,
    hosts: planHosts(origins),
    security,
    budget,
    environment,
    statuses: state.statuses,
    instructions: state.instructions,
    approve: approvalScope(state.tools, options.configuration),
    runSteps: planSteps(state.tools, options.configuration?.content.server ?? {}),
  });
  reportForeignOrigins(api, security, requests, origins);
  reportTokenEndpoints(api, state.diagnostics);
  const facts = { ...state, shownInputs: roles.shownInputs ?? new Set<string>() };
  reportIneffectiveOptions(facts, state.diagnostics);
  reportIneffectiveRules(facts, state.diagnostics);
  reportDefaultTitle(state);
  return {
    packageName: options.packageName ?? derivePackageName(titleWords(model.title)),
    source: model.source,
    api,
    summary: apiSummary(model),
    environment: [...environment.list, ...(workflows?.environment ?? [])],
    ...omitUndefined({ credentialChoice: describeCredentialChoice(api) }),
    credentialAlternatives: credentialAlternatives(api),
    toolsets: state.toolsets,
    tools,
    ...(hidden.length > 0 && { hiddenTools: hidden }),
    ...collectSchemas(state, workflows?.workflows),
    omitted: state.omitted,
    ...omitUndefined({ hiddenInputs: roles.hiddenInputs?.cost }),
    ...customParts(options.projectCode),
    budget,
    mock: mockModel(model, mocked, schemaGraph),
    diagnostics: state.diagnostics.list,
    lint: lint(tools, selected, {
      schemas: model.schemas,
      configuration: options.configuration?.content,
      envPrefix: environmentPrefix,
    }),
    ...(workflows && {
      workflows: workflows.workflows.map((workflow) => linkStepTools(workflow, tools)),
      otherApis: workflows.otherApis,
    }),
  };
}

/** A title of a framework would be part of variables that hosts and deployments set. */
function reportDefaultTitle({ model, options, environmentPrefix, diagnostics }: FinalState): void {
  const isNamed = options.namespace !== undefined || options.membership !== undefined;
  if (isNamed || !isDefaultTitle(model.title)) return;
  diagnostics.add(
    "plan-default-title",
    `The title ${JSON.stringify(model.title)} does not name the API; variables start with ${environmentPrefix}_`,
    undefined,
    "Before hosts and deployments use these names, set info.title in the document or in an " +
      "overlay, or --name and --namespace.",
  );
}

function requestsOf(
  tools: FinalState["tools"],
  workflows: readonly PlannedWorkflow[] = [],
): readonly RequestMapping[] {
  return [
    ...tools.flatMap(({ definition, workflow }) =>
      workflow ? [] : definition.operations.map(({ request }) => request),
    ),
    ...workflows.flatMap(({ steps }) =>
      steps.flatMap(({ definition }) => definition.request ?? []),
    ),
  ];
}
