/** Body of a workflow function: its steps in sequence, or in a loop over a switch. */
import type { PlannedStep, PlannedWorkflow } from "../../plan/types.js";
import { lineComment, stringLiteral } from "../code/typescript.js";
import { type Code, joinCode, newline, ts } from "../code/safe.js";
import { type ControlFlow, stepCode } from "./step.js";
import { memberAccess } from "./expression.js";
import { objectCode, valueCode } from "./value.js";

/** The statements of a workflow: its prerequisites, a check of credentials, and its steps. */
export function bodyCode(workflow: PlannedWorkflow, flow: ControlFlow): Code {
  const dependencies = workflow.prerequisites.map((prerequisite) => {
    const inputs = objectCode(
      prerequisite.inputs.map(({ name }) => [name, memberAccess(ts`inputs`, name, false)] as const),
      2,
      70,
    );
    const [key, call] = [stringLiteral(prerequisite.stateKey), flow.scope.call(prerequisite)];
    return ts`await run.runDependency(${key}, ${call}, ${inputs});`;
  });
  const steps = flow.isSequential ? sequentialCode(workflow, flow) : branchingCode(workflow, flow);
  return joinCode(
    [...dependencies, ...(flow.isSequential ? credentialCheck(workflow, flow) : []), ...steps],
    newline(2),
  );
}

/**
 * Checks the credentials of later steps first, because a sequential workflow reaches its last step.
 */
function credentialCheck({ steps }: PlannedWorkflow, { scope }: ControlFlow): readonly Code[] {
  const checked = new Set([steps[0]?.credentials]);
  const laterSteps = steps.filter(
    ({ credentials }) =>
      credentials !== undefined && !checked.has(credentials) && checked.add(credentials),
  );
  if (laterSteps.length === 0) return [];
  const reason = lineComment("Without the credentials of later steps, nothing is sent.");
  const variables = laterSteps.map(({ step }) => ts`steps.${scope.variable(step.id)}`);
  const check = ts`await run.requireCredentials(${joinCode(variables, ts`, `)});${newline(0)}`;
  return [joinCode([reason, check], newline(2))];
}

function sequentialCode(workflow: PlannedWorkflow, flow: ControlFlow): readonly Code[] {
  const groups = workflow.steps.map((planned) =>
    joinCode([commentOf(planned), ...stepCode(planned, undefined, flow, 2)], newline(2)),
  );
  const alwaysReturns = workflow.steps
    .at(-1)
    ?.onSuccess.some(({ action }) => action.type === "goto" && action.criteria.length === 0);
  return [
    joinCode(
      [...groups, ...(alwaysReturns ? [] : [returnStatement(workflow, flow)])],
      ts`${newline(0)}${newline(2)}`,
    ),
  ];
}

/** `find-pet: Find a pet.` */
function commentOf({ step, definition }: PlannedStep): Code {
  return lineComment(
    definition.title === undefined || definition.title === step.id
      ? step.id
      : `${step.id}: ${definition.title}`,
  );
}

function branchingCode(workflow: PlannedWorkflow, flow: ControlFlow): readonly Code[] {
  const { steps } = workflow;
  const [start] = steps;
  const declarations = steps.flatMap(({ step }) => {
    const type = flow.outputTypes.get(step.id);
    return type ? [ts`let ${flow.scope.variable(step.id)}: ${type} | undefined;`] : [];
  });
  const names = joinCode(
    steps.map(({ step }) => stringLiteral(step.id)),
    ts` | `,
  );
  const backStack = flow.retryTargets.size > 0 ? [ts`const back: (${names})[] = [];`] : [];
  const cases = steps.map((planned, i) => {
    const body = stepCode(planned, steps[i + 1]?.step.id, flow, 8);
    const label = ts`case ${stringLiteral(planned.step.id)}: {`;
    return joinCode(
      [commentOf(planned), joinCode([label, ...body], newline(8)), ts`}`],
      newline(6),
    );
  });
  const choice = joinCode([ts`switch (next) {`, ...cases], newline(6));
  const loop = joinCode(
    [joinCode([ts`loop: for (;;) {`, choice, ts`}`], newline(4)), ts`}`],
    newline(2),
  );
  return [
    ...declarations,
    ts`let next = ${stringLiteral(start?.step.id ?? "")} as ${names};`,
    ...backStack,
    loop,
    ...(isTerminating(loop) ? [returnStatement(workflow, flow)] : []),
  ];
}

/** Tests whether the loop has an exit. Statements after a loop without an exit are unreachable. */
const isTerminating = (loop: Code): boolean => loop.includes("break loop;");

function returnStatement(workflow: PlannedWorkflow, { scope, isSequential }: ControlFlow): Code {
  const ownNames = new Set(workflow.ownOutputNames);
  const outputs = workflow.outputs.filter(({ name }) => ownNames.has(name));
  const members = outputs.map(
    ({ name, value }) =>
      [name, valueCode(value, { scope, mayBeAbsent: !isSequential, isTyped: true }, 4)] as const,
  );
  return ts`return ${objectCode(members, 2, 90)};`;
}
