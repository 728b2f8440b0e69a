import type { JsonSchema } from "../json.js";
import type { ApiModel, Operation } from "../model/types.js";
import type { SchemaGraph } from "./schema/graph.js";
import { namedSchema, refsIn, type Schemas } from "./schema/refs.js";
import type { PlannedTool, ToolPlan } from "./types.js";

/** The named types that the tools' inputs and results use, with everything these lead to, by name. */
export function namedTypes(tools: readonly PlannedTool[], schemas: Schemas, graph: SchemaGraph): ToolPlan["types"] {
  const names = new Set<string>();
  for (const tool of tools) {
    for (const input of tool.inputs) addRefs(input.type, names);
    if (tool.output) addRefs(tool.output, names);
  }
  return [...graph.closure(names)].sort(byCodeUnit).map((name) => ({ name, schema: namedSchema(schemas, name) as JsonSchema }));
}

/** What a mock of the API needs: the operations, and every schema that these lead to. */
export function mockOf(model: ApiModel, operations: readonly Operation[], graph: SchemaGraph): ToolPlan["mock"] {
  const names = new Set<string>();
  for (const operation of operations) {
    for (const parameter of operation.parameters) addRefs(parameter.schema, names);
    for (const content of operation.body?.contents ?? []) if (content.schema) addRefs(content.schema, names);
    for (const response of operation.responses) {
      for (const content of response.contents) if (content.schema) addRefs(content.schema, names);
      for (const header of response.headers) if (header.schema) addRefs(header.schema, names);
    }
  }
  const schemas = Object.fromEntries([...graph.closure(names)].sort(byCodeUnit).map((name) => [name, namedSchema(model.schemas, name) as JsonSchema]));
  return { operations, schemas, securitySchemes: model.securitySchemes };
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function addRefs(schema: JsonSchema, names: Set<string>): void {
  for (const name of refsIn(schema)) names.add(name);
}
