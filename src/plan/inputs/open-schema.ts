import type { PlanOptions } from "../options.js";
import type { PlannedTool } from "../types.js";

/** True if the tool has a request whose body takes fields that the document lacks. */
function isOpen({ definition }: Pick<PlannedTool, "definition">): boolean {
  return definition.operations.some(({ request }) => request.body?.isOpen);
}

/** True if a tool's input schema lets undocumented fields pass. */
export function hasOpenSchema({ definition }: Pick<PlannedTool, "definition">): boolean {
  return definition.inputSchema["additionalProperties"] === undefined;
}

/**
 * Leaves the input schema open where the document leaves the body open, so that hosts let fields
 * pass that the API needs and the document lacks. `additionalProperties` is left out instead of
 * `true`, which is equivalent, shorter, and known to every host. `server.strictInputs` closes all
 * schemas.
 */
export function openInputSchema(tool: PlannedTool, { configuration }: PlanOptions): PlannedTool {
  if (!isOpen(tool)) return tool;
  const { definition } = tool;
  // The body of a workflow's tool stands for the inputs of the workflow.
  if (tool.workflow || configuration?.content.server?.strictInputs) return closeBodies(tool);
  const { additionalProperties: _, ...inputSchema } = definition.inputSchema;
  return { ...tool, definition: { ...definition, inputSchema } };
}

function closeBodies(tool: PlannedTool): PlannedTool {
  const operations = tool.definition.operations.map((operation) => {
    if (!operation.request.body?.isOpen) return operation;
    const { isOpen: _, hiddenFields: __, ...body } = operation.request.body;
    return { ...operation, request: { ...operation.request, body } };
  });
  return { ...tool, definition: { ...tool.definition, operations } };
}
