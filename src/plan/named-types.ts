import type { JsonSchema } from "../json.js";
import type { ApiModel, Operation, Parameter } from "../model/types.js";
import { isCredential } from "./inputs/roles.js";
import type { SchemaGraph } from "./schemas/graph.js";
import { namedSchema, referencedNames, type Schemas } from "./schemas/refs.js";
import type { PlannedTool, PlannedWorkflow, ToolPlan } from "./types.js";

/** Named types that inputs and results of the tools use, transitively, in name order. */
export function collectNamedTypes(
  tools: readonly PlannedTool[],
  schemas: Schemas,
  graph: SchemaGraph,
  workflows: readonly PlannedWorkflow[] = [],
): ToolPlan["types"] {
  const { names, add } = refCollector();
  for (const tool of tools) {
    for (const input of tool.inputs) add(input.type);
    add(tool.output);
  }
  for (const { inputs, outputs, steps } of workflows)
    for (const { type } of [...inputs, ...outputs, ...steps.flatMap((step) => step.outputs)])
      add(type);
  return [...graph.closure(names)]
    .sort(compareCodeUnits)
    .map((name) => ({ name, schema: namedSchema(schemas, name) as JsonSchema }));
}

/** Model of the mock: the operations and every schema they refer to. */
export function mockModel(
  model: ApiModel,
  operations: readonly Operation[],
  graph: SchemaGraph,
): ToolPlan["mock"] {
  const { names, add } = refCollector();
  const served = operations.map((operation) => withoutCredentials(operation, model));
  for (const operation of served) {
    for (const parameter of operation.parameters) add(parameter.schema);
    for (const content of operation.body?.contents ?? []) add(content.schema);
    for (const response of operation.responses) {
      for (const content of response.contents) add(content.schema);
      for (const header of response.headers) add(header.schema);
    }
  }
  const schemas = Object.fromEntries(
    [...graph.closure(names)]
      .sort(compareCodeUnits)
      .map((name) => [name, namedSchema(model.schemas, name) as JsonSchema]),
  );
  return { operations: served, schemas, securitySchemes: model.securitySchemes };
}

/** Removes examples of credentials, because they may be real ones. */
function withoutCredentials(operation: Operation, model: ApiModel): Operation {
  const schemes = Object.values(model.securitySchemes);
  const isSecret = ({ in: location, name }: Parameter): boolean =>
    schemes.some((scheme) => isCredential(scheme, location, name));
  if (!operation.parameters.some(isSecret)) return operation;
  return {
    ...operation,
    parameters: operation.parameters.map((parameter) =>
      isSecret(parameter) ? { ...parameter, schema: { type: "string" } } : parameter,
    ),
  };
}

const compareCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Collects the names in schemas. A schema that many operations share is read once. */
function refCollector(): {
  readonly names: Set<string>;
  readonly add: (schema: JsonSchema | undefined) => void;
} {
  const names = new Set<string>();
  const seen = new Set<JsonSchema>();
  const add = (schema: JsonSchema | undefined): void => {
    if (schema === undefined || seen.has(schema)) return;
    seen.add(schema);
    for (const name of referencedNames(schema)) names.add(name);
  };
  return { names, add };
}
