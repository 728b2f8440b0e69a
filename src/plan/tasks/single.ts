import type { ToolName } from "../name/index.js";
import { planTool, type PlannedRequest, type ToolContext } from "../tool.js";
import type { TaskTool } from "./index.js";
import { withLinkPages } from "./link-pages.js";
import { pagedTool } from "./paged.js";

/** The tool of one operation. */
export function singleTask(
  request: PlannedRequest,
  name: ToolName,
  toolset: string,
  context: ToolContext,
): TaskTool {
  const tool = planTool(request, name, toolset, context);
  const isPaged = context.paged.has(request.subject.operation);
  return {
    tool: isPaged ? pagedTool(tool, request, context) : withLinkPages(tool, request),
    requests: [request],
  };
}
