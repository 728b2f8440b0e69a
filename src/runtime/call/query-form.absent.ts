/** Stands in for names with brackets: no query of this project has an object or a list. */
import type { RepeatedCall } from "./rejected-call.js";

export function repeatWithBrackets(..._: readonly unknown[]): RepeatedCall | undefined {
  return undefined;
}
