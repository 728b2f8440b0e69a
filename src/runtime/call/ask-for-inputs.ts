/** Inputs that the user is asked for, where a call lacks them. */
import { addInputs, inputForm, missingInputs } from "../approvals/asked-inputs.js";
import type { InputProblem } from "../request/types.js";
import { type AnyTool, ASKED, type BuiltInTool, type CallOutcome } from "../tools/definitions.js";
import { invalidInput } from "./build-result.js";
import type { CallContext } from "./send-authenticated.js";

type Tool = AnyTool | BuiltInTool;

/** The arguments of a call, with the values that the user gave. */
export function withAskedInputs(tool: Tool, args: unknown, { approvals }: CallContext): unknown {
  return "asks" in tool ? addInputs(args, tool.asks ?? [], approvals?.values) : args;
}

const missingIn = (tool: Tool, args: unknown): readonly string[] =>
  "asks" in tool ? missingInputs(tool, args) : [];

const problemsOf = (inputs: readonly string[]): readonly InputProblem[] =>
  inputs.map((input) => ({ input, problem: "is required" }));

/** Missing inputs of a call with other problems. The user is asked once the rest is right. */
export function unaskedProblems(
  tool: Tool,
  args: unknown,
  { approvals }: CallContext,
): readonly InputProblem[] {
  return approvals?.canAsk ? [] : problemsOf(missingIn(tool, args));
}

/** The outcome of a call that lacks inputs, and the form for them; undefined for any other. */
export function askForInputs(
  tool: Tool,
  args: unknown,
  { approvals }: CallContext,
): CallOutcome | undefined {
  const missing = missingIn(tool, args);
  if (missing.length === 0) return undefined;
  if (approvals) approvals.form = inputForm(tool as AnyTool, missing, args);
  const outcome = invalidInput(tool, problemsOf(missing));
  return approvals?.canAsk ? { ...outcome, outcome: ASKED } : outcome;
}
