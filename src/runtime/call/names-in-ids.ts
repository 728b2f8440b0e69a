/** Names where only numbers or UUIDs are IDs: lookups before a request that could not have an effect. */
import { sanitize } from "../response/shape.js";
import { UUID } from "../tools/identifiers.js";
import { type CallOutcome, errorResult } from "../tools/definitions.js";
import type { OperationBinding, ToolDefinition, ToolInput } from "../types.js";
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
 * Replaces names in inputs that take IDs of a form that no name has. The schema of such an input
 * allows any text.
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
  const names = formed.filter((name) => isName(input[name]));
  if (names.length === 0) return { input };
  const naming = { ...running, operation, call: { tool, input } };
  const found = mayLookUp(running) ? await lookUpInTime(naming, names, callOperation) : undefined;
  if (found && "input" in found)
    return { outcome: await callWithIds(running, found, callOperation) };
  if (found) return { outcome: errorResult("invalid", sanitize(`Not sent. ${found.text}`)) };
  const problems = names
    .filter((name) => lookUps[name]!.idForm === "integer")
    .map((name) => ({
      input: name,
      problem: `must be an integer, an ID from ${lookUps[name]!.tool}`,
    }));
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

/** True for a text that is no ID of any kind. */
const isName = (value: unknown): boolean => mayBeName(value) && !UUID.test(value.trim());
