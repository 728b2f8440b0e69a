/** Stands in for the choice of fields: no tool of this project has the input for it. */
import type { InputProblem } from "../request/types.js";
import type { OperationBinding } from "../types.js";

export function selectFields(
  _tool: unknown,
  operation: OperationBinding,
  _input: unknown,
):
  | { readonly ok: true; readonly operation: OperationBinding }
  | { readonly ok: false; readonly problems: readonly InputProblem[] } {
  return { ok: true, operation };
}

export function withAllFields(operation: OperationBinding): OperationBinding {
  return operation;
}
