/** Stands in for calls with a list of IDs: no tool of this project takes one. */
import type { CallOutcome } from "../tools/definitions.js";

export function callForEach(..._: readonly unknown[]): Promise<CallOutcome> | undefined {
  return undefined;
}
