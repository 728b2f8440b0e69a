/** Stands in for doubtful inputs: no operation of this project has a query or sends a body. */
import type { DoubtContext } from "./doubtful-input.js";
import type { AnyTool, BuiltInTool } from "./definitions.js";
import { type PreparedInput, prepareInput } from "./prepare-input.js";

/** Validates the input of a call. */
export function prepareDoubtful(
  { settings }: DoubtContext,
  tool: AnyTool | BuiltInTool,
  args: unknown,
  _caller: string,
): { readonly tool: AnyTool | BuiltInTool; readonly prepared: PreparedInput } {
  return { tool, prepared: prepareInput(tool, args, settings.strictInputs) };
}

export const offerFor = (..._: readonly unknown[]): undefined => undefined;

export const isPartialUpdate = (_: object): boolean => false;
