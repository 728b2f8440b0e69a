import type { ToolName } from "../name/index.js";
import { refOf } from "../select/index.js";
import { planTool, type PlannedRequest, type ToolContext } from "../tool.js";
import type { TaskTool } from "./index.js";
import type { Update } from "./update.js";
import { labelOf } from "./words.js";

/** The tool of a PATCH that stands for the PUT of its path too. */
export function updateTool(
  { put }: Update,
  request: PlannedRequest,
  name: ToolName,
  toolset: string,
  context: ToolContext,
): TaskTool {
  const tool = planTool(request, name, toolset, context);
  const reason = `Stands for ${labelOf(put)} too: it takes the same and returns the same; PATCH changes only what is given.`;
  return {
    tool: {
      ...tool,
      operations: [...tool.operations, refOf(put.operation)],
      reasons: [...tool.reasons, reason],
    },
    requests: [request],
  };
}
