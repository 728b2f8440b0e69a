/** Code of one step: its call, its success, and its actions. */
import type { PlannedAction, PlannedStep, PlannedWorkflow } from "../../plan/types.js";
import { effectiveActions, expressionsInStep } from "../../workflow/index.js";
import { type Code, joinCode, literal, newline, stringLiteral, ts } from "../code/index.js";
import { callStatements, checksStatus, criteriaCode } from "./condition.js";
import type { ModuleScope } from "./scope.js";
import type { EvaluationContext } from "./expression.js";
import { objectCode, valueCode } from "./value.js";

/** The control flow of a workflow. */
export interface ControlFlow {
  readonly scope: ModuleScope;
  /** True when the steps run in order. Otherwise the variable `next` selects the step. */
  readonly isSequential: boolean;
  /** Steps that a retry runs first, and that return to the step afterwards. */
  readonly retryTargets: ReadonlySet<string>;
  /** Types of step outputs, by step ID. */
  readonly outputTypes: ReadonlyMap<string, Code>;
}

/**
 * Tests whether the steps of a workflow run in order: no action leads to another step, except an
 * end at the last step and retries of the step itself.
 */
export function isSequential({ steps }: PlannedWorkflow): boolean {
  return steps.every((planned, i) => {
    const failures = planned.onFailure.every(
      ({ action }) => action.type === "retry" && action.destination?.kind !== "step",
    );
    const successes = planned.onSuccess.every(({ action }) =>
      action.type === "end"
        ? i === steps.length - 1
        : action.destination?.kind === "workflow" && i === steps.length - 1,
    );
    const ofItself = [...expressionsInStep(planned.step)].some(
      ({ expression, when }) =>
        when !== "done" &&
        expression.kind === "steps" &&
        expression.workflow === undefined &&
        expression.step === planned.step.id,
    );
    return failures && successes && !ofItself;
  });
}

const hasRetry = ({ onFailure }: PlannedStep): boolean =>
  onFailure.some(({ action }) => action.type === "retry");

/** The statements of a step. */
export function stepCode(
  planned: PlannedStep,
  following: string | undefined,
  flow: ControlFlow,
  indent: number,
): readonly Code[] {
  const { scope, isSequential } = flow;
  if (!isSequential) return branchingStep(planned, { following, flow, indent });
  const variable = scope.variable(planned.step.id);
  if (!hasRetry(planned)) return sequentialStep(planned, flow, indent);
  const declarations =
    planned.outputs.length > 0
      ? [ts`let ${variable}: ${flow.outputTypes.get(planned.step.id) ?? ts`unknown`};`]
      : [];
  const body = branchingStep(planned, { following, flow, indent: indent + 2 });
  return [
    ...declarations,
    ts`for (;;) {${newline(indent + 2)}${joinCode(body, newline(indent + 2))}${newline(indent)}}`,
  ];
}

/** A step without retries, whose failure ends the workflow. */
function sequentialStep(planned: PlannedStep, flow: ControlFlow, indent: number): readonly Code[] {
  const { scope } = flow;
  const variable = scope.variable(planned.step.id);
  const result = scope.uniqueName(`${variable}Result`);
  const before: EvaluationContext = { scope, mayBeAbsent: false, step: planned };
  const after: EvaluationContext = { ...before, result };
  const done = doneCode(planned, after, flow, indent);
  return [
    ...callStatements(ts`const ${result}`, planned, before, indent),
    ts`if (${failureCode(planned, after)}) throw run.failure(steps.${variable}, ${result});`,
    planned.outputs.length > 0 ? ts`const ${variable} = ${done};` : ts`${done};`,
    ...reachableActions(planned.onSuccess).flatMap((action) =>
      action.action.type === "goto" ? actionCode(action, { planned, after, flow, indent }) : [],
    ),
  ];
}

/** The condition of a failed step. A single test of the status is inverted. */
function failureCode(planned: PlannedStep, context: EvaluationContext): Code {
  const [only, ...more] = planned.step.criteria ?? [];
  if (
    planned.calledWorkflow === undefined &&
    only?.kind === "simple" &&
    more.length === 0 &&
    only.condition.kind === "compare" &&
    only.condition.operator === "==" &&
    checksStatus([only])
  ) {
    return (
      criteriaCode([{ ...only, condition: { ...only.condition, operator: "!=" } }], context) ??
      ts`false`
    );
  }
  return negated(successCode(planned, context));
}

function negated(test: Code): Code {
  return /^[\w.]+$/.test(test) || /^\w+\([^()&|]*\)$/.test(test) ? ts`!${test}` : ts`!(${test})`;
}

/** The actions that can be reached. */
function reachableActions(actions: readonly PlannedAction[]): readonly PlannedAction[] {
  const effective = new Set(effectiveActions(actions.map(({ action }) => action)));
  return actions.filter(({ action }) => effective.has(action));
}

/** The condition of a successful step. */
function successCode({ step }: PlannedStep, context: EvaluationContext): Code {
  const criteria = step.criteria ?? [];
  const result = context.result ?? ts`result`;
  const code = criteriaCode(criteria, context);
  if (!code) return ts`${result}.ok`;
  const test = code.includes("||") && criteria.length === 1 ? ts`(${code})` : code;
  if (step.call.kind === "workflow") return ts`${result}.ok && ${test}`;
  return checksStatus(criteria) ? code : ts`${result}.hasResponse && ${test}`;
}

function doneCode(
  { step, outputs }: PlannedStep,
  context: EvaluationContext,
  { scope, outputTypes }: ControlFlow,
  indent: number,
): Code {
  const variable = scope.variable(step.id);
  if (outputs.length === 0) return ts`run.complete(steps.${variable})`;
  const members = outputs.map(
    ({ name, value }) =>
      [name, valueCode(value, { ...context, isTyped: true }, indent + 2)] as const,
  );
  const type = outputTypes.get(step.id) ?? ts`unknown`;
  return ts`run.complete<${type}>(steps.${variable}, ${objectCode(members, indent, 70)})`;
}

/** The step that an action belongs to, and the place of its code. */
interface ActionContext {
  readonly planned: PlannedStep;
  readonly after: EvaluationContext;
  readonly flow: ControlFlow;
  readonly indent: number;
}

/** A step with retries or actions. */
function branchingStep(
  planned: PlannedStep,
  {
    following,
    flow,
    indent,
  }: {
    readonly following: string | undefined;
    readonly flow: ControlFlow;
    readonly indent: number;
  },
): readonly Code[] {
  const { scope, isSequential } = flow;
  const variable = scope.variable(planned.step.id);
  const before: EvaluationContext = { scope, mayBeAbsent: !isSequential, step: planned };
  const after: EvaluationContext = { ...before, result: ts`result` };
  const inner = { planned, after, flow, indent: indent + 2 };
  const successes = reachableActions(planned.onSuccess).filter(
    ({ action }) => !isSequential || action.type !== "end",
  );
  const failures = reachableActions(planned.onFailure);
  const done = doneCode(planned, after, flow, indent + 2);
  const succeeded = [
    planned.outputs.length > 0 ? ts`${variable} = ${done};` : ts`${done};`,
    ...(flow.retryTargets.has(planned.step.id) ? resumeCode(indent + 2) : []),
    ...successes.flatMap((action) => actionCode(action, inner)),
    ...(successes.some(({ action }) => action.criteria.length === 0)
      ? []
      : isSequential
        ? [ts`break;`]
        : continueWith(following)),
  ];
  return [
    ...callStatements(ts`const result`, planned, before, indent),
    blockCode(ts`if (${successCode(planned, after)})`, succeeded, indent),
    ...failures.flatMap((action) => actionCode(action, { planned, after, flow, indent })),
    ...(failures.some(({ action }) => action.criteria.length === 0 && action.type !== "retry")
      ? []
      : [ts`throw run.failure(steps.${variable}, result);`]),
  ];
}

/** Returns to the step that waits for this one as its retry target. */
function resumeCode(indent: number): readonly Code[] {
  const statements = [ts`next = waiting;`, ts`continue;`];
  return [
    ts`const waiting = back.pop();`,
    blockCode(ts`if (waiting !== undefined)`, statements, indent),
  ];
}

function blockCode(head: Code, statements: readonly Code[], indent: number): Code {
  const line = newline(indent + 2);
  return ts`${head} {${line}${joinCode(statements, line)}${newline(indent)}}`;
}

function continueWith(following: string | undefined): readonly Code[] {
  return following === undefined
    ? [ts`break loop;`]
    : [ts`next = ${stringLiteral(following)};`, ts`continue;`];
}

/** The statements of an action, guarded by its criteria. */
function actionCode(planned: PlannedAction, context: ActionContext): readonly Code[] {
  const { action } = planned;
  if (action.type === "retry") return [retryCode(planned, context)];
  const statements =
    action.type === "end"
      ? endCode(planned, context)
      : action.destination?.kind === "step"
        ? continueWith(action.destination.id)
        : [ts`return ${transferCode(planned, context)};`];
  if (action.type !== "goto" || !isFailureAction(planned, context))
    return guardedCode(planned, context, statements);
  // A goto discards the steps that wait for a retry.
  const leaves =
    action.destination?.kind === "step" && context.flow.retryTargets.has(context.planned.step.id)
      ? [ts`back.length = 0;`]
      : [];
  return guardedCode(planned, context, [fallbackCode(planned, context), ...leaves, ...statements]);
}

const isFailureAction = ({ action }: PlannedAction, { planned }: ActionContext): boolean =>
  planned.onFailure.some((plannedAction) => plannedAction.action === action);

/** Records a fallback after a failed step, so that the result mentions it. */
function fallbackCode(
  { action }: PlannedAction,
  { planned, flow: { scope } }: ActionContext,
): Code {
  return ts`run.noteFallback(steps.${scope.variable(planned.step.id)}, result, ${stringLiteral(action.name)});`;
}

/** Transfers control to another workflow, whose result becomes the result. */
function transferCode(
  { action, calledWorkflow }: PlannedAction,
  { after, indent }: ActionContext,
): Code {
  const inputs = objectCode(
    action.arguments.map(({ name, value }) => [name, valueCode(value, after, indent + 2)] as const),
    indent,
    70,
  );
  return calledWorkflow
    ? ts`await run.continueWith(${after.scope.call(calledWorkflow)}, ${inputs})`
    : ts`undefined`;
}

function endCode(
  { action }: PlannedAction,
  { planned, flow: { scope } }: ActionContext,
): readonly Code[] {
  const step = ts`steps.${scope.variable(planned.step.id)}`;
  const name = stringLiteral(action.name);
  return planned.onSuccess.some((plannedAction) => plannedAction.action === action)
    ? [ts`run.noteEarlyEnd(${step}, ${name});`, ts`break loop;`]
    : [ts`throw run.failure(${step}, result, ${name});`];
}

/** A retry, which may run another step or workflow first. */
function retryCode(planned: PlannedAction, context: ActionContext): Code {
  const { action, calledWorkflow } = planned;
  const {
    planned: { step },
    after,
    flow: { scope },
    indent,
  } = context;
  const policy = literal({ retryLimit: action.retryLimit, retryAfter: action.retryAfter });
  const retry = ts`await run.retry(steps.${scope.variable(step.id)}, result, ${stringLiteral(action.name)}, ${policy})`;
  const test = criteriaCode(action.criteria, after);
  const condition = test ? ts`${test.includes("||") ? ts`(${test})` : test} && (${retry})` : retry;
  const byStep =
    action.destination?.kind === "step"
      ? [
          ts`back.push(${stringLiteral(step.id)});`,
          ts`next = ${stringLiteral(action.destination.id)};`,
        ]
      : [];
  const preparation = calledWorkflow ? [ts`${transferCode(planned, context)};`] : byStep;
  return preparation.length === 0
    ? ts`if (${condition}) continue;`
    : blockCode(ts`if (${condition})`, [...preparation, ts`continue;`], indent);
}

function guardedCode(
  { action }: PlannedAction,
  { after, indent }: ActionContext,
  statements: readonly Code[],
): readonly Code[] {
  const test = criteriaCode(action.criteria, after);
  const [only, ...more] = statements;
  if (!test) return statements;
  return only && more.length === 0
    ? [ts`if (${test}) ${only}`]
    : [blockCode(ts`if (${test})`, statements, indent)];
}
