import type { JsonSchema } from "../json.js";
import type { ToolDefinition } from "../runtime/types.js";
import type { PlannedInput, PlannedTool } from "./types.js";

/** Schemas of a tool's inputs, by name. */
export function inputProperties({
  inputSchema,
}: Pick<ToolDefinition, "inputSchema">): Readonly<Record<string, JsonSchema>> {
  return inputSchema["properties"] as Readonly<Record<string, JsonSchema>>;
}

/** Replaces descriptions of inputs, in the list of inputs and in the input schema. */
export function describeInputs(
  tool: PlannedTool,
  descriptions: ReadonlyMap<string, string>,
): PlannedTool {
  if (descriptions.size === 0) return tool;
  const { definition } = tool;
  const properties = { ...inputProperties(definition) };
  for (const [name, description] of descriptions)
    properties[name] = { ...properties[name], description };
  const inputs = tool.inputs.map((input) => {
    const description = descriptions.get(input.name);
    return description === undefined ? input : { ...input, description };
  });
  return {
    ...tool,
    inputs,
    definition: { ...definition, inputSchema: { ...definition.inputSchema, properties } },
  };
}

/** Change of an input and of its schema. */
export type InputChange = (
  input: PlannedInput,
  schema: JsonSchema,
) => { readonly input: PlannedInput; readonly schema: JsonSchema };

/** Changes one input in the list of inputs and in the schema. Required inputs stay first. */
export function changeInput(tool: PlannedTool, name: string, transform: InputChange): PlannedTool {
  const { properties: _p, required: _r, ...root } = tool.definition.inputSchema;
  const schemas = inputProperties(tool.definition);
  const all = tool.inputs.map((input) =>
    input.name === name
      ? transform(input, schemas[name] ?? {})
      : { input, schema: schemas[input.name] ?? {} },
  );
  const ordered = [
    ...all.filter(({ input }) => input.required),
    ...all.filter(({ input }) => !input.required),
  ];
  const required = ordered.filter(({ input }) => input.required).map(({ input }) => input.name);
  const { $defs, ...rest } = root;
  const inputSchema = {
    ...rest,
    properties: Object.fromEntries(ordered.map(({ input, schema }) => [input.name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
  };
  return {
    ...tool,
    inputs: ordered.map(({ input }) => input),
    definition: { ...tool.definition, inputSchema },
  };
}
