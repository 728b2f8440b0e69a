/** Tools that the owner of a project wrote, which no plan has. */
import { isObject, type JsonSchema } from "../json.js";
import type { PlannedTool, ToolPlan } from "../plan/types.js";
import type { GeneratedFile } from "../render/index.js";
import { listedInputSchema } from "../runtime/tools/shown-definition.js";
import { type ListedTool, startSession } from "../try/index.js";

/**
 * Adds the custom tools of a project to its plan, as the server lists them. A tool with the name of
 * a generated one replaces it.
 * @throws ServerExitedError when the server does not start
 */
export async function withCustomTools(
  plan: ToolPlan,
  files: readonly GeneratedFile[],
): Promise<ToolPlan> {
  const session = await startSession(plan, files, { mode: "tools" });
  try {
    const listed = new Map((await session.client.listTools()).map((tool) => [tool.name, tool]));
    const tools = plan.tools.map((tool) => {
      const found = listed.get(tool.definition.name);
      listed.delete(tool.definition.name);
      return found && !isSame(found, tool) ? toPlanned(found) : tool;
    });
    return { ...plan, tools: [...tools, ...[...listed.values()].map(toPlanned)] };
  } finally {
    await session.close();
  }
}

/** Tests whether a listed tool is the generated one. */
function isSame({ inputSchema }: ListedTool, { definition }: PlannedTool): boolean {
  return JSON.stringify(inputSchema) === JSON.stringify(listedInputSchema(definition.inputSchema));
}

/** The parts of a planned tool that tasks need. Its inputs have no known sources. */
function toPlanned({ name, description, inputSchema, annotations }: ListedTool): PlannedTool {
  const { properties, required = [] } = inputSchema as JsonSchema;
  const inputs = Object.entries(isObject(properties) ? properties : {}).map(([input, type]) => ({
    name: input,
    description: "",
    required: Array.isArray(required) && required.includes(input),
    type: type as JsonSchema,
  }));
  const definition = { name, title: name, description, inputSchema, annotations, operations: [] };
  return {
    definition: definition as unknown as PlannedTool["definition"],
    text: { purpose: description } as unknown as PlannedTool["text"],
    toolset: "custom",
    identifier: name,
    inputs,
    operations: [],
    reasons: [],
  };
}
