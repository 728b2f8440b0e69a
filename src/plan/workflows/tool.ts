import { quoteText } from "../../diagnostics/clean.js";
import type { Operation } from "../../model/types.js";
import type { ToolDefinition } from "../../runtime/types.js";
import type { LinkedWorkflow } from "../../workflow/index.js";
import { describeTool } from "../describe/tool.js";
import { flatten } from "../describe/markdown.js";
import { imperative } from "../describe/imperative.js";
import { subjectOf } from "../kind.js";
import { titleOf } from "../name/title.js";
import { refOf } from "../select/index.js";
import { identifierFor, planRequest, planTool, verbFirst } from "../tool.js";
import type { PlannedTool, PlannedWorkflow } from "../types.js";
import { annotateWorkflow, deadlineOf, reachable, stepsSentence } from "./describe.js";
import { type ProducersOf, withSourcesOfInputs } from "./sources-of-inputs.js";
import { WORKFLOWS, type WorkflowContext } from "./index.js";
import { toolNameOf } from "./names.js";

export interface WorkflowToolParts {
  readonly linked: LinkedWorkflow;
  readonly planned: PlannedWorkflow;
  /** The workflow as an operation whose body is its inputs. */
  readonly operation: Operation;
  /** Names that are given already. The tool's own is added. */
  readonly used: Set<string>;
  readonly context: WorkflowContext;
  readonly producersOf: ProducersOf;
}

/**
 * Plans the tool of a workflow: as if the workflow were an operation whose body is its inputs and
 * whose answer is its outputs, so that inputs and results are what they are for every other tool.
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
  const given = context.nameOf(workflow.id);
  const found =
    given === undefined ? toolNameOf(workflow.id, used, prefix) : { name: given, clash: false };
  used.add(found.name);
  const subject = subjectOf(asOperation(operation, planned), shared.schemas);
  const base = planTool(
    planRequest(subject, shared),
    { name: found.name, from: "operationId" },
    WORKFLOWS.name,
    shared,
  );
  const output = shared.output(subject);
  const name = verbFirst(found.name, shared);
  const summary = flatten(workflow.summary ?? "");
  const definition: ToolDefinition = {
    ...base.definition,
    title: titleOf(name, imperative(summary) ?? summary),
    description: describeTool({
      name,
      method: "POST",
      reads: false,
      summary,
      description: workflow.description,
      returns: [stepsSentence(linked.steps), output && shared.returns(output)]
        .filter(Boolean)
        .join(" "),
      deprecated: false,
    }),
    annotations: annotateWorkflow(linked, shared.schemas),
    requests: base.definition.requests.map(
      ({ given: when, send: { method, path, body }, read }) => ({
        given: when,
        send: { method, path, ...(body && { body }) },
        read,
      }),
    ),
    timeoutMs: deadlineOf(linked),
  };
  const steps = reachable(linked);
  const refs = steps.flatMap(({ call }) =>
    call.kind === "operation" ? refOf(call.operation) : [],
  );
  const operations = refs.filter(
    (one, i) =>
      refs.findIndex((other) => other.method === one.method && other.path === one.path) === i,
  );
  const clash = found.clash
    ? [
        `A tool of an operation has the name ${quoteText(toolNameOf(workflow.id, new Set(), prefix).name)}.`,
      ]
    : [];
  const tool: PlannedTool = {
    ...base,
    definition,
    identifier: identifierFor(found.name, shared),
    operations,
    workflow: planned,
    reasons: [
      `Runs the workflow ${quoteText(workflow.id)} of ${quoteText(planned.source)}.`,
      ...clash,
      ...base.reasons.slice(1),
    ],
  };
  return withSourcesOfInputs(tool, linked, producersOf);
}

function asOperation(operation: Operation, { id, outputs }: PlannedWorkflow): Operation {
  const schema = {
    type: "object",
    properties: Object.fromEntries(outputs.map((one) => [one.name, one.type])),
  };
  const contents =
    outputs.length === 0 ? [] : [{ mediaType: "application/json", schema, place: operation.place }];
  return {
    ...operation,
    operationId: id,
    path: `/${encodeURIComponent(id)}`,
    responses: [{ status: "200", contents, headers: [] }],
  };
}
