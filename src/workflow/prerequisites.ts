import type { Reference, ResolvedWorkflowFile, Step, Workflow } from "./types.js";
import { expressionsInStep, expressionsInValue } from "./walk-expressions.js";

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
