import type { ToolAnnotations } from "../../runtime/types.js";
import type { LinkedStep, LinkedWorkflow } from "../../workflow/index.js";
import { annotate } from "../annotations.js";
import { flatten } from "../describe/markdown.js";
import { fit, splitSentence } from "../describe/sentences.js";
import { subjectOf } from "../kind.js";
import { sentenceCase } from "../name/title.js";
import { wordsOf } from "../name/words.js";
import type { Schemas } from "../schema/refs.js";

/** Of more steps, only these are told. */
const mostSteps = 8;
const longestStep = 90;

/** What a step does, in a few words: the first sentence of its description, else its name. */
export function titleOfStep({ id, description }: LinkedStep): string {
  const [first] = splitSentence(flatten(description ?? ""));
  return first === ""
    ? sentenceCase(wordsOf(id)) || id
    : fit(first.replace(/[.。]$/, ""), longestStep, false);
}

/** `Does in turn: 1. find a pet (GET /pets); 2. …` */
export function stepsSentence(steps: readonly LinkedStep[]): string {
  const told = steps
    .slice(0, mostSteps)
    .map((step, i) => `${i + 1}. ${titleOfStep(step)} (${callOf(step)})`);
  const more = steps.length - told.length;
  return `Does in turn: ${told.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`;
}

/** `POST /orders`, or the workflow. */
export function callOf({ call }: LinkedStep): string {
  return call.kind === "operation"
    ? `${call.operation.method} ${call.operation.path}`
    : `workflow ${call.workflow.workflow.id}`;
}

/**
 * Every step that a call of a workflow may come to, those of the workflows that it calls among
 * them.
 */
export function reachable(workflow: LinkedWorkflow): readonly LinkedStep[] {
  const found = new Set<LinkedWorkflow>([workflow]);
  for (const { steps, before } of found) {
    const led = steps.flatMap(({ onSuccess, onFailure }) =>
      [...onSuccess, ...onFailure].flatMap(({ leadsTo }) =>
        leadsTo?.kind === "workflow" ? leadsTo.workflow : [],
      ),
    );
    const called = steps.flatMap(({ call }) => (call.kind === "workflow" ? call.workflow : []));
    for (const one of [...before, ...called, ...led]) found.add(one);
  }
  return [...found].flatMap(({ steps }) => steps);
}

/** Hints from every operation that a call may come to: the most careful one counts. */
export function annotateWorkflow(workflow: LinkedWorkflow, schemas: Schemas): ToolAnnotations {
  const all = reachable(workflow).flatMap(({ call }) => {
    if (call.kind !== "operation") return [];
    const subject = subjectOf(call.operation, schemas);
    return annotate(subject, wordsOf(call.operation.operationId ?? "").join("_"));
  });
  return {
    readOnlyHint: all.every(({ readOnlyHint }) => readOnlyHint),
    destructiveHint: all.some(({ destructiveHint }) => destructiveHint),
    idempotentHint: all.every(({ idempotentHint }) => idempotentHint),
    openWorldHint: true,
  };
}

const perStep = 30_000;
const mostTime = 300_000;

/**
 * One deadline for all steps: as long as each may take by itself, and the waits before further
 * tries; five minutes at most.
 */
export function deadlineOf(workflow: LinkedWorkflow): number {
  const waits = reachable(workflow).flatMap(({ onFailure }) =>
    onFailure.map(({ type, retryAfter, retryLimit }) =>
      type === "retry" ? retryLimit * (retryAfter * 1000 + 5000) : 0,
    ),
  );
  const total = reachable(workflow).length * perStep + waits.reduce((sum, wait) => sum + wait, 0);
  return Math.min(mostTime, Math.max(perStep, Math.ceil(total / 1000) * 1000));
}
