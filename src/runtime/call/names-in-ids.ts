/** Names where IDs have a form: lookups before a request that could not have an effect. */
import { isObject } from "../data/values.js";
import { sanitize } from "../response/shape.js";
import { describeProblem } from "../schema/check.js";
import { validatorFor } from "../schema/compile.js";
import { UUID } from "../tools/identifiers.js";
import { type CallOutcome, errorResult } from "../tools/definitions.js";
import type { IdLookUp, OperationBinding, ToolDefinition, ToolInput } from "../types.js";
import { invalidInput } from "./build-result.js";
import {
  callWithIds,
  type CallOperation,
  lookUpInTime,
  mayBeName,
  mayLookUp,
} from "./look-up-names.js";
import type { RunningCall } from "./send-authenticated.js";

/** The input with digits as numbers, or the outcome of the call. */
type ReplacedNames = { readonly input: ToolInput } | { readonly outcome: CallOutcome };

/**
 * Replaces names in inputs that take IDs of a form that names may lack. The schema of such an
 * input allows any text.
 * @param callOperation calls the operation of a tool
 */
export async function replaceNames(
  running: RunningCall,
  tool: ToolDefinition,
  operation: OperationBinding,
  given: ToolInput,
  callOperation: CallOperation,
): Promise<ReplacedNames> {
  const { lookUps = {} } = operation;
  const formed = Object.keys(lookUps).filter((name) => lookUps[name]!.idForm !== undefined);
  const input = withNumbers(
    given,
    formed.filter((name) => lookUps[name]!.idForm === "integer"),
  );
  // The list has the ID, whatever the document says of its form.
  if (running.hasLookedUp) return { input };
  const wrong = formed.filter((name) => formProblem(lookUps[name]!, input[name]) !== undefined);
  if (wrong.length === 0) return { input };
  const naming = { ...running, operation, call: { tool, input } };
  const names = wrong.filter((name) => mayBeName(input[name]));
  const found = mayLookUp(running) ? await lookUpInTime(naming, names, callOperation) : undefined;
  if (found && "input" in found)
    return { outcome: await callWithIds(running, found, callOperation) };
  if (found) return { outcome: errorResult("invalid", sanitize(`Not sent. ${found.text}`)) };
  const problems = wrong.flatMap((name) => {
    const problem = formProblem(lookUps[name]!, input[name]);
    return problem ? [{ input: name, problem }] : [];
  });
  return problems.length > 0 ? { outcome: invalidInput(tool, problems) } : { input };
}

/** `"42"` → 42, as the API declares it. */
function withNumbers(input: ToolInput, names: readonly string[]): ToolInput {
  const numbers = names.flatMap((name) => {
    const value = input[name];
    const isNumber = typeof value === "string" && /^\s*-?\d{1,15}\s*$/.test(value);
    return isNumber ? [[name, Number(value)] as const] : [];
  });
  return numbers.length === 0 ? input : { ...input, ...Object.fromEntries(numbers) };
}

/**
 * Problem of a text that lacks the form of IDs. It is empty where the API may take the text, and
 * undefined for an ID.
 */
function formProblem({ idForm, tool }: IdLookUp, value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (isObject(idForm)) {
    const [problem] = validatorFor(idForm)(value);
    return problem && `${describeProblem(problem)}; use an ID from ${tool}`;
  }
  if (!mayBeName(value) || UUID.test(value.trim())) return undefined;
  return idForm === "integer" ? `must be an integer, an ID from ${tool}` : "";
}
