import type { JsonSchema } from "../../json.js";
import type { PlannedStep, PlannedWorkflow } from "../../plan/types.js";
import type { ParameterSource } from "../../runtime/types.js";
import {
  type Code,
  docComment,
  identifier,
  joinCode,
  lineComment,
  literal,
  newline,
  stringLiteral,
  ts,
} from "../code/index.js";
import type { LockEntry } from "../lock.js";
import {
  memberBlock,
  type PrintContext,
  typeMember,
  type TypeScope,
} from "../typescript/schema-type.js";
import { fileHeader, TypeImports, importClause } from "../views/module.js";
import type { ToolModule } from "../views/tool-index.js";
import { toolView } from "../views/tool.js";
import type { WorkflowToolView, WorkflowView } from "../views/views.js";
import { jsonPathNames, ModuleScope } from "./scope.js";
import { type ControlFlow, isSequential, stepCode } from "./step.js";
import { memberAccess as memberCode, memberAccess, objectCode, valueCode } from "./value.js";

/**
 * `src/workflows/[workflow].ts`
 * @param types names of the named types, by key
 */
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
      .map(({ step }) => [step.id, scope.uniqueName(`${capital(scope.variable(step.id))}Result`)]),
  );
  const imports = new TypeImports(
    types,
    new Set([inputsType, outputsType, ...resultTypes.values(), identifier(workflow.identifier)]),
  );
  const at: PrintContext = {
    scope: { nameOf: (ref) => imports.nameOf(ref), circular: new Set() } satisfies TypeScope,
    indent: 2,
    depth: 1,
    isTopLevel: false,
  };
  const fields = (
    all: readonly {
      readonly name: string;
      readonly type: JsonSchema;
      readonly required?: boolean;
      readonly description?: string;
    }[],
  ): Code =>
    memberBlock(
      all.map(({ name, type, required = false, description = "" }) =>
        typeMember(name, type, required, docComment(description, 2), at),
      ),
      0,
    );
  const inputs = ts`export interface ${inputsType} ${fields(workflow.inputs)}`;
  const outputs = ts`export interface ${outputsType} ${fields(workflow.outputs)}`;
  const stepResults = workflow.steps.flatMap(({ step, outputs: stepOutputs }) => {
    const type = resultTypes.get(step.id);
    return type
      ? [
          {
            doc: docComment(`Outputs of the step ${step.id}.`),
            declaration: ts`interface ${type} ${fields(stepOutputs)}`,
          },
        ]
      : [];
  });
  const course: ControlFlow = {
    scope,
    isSequential: isSequential(workflow),
    retryTargets: findRetryTargets(workflow),
    outputTypes: resultTypes,
  };
  const body = bodyCode(workflow, course);
  const constants = stepsCode(workflow, scope);
  const runtime = {
    workflow: scope.runtime("defineWorkflow"),
    defineSteps: scope.runtime("defineSteps"),
  };
  return {
    header: fileHeader(originText(workflow)),
    imports: importsOf(workflow, scope),
    types: imports.clause(),
    inputsType,
    outputsType,
    inputs,
    outputs,
    stepResults,
    steps: constants,
    doc: docComment(workflow.summary),
    identifier: identifier(workflow.identifier),
    ...runtime,
    id: stringLiteral(workflow.stateKey),
    parameters: ts`${body.includes("inputs") ? ts`inputs` : ts`_inputs`}, run`,
    body,
  };
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function originText({ id, source }: PlannedWorkflow): string {
  return `the workflow ${id} of ${source}`;
}

function importsOf(
  { prerequisites, steps }: PlannedWorkflow,
  scope: ModuleScope,
): WorkflowView["imports"] {
  const names = [...scope.usedRuntimeNames].sort();
  const runtimeNames = names
    .filter((name) => !jsonPathNames.has(name))
    .map((name) => identifier(name));
  const jsonPathImports = names
    .filter((name) => jsonPathNames.has(name))
    .map((name) => identifier(name));
  const calledWorkflows = [
    ...prerequisites,
    ...steps.flatMap(({ calledWorkflow: calls, onSuccess, onFailure }) => [
      calls,
      ...[...onSuccess, ...onFailure].map((one) => one.calledWorkflow),
    ]),
  ];
  const byName = new Map(calledWorkflows.flatMap((one) => (one ? [[one.name, one] as const] : [])));
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
    {
      names: importClause(runtimeNames),
      module: stringLiteral("../runtime/workflow/index.js"),
    },
    ...(jsonPathImports.length > 0
      ? [
          {
            names: importClause(jsonPathImports),
            module: stringLiteral("../runtime/workflow/json-path.js"),
          },
        ]
      : []),
    ...workflows,
  ];
}

/** The constant data of each step. */
function stepsCode({ steps }: PlannedWorkflow, scope: ModuleScope): Code {
  const entries = steps.map(({ step, definition, api }) => {
    const variable = scope.variable(step.id);
    if (api === undefined) return ts`${variable}: ${literal(definition, 2, variable.length + 4)}`;
    const members = Object.entries(definition).map(
      ([key, value]) => [key, literal(value, 4, key.length + 6)] as const,
    );
    return ts`${variable}: ${objectCode([...members, ["api", scope.api(api)]], 2)}`;
  });
  return ts`{${newline(2)}${joinCode(entries, ts`,${newline(2)}`)},${newline(0)}}`;
}

function findRetryTargets({ steps }: PlannedWorkflow): ReadonlySet<string> {
  return new Set(
    steps.flatMap(({ onFailure }) =>
      onFailure.flatMap(({ action }) =>
        action.type === "retry" && action.destination?.kind === "step" ? action.destination.id : [],
      ),
    ),
  );
}

function bodyCode(workflow: PlannedWorkflow, course: ControlFlow): Code {
  const dependencies = workflow.prerequisites.map((one) => {
    const inputs = objectCode(
      one.inputs.map(({ name }) => [name, memberCode(ts`inputs`, name, false)] as const),
      2,
      70,
    );
    return ts`await run.runDependency(${stringLiteral(one.stateKey)}, ${course.scope.call(one)}, ${inputs});`;
  });
  const steps = course.isSequential
    ? sequentialCode(workflow, course)
    : branchingCode(workflow, course);
  return joinCode(
    [...dependencies, ...(course.isSequential ? credentialCheck(workflow, course) : []), ...steps],
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
  const check = ts`run.requireCredentials(${joinCode(variables, ts`, `)});${newline(0)}`;
  return [joinCode([reason, check], newline(2))];
}

function sequentialCode(workflow: PlannedWorkflow, course: ControlFlow): readonly Code[] {
  const groups = workflow.steps.map((planned) =>
    joinCode([commentOf(planned), ...stepCode(planned, undefined, course, 2)], newline(2)),
  );
  const alwaysReturns = workflow.steps
    .at(-1)
    ?.onSuccess.some(({ action }) => action.type === "goto" && action.criteria.length === 0);
  return [
    joinCode(
      [...groups, ...(alwaysReturns ? [] : [returnStatement(workflow, course)])],
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

function branchingCode(workflow: PlannedWorkflow, course: ControlFlow): readonly Code[] {
  const { steps } = workflow;
  const [start] = steps;
  const declarations = steps.flatMap(({ step }) => {
    const type = course.outputTypes.get(step.id);
    return type ? [ts`let ${course.scope.variable(step.id)}: ${type} | undefined;`] : [];
  });
  const names = joinCode(
    steps.map(({ step }) => stringLiteral(step.id)),
    ts` | `,
  );
  const backStack = course.retryTargets.size > 0 ? [ts`const back: (${names})[] = [];`] : [];
  const cases = steps.map((planned, i) => {
    const body = stepCode(planned, steps[i + 1]?.step.id, course, 8);
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
    ...(isTerminating(loop) ? [returnStatement(workflow, course)] : []),
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

/**
 * `src/tools/[toolset]/[workflow].ts`: the tool of a workflow, with the mapping from its inputs to
 * those of the workflow.
 */
export function workflowToolView(
  module: ToolModule,
  lockEntry: Pick<LockEntry, "fingerprint">,
  source: string,
  types: ReadonlyMap<string, Code>,
): WorkflowToolView {
  const { operations: _, ...view } = toolView(module, lockEntry, source, types);
  const { tool } = module;
  const {
    id,
    name,
    identifier: exported,
    source: file,
  } = tool.workflow as NonNullable<typeof tool.workflow>;
  const [request] = tool.definition.operations;
  const [read, resolve] = [request?.response.projection, request?.resolve];
  return {
    ...view,
    header: fileHeader(`the workflow ${id} of ${file}`),
    outputType: tool.output ? view.outputType : ts`unknown`,
    workflowImport: ts`{ ${identifier(exported)} as workflow }`,
    workflowModule: stringLiteral(`../../workflows/${name}.js`),
    workflowInputs: workflowInputsCode(request?.request.body),
    response: read && literal({ projection: read }, 2, 12),
    resolve: resolve && literal(resolve, 2, 11),
  };
}

function workflowInputsCode(
  body:
    | { readonly from?: string; readonly fields?: Readonly<Record<string, ParameterSource>> }
    | undefined,
): Code {
  if (body?.from !== undefined)
    return ts`${memberAccess(ts`input`, body.from, false)} as unknown as Record<string, unknown>`;
  return objectCode(
    Object.entries(body?.fields ?? {}).map(([name, wire]) => [name, sourceCode(wire)] as const),
    2,
    60,
  );
}

function sourceCode(wire: ParameterSource): Code {
  if (typeof wire === "string") return memberAccess(ts`input`, wire, false);
  if ("value" in wire) return literal(wire.value, 4);
  if ("env" in wire) return ts`run.env(${stringLiteral(wire.env)})`;
  if ("generate" in wire) return ts`run.randomUuid()`;
  const value = memberAccess(ts`input`, wire.from, false);
  return wire.default === undefined ? value : ts`${value} ?? ${literal(wire.default, 4)}`;
}
