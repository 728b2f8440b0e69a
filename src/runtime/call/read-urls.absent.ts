/** Stands in for inputs that take URLs: no tool of this project has one. */
import type { InputProblem } from "../request/types.js";

export function readUrls(
  _tool: unknown,
  args: unknown,
): { readonly args: unknown } | { readonly problems: readonly InputProblem[] } {
  return { args };
}
