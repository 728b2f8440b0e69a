import type { ApiModel } from "../model/types.js";
import { apiDefinition, apiSummary } from "./api.js";
import { planBudget } from "./budget/index.js";
import { type ClassifiedOperation, classifyOperation } from "./classify.js";
import { collectionsOf } from "./collections.js";
import { PlanConfiguration } from "./configuration/index.js";
import { createResultDescriber } from "./descriptions/result.js";
import { distinguishSameDescriptions, replaceSharedTitles } from "./descriptions/siblings.js";
import { DiagnosticCollector } from "./diagnostics.js";
import { Environment, environmentPrefix } from "./environment.js";
import { createInputPlanner } from "./inputs/plan-inputs.js";
import { createUndeclaredKeyRole } from "./inputs/undeclared-keys.js";
import { lint } from "./lint/index.js";
import { formTools } from "./merges/index.js";
import { collectNamedTypes, mockModel } from "./named-types.js";
import { nameTools, reportNames } from "./names/index.js";
import { type PlanOptions, validateOptions } from "./options.js";
import { createOutputPlanner } from "./outputs/plan-output.js";
import { derivePackageName, titleWords } from "./package-name.js";
import { addPaginationHints } from "./pagination/hints.js";
import { addProducerAdvice } from "./producers/advice.js";
import { buildSchemaGraph } from "./schemas/graph.js";
import { createProjector } from "./schemas/portable/projector.js";
import { planSecurity } from "./security/index.js";
import { reportAmbiguousPaths, select } from "./select/index.js";
import { planApiServers, ServerPlanner } from "./servers.js";
import type { ToolContext } from "./tool-context.js";
import { addDiscoveryMetadata, assignToolsets, type Toolsets } from "./toolsets.js";
import type { PlannedTool, ToolPlan } from "./types.js";
import { addWorkflowToolset, linkStepTools, planWorkflows } from "./workflow-planner.js";

export type { PlanOptions } from "./options.js";
export type * from "./types.js";

/**
 * Takes every decision about the server: which operations become tools, their names, inputs,
 * schemas, descriptions and bindings, and what the server as a whole is called and needs.
 *
 * Pure: the same model and options give the same plan. Problems are diagnostics in the plan; only
 * those of severity `error` make it unusable.
 */
export function plan(model: ApiModel, options: PlanOptions = {}): ToolPlan {
  const diagnostics = new DiagnosticCollector();
  const checked = validateOptions(options, diagnostics);
  const subjects = model.operations.map((operation) => classifyOperation(operation, model.schemas));
  const curation = new PlanConfiguration(checked.configuration, {
    model,
    names: nameTools(subjects, checked.namespace, collectionsOf(subjects)),
    namespace: checked.namespace,
    diagnostics,
  });
  const { workflowPlanner } = options;
  const { selected: kept, omitted } = select(
    model,
    checked,
    diagnostics,
    curation.decisionFor,
    workflowPlanner !== undefined,
  );
  reportAmbiguousPaths(kept, diagnostics);
  const chosen = new Set(kept);
  const called = workflowPlanner ? [...new Set([...kept, ...workflowPlanner.operations])] : kept;
  const { names } = curation;
  const selected = subjects.filter((subject) => chosen.has(subject.operation));
  reportNames(selected, names, diagnostics);

  const envPrefix = environmentPrefix(model.title, checked.namespace);
  const environment = new Environment(envPrefix);
  const serverPlanner = new ServerPlanner(environment);
  const servers = planApiServers(model, checked, serverPlanner, environment, diagnostics);
  const security = planSecurity(model, called, environment, diagnostics);
  const graph = buildSchemaGraph(model.schemas);
  const curated = curation.parameterRoles(environment);
  const undeclaredKey = createUndeclaredKeyRole(called, model.schemas, environment);
  const roles = {
    schemas: model.schemas,
    version: model.version,
    securitySchemes: security.schemes,
    undeclaredKey,
    ...(curated && { curated }),
  };
  const context: ToolContext = {
    schemas: model.schemas,
    diagnostics,
    planInputs: createInputPlanner({
      ...roles,
      diagnostics,
      projector: createProjector(model.schemas, graph, "input", diagnostics),
    }),
    roles,
    describeOutput: createResultDescriber(model.schemas),
    planOutput: createOutputPlanner(
      model.schemas,
      checked.output === "strict"
        ? createProjector(model.schemas, graph, "output", diagnostics)
        : undefined,
      diagnostics,
    ),
    security,
    servers: serverPlanner,
    hasBaseUrlOption: checked.baseUrl !== undefined,
    namespace: checked.namespace,
    neverMerged: curation.neverMerged,
    paginated: curation.paginated,
    configuredMerges: curation.configuredMerges((operation) => chosen.has(operation)),
  };
  const toolsets = assignToolsets(kept, model.tags);
  const inferred = inferTools(selected, curation, toolsets, checked.granularity, context);
  const workflows =
    workflowPlanner &&
    planWorkflows(workflowPlanner, inferred, {
      tool: context,
      envPrefix,
      variables: environment.list,
      nameOf: (id) => curation.workflowName(id),
      taken: curation.operationToolNames,
    });
  const all = workflows ? [...inferred, ...workflows.tools] : inferred;
  const { tools: curatedTools, ...finished } = curation.apply(all, {
    environment,
    describeOutput: context.describeOutput,
    toolsets: addWorkflowToolset(toolsets.list, workflows),
    omitted,
  });
  const tools = addDiscoveryMetadata(
    curatedTools.map((tool) => addPaginationHints(tool, model.schemas)),
  );
  const budget = planBudget(tools, {
    configuration: checked.configuration,
    diagnostics,
    operations: kept,
    schemas: model.schemas,
  });
  return {
    packageName: checked.packageName ?? derivePackageName(titleWords(model.title)),
    source: model.source,
    api: apiDefinition(model, checked, { envPrefix, servers, security, budget, environment }),
    summary: apiSummary(model),
    environment: workflows ? [...environment.list, ...workflows.environment] : environment.list,
    toolsets: finished.toolsets,
    tools,
    types: collectNamedTypes(tools, model.schemas, graph, workflows?.workflows),
    omitted: finished.omitted,
    budget,
    mock: mockModel(model, workflows ? [...called, ...workflows.mock.operations] : kept, graph),
    diagnostics: diagnostics.list,
    lint: lint(tools, kept, {
      schemas: model.schemas,
      curation: checked.configuration?.content,
      envPrefix,
    }),
    ...(workflows && {
      workflows: workflows.workflows.map((one) => linkStepTools(one, tools)),
      otherApis: workflows.otherApis,
    }),
  };
}

/** Tools as they are inferred, in the order of the document. */
function inferTools(
  subjects: readonly ClassifiedOperation[],
  curation: PlanConfiguration,
  toolsets: Toolsets,
  granularity: PlanOptions["granularity"],
  context: ToolContext,
): readonly PlannedTool[] {
  const tasks = formTools(
    subjects,
    curation.names,
    ({ operation }) => toolsets.byOperation.get(operation) as string,
    granularity,
    context,
  );
  const prefix = context.namespace === undefined ? "" : `${context.namespace}_`;
  return addProducerAdvice(
    distinguishSameDescriptions(replaceSharedTitles(tasks, prefix)),
    context.schemas,
  );
}
