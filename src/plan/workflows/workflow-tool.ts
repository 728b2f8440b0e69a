import { quoteText } from "../../diagnostics/text.js";
import type { Operation } from "../../model/types.js";
import type { ToolDefinition } from "../../runtime/types.js";
import type { LinkedWorkflow } from "../../workflow/index.js";
import { describeTool } from "../descriptions/tool.js";
import { flattenMarkdown } from "../text/markdown.js";
import { toImperativeSentence } from "../descriptions/imperative.js";
import type { ClassifiedOperation } from "../classified-operation.js";
import { classifyOperation } from "../classify.js";
import { toolTitle } from "../names/titles.js";
import { identifierFor, planRequest, planTool, withoutNamespace } from "../tool.js";
import type { ToolContext } from "../tool-context.js";
import type { OperationRef, PlannedTool, PlannedWorkflow } from "../types.js";
import { annotateWorkflow, workflowTimeout, reachableSteps, stepsSentence } from "./description.js";
import { type ProducersOf, addInputProducers } from "./input-producers.js";
import { WORKFLOW_TOOLSET } from "./index.js";
import { workflowToolName } from "./names.js";
import { operationRef } from "../operation-ref.js";
import { type WorkflowContext } from "../workflow-planner.js";

interface WorkflowToolParts {
  readonly linked: LinkedWorkflow;
  readonly planned: PlannedWorkflow;
  /** The workflow as an operation whose body is its inputs. */
  readonly operation: Operation;
  /** Names in use. The tool's own name is added. */
  readonly used: Set<string>;
  readonly context: WorkflowContext;
  readonly producersOf: ProducersOf;
}

/**
 * Plans the tool of a workflow like that of an operation whose body is its inputs and whose
 * response is its outputs. Inputs and results are then planned as for all other tools.
 */
export function planWorkflowTool({
  linked,
  planned,
  operation,
  used,
  context,
  producersOf,
}: WorkflowToolParts): PlannedTool {
  const { workflow } = linked;
  const { tool: shared } = context;
  const prefix = shared.namespace === undefined ? "" : `${shared.namespace}_`;
  const configuredName = context.nameOf(workflow.id);
  const toolName =
    configuredName === undefined
      ? workflowToolName(workflow.id, used, prefix)
      : { name: configuredName, clash: false };
  used.add(toolName.name);
  const classified = classifyOperation(asOperation(operation, planned), shared.schemas);
  const base = planTool(
    planRequest(classified, shared),
    { name: toolName.name, source: "operationId" },
    WORKFLOW_TOOLSET.name,
    shared,
  );
  const clash = toolName.clash ? [clashReason(workflow.id, prefix)] : [];
  const tool: PlannedTool = {
    ...base,
    definition: workflowDefinition(linked, classified, base.definition, shared),
    identifier: identifierFor(toolName.name, shared),
    operations: reachableOperations(linked),
    workflow: planned,
    reasons: [
      `Runs the workflow ${quoteText(workflow.id)} of ${quoteText(planned.source)}.`,
      ...clash,
      ...base.reasons.slice(1),
    ],
  };
  return addInputProducers(tool, linked, producersOf);
}

function clashReason(workflowId: string, prefix: string): string {
  const { name } = workflowToolName(workflowId, new Set(), prefix);
  return `An operation's tool has the name ${quoteText(name)}.`;
}

/** Replaces the texts, annotations and timeout of a definition by those of the workflow. */
function workflowDefinition(
  linked: LinkedWorkflow,
  classified: ClassifiedOperation,
  base: ToolDefinition,
  shared: ToolContext,
): ToolDefinition {
  const { workflow, steps } = linked;
  const name = withoutNamespace(base.name, shared);
  const summary = flattenMarkdown(workflow.summary ?? "");
  const output = shared.planOutput(classified);
  const returns = [stepsSentence(steps), output && shared.describeOutput(output)];
  return {
    ...base,
    title: toolTitle(name, toImperativeSentence(summary) ?? summary),
    description: describeTool({
      name,
      summary,
      description: workflow.description,
      returns: returns.filter(Boolean).join(" "),
      deprecated: false,
    }),
    annotations: annotateWorkflow(linked, shared.schemas),
    operations: base.operations.map(
      ({ whenProvided, request: { method, path, body }, response }) => ({
        whenProvided,
        request: { method, path, ...(body && { body }) },
        response,
      }),
    ),
    timeoutMs: workflowTimeout(linked),
  };
}

/** Operations that the workflow may send, each once. */
function reachableOperations(linked: LinkedWorkflow): readonly OperationRef[] {
  const refs = reachableSteps(linked).flatMap(({ call }) =>
    call.kind === "operation" ? operationRef(call.operation) : [],
  );
  const isSame = (a: OperationRef, b: OperationRef): boolean =>
    a.method === b.method && a.path === b.path;
  return refs.filter((ref, i) => refs.findIndex((earlier) => isSame(ref, earlier)) === i);
}

function asOperation(operation: Operation, { id, outputs }: PlannedWorkflow): Operation {
  const schema = {
    type: "object",
    properties: Object.fromEntries(outputs.map((output) => [output.name, output.type])),
  };
  const contents =
    outputs.length === 0
      ? []
      : [{ mediaType: "application/json", schema, location: operation.location }];
  return {
    ...operation,
    operationId: id,
    path: `/${encodeURIComponent(id)}`,
    responses: [{ status: "200", contents, headers: [] }],
  };
}
