import type { JsonSchema } from "../json.js";
import type { ToolDefinition } from "../runtime/types.js";
import type { PlannedTool } from "./types.js";

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
