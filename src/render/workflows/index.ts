/** Views of workflow modules and of the tools that run workflows. */
import type { JsonSchema } from "../../json.js";
import type { PlannedWorkflow } from "../../plan/types.js";
import type { ParameterSource } from "../../runtime/types.js";
import {
  type Code,
  docComment,
  identifier,
  joinCode,
  literal,
  newline,
  stringLiteral,
  ts,
} from "../code/index.js";
import {
  memberBlock,
  type PrintContext,
  typeMember,
  type TypeScope,
} from "../typescript/schema-type.js";
import { fileHeader, importClause, SchemaImports, type SchemaNames } from "../views/schemas.js";
import { type ToolModule, type NamedTypes, toolView } from "../views/tools.js";
import type { WorkflowToolView, WorkflowView } from "../views/views.js";
import { bodyCode } from "./body.js";
import { jsonPathNames, ModuleScope } from "./scope.js";
import { isSequential } from "./step.js";
import { memberAccess } from "./expression.js";
import { objectCode } from "./value.js";

/**
 * `src/workflows/[workflow].ts`
 * @param names names of the types that it may import
 * @param apiModule path of the module of an API below `src`
 */
export function workflowView(
  workflow: PlannedWorkflow,
  names: SchemaNames,
  apiModule: (api: string) => string,
): WorkflowView {
  const scope = new ModuleScope(workflow);
  const stem = capital(workflow.identifier);
  const [inputsType, outputsType] = [identifier(`${stem}Inputs`), identifier(`${stem}Outputs`)];
  const resultTypes = resultTypesOf(workflow, scope);
  const imports = new SchemaImports(
    names,
    new Set([inputsType, outputsType, ...resultTypes.values(), identifier(workflow.identifier)]),
  );
  const fields = fieldPrinter(imports);
  const types = {
    inputs: ts`export interface ${inputsType} ${fields(workflow.inputs)}`,
    outputs: ts`export interface ${outputsType} ${fields(workflow.outputs)}`,
    stepResults: stepResultsOf(workflow, resultTypes, fields),
  };
  const body = bodyCode(workflow, {
    scope,
    isSequential: isSequential(workflow),
    retryTargets: findRetryTargets(workflow),
    outputTypes: resultTypes,
  });
  const steps = stepsCode(workflow, scope);
  const runtime = {
    workflow: scope.runtime("defineWorkflow"),
    defineSteps: scope.runtime("defineSteps"),
  };
  return {
    header: fileHeader(originText(workflow)),
    imports: importsOf(workflow, scope, apiModule),
    schemaImports: imports.clause(),
    inputsType,
    outputsType,
    ...types,
    steps,
    doc: docComment(workflow.summary),
    identifier: identifier(workflow.identifier),
    ...runtime,
    id: stringLiteral(workflow.stateKey),
    parameters: ts`${body.includes("inputs") ? ts`inputs` : ts`_inputs`}, run`,
    body,
  };
}

/** Names of the types of step results, by the ID of the step. */
function resultTypesOf({ steps }: PlannedWorkflow, scope: ModuleScope): ReadonlyMap<string, Code> {
  const withOutputs = steps.filter(({ outputs }) => outputs.length > 0);
  return new Map(
    withOutputs.map(({ step: { id } }) => [
      id,
      scope.uniqueName(`${capital(scope.variable(id))}Result`),
    ]),
  );
}

/** Prints members of an interface, whose types are imported by `imports`. */
function fieldPrinter(imports: SchemaImports): (fields: readonly TypedField[]) => Code {
  const at: PrintContext = {
    scope: { nameOf: (ref) => imports.nameOf(ref), circular: new Set() } satisfies TypeScope,
    indent: 2,
    depth: 1,
    isTopLevel: false,
    listed: undefined,
  };
  return (fields) => fieldsCode(fields, at);
}

/** An input or output with its type. */
interface TypedField {
  readonly name: string;
  readonly type: JsonSchema;
  readonly required?: boolean;
  readonly description?: string;
}

/** Members of an interface. */
function fieldsCode(fields: readonly TypedField[], at: PrintContext): Code {
  return memberBlock(
    fields.map(({ name, type, required = false, description = "" }) =>
      typeMember(name, type, required, docComment(description, 2), at),
    ),
    0,
  );
}

/** Interfaces of the outputs of steps. */
function stepResultsOf(
  workflow: PlannedWorkflow,
  resultTypes: ReadonlyMap<string, Code>,
  fields: (all: readonly TypedField[]) => Code,
): WorkflowView["stepResults"] {
  return workflow.steps.flatMap(({ step, outputs: stepOutputs }) => {
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
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function originText({ id, source }: PlannedWorkflow): string {
  return `the workflow ${id} of ${source}`;
}

function importsOf(
  workflow: PlannedWorkflow,
  scope: ModuleScope,
  apiModule: (api: string) => string,
): WorkflowView["imports"] {
  const names = [...scope.usedRuntimeNames].sort();
  const runtimeNames = names
    .filter((name) => !jsonPathNames.has(name))
    .map((name) => identifier(name));
  const jsonPathImports = names
    .filter((name) => jsonPathNames.has(name))
    .map((name) => identifier(name));
  const apis = [...scope.apis]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, local]) => ({
      names: ts`{ api as ${local} }`,
      module: stringLiteral(`../${apiModule(name)}`),
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
    ...workflowImports(workflow, scope),
  ];
}

/** Imports of the workflows that are called. */
function workflowImports(
  { prerequisites, steps }: PlannedWorkflow,
  scope: ModuleScope,
): WorkflowView["imports"] {
  const calledWorkflows = [
    ...prerequisites,
    ...steps.flatMap(({ calledWorkflow, onSuccess, onFailure }) => [
      calledWorkflow,
      ...[...onSuccess, ...onFailure].map((plannedAction) => plannedAction.calledWorkflow),
    ]),
  ];
  const byName = new Map(
    calledWorkflows.flatMap((callee) => (callee ? [[callee.name, callee] as const] : [])),
  );
  return [...scope.calls]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, local]) => {
      const exported = identifier(byName.get(name)?.identifier ?? local);
      return {
        names: exported === local ? ts`{ ${local} }` : ts`{ ${exported} as ${local} }`,
        module: stringLiteral(`./${name}.js`),
      };
    });
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

/**
 * `src/tools/[toolset]/[workflow].ts`: the tool of a workflow, with the mapping from its inputs to
 * those of the workflow.
 */
export function workflowToolView(
  module: ToolModule,
  source: string,
  names: SchemaNames,
  types: NamedTypes,
): WorkflowToolView {
  const { operations: _, ...view } = toolView(module, source, names, types);
  const { tool } = module;
  const {
    id,
    name,
    identifier: exported,
    source: file,
  } = tool.workflow as NonNullable<typeof tool.workflow>;
  const [request] = tool.definition.operations;
  const { response, resolve } = request ?? {};
  return {
    ...view,
    header: fileHeader(`the workflow ${id} of ${file}`),
    outputType: tool.output ? view.outputType : ts`unknown`,
    workflowImport: ts`{ ${identifier(exported)} as workflow }`,
    workflowModule: stringLiteral(`../../workflows/${name}.js`),
    workflowInputs: workflowInputsCode(request?.request.body),
    response: response?.projection && literal({ projection: response.projection }, 2, 12),
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
    Object.entries(body?.fields ?? {}).map(([name, source]) => [name, sourceCode(source)] as const),
    2,
    60,
  );
}

/** The value of a workflow's input, from the inputs of its tool. */
function sourceCode(source: ParameterSource): Code {
  if (typeof source === "string") return memberAccess(ts`input`, source, false);
  if ("value" in source) return literal(source.value, 4);
  if ("env" in source) return ts`run.env(${stringLiteral(source.env)})`;
  if ("generate" in source) return ts`run.randomUuid()`;
  const value = memberAccess(ts`input`, source.from, false);
  return source.default === undefined ? value : ts`${value} ?? ${literal(source.default, 4)}`;
}
