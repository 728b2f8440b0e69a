/** Stands in for the selection of operations: every tool of this project has one. */
import type { ToolDefinition, ToolInput } from "../types.js";
import type { OperationSelection } from "./select-operation.js";

export function selectOperation({ operations }: ToolDefinition, _: ToolInput): OperationSelection {
  const [operation] = operations;
  if (operation) return { ok: true, operation };
  return { ok: false, problems: [{ input: "", problem: "this tool has no operation" }] };
}

/** No other operation serves an input. */
export function hasOtherOperation(..._: readonly unknown[]): boolean {
  return false;
}
