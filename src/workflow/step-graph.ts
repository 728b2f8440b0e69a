import { suggestionFor } from "../diagnostics/index.js";
import { quoteText } from "../diagnostics/text.js";
import type {
  Action,
  Reference,
  ReportDiagnostic,
  ResolvedWorkflowFile,
  Step,
  Workflow,
} from "./types.js";
import { expressionsInStep, expressionsInValue } from "./walk-expressions.js";

/**
 * Sorts steps into execution order. That is document order, unless a step has `dependsOn`; then
 * each step follows those that it depends on or uses in expressions. Arazzo 1.1, "Step Dependencies
 * and Execution Order".
 */
export function sortSteps(steps: readonly Step[], report: ReportDiagnostic): readonly Step[] {
  if (steps.every(({ dependsOn }) => dependsOn.length === 0)) return steps;
  const byId = new Map(steps.map((step) => [step.id, step]));
  const visited = new Set<Step>();
  const inProgress = new Set<Step>();
  const result: Step[] = [];
  const visit = (step: Step): void => {
    if (visited.has(step)) return;
    if (inProgress.has(step)) {
      const path = [...inProgress, step].map(({ id }) => id).join(" → ");
      return void report(
        "workflow-cycle",
        `The step ${quoteText(step.id)} depends on itself: ${path}.`,
        step.location,
        "Remove one of these dependencies.",
      );
    }
    inProgress.add(step);
    for (const id of stepDependencies(step)) {
      const dependency = byId.get(id);
      if (dependency && dependency !== step) visit(dependency);
    }
    inProgress.delete(step);
    visited.add(step);
    result.push(step);
  };
  reportInvalidDependencies(steps, report);
  steps.forEach(visit);
  return result;
}

function reportInvalidDependencies(steps: readonly Step[], report: ReportDiagnostic): void {
  const ids = steps.map(({ id }) => id);
  for (const { id, dependsOn } of steps)
    for (const { text, location } of dependsOn)
      if (text === id)
        report(
          "workflow-cycle",
          `The step ${quoteText(id)} depends on itself.`,
          location,
          "Remove this dependency.",
        );
  for (const { dependsOn } of steps)
    for (const { text, location } of dependsOn)
      if (!text.startsWith("$") && !ids.includes(text))
        report(
          "workflow-step",
          `There is no step ${quoteText(text)}${suggestionFor(text, ids) || "."}`,
          location,
        );
}

/** The steps that must finish before this one starts. */
function stepDependencies(step: Step): readonly string[] {
  const declared = step.dependsOn.map(({ text }) => text).filter((text) => !text.startsWith("$"));
  const fromExpressions = [...expressionsInStep(step)].flatMap(({ expression }) =>
    expression.kind === "steps" && expression.workflow === undefined ? expression.step : [],
  );
  return [...declared, ...fromExpressions];
}

/** Computes the steps that may have run before a step. A step in a loop precedes itself. */
export function precedingSteps(steps: readonly Step[]): (id: string) => ReadonlySet<string> {
  const predecessors = new Map<string, string[]>(steps.map(({ id }) => [id, []]));
  for (const [id, next] of successorGraph(steps))
    for (const after of next) predecessors.get(after)?.push(id);
  const cache = new Map<string, ReadonlySet<string>>();
  return (id) => {
    const found = cache.get(id) ?? reachableFrom(predecessors.get(id) ?? [], predecessors);
    cache.set(id, found);
    return found;
  };
}

/** The given steps and all that are reachable from them. */
function reachableFrom(
  start: readonly string[],
  next: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const reachable = new Set(start);
  for (const id of reachable) for (const successor of next.get(id) ?? []) reachable.add(successor);
  return reachable;
}

/** Steps that control flow can reach. */
export function reachableStepIds(steps: readonly Step[]): ReadonlySet<string> {
  return reachableFrom(
    steps.slice(0, 1).map(({ id }) => id),
    successorGraph(steps),
  );
}

/** Reachable steps that never terminate unless a step fails, including the steps of their loops. */
export function nonTerminatingStepIds(steps: readonly Step[]): readonly string[] {
  const next = successorGraph(steps);
  // A missing successor is reported elsewhere.
  const terminating = new Set(
    steps
      .filter(
        (step, i) =>
          mayEndWorkflow(step, i === steps.length - 1) ||
          next.get(step.id)?.some((after) => !next.has(after)),
      )
      .map(({ id }) => id),
  );
  for (let size = -1; size < terminating.size;) {
    size = terminating.size;
    for (const { id } of steps.toReversed())
      if (next.get(id)?.some((after) => terminating.has(after))) terminating.add(id);
  }
  const reachable = reachableStepIds(steps);
  return steps.map(({ id }) => id).filter((id) => reachable.has(id) && !terminating.has(id));
}

/** True when the workflow may end after a step other than by an unhandled failure. */
function mayEndWorkflow({ onSuccess, onFailure }: Step, isLast: boolean): boolean {
  const success = effectiveActions(onSuccess);
  const leaves = [...success, ...effectiveActions(onFailure)].some(
    ({ type, workflow }) => type === "end" || (type === "goto" && workflow !== undefined),
  );
  return leaves || (isLast && !success.some(({ criteria }) => criteria.length === 0));
}

/** The actions up to the first without criteria, which always applies. */
export function effectiveActions<One extends Action>(actions: readonly One[]): readonly One[] {
  const always = actions.findIndex(
    ({ criteria, type }) => criteria.length === 0 && type !== "retry",
  );
  return always < 0 ? actions : actions.slice(0, always + 1);
}

/**
 * The possible successors of each step. The step that a retry runs first leads back to the retried
 * step.
 */
function successorGraph(steps: readonly Step[]): ReadonlyMap<string, readonly string[]> {
  const next = new Map(steps.map((step, i) => [step.id, [...successors(step, steps[i + 1]?.id)]]));
  for (const { id, onFailure } of steps)
    for (const { type, step } of onFailure)
      if (type === "retry" && step) next.get(step.text)?.push(id);
  return next;
}

function successors(
  { onSuccess, onFailure, id }: Step,
  next: string | undefined,
): readonly string[] {
  const success = effectiveActions(onSuccess);
  const continues = !success.some(({ criteria }) => criteria.length === 0);
  const destinations = [...success, ...effectiveActions(onFailure)].flatMap(
    ({ step }) => step?.text ?? [],
  );
  const retries = onFailure.some(({ type }) => type === "retry");
  return [
    ...(continues && next !== undefined ? [next] : []),
    ...destinations,
    ...(retries ? [id] : []),
  ];
}

/** References to all prerequisites, each once, without called workflows and the workflow itself. */
export function prerequisiteReferences(
  workflow: Workflow,
  { file }: ResolvedWorkflowFile,
): readonly Reference[] {
  const called = calledWorkflows(workflow);
  const explicit = [...called, ...workflow.dependsOn.map(({ text }) => text)];
  const remoteIds = new Set(
    explicit.flatMap((text) => /^\$sourceDescriptions\.[^.]+\.(.+)$/s.exec(text)?.[1] ?? []),
  );
  const isLocal = (id: string): boolean => file.workflows.some((candidate) => candidate.id === id);
  const references = [
    ...workflow.dependsOn,
    ...workflow.steps.flatMap(otherWorkflowSteps),
    ...impliedDependencies(workflow).filter(({ text }) => isLocal(text) || !remoteIds.has(text)),
  ];
  const isFirst = (text: string, index: number): boolean =>
    references.findIndex((reference) => reference.text === text) === index;
  return references.filter(
    ({ text }, index) => !called.has(text) && text !== workflow.id && isFirst(text, index),
  );
}

/** References to the workflows that steps and actions call. */
function calledWorkflows({ steps }: Workflow): ReadonlySet<string> {
  return new Set(
    steps.flatMap(({ target, onSuccess, onFailure }) => [
      target.kind === "workflow" ? target.text : "",
      ...[...onSuccess, ...onFailure].map((action) => action.workflow?.text ?? ""),
    ]),
  );
}

/**
 * The workflows and steps in `dependsOn` of a step: `$workflows.login.steps.auth` refers to
 * workflow `login` and its step `auth`.
 */
export function otherWorkflowSteps({
  dependsOn,
}: Step): readonly (Reference & { readonly step: string })[] {
  return dependsOn.flatMap(({ text, location }) => {
    const [, local, source, remote] =
      /^\$workflows\.([^.]+)\.steps\.|^\$sourceDescriptions\.([^.]+)\.([^.]+)\.steps\./.exec(
        text,
      ) ?? [];
    const step = text.slice(text.indexOf(".steps.") + ".steps.".length);
    if (local !== undefined) return [{ text: local, location, step }];
    return source === undefined
      ? []
      : [{ text: `$sourceDescriptions.${source}.${remote ?? ""}`, location, step }];
  });
}

function impliedDependencies(workflow: Workflow): readonly Reference[] {
  const uses = [
    ...workflow.steps.flatMap((step) => [...expressionsInStep(step)]),
    ...workflow.outputs.flatMap(({ value }) => [...expressionsInValue(value)]),
  ];
  return uses.flatMap(({ expression, location }): Reference[] => {
    if (expression.kind === "workflows")
      return [
        {
          text:
            expression.source === undefined
              ? expression.workflow
              : `$sourceDescriptions.${expression.source}.${expression.workflow}`,
          location,
        },
      ];
    return expression.kind === "steps" && expression.workflow !== undefined
      ? [{ text: expression.workflow, location }]
      : [];
  });
}
