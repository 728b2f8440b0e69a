import type { ToolAnnotations } from "../../runtime/types.js";
import type { LinkedStep, LinkedWorkflow } from "../../workflow/index.js";
import { annotateAll } from "../annotations.js";
import { flattenMarkdown } from "../text/markdown.js";
import { truncateText, splitSentence } from "../text/sentences.js";
import { classifyOperation } from "../classify.js";
import { toSentenceCase } from "../names/titles.js";
import { splitWords } from "../names/words.js";
import type { Schemas } from "../schemas/refs.js";

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

/** `Does in turn: 1. find a pet (GET /pets); 2. …` */
export function stepsSentence(steps: readonly LinkedStep[]): string {
  const described = steps
    .slice(0, MAX_STEPS)
    .map((step, i) => `${i + 1}. ${stepTitle(step)} (${stepCall(step)})`);
  const more = steps.length - described.length;
  return `Does in turn: ${described.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`;
}

/** `POST /orders`, or the name of the workflow. */
export function stepCall({ call }: LinkedStep): string {
  return call.kind === "operation"
    ? `${call.operation.method} ${call.operation.path}`
    : `workflow ${call.workflow.workflow.id}`;
}

/** Steps that a call of a workflow may run, including those of called workflows. */
export function reachableSteps(workflow: LinkedWorkflow): readonly LinkedStep[] {
  const workflows = new Set<LinkedWorkflow>([workflow]);
  for (const { steps, prerequisites } of workflows) {
    const linkedWorkflow = steps.flatMap(({ onSuccess, onFailure }) =>
      [...onSuccess, ...onFailure].flatMap(({ destination }) =>
        destination?.kind === "workflow" ? destination.workflow : [],
      ),
    );
    const called = steps.flatMap(({ call }) => (call.kind === "workflow" ? call.workflow : []));
    for (const prerequisite of [...prerequisites, ...called, ...linkedWorkflow])
      workflows.add(prerequisite);
  }
  return [...workflows].flatMap(({ steps }) => steps);
}

/** Most careful annotations of all operations that a call may send. */
export function annotateWorkflow(workflow: LinkedWorkflow, schemas: Schemas): ToolAnnotations {
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
export function workflowTimeout(workflow: LinkedWorkflow): number {
  const waits = reachableSteps(workflow).flatMap(({ onFailure }) =>
    onFailure.map(({ type, retryAfter, retryLimit }) =>
      type === "retry" ? retryLimit * (retryAfter * 1000 + 5000) : 0,
    ),
  );
  const total =
    reachableSteps(workflow).length * STEP_TIMEOUT_MS + waits.reduce((sum, wait) => sum + wait, 0);
  return Math.min(MAX_TIMEOUT_MS, Math.max(STEP_TIMEOUT_MS, Math.ceil(total / 1000) * 1000));
}
