/** Stands in for the inputs that users are asked for: no tool has any. */
import type { ToolDefinition } from "../types.js";
import type { InputForm } from "./asked-inputs.js";

export function missingInputs(_tool: unknown, _args: unknown): readonly string[] {
  return [];
}

/** @throws always */
export function inputForm({ name }: Pick<ToolDefinition, "name">, ..._: unknown[]): InputForm {
  throw new Error(`${name} asks for no inputs.`);
}

export function addInputs<Args>(args: Args, ..._: readonly unknown[]): Args {
  return args;
}
