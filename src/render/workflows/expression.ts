/** Code of runtime expressions. */
import type { PlannedStep, PlannedWorkflow } from "../../plan/types.js";
import { type Expression, matchDeclaredName } from "../../workflow/index.js";
import { type Code, literal, propertyKey, stringLiteral, ts } from "../code/index.js";
import { formatPointer } from "../../json-pointer.js";
import type { ModuleScope } from "./scope.js";

/** The context of an expression's evaluation. */
export interface EvaluationContext {
  readonly scope: ModuleScope;
  /** Variable with the outcome of the step. Absent before the request. */
  readonly result?: Code;
  readonly step?: PlannedStep;
  /** True when the value needs the type of its target. */
  readonly isTyped?: boolean;
  /** True when outputs of steps may be absent, because the workflow is not sequential. */
  readonly mayBeAbsent: boolean;
}

/** The code of an expression. */
export function expressionCode(expression: Expression, context: EvaluationContext): Code {
  const { scope } = context;
  const result = context.result ?? ts`run`;
  switch (expression.kind) {
    case "statusCode":
      return ts`${result}.status`;
    case "url":
      return ts`${result}.url`;
    case "method":
      return ts`${result}.method`;
    case "self":
      return stringLiteral(scope.workflow.constants.self);
    case "source":
      return sourceCode(expression, context);
    case "header":
      return expression.of === "response"
        ? ts`${result}.header(${stringLiteral(expression.name)})`
        : ts`${result}.requestHeader(${stringLiteral(expression.name)})`;
    case "query":
    case "path":
      return sentParameterCode(expression.name, expression.kind, result, context);
    case "body":
      return expression.of === "response"
        ? atPath(ts`${result}.body`, expression.path, context)
        : atPath(ts`${result}.inputs`, ["body", ...expression.path], context);
    case "inputs":
      return inputCode(expression, context);
    case "steps":
      return stepCode(expression, context);
    case "workflows":
      return workflowCode(expression, context);
    case "outputs":
      return outputsCode(expression, result, context);
    default:
      return ts`undefined`;
  }
}

/** A field of a source description. The name is matched without case. */
function sourceCode(
  { source, reference }: Extract<Expression, { kind: "source" }>,
  { scope }: EvaluationContext,
): Code {
  const { sources } = scope.workflow.constants;
  const name = Object.hasOwn(sources, source)
    ? source
    : Object.keys(sources).find((candidate) => candidate.toLowerCase() === source.toLowerCase());
  const details = name === undefined ? undefined : sources[name];
  return details && (reference === "url" || reference === "type" || reference === "name")
    ? stringLiteral(details[reference])
    : ts`undefined`;
}

function sentParameterCode(
  name: string,
  place: "query" | "path",
  result: Code,
  context: EvaluationContext,
): Code {
  const keys = new Set((context.step?.input ?? []).map(([key]) => key));
  const key = keys.has(`${place}_${name}`) ? `${place}_${name}` : name;
  return atPath(ts`${result}.inputs`, [key], context);
}

function atPath(root: Code, path: readonly string[], context: EvaluationContext): Code {
  return atCode(root, formatPointer(path), context);
}

/** Reads a value of unknown type through `valueAt`, which infers the expected type. */
function atCode(root: Code, pointer: string, { scope, isTyped }: EvaluationContext): Code {
  if (pointer === "" && !isTyped) return root;
  return pointer === ""
    ? ts`${scope.runtime("valueAt")}(${root})`
    : ts`${scope.runtime("valueAt")}(${root}, ${stringLiteral(pointer)})`;
}

function inputCode(
  { name, path }: Extract<Expression, { kind: "inputs" | "outputs" }>,
  context: EvaluationContext,
): Code {
  if (name === "") return path.length === 0 ? ts`inputs` : atPath(ts`inputs`, path, context);
  const names = context.scope.workflow.inputs.map((declared) => declared.name);
  const match = matchDeclaredName(name, names);
  if (!match.known) return atPath(ts`inputs`, [match.name, ...match.path, ...path], context);
  const defaults = new Map(
    Object.entries(
      context.scope.workflow.inputs.find((candidate) => candidate.name === match.name)?.defaults ??
        {},
    ),
  );
  const orElse = (code: Code, pointer: string): Code =>
    defaults.has(pointer) ? ts`(${code} ?? ${literal(defaults.get(pointer))})` : code;
  const input = orElse(memberAccess(ts`inputs`, match.name, false), "");
  const innerPath = [...match.path, ...path];
  return innerPath.length === 0
    ? input
    : orElse(accessPath(input, innerPath, context), formatPointer(innerPath));
}

function accessPath(value: Code, path: readonly string[], context: EvaluationContext): Code {
  return path.length === 0 ? value : atPath(value, path, context);
}

/** `inputs.name`, or `inputs["my-name"]`. */
export function memberAccess(object: Code, name: string, optional: boolean): Code {
  const key = propertyKey(name);
  if (/^[A-Za-z_$]/.test(key)) return optional ? ts`${object}?.${key}` : ts`${object}.${key}`;
  return optional ? ts`${object}?.[${stringLiteral(name)}]` : ts`${object}[${stringLiteral(name)}]`;
}

function stepCode(
  { step, name, path, workflow }: Extract<Expression, { kind: "steps" }>,
  context: EvaluationContext,
): Code {
  if (workflow !== undefined) {
    const key = stringLiteral(findWorkflow(workflow, context)?.stateKey ?? workflow);
    return atPath(
      ts`run.outputsOfStep(${key}, ${stringLiteral(step)})`,
      [...(name === "" ? [] : [name]), ...path],
      context,
    );
  }
  const variable = context.scope.variable(step);
  const outputs = context.scope.stepOf(step)?.outputs.map((output) => output.name) ?? [];
  if (outputs.length === 0) return ts`undefined`;
  if (name === "") return accessPath(variable, path, context);
  const match = matchDeclaredName(name, outputs);
  if (!match.known) return ts`undefined`;
  return accessPath(
    memberAccess(variable, match.name, context.mayBeAbsent || context.step?.step.id === step),
    [...match.path, ...path],
    context,
  );
}

function workflowCode(
  { workflow, field, name, path }: Extract<Expression, { kind: "workflows" }>,
  context: EvaluationContext,
): Code {
  const callee =
    (field === "outputs" ? findCalledWorkflows(workflow, context)[0] : undefined) ??
    findWorkflow(workflow, context);
  const key = stringLiteral(callee?.stateKey ?? workflow);
  const values = field === "inputs" ? ts`run.inputsOf(${key})` : ts`run.outputsOf(${key})`;
  const match =
    name === ""
      ? undefined
      : matchDeclaredName(
          name,
          (field === "outputs" ? callee?.outputs : callee?.inputs)?.map((member) => member.name) ??
            [],
        );
  return atPath(values, [...(match ? [match.name, ...match.path] : []), ...path], context);
}

/**
 * Finds a workflow by ID among those that run before this one, those that its steps and actions
 * call, and itself. Workflows of the same document take precedence.
 */
function findWorkflow(id: string, context: EvaluationContext): PlannedWorkflow | undefined {
  const { workflow } = context.scope;
  const named = [...findCalledWorkflows(id, context), ...(workflow.id === id ? [workflow] : [])];
  return named.find((candidate) => candidate.source === workflow.source) ?? named[0];
}

/** Finds called workflows by ID, without this one, which has no outputs before it ends. */
function findCalledWorkflows(
  id: string,
  { scope: { workflow } }: EvaluationContext,
): readonly PlannedWorkflow[] {
  const ofSteps = workflow.steps.flatMap(({ calledWorkflow, onSuccess, onFailure }) => [
    calledWorkflow,
    ...[...onSuccess, ...onFailure].map((plannedAction) => plannedAction.calledWorkflow),
  ]);
  const named = [...workflow.prerequisites, ...ofSteps].flatMap((prerequisite) =>
    prerequisite?.id === id ? prerequisite : [],
  );
  return [
    ...named.filter((candidate) => candidate.source === workflow.source),
    ...named.filter((candidate) => candidate.source !== workflow.source),
  ];
}

function outputsCode(
  { name, path }: Extract<Expression, { kind: "inputs" | "outputs" }>,
  result: Code,
  context: EvaluationContext,
): Code {
  if (name === "") return accessPath(ts`${result}.outputs`, path, context);
  const match = matchDeclaredName(
    name,
    context.step?.calledWorkflow?.outputs.map((output) => output.name) ?? [],
  );
  if (!match.known) return ts`undefined`;
  return accessPath(
    memberAccess(ts`${result}.outputs`, match.name, true),
    [...match.path, ...path],
    context,
  );
}
