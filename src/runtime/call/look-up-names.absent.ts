/** Stands in for the lookup of names: no tool of this project has one. */
import type { CallOutcome } from "../tools/definitions.js";
import type { ToolInput } from "../types.js";

type LookedUp =
  | { readonly input: ToolInput; readonly notes: readonly string[] }
  | { readonly text: string };

export function lookUpNames(..._: readonly unknown[]): LookedUp | undefined {
  return undefined;
}

/** @throws always */
export function callWithIds(..._: readonly unknown[]): Promise<CallOutcome> {
  throw new Error("No tool looks up names.");
}

export function addText<Outcome>(outcome: Outcome, _: string): Outcome {
  return outcome;
}
