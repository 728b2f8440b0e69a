import { addApprovals } from "./approvals.js";
import { describeToolsets } from "../runtime/tools/describe-toolsets.js";
import { serverTitle } from "./api.js";
import { planBudget } from "./budget/index.js";
import { coverCalledTools } from "./called-tools.js";
import { classifyOperation } from "./classify.js";
import { collectionsOf, findMethodDuplicates } from "./related-operations.js";
import { configureOperations, configureTools } from "./configuration/index.js";
import { distinguishSameDescriptions, replaceSharedTitles } from "./descriptions/tool.js";
import { dropRepeatedName } from "./descriptions/repetition.js";
import { printDescription } from "./descriptions/print.js";
import { quoteBlocks } from "./descriptions/quoted-blocks.js";
import { findSharedSentences, withoutSentences } from "./descriptions/shared-sentences.js";
import { addWholeTexts, listWholeTexts } from "./descriptions/whole-texts.js";
import { createResultDescriber } from "./descriptions/result.js";
import { Environment, environmentPrefix, isProgramPrefix } from "./server-names.js";
import { addFieldSelections } from "./field-selection.js";
import { sharedPathStart } from "./operations/path.js";
import { markHidden, splitHidden, withoutHiddenAlternatives } from "./hidden-tools.js";
import { addIncludedLists } from "./included-lists.js";
import { addJobs } from "./jobs/index.js";
import { explainBoundsOnce } from "./inputs/infer-description.js";
import { openInputSchema } from "./inputs/open-schema.js";
import { createInputPlanner } from "./inputs/plan-inputs.js";
import type { RoleContext } from "./inputs/role-context.js";
import { countUsage, createUndeclaredKeyRole } from "./inputs/inferred-roles.js";
import { HiddenInputs } from "./inputs/candidates.js";
import { formTools } from "./merges/index.js";
import { createCrossReferences } from "./cross-references/link.js";
import { resolveReferences } from "./cross-references/resolve.js";
import { addErrorCodes } from "./documented-errors.js";
import { addDocumentedStatuses } from "./documented-statuses.js";
import { numberedOperationIds, removeSharedParts } from "./names/shared-parts.js";
import { nameTools, reportNames } from "./names/index.js";
import { memberName, memberPrefix, qualifyNames, settingOf } from "./membership.js";
import { addOutcomeFields } from "./outputs/outcome-field.js";
import { createOutputPlanner } from "./outputs/plan-output.js";
import { addCountOnly } from "./pagination/count-only.js";
import { markFollowedLists } from "./pagination/followed-lists.js";
import { addPaginationHints } from "./pagination/hints.js";
import { addProducerAdvice } from "./producers/advice.js";
import { buildSchemaGraph, type SchemaOrigins } from "./schemas/refs.js";
import { createProjector } from "./schemas/portable/projector.js";
import { addNameLookUps } from "./name-look-ups/index.js";
import { addReadBack } from "./read-back/index.js";
import { addReverts } from "./reverts.js";
import { addTakenHeaders } from "./taken-headers.js";
import { omitUnsendable } from "./requests/request-mapping.js";
import { addSeveralIds, collectionTools } from "./several-ids.js";
import { planSecurity } from "./security/index.js";
import { reportAmbiguousPaths, select } from "./select/index.js";
import type { PlanOptions } from "./options.js";
import { withEditedListings } from "./project-code.js";
import { serverInstructions } from "./instructions.js";
import { applyOpenWorld } from "./open-world.js";
import { internSchemas } from "./shared-schemas/index.js";
import { hasSchemes, planApiServers, ServerPlanner } from "./servers.js";
import type {
  Budget,
  Classification,
  Connection,
  Grouping,
  InitialState,
  Instructions,
  Naming,
  OperationsConfigured,
  SelectedOperations,
  SharedStatuses,
  SharedTexts,
  Tasks,
  Tools,
  Workflows,
} from "./state.js";
import { classifyUndescribedCollections } from "./undescribed-collections.js";
import { WholeTexts } from "./text/whole-texts.js";
import type { ToolContext } from "./tool-context.js";
import { addDiscoveryMetadata, assignToolsets } from "./toolsets.js";
import type { EnvironmentVariable } from "./types.js";
import { addWorkflowToolset, planWorkflows } from "./workflow-planner.js";

/** Classifies every operation by method, path and response. */
export function classifyPass({ model }: InitialState): Classification {
  const { schemas } = model;
  const start = sharedPathStart(model.operations.map(({ path }) => path));
  const withoutSharedParts = removeSharedParts(
    model.operations.map(({ operationId }) => operationId),
  );
  const numbered = numberedOperationIds(model.operations);
  const ownPartOf = (id: string): string => withoutSharedParts(numbered.get(id) ?? id);
  const operations = classifyUndescribedCollections(
    model.operations.map((operation) => classifyOperation(operation, schemas, start, ownPartOf)),
  );
  return { operations, duplicates: findMethodDuplicates(operations, schemas) };
}

/** Infers a name for every operation, so that a selection never renames a tool. */
export function namePass({
  options,
  operations,
  duplicates,
}: InitialState & Classification): Naming {
  return { names: nameTools(operations, options.namespace, collectionsOf(operations), duplicates) };
}

/** Reads `mcp-gen.yaml` and `x-mcp`: names, selection, merges, parameters, pagination. */
export function configureOperationsPass(
  state: InitialState & Naming,
): OperationsConfigured & Naming {
  const { model, names, diagnostics } = state;
  const configuration = configureOperations(state.options, { model, names, diagnostics });
  return { configuration, names: configuration.names };
}

/** Selects the operations that become tools. */
export function selectPass(
  state: InitialState & Classification & Naming & OperationsConfigured,
): SelectedOperations {
  const { model, options, diagnostics, operations, duplicates, names, configuration } = state;
  const { workflowPlanner } = options;
  const hasOtherTools = workflowPlanner !== undefined;
  const { decisionFor } = configuration;
  const replacementOf = new Map(
    [...duplicates].map(
      ([{ operation }, replacement]) => [operation, replacement.operation] as const,
    ),
  );
  const selection = select(model, options, diagnostics, decisionFor, hasOtherTools, replacementOf);
  reportAmbiguousPaths(selection.selected, diagnostics);
  const isSelected = new Set(selection.selected);
  const selected = operations.filter(({ operation }) => isSelected.has(operation));
  reportNames(selected, names, diagnostics);
  return {
    selected,
    omitted: selection.omitted,
    called: [...new Set([...selection.selected, ...(workflowPlanner?.operations ?? [])])],
  };
}

/** Plans servers, credentials and environment variables, and creates the planners of tools. */
export function connectPass(
  state: InitialState & OperationsConfigured & SelectedOperations,
): Connection {
  const { model, options, diagnostics, configuration, called, selected } = state;
  const { membership } = options;
  const prefix = membership
    ? memberPrefix(memberName(model, membership), membership)
    : environmentPrefix(model.title, options.namespace);
  if (!membership) reportPrefix(prefix, diagnostics);
  const environment = new Environment(
    prefix,
    membership && { prefix: membership.serverPrefix, taken: new Set() },
  );
  const servers = new ServerPlanner(environment, hasSchemes(model));
  const apiServers = planApiServers(
    model,
    options.baseUrl,
    servers,
    environment,
    diagnostics,
    membership &&
      `Set ${settingOf(memberName(model, membership), "baseUrl: https://\u2026")} in mcp-gen.yaml to fix it now.`,
  );
  const security = planSecurity(model, called, environment, diagnostics, options.configuration);
  for (const variable of configuration.parameters?.variables ?? []) environment.addNamed(variable);
  for (const variable of headerVariables(options)) environment.addNamed(variable);
  const usage = countUsage(called, model.schemas);
  // Beside schemes that no operation requires, a token is one of several credentials.
  const hasOthers = hasSchemes(model) && called.some((one) => one.security === undefined);
  const { schemas } = model;
  const undeclaredKey = createUndeclaredKeyRole(called, schemas, environment, usage, hasOthers);
  const roles: RoleContext = {
    usage,
    hiddenInputs: new HiddenInputs(),
    shownInputs: new Set(),
    configuredHeaders: new Set(headerEntries(options).map(([name]) => name.toLowerCase())),
    schemas: model.schemas,
    version: model.version,
    securitySchemes: security.schemes,
    undeclaredKeyRole: undeclaredKey,
    ...(configuration.parameters && { configuredRole: configuration.parameters.roleOf }),
  };
  const schemaGraph = buildSchemaGraph(model.schemas);
  const schemaOrigins: SchemaOrigins = new WeakMap();
  return {
    environmentPrefix: prefix,
    environment,
    servers: apiServers,
    schemaGraph,
    schemaOrigins,
    toolContext: createToolContext(state, {
      security,
      servers,
      roles,
      schemaGraph,
      schemaOrigins,
      crossReferences: createCrossReferences(selected.map(({ operation }) => operation)),
    }),
  };
}

/** Reports a prefix with a suffix, because the variables of other programs begin without it. */
function reportPrefix(prefix: string, diagnostics: InitialState["diagnostics"]): void {
  if (!isProgramPrefix(prefix)) return;
  diagnostics.add(
    "plan-env-prefix",
    `Environment variables start with ${prefix}_, because other programs read variables without ` +
      "_MCP, which may be set for them.",
    { pointer: "#/info/title" },
  );
}

/** Headers that `mcp-gen.yaml` adds to every request. */
function headerEntries({
  configuration,
}: PlanOptions): readonly (readonly [name: string, value: string | { readonly env: string }])[] {
  return Object.entries(configuration?.content.server?.headers ?? {});
}

function headerVariables(options: PlanOptions): readonly EnvironmentVariable[] {
  return headerEntries(options).flatMap(([name, value]) =>
    typeof value === "string"
      ? []
      : [
          {
            name: value.env,
            description: `Value of the header ${name}, sent with every request.`,
            required: false,
            secret: true,
          },
        ],
  );
}

function createToolContext(
  { model, options, diagnostics, configuration }: InitialState & OperationsConfigured,
  shared: Pick<ToolContext, "security" | "servers" | "roles" | "crossReferences"> &
    Pick<Connection, "schemaGraph" | "schemaOrigins">,
): ToolContext {
  const { schemas } = model;
  const { security, servers, roles, schemaGraph, schemaOrigins: origins } = shared;
  const { crossReferences } = shared;
  const wholeTexts = new WholeTexts();
  const projector = (direction: "input" | "output") =>
    createProjector(schemas, schemaGraph, direction, {
      diagnostics,
      origins,
      ...(direction === "input" && { wholeTexts }),
    });
  return {
    schemas,
    diagnostics,
    security,
    servers,
    roles,
    planInputs: createInputPlanner({
      ...roles,
      diagnostics,
      crossReferences,
      wholeTexts,
      projector: projector("input"),
    }),
    crossReferences,
    wholeTexts,
    planOutput: createOutputPlanner(
      schemas,
      options.output === "strict" ? projector("output") : undefined,
      { diagnostics, origins },
    ),
    describeOutput: createResultDescriber(schemas),
    hasBaseUrlOption: options.baseUrl !== undefined,
    namespace: options.namespace,
    neverMerged: configuration.neverMerged,
    paginated: configuration.paginated,
    configuredMerges: configuration.merges,
  };
}

/** Groups the selected operations into toolsets. */
export function groupPass({ model, selected }: InitialState & SelectedOperations): Grouping {
  const operations = selected.map(({ operation }) => operation);
  const { list, byOperation } = assignToolsets(operations, model.tags);
  return { toolsets: list, toolsetByOperation: byOperation };
}

/** Merges operations of one resource, and plans the tool of every task. */
export function mergePass(
  state: InitialState & Naming & SelectedOperations & Connection & Grouping,
): Tasks {
  const { model, options, names, selected, toolContext, toolsetByOperation } = state;
  const toolsetOf = ({ operation }: (typeof selected)[number]): string =>
    toolsetByOperation.get(operation) as string;
  const tasks = formTools(selected, names, toolsetOf, options.granularity, toolContext);
  return { tasks: qualifyNames(tasks, options.membership, model) };
}

/** Distinguishes tools that read alike, and names the producers of their inputs. */
export function describePass({
  model,
  options,
  tasks,
  toolContext,
  configuration,
}: InitialState & OperationsConfigured & Connection & Tasks): Tools {
  const prefix = options.namespace === undefined ? "" : `${options.namespace}_`;
  const { hidden } = configuration;
  const marked = tasks.map((task) => ({ ...task, tool: markHidden(task.tool, hidden) }));
  const distinct = resolveReferences(
    distinguishSameDescriptions(replaceSharedTitles(marked, prefix)),
    toolContext.crossReferences,
  );
  const tools = addProducerAdvice(distinct, model.schemas).map((tool, i) => {
    const { requests = [] } = distinct[i] ?? {};
    const operations = requests.map(({ classified }) => classified);
    const explained = addErrorCodes(explainBoundsOnce(tool), operations, model.schemas);
    return operations[0] ? dropRepeatedName(explained, operations[0]) : explained;
  });
  return { tools };
}

/** Plans the tools of workflows, once the names of all other tools are known. */
export function workflowsPass(
  state: InitialState & Naming & OperationsConfigured & Connection & Grouping & Tools,
): Workflows & Tools & Pick<Grouping, "toolsets"> {
  const { tools, toolsets, names, configuration, toolContext, environment } = state;
  const { workflowPlanner } = state.options;
  if (!workflowPlanner) return { workflows: undefined, tools, toolsets };
  const workflows = planWorkflows(workflowPlanner, tools, {
    tool: toolContext,
    envPrefix: state.environmentPrefix,
    variables: environment.list,
    nameOf: configuration.workflowName,
    taken: new Set([...names.values()].map(({ name }) => name)),
  });
  return {
    workflows,
    tools: [...tools, ...workflows.tools.map((tool) => markHidden(tool, configuration.hidden))],
    toolsets: addWorkflowToolset(toolsets, workflows),
  };
}

/** Applies the rules of `mcp-gen.yaml` and `x-mcp` to the tools. */
export function configureToolsPass(
  state: InitialState &
    OperationsConfigured &
    SelectedOperations &
    Connection &
    Pick<Grouping, "toolsets"> &
    Tools,
): Tools & Pick<Grouping, "toolsets"> & Pick<SelectedOperations, "omitted"> {
  const { model, diagnostics, toolsets, omitted, environment } = state;
  const { describeOutput } = state.toolContext;
  const isOpenWorld = state.options.configuration?.content.server?.openWorld;
  const visible = withoutHiddenAlternatives(state.tools, state.configuration.hidden);
  const tools = visible.map((tool) => applyOpenWorld(tool, isOpenWorld));
  const context = { model, diagnostics, tools, toolsets, omitted, environment, describeOutput };
  return configureTools(state.configuration.rules, context);
}

/**
 * Adds hints about the next page, fields that report errors, meanings of statuses, and the metadata
 * by which a server offers and finds tools.
 */
export function finishPass({
  model,
  options,
  tools,
  omitted,
  selected,
  diagnostics,
}: InitialState & SelectedOperations & Tools): Tools &
  SharedStatuses &
  Pick<SelectedOperations, "omitted"> {
  const sendable = omitUnsendable(tools, diagnostics);
  const hinted = sendable.tools.map((tool) =>
    openInputSchema(
      addCountOnly(
        markFollowedLists(addPaginationHints(tool, model.schemas), model.schemas),
        options,
        model.schemas,
      ),
      options,
    ),
  );
  const [outcomes, hidden] = splitHidden(addOutcomeFields(hinted, model));
  const connected = addReadBack(addTakenHeaders(outcomes, model), options, model, diagnostics);
  const working = addJobs(addReverts(connected), { selected, options, diagnostics, model });
  const named = addNameLookUps(working, options, model.schemas);
  const including = addIncludedLists(named, hidden, options, {
    schemas: model.schemas,
    diagnostics,
  });
  const covered = coverCalledTools(including, hidden, statesOpenWorld(options));
  const selectable = addFieldSelections(covered, options, model.schemas);
  const collections = collectionTools(selectable);
  const repeated = selectable.map((tool) => addSeveralIds(tool, options, collections));
  const described = addDocumentedStatuses([...repeated, ...hidden], model.operations);
  return {
    tools: addDiscoveryMetadata(addApprovals(described.tools, options, diagnostics)),
    statuses: described.statuses,
    omitted: [...omitted, ...sendable.omitted],
  };
}

/** Tells whether `mcp-gen.yaml` states `openWorldHint` of a tool. */
function statesOpenWorld({ configuration, namespace }: PlanOptions): (name: string) => boolean {
  const { tools = {}, server = {} } = configuration?.content ?? {};
  const prefix = namespace === undefined ? 0 : namespace.length + 1;
  return (name) =>
    server.openWorld !== undefined ||
    tools[name.slice(prefix)]?.annotations?.openWorldHint !== undefined;
}

/**
 * Prints the text of each tool as its description, and adds the whole texts of its inputs.
 * Sentences of many tools move to the server's instructions, unless the configuration writes these.
 */
export function printPass({
  model,
  tools,
  options,
  toolContext,
}: InitialState & Connection & Tools): Tools & SharedTexts {
  const isConfigured = options.configuration?.content.server?.instructions !== undefined;
  const sharedSentences = isConfigured ? [] : findSharedSentences(tools.map(({ text }) => text));
  const shared = new Set(sharedSentences);
  const printed = quoteBlocks(
    tools.map((tool) => printDescription(tool, withoutSentences(tool.text, shared))),
    model.operations,
  );
  const { wholeTexts, crossReferences } = toolContext;
  return {
    tools: listWholeTexts(addWholeTexts(printed, wholeTexts, crossReferences)),
    sharedSentences,
  };
}

/** Makes equal schemas of the tools identical objects. */
export function internSchemasPass({ tools, schemaOrigins }: Connection & Tools): Tools {
  return { tools: internSchemas(tools, schemaOrigins) };
}

/** Writes the instructions, unless `mcp-gen.yaml` has them. */
export function instructionsPass({
  model,
  options,
  tools,
  sharedSentences,
}: InitialState & Tools & SharedTexts): Instructions {
  const { configuration } = options;
  const { instructions, readBack } = configuration?.content.server ?? {};
  const title = serverTitle(model, configuration);
  const [visible] = splitHidden(tools);
  const text =
    instructions ?? serverInstructions(model, title, visible, sharedSentences, readBack !== false);
  return { instructions: text === "" ? undefined : text };
}

/** Adds the definitions of the project's own code to the tools. */
export function projectCodePass({ tools, options, diagnostics }: InitialState & Tools): Tools {
  const { projectCode } = options;
  if (!projectCode) return { tools };
  for (const { code, message, location, hint } of projectCode.diagnostics)
    diagnostics.add(code, message, location, hint);
  return { tools: withEditedListings(tools, projectCode) };
}

/** Compares the size of the definitions and the instructions with the budget. */
export function budgetPass(
  state: InitialState & SelectedOperations & Tools & Instructions,
): Budget {
  const { model, options, diagnostics, selected, instructions = "" } = state;
  const [tools] = splitHidden(state.tools);
  return {
    budget: planBudget(tools, {
      instructions: `${instructions} ${describeToolsets(
        tools.map(({ definition }) => definition),
        options.namespace,
      )}`.trim(),
      configuration: options.configuration,
      namespace: options.namespace,
      diagnostics,
      operations: selected.map(({ operation }) => operation),
      schemas: model.schemas,
      customTools: options.projectCode?.tools ?? [],
    }),
  };
}
