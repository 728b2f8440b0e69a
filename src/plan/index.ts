import type { ApiModel } from "../model/types.js";
import { reportAmbiguous } from "./ambiguous.js";
import { apiDefinition, apiServers, summaryOf } from "./api.js";
import { planBudget } from "./budget/index.js";
import { PlanCuration } from "./curation/index.js";
import { returnsWriter } from "./describe/fields.js";
import { discoverable } from "./discoverable.js";
import { withSiblings } from "./describe/siblings.js";
import { withOwnTitles } from "./describe/titles.js";
import { Environment, envPrefixOf } from "./env.js";
import { Findings } from "./findings.js";
import { inputPlanner } from "./inputs/index.js";
import { undeclaredKeys } from "./inputs/undeclared-keys.js";
import { subjectOf, type Subject } from "./kind.js";
import { lint } from "./lint/index.js";
import { nameTools } from "./name/index.js";
import { reportNames } from "./name/report.js";
import { mockOf, namedTypes } from "./named-types.js";
import { withPageWays } from "./pages.js";
import { checkOptions } from "./options.js";
import { packageNameOf, titleWords } from "./package-name.js";
import { withProducers } from "./producers/advise.js";
import { schemaGraph } from "./schema/graph.js";
import { outputPlanner } from "./schema/output.js";
import { projector } from "./schema/portable.js";
import { planSecurity } from "./security/index.js";
import { select } from "./select/index.js";
import { ServerPlanner } from "./servers.js";
import { collectionsOf } from "./tasks/collections.js";
import { planTasks } from "./tasks/index.js";
import type { ToolContext } from "./tool.js";
import { groupByToolset, type Toolsets } from "./toolsets.js";
import type { PlannedTool, PlanOptions, ToolPlan } from "./types.js";
import { planWorkflows, withTools, withWorkflows } from "./workflow-tools.js";

export type * from "./types.js";

/**
 * Takes every decision about the server: which operations become tools, their names, inputs,
 * schemas, descriptions and bindings, and what the server as a whole is called and needs.
 *
 * Pure: the same model and options give the same plan. Problems are diagnostics in the plan; only
 * those of severity `error` make it unusable.
 */
export function plan(model: ApiModel, options: PlanOptions = {}): ToolPlan {
  const findings = new Findings();
  const checked = checkOptions(options, findings);
  const subjects = model.operations.map((operation) => subjectOf(operation, model.schemas));
  const curation = new PlanCuration(checked.curation, {
    model,
    names: nameTools(subjects, checked.namespace, collectionsOf(subjects)),
    namespace: checked.namespace,
    findings,
  });
  const { workflowPlanner } = options;
  const { kept, omitted } = select(
    model,
    checked,
    findings,
    curation.verdict,
    workflowPlanner !== undefined,
  );
  reportAmbiguous(kept, findings);
  const chosen = new Set(kept);
  const called = workflowPlanner ? [...new Set([...kept, ...workflowPlanner.operations])] : kept;
  const { names } = curation;
  const selected = subjects.filter((subject) => chosen.has(subject.operation));
  reportNames(selected, names, findings);

  const envPrefix = envPrefixOf(model.title, checked.namespace);
  const environment = new Environment(envPrefix);
  const serverPlanner = new ServerPlanner(environment);
  const servers = apiServers(model, checked, serverPlanner, environment, findings);
  const security = planSecurity(model, called, environment, findings);
  const graph = schemaGraph(model.schemas);
  const curated = curation.parameterRoles(environment);
  const undeclaredKey = undeclaredKeys(called, model.schemas, environment);
  const roles = {
    schemas: model.schemas,
    version: model.version,
    securitySchemes: security.schemes,
    undeclaredKey,
    ...(curated && { curated }),
  };
  const context: ToolContext = {
    schemas: model.schemas,
    findings,
    inputs: inputPlanner({
      ...roles,
      findings,
      projector: projector(model.schemas, graph, "input", findings),
    }),
    roles,
    returns: returnsWriter(model.schemas),
    output: outputPlanner(
      model.schemas,
      checked.output === "strict" ? projector(model.schemas, graph, "output", findings) : undefined,
      findings,
    ),
    security,
    servers: serverPlanner,
    baseUrlGiven: checked.baseUrl !== undefined,
    namespace: checked.namespace,
    alone: curation.alone,
    paged: curation.paged,
    merges: curation.merges((operation) => chosen.has(operation)),
  };
  const toolsets = groupByToolset(kept, model.tags);
  const inferred = planTools(selected, curation, toolsets, checked.granularity, context);
  const workflows =
    workflowPlanner &&
    planWorkflows(workflowPlanner, inferred, {
      tool: context,
      envPrefix,
      variables: environment.list,
      nameOf: (id) => curation.workflowName(id),
      taken: curation.namesOfOperations,
    });
  const all = workflows ? [...inferred, ...workflows.tools] : inferred;
  const { tools: curatedTools, ...finished } = curation.finish(all, {
    environment,
    returns: context.returns,
    toolsets: withWorkflows(toolsets.list, workflows),
    omitted,
  });
  const tools = discoverable(curatedTools.map((tool) => withPageWays(tool, model.schemas)));
  const budget = planBudget(tools, {
    curation: checked.curation,
    findings,
    operations: kept,
    schemas: model.schemas,
  });
  return {
    packageName: checked.packageName ?? packageNameOf(titleWords(model.title)),
    source: model.source,
    api: apiDefinition(model, checked, { envPrefix, servers, security, budget, environment }),
    summary: summaryOf(model),
    environment: workflows ? [...environment.list, ...workflows.environment] : environment.list,
    toolsets: finished.toolsets,
    tools,
    types: namedTypes(tools, model.schemas, graph, workflows?.workflows),
    omitted: finished.omitted,
    budget,
    mock: mockOf(model, workflows ? [...called, ...workflows.mock.operations] : kept, graph),
    diagnostics: findings.list,
    lint: lint(tools, kept, {
      schemas: model.schemas,
      curation: checked.curation?.curation,
      envPrefix,
    }),
    ...(workflows && {
      workflows: workflows.workflows.map((one) => withTools(one, tools)),
      otherApis: workflows.otherApis,
    }),
  };
}

/** Tools as they are inferred, in the order of the document. */
function planTools(
  subjects: readonly Subject[],
  curation: PlanCuration,
  toolsets: Toolsets,
  granularity: PlanOptions["granularity"],
  context: ToolContext,
): readonly PlannedTool[] {
  const tasks = planTasks(
    subjects,
    curation.names,
    ({ operation }) => toolsets.of.get(operation) as string,
    granularity,
    context,
  );
  const prefix = context.namespace === undefined ? "" : `${context.namespace}_`;
  return withProducers(withSiblings(withOwnTitles(tasks, prefix)), context.schemas);
}
