/** Stands in for lookups before a request: no tool of this project has one. */
import type { CallOutcome } from "../tools/definitions.js";
import type { ToolInput } from "../types.js";

export function replaceNames(
  _running: unknown,
  _tool: unknown,
  _operation: unknown,
  input: ToolInput,
  ..._: readonly unknown[]
): { readonly input: ToolInput } | { readonly outcome: CallOutcome } {
  return { input };
}
