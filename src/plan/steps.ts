/** The tool that calls several tools in one call: which tools can be its steps. */
import type { ServerConfig } from "../configuration/types.js";
import type { ApiDefinition } from "../runtime/api-definition.js";
import type { PlannedTool } from "./types.js";

/** Number of tools that only read from which their calls are worth a tool of its own. */
const MANY_READS = 8;

/**
 * Decides which tools can be steps of one call: as configured, otherwise by the mode of the list,
 * where many tools only read.
 * @returns undefined if the server has no such tool
 */
export function planSteps(
  tools: readonly PlannedTool[],
  { runSteps }: Pick<ServerConfig, "runSteps">,
): ApiDefinition["runSteps"] {
  if (runSteps !== undefined) return runSteps || undefined;
  const reads = tools.filter(({ definition }) => definition.annotations.readOnlyHint);
  return reads.length >= MANY_READS ? "byMode" : undefined;
}
