import { joinFirst } from "../../diagnostics/index.js";
import { quoteText } from "../../diagnostics/text.js";
import type { Operation } from "../../model/types.js";
import type { ToolAnnotations, ToolDefinition } from "../../runtime/types.js";
import type { LinkedStep, LinkedWorkflow } from "../../workflow/index.js";
import type { ClassifiedOperation, OperationRef } from "../operations/types.js";
import { classifyOperation } from "../classify.js";
import { operationRef } from "../operations/identity.js";
import { toImperativeSentence } from "../descriptions/opening.js";
import type { ToolText } from "../text/parts.js";
import { writeToolText } from "../descriptions/tool.js";
import {
  appendSuffix,
  isReservedFileName,
  MAX_NAME_LENGTH,
  shortenName,
  shortHash,
  toolTitle,
  toSentenceCase,
} from "../names/format-name.js";
import { splitWords } from "../../language/words.js";
import type { Schemas } from "../schemas/refs.js";
import { flattenMarkdown } from "../text/markdown.js";
import { splitSentence, truncateText } from "../text/sentences.js";
import type { ToolContext } from "../tool-context.js";
import { annotateAll, identifierFor, planRequest, planTool, withoutNamespace } from "../tool.js";
import type { PlannedTool, PlannedWorkflow } from "../types.js";
import { WORKFLOW_TOOLSET, type WorkflowContext } from "../workflow-planner.js";
import { addInputProducers, type ProducersOf } from "./input-producers.js";

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
    definition: workflowDefinition(linked, base.definition, shared),
    text: workflowText(linked, classified, base.definition, shared),
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
  base: ToolDefinition,
  shared: ToolContext,
): ToolDefinition {
  const { workflow } = linked;
  const summary = flattenMarkdown(workflow.summary ?? "");
  const title = toolTitle(
    withoutNamespace(base.name, shared),
    toImperativeSentence(summary) ?? summary,
  );
  return {
    ...base,
    title,
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

function workflowText(
  { workflow, steps }: LinkedWorkflow,
  classified: ClassifiedOperation,
  { name }: ToolDefinition,
  shared: ToolContext,
): ToolText {
  const output = shared.planOutput(classified);
  const returns = output && shared.describeOutput(output);
  return writeToolText({
    name: withoutNamespace(name, shared),
    summary: flattenMarkdown(workflow.summary ?? ""),
    description: workflow.description,
    steps: stepsSentence(steps),
    result: returns === undefined ? [] : [returns],
    deprecated: false,
  });
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
    path: `/${encodeURIComponent(id.replace(/\p{Surrogate}/gu, "\uFFFD"))}`,
    responses: [{ status: "200", contents, headers: [] }],
  };
}

/** Maximum number of steps in a description. */
const MAX_STEPS = 8;
const MAX_STEP_LENGTH = 90;

/** Short text of a step: the first sentence of its description, else its name. */
export function stepTitle({ id, description }: LinkedStep): string {
  const [first] = splitSentence(flattenMarkdown(description ?? ""));
  return first === ""
    ? toSentenceCase(splitWords(id)) || id
    : truncateText(first.replace(/[.。]$/, ""), MAX_STEP_LENGTH, false);
}

/** `Steps: 1. find a pet (GET /pets); 2. …` */
function stepsSentence(steps: readonly LinkedStep[]): string {
  const described = steps.map((step, i) => `${i + 1}. ${stepTitle(step)} (${stepCall(step)})`);
  return `Steps: ${joinFirst(described, MAX_STEPS, "; ")}.`;
}

/** `POST /orders`, or the name of the workflow. */
export function stepCall({ call }: LinkedStep): string {
  return call.kind === "operation"
    ? `${call.operation.method} ${call.operation.path}`
    : `workflow ${call.workflow.workflow.id}`;
}

/** Steps that a call of a workflow may run, including those of called workflows. */
function reachableSteps(workflow: LinkedWorkflow): readonly LinkedStep[] {
  const workflows = new Set<LinkedWorkflow>([workflow]);
  for (const { steps, prerequisites } of workflows) {
    const continued = steps.flatMap(({ onSuccess, onFailure }) =>
      [...onSuccess, ...onFailure].flatMap(({ destination }) =>
        destination?.kind === "workflow" ? destination.workflow : [],
      ),
    );
    const called = steps.flatMap(({ call }) => (call.kind === "workflow" ? call.workflow : []));
    for (const next of [...prerequisites, ...called, ...continued]) workflows.add(next);
  }
  return [...workflows].flatMap(({ steps }) => steps);
}

/** Most careful annotations of all operations that a call may send. */
function annotateWorkflow(workflow: LinkedWorkflow, schemas: Schemas): ToolAnnotations {
  return annotateAll(
    reachableSteps(workflow).flatMap(({ call }) =>
      call.kind === "operation" ? classifyOperation(call.operation, schemas) : [],
    ),
  );
}

const STEP_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 300_000;

/**
 * Timeout of all steps together: the timeouts of the steps and the waits before retries, at most
 * five minutes.
 */
function workflowTimeout(workflow: LinkedWorkflow): number {
  const waits = reachableSteps(workflow).flatMap(({ onFailure }) =>
    onFailure.map(({ type, retryAfter, retryLimit }) =>
      type === "retry" ? retryLimit * (retryAfter * 1000 + 5000) : 0,
    ),
  );
  const total =
    reachableSteps(workflow).length * STEP_TIMEOUT_MS + waits.reduce((sum, wait) => sum + wait, 0);
  return Math.min(MAX_TIMEOUT_MS, Math.max(STEP_TIMEOUT_MS, Math.ceil(total / 1000) * 1000));
}

/** Unique names of modules: `^[a-z][a-z0-9_]*$`. The first of several equal names stays. */
export function uniqueNames(texts: readonly string[]): readonly string[] {
  const used = new Set<string>();
  return texts.map((text) => {
    const stem = moduleName(text);
    for (let n = 1; ; n++) {
      const name = n === 1 ? stem : `${stem}_${n}`;
      if (!used.has(name)) return (used.add(name), name);
    }
  });
}

function moduleName(text: string): string {
  const name = shortenName(splitWords(text), MAX_NAME_LENGTH) || `workflow_${shortHash(text)}`;
  const prefixed = /^[a-z]/.test(name) ? name : `run_${name}`;
  return isReservedFileName(prefixed) ? `${prefixed}_workflow` : prefixed;
}

/** Name of a workflow's tool: its ID in words. An operation's tool with that name keeps it. */
function workflowToolName(
  id: string,
  used: ReadonlySet<string>,
  prefix: string,
): { readonly name: string; readonly clash: boolean } {
  const room = MAX_NAME_LENGTH - prefix.length;
  const base = shortenName(moduleName(id).split("_"), room);
  for (const name of [
    base,
    appendSuffix(base, "workflow", room),
    appendSuffix(base, shortHash(id), room),
  ])
    if (!used.has(prefix + name)) return { name: prefix + name, clash: name !== base };
  return { name: prefix + appendSuffix(base, shortHash(`${id}#`), room), clash: true };
}
