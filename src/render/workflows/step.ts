import type { PlannedAction, PlannedStep, PlannedWorkflow } from "../../plan/types.js";
import { effective, inStep } from "../../workflow/index.js";
import { type Code, join, literal, newline, stringLiteral, ts } from "../code.js";
import { asksForStatus, criteriaCode } from "./condition.js";
import type { ModuleScope } from "./scope.js";
import { type Moment, objectCode, valueCode } from "./value.js";

/** How a workflow moves from step to step. */
export interface Course {
  readonly scope: ModuleScope;
  /** One step after the other; otherwise `next` says which one comes. */
  readonly straight: boolean;
  /** Steps that a retry goes by, and comes back from. */
  readonly detours: ReadonlySet<string>;
  /** Types of the outputs of steps, by step. */
  readonly types: ReadonlyMap<string, Code>;
}

/**
 * Whether the steps of a workflow come one after the other: nothing leads elsewhere but an end at
 * the end, and retries of a step itself.
 */
export function isStraight({ steps }: PlannedWorkflow): boolean {
  return steps.every((planned, i) => {
    const failures = planned.onFailure.every(
      ({ action }) => action.type === "retry" && action.leadsTo?.kind !== "step",
    );
    const successes = planned.onSuccess.every(({ action }) =>
      action.type === "end"
        ? i === steps.length - 1
        : action.leadsTo?.kind === "workflow" && i === steps.length - 1,
    );
    const ofItself = [...inStep(planned.step)].some(
      ({ expression, when }) =>
        when !== "done" &&
        expression.kind === "steps" &&
        expression.workflow === undefined &&
        expression.step === planned.step.id,
    );
    return failures && successes && !ofItself;
  });
}

export const retries = ({ onFailure }: PlannedStep): boolean =>
  onFailure.some(({ action }) => action.type === "retry");

/** The statements of a step at an indentation. */
export function stepCode(
  planned: PlannedStep,
  following: string | undefined,
  course: Course,
  indent: number,
): readonly Code[] {
  const { scope, straight } = course;
  if (!straight) return moving(planned, { following, course, indent });
  const variable = scope.variable(planned.step.id);
  if (!retries(planned)) return plain(planned, course, indent);
  const declared =
    planned.outputs.length > 0
      ? [ts`let ${variable}: ${course.types.get(planned.step.id) ?? ts`unknown`};`]
      : [];
  const inside = moving(planned, { following, course, indent: indent + 2 });
  return [
    ...declared,
    ts`for (;;) {${newline(indent + 2)}${join(inside, newline(indent + 2))}${newline(indent)}}`,
  ];
}

/** A step that is sent once, and whose failure ends the workflow. */
function plain(planned: PlannedStep, course: Course, indent: number): readonly Code[] {
  const { scope } = course;
  const variable = scope.variable(planned.step.id);
  const result = scope.free(`${variable}Result`);
  const before: Moment = { scope, mayBeAbsent: false, step: planned };
  const after: Moment = { ...before, result };
  const done = doneCode(planned, after, course, indent);
  return [
    ts`const ${result} = await ${callCode(planned, before, indent)};`,
    ts`if (${failureCode(planned, after)}) throw flow.failed(steps.${variable}, ${result});`,
    planned.outputs.length > 0 ? ts`const ${variable} = ${done};` : ts`${done};`,
    ...effectiveOf(planned.onSuccess).flatMap((action) =>
      action.action.type === "goto" ? actionCode(action, { planned, after, course, indent }) : [],
    ),
  ];
}

/** When the step does not count as done: a single status is compared the other way round. */
function failureCode(planned: PlannedStep, m: Moment): Code {
  const [only, ...more] = planned.step.criteria ?? [];
  if (
    planned.calls === undefined &&
    only?.kind === "simple" &&
    more.length === 0 &&
    only.condition.kind === "compare" &&
    only.condition.operator === "==" &&
    asksForStatus([only])
  ) {
    return (
      criteriaCode([{ ...only, condition: { ...only.condition, operator: "!=" } }], m) ?? ts`false`
    );
  }
  return negated(successCode(planned, m));
}

function negated(test: Code): Code {
  return /^[\w.]+$/.test(test) || /^\w+\([^()&|]*\)$/.test(test) ? ts`!${test}` : ts`!(${test})`;
}

/** Of several actions, those that can come to pass. */
function effectiveOf(actions: readonly PlannedAction[]): readonly PlannedAction[] {
  const kept = new Set(effective(actions.map(({ action }) => action)));
  return actions.filter(({ action }) => kept.has(action));
}

/** The request of a step, or the workflow that it calls. */
function callCode({ step, calls, input }: PlannedStep, m: Moment, indent: number): Code {
  const variable = m.scope.variable(step.id);
  const isXml = /[/+]xml\b/.test(step.body?.contentType ?? "");
  const entries = input.map(
    ([key, value]) =>
      [
        key,
        valueCode(
          value,
          m,
          indent + 2,
          isQuery(step.arguments, key) ? "encoded" : isXml && key === "body" ? "xml" : undefined,
        ),
      ] as const,
  );
  const given = objectCode(entries, indent, 70);
  return calls
    ? ts`flow.call(steps.${variable}, ${m.scope.call(calls)}, ${given})`
    : ts`flow.send(steps.${variable}, ${given})`;
}

function isQuery(given: PlannedStep["step"]["arguments"], key: string): boolean {
  return given.some(
    ({ name, in: place }) =>
      place === "querystring" && (name === key || `querystring_${name}` === key),
  );
}

/** When the step counts as done. */
function successCode({ step }: PlannedStep, m: Moment): Code {
  const criteria = step.criteria ?? [];
  const result = m.result ?? ts`result`;
  const code = criteriaCode(criteria, m);
  if (!code) return ts`${result}.ok`;
  const test = code.includes("||") && criteria.length === 1 ? ts`(${code})` : code;
  if (step.call.kind === "workflow") return ts`${result}.ok && ${test}`;
  return asksForStatus(criteria) ? code : ts`${result}.came && ${test}`;
}

function doneCode(
  { step, outputs }: PlannedStep,
  m: Moment,
  { scope, types }: Course,
  indent: number,
): Code {
  const variable = scope.variable(step.id);
  if (outputs.length === 0) return ts`flow.done(steps.${variable})`;
  const members = outputs.map(
    ({ name, value }) => [name, valueCode(value, { ...m, typed: true }, indent + 2)] as const,
  );
  return ts`flow.done<${types.get(step.id) ?? ts`unknown`}>(steps.${variable}, ${objectCode(members, indent, 70)})`;
}

interface Turn {
  readonly planned: PlannedStep;
  readonly after: Moment;
  readonly course: Course;
  readonly indent: number;
}

/** A step that may be tried again, or that decides what comes next. */
function moving(
  planned: PlannedStep,
  {
    following,
    course,
    indent,
  }: { readonly following: string | undefined; readonly course: Course; readonly indent: number },
): readonly Code[] {
  const { scope, straight } = course;
  const variable = scope.variable(planned.step.id);
  const before: Moment = { scope, mayBeAbsent: !straight, step: planned };
  const after: Moment = { ...before, result: ts`result` };
  const inner = { planned, after, course, indent: indent + 2 };
  const successes = effectiveOf(planned.onSuccess).filter(
    ({ action }) => !straight || action.type !== "end",
  );
  const failures = effectiveOf(planned.onFailure);
  const done = doneCode(planned, after, course, indent + 2);
  const succeeded = [
    planned.outputs.length > 0 ? ts`${variable} = ${done};` : ts`${done};`,
    ...(course.detours.has(planned.step.id)
      ? [
          ts`const waiting = back.pop();`,
          block(ts`if (waiting !== undefined)`, [ts`next = waiting;`, ts`continue;`], indent + 2),
        ]
      : []),
    ...successes.flatMap((action) => actionCode(action, inner)),
    ...(successes.some(({ action }) => action.criteria.length === 0)
      ? []
      : straight
        ? [ts`break;`]
        : goOn(following)),
  ];
  return [
    ts`const result = await ${callCode(planned, before, indent)};`,
    block(ts`if (${successCode(planned, after)})`, succeeded, indent),
    ...failures.flatMap((action) => actionCode(action, { planned, after, course, indent })),
    ...(failures.some(({ action }) => action.criteria.length === 0 && action.type !== "retry")
      ? []
      : [ts`throw flow.failed(steps.${variable}, result);`]),
  ];
}

function block(head: Code, statements: readonly Code[], indent: number): Code {
  const line = newline(indent + 2);
  return ts`${head} {${line}${join(statements, line)}${newline(indent)}}`;
}

function goOn(following: string | undefined): readonly Code[] {
  return following === undefined
    ? [ts`break run;`]
    : [ts`next = ${stringLiteral(following)};`, ts`continue;`];
}

/** What an action does, if its criteria hold. */
function actionCode(planned: PlannedAction, turn: Turn): readonly Code[] {
  const { action } = planned;
  if (action.type === "retry") return [retryCode(planned, turn)];
  const statements =
    action.type === "end"
      ? endCode(planned, turn)
      : action.leadsTo?.kind === "step"
        ? goOn(action.leadsTo.id)
        : [ts`return ${handOver(planned, turn)};`];
  if (action.type !== "goto" || !isFailureAction(planned, turn))
    return guarded(planned, turn, statements);
  // Who goes elsewhere does not come back to the step that waits.
  const leaves =
    action.leadsTo?.kind === "step" && turn.course.detours.has(turn.planned.step.id)
      ? [ts`back.length = 0;`]
      : [];
  return guarded(planned, turn, [turnCode(planned, turn), ...leaves, ...statements]);
}

const isFailureAction = ({ action }: PlannedAction, { planned }: Turn): boolean =>
  planned.onFailure.some((one) => one.action === action);

/** A step failed, and the workflow goes another way: whoever reads the result must know. */
function turnCode({ action }: PlannedAction, { planned, course: { scope } }: Turn): Code {
  return ts`flow.turn(steps.${scope.variable(planned.step.id)}, result, ${stringLiteral(action.name)});`;
}

/** Where control goes for good: the result is that of the other workflow. */
function handOver({ action, calls }: PlannedAction, { after, indent }: Turn): Code {
  const given = objectCode(
    action.arguments.map(({ name, value }) => [name, valueCode(value, after, indent + 2)] as const),
    indent,
    70,
  );
  return calls ? ts`await flow.lead(${after.scope.call(calls)}, ${given})` : ts`undefined`;
}

function endCode({ action }: PlannedAction, { planned, course: { scope } }: Turn): readonly Code[] {
  const step = ts`steps.${scope.variable(planned.step.id)}`;
  const name = stringLiteral(action.name);
  return planned.onSuccess.some((one) => one.action === action)
    ? [ts`flow.end(${step}, ${name});`, ts`break run;`]
    : [ts`throw flow.failed(${step}, result, ${name});`];
}

/** A retry may go by another step, which leads back, or by another workflow. */
function retryCode(planned: PlannedAction, turn: Turn): Code {
  const { action, calls } = planned;
  const {
    planned: { step },
    after,
    course: { scope },
    indent,
  } = turn;
  const policy = literal({ limit: action.retryLimit, after: action.retryAfter });
  const again = ts`await flow.retry(steps.${scope.variable(step.id)}, result, ${stringLiteral(action.name)}, ${policy})`;
  const test = criteriaCode(action.criteria, after);
  const condition = test ? ts`${test.includes("||") ? ts`(${test})` : test} && (${again})` : again;
  const byStep =
    action.leadsTo?.kind === "step"
      ? [ts`back.push(${stringLiteral(step.id)});`, ts`next = ${stringLiteral(action.leadsTo.id)};`]
      : [];
  const first = calls ? [ts`${handOver(planned, turn)};`] : byStep;
  return first.length === 0
    ? ts`if (${condition}) continue;`
    : block(ts`if (${condition})`, [...first, ts`continue;`], indent);
}

function guarded(
  { action }: PlannedAction,
  { after, indent }: Turn,
  statements: readonly Code[],
): readonly Code[] {
  const test = criteriaCode(action.criteria, after);
  const [only, ...more] = statements;
  if (!test) return statements;
  return only && more.length === 0
    ? [ts`if (${test}) ${only}`]
    : [block(ts`if (${test})`, statements, indent)];
}
