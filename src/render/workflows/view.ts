import type { JsonSchema } from "../../json.js";
import type { PlannedStep, PlannedWorkflow } from "../../plan/types.js";
import {
  type Code,
  docComment,
  identifier,
  join,
  lineComment,
  literal,
  newline,
  stringLiteral,
  ts,
} from "../code.js";
import { block, member } from "../typescript/members.js";
import type { Position, TypeScope } from "../typescript/print.js";
import { header } from "../views/header.js";
import { Imports } from "../views/imports.js";
import type { WorkflowView } from "../views/workflow-views.js";
import { ModuleScope, ofJsonPath } from "./scope.js";
import { type Course, isStraight, stepCode } from "./step.js";
import { member as memberCode, objectCode, valueCode } from "./value.js";

/** `src/workflows/[workflow].ts`. @param types names of the named types, by key */
export function workflowView(
  workflow: PlannedWorkflow,
  types: ReadonlyMap<string, Code>,
): WorkflowView {
  const scope = new ModuleScope(workflow);
  const stem = capital(workflow.identifier);
  const [inputsType, outputsType] = [identifier(`${stem}Inputs`), identifier(`${stem}Outputs`)];
  const resultTypes = new Map(
    workflow.steps
      .filter(({ outputs }) => outputs.length > 0)
      .map(({ step }) => [step.id, scope.free(`${capital(scope.variable(step.id))}Result`)]),
  );
  const imports = new Imports(
    types,
    new Set([inputsType, outputsType, ...resultTypes.values(), identifier(workflow.identifier)]),
  );
  const at: Position = {
    scope: { nameOf: (ref) => imports.nameOf(ref), circular: new Set() } satisfies TypeScope,
    indent: 2,
    depth: 1,
    bare: false,
  };
  const fields = (
    all: readonly {
      readonly name: string;
      readonly type: JsonSchema;
      readonly required?: boolean;
      readonly description?: string;
    }[],
  ): Code =>
    block(
      all.map(({ name, type, required = false, description = "" }) =>
        member(name, type, required, docComment(description, 2), at),
      ),
      0,
    );
  const inputs = ts`export interface ${inputsType} ${fields(workflow.inputs)}`;
  const outputs = ts`export interface ${outputsType} ${fields(workflow.outputs)}`;
  const results = workflow.steps.flatMap(({ step, outputs: own }) => {
    const type = resultTypes.get(step.id);
    return type
      ? [
          {
            doc: docComment(`What the step ${step.id} gives.`),
            declaration: ts`interface ${type} ${fields(own)}`,
          },
        ]
      : [];
  });
  const course: Course = {
    scope,
    straight: isStraight(workflow),
    detours: detoursOf(workflow),
    types: resultTypes,
  };
  const body = bodyCode(workflow, course);
  const constants = stepsCode(workflow, scope);
  const runtime = {
    workflow: scope.runtime("workflow"),
    defineSteps: scope.runtime("defineSteps"),
  };
  return {
    header: header(lineText(workflow)),
    imports: importsOf(workflow, scope),
    types: imports.clause(),
    inputsType,
    outputsType,
    inputs,
    outputs,
    results,
    steps: constants,
    doc: docComment(workflow.summary),
    identifier: identifier(workflow.identifier),
    ...runtime,
    id: stringLiteral(workflow.key),
    parameters: ts`${body.includes("inputs") ? ts`inputs` : ts`_inputs`}, flow`,
    body,
  };
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function lineText({ id, source }: PlannedWorkflow): string {
  return `the workflow ${id} of ${source}`;
}

function importsOf(
  { before, steps }: PlannedWorkflow,
  scope: ModuleScope,
): WorkflowView["imports"] {
  const names = [...scope.used].sort();
  const own = names.filter((name) => !ofJsonPath.has(name)).map((name) => identifier(name));
  const paths = names.filter((name) => ofJsonPath.has(name)).map((name) => identifier(name));
  const others = [
    ...before,
    ...steps.flatMap(({ calls, onSuccess, onFailure }) => [
      calls,
      ...[...onSuccess, ...onFailure].map((one) => one.calls),
    ]),
  ];
  const byName = new Map(others.flatMap((one) => (one ? [[one.name, one] as const] : [])));
  const workflows = [...scope.calls]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, local]) => {
      const exported = identifier(byName.get(name)?.identifier ?? local);
      return {
        names: exported === local ? ts`{ ${local} }` : ts`{ ${exported} as ${local} }`,
        module: stringLiteral(`./${name}.js`),
      };
    });
  const apis = [...scope.apis]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, local]) => ({
      names: ts`{ api as ${local} }`,
      module: stringLiteral(`../apis/${name}.js`),
    }));
  return [
    ...apis,
    { names: ts`{ ${join(own, ts`, `)} }`, module: stringLiteral("../runtime/workflow/index.js") },
    ...(paths.length > 0
      ? [
          {
            names: ts`{ ${join(paths, ts`, `)} }`,
            module: stringLiteral("../runtime/workflow/json-path.js"),
          },
        ]
      : []),
    ...workflows,
  ];
}

/** The constant part of each step. */
function stepsCode({ steps }: PlannedWorkflow, scope: ModuleScope): Code {
  const entries = steps.map(({ step, definition, api }) => {
    const variable = scope.variable(step.id);
    if (api === undefined) return ts`${variable}: ${literal(definition, 2, variable.length + 4)}`;
    const members = Object.entries(definition).map(
      ([key, value]) => [key, literal(value, 4, key.length + 6)] as const,
    );
    return ts`${variable}: ${objectCode([...members, ["api", scope.api(api)]], 2)}`;
  });
  return ts`{${newline(2)}${join(entries, ts`,${newline(2)}`)},${newline(0)}}`;
}

function detoursOf({ steps }: PlannedWorkflow): ReadonlySet<string> {
  return new Set(
    steps.flatMap(({ onFailure }) =>
      onFailure.flatMap(({ action }) =>
        action.type === "retry" && action.leadsTo?.kind === "step" ? action.leadsTo.id : [],
      ),
    ),
  );
}

function bodyCode(workflow: PlannedWorkflow, course: Course): Code {
  const first = workflow.before.map((one) => {
    const given = objectCode(
      one.inputs.map(({ name }) => [name, memberCode(ts`inputs`, name, false)] as const),
      2,
      70,
    );
    return ts`await flow.first(${stringLiteral(one.key)}, ${course.scope.call(one)}, ${given});`;
  });
  const steps = course.straight ? straightCode(workflow, course) : turningCode(workflow, course);
  return join(
    [...first, ...(course.straight ? readyCode(workflow, course) : []), ...steps],
    newline(2),
  );
}

/**
 * What runs straight on comes to its last step: credentials that this one lacks are missed before
 * anything is sent.
 */
function readyCode({ steps }: PlannedWorkflow, { scope }: Course): readonly Code[] {
  const asked = new Set([steps[0]?.credentials]);
  const others = steps.filter(
    ({ credentials }) =>
      credentials !== undefined && !asked.has(credentials) && asked.add(credentials),
  );
  if (others.length === 0) return [];
  return [
    ts`${lineComment("Without the credentials of later steps, nothing is sent.")}${newline(2)}flow.ready(${join(
      others.map(({ step }) => ts`steps.${scope.variable(step.id)}`),
      ts`, `,
    )});${newline(0)}`,
  ];
}

function straightCode(workflow: PlannedWorkflow, course: Course): readonly Code[] {
  const groups = workflow.steps.map((planned) =>
    join([commentOf(planned), ...stepCode(planned, undefined, course, 2)], newline(2)),
  );
  const always = workflow.steps
    .at(-1)
    ?.onSuccess.some(({ action }) => action.type === "goto" && action.criteria.length === 0);
  return [
    join(
      [...groups, ...(always ? [] : [returned(workflow, course)])],
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

function turningCode(workflow: PlannedWorkflow, course: Course): readonly Code[] {
  const { steps } = workflow;
  const [start] = steps;
  const declared = steps.flatMap(({ step }) => {
    const type = course.types.get(step.id);
    return type ? [ts`let ${course.scope.variable(step.id)}: ${type} | undefined;`] : [];
  });
  const names = join(
    steps.map(({ step }) => stringLiteral(step.id)),
    ts` | `,
  );
  const back = course.detours.size > 0 ? [ts`const back: (${names})[] = [];`] : [];
  const cases = steps.map((planned, i) => {
    const inside = stepCode(planned, steps[i + 1]?.step.id, course, 8);
    return ts`${commentOf(planned)}${newline(6)}case ${stringLiteral(planned.step.id)}: {${newline(8)}${join(inside, newline(8))}${newline(6)}}`;
  });
  const loop = ts`run: for (;;) {${newline(4)}switch (next) {${newline(6)}${join(cases, newline(6))}${newline(4)}}${newline(2)}}`;
  return [
    ...declared,
    ts`let next = ${stringLiteral(start?.step.id ?? "")} as ${names};`,
    ...back,
    loop,
    ...(ends(loop) ? [returned(workflow, course)] : []),
  ];
}

/** A loop that nothing leaves is not followed by anything. */
const ends = (loop: Code): boolean => loop.includes("break run;");

function returned(workflow: PlannedWorkflow, { scope, straight }: Course): Code {
  const own = new Set(workflow.ownOutputs);
  const outputs = workflow.outputs.filter(({ name }) => own.has(name));
  const members = outputs.map(
    ({ name, value }) =>
      [name, valueCode(value, { scope, mayBeAbsent: !straight, typed: true }, 4)] as const,
  );
  return ts`return ${objectCode(members, 2, 90)};`;
}
