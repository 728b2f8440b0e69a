/** Stands in for the resolution of names: no tool of this project has one. */
import type { CallOutcome } from "../tools/definitions.js";
import type { ToolInput } from "../types.js";

export function createLookUp(..._: readonly unknown[]): undefined {
  return undefined;
}

export function resolveNames(
  _server: unknown,
  _tool: unknown,
  input: ToolInput,
  ..._: readonly unknown[]
):
  | { readonly ok: true; readonly input: ToolInput }
  | { readonly ok: false; readonly outcome: CallOutcome } {
  return { ok: true, input };
}
