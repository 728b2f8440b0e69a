/** The rules about inputs of one tool, and the inputs that it keeps. */
import type { InputConfig, ToolConfig } from "../../configuration/types.js";

/** Rules by input, without the list `only`. */
export function inputRules({
  inputs = {},
}: ToolConfig): readonly (readonly [string, InputConfig])[] {
  return Object.entries(inputs).flatMap(([key, rule]) =>
    isList(rule) ? [] : [[key, rule] as const],
  );
}

/** The inputs of `only`; undefined without it. */
export function keptInputs({ inputs = {} }: ToolConfig): readonly string[] | undefined {
  const only = Object.hasOwn(inputs, "only") ? inputs["only"] : undefined;
  return only !== undefined && isList(only) ? only : undefined;
}

const isList = (rule: InputConfig | readonly string[]): rule is readonly string[] =>
  Array.isArray(rule);
