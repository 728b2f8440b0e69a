/** Stands in for dry runs, which are left out. */
import { leftOut } from "../left-out.js";
import type { StoredTool } from "../tools/definitions.js";

/** Sentence for the user who asks for a dry run. */
export const dryRunProblem: string | undefined = leftOut("dry runs", "dry-run");

export function withDryRun(
  tools: readonly StoredTool[],
  _settingsOf: (tool: StoredTool) => unknown,
): readonly StoredTool[] {
  return tools;
}

/** All requests are sent. */
export const createDryRunGate = (..._: readonly unknown[]): undefined => undefined;
