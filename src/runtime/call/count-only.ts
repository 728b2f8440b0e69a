/** Calls that ask for the total of a list alone. */
import { valueAt } from "../data/values.js";
import type { DecodedContent } from "../response/decode.js";
import type { ResultFacts } from "../response/result-facts.js";
import type { OperationBinding, ToolInput } from "../types.js";

/** True if a call asks for the total alone. */
const isAsked = ({ countOnly }: OperationBinding, input: ToolInput): boolean =>
  countOnly !== undefined && input[countOnly.input] === true;

/** The input of a call, with the smallest page in place of the wish for the total alone. */
export function withSmallestPage(operation: OperationBinding, input: ToolInput): ToolInput {
  const { countOnly } = operation;
  if (!countOnly || input[countOnly.input] === undefined) return input;
  const { [countOnly.input]: _, ...others } = input;
  return isAsked(operation, input) ? { ...others, [countOnly.pageSize]: countOnly.least } : others;
}

/** Says that a response lacks the total that a call asked for. */
export function missingTotal(
  operation: OperationBinding,
  input: ToolInput,
  content: DecodedContent,
): ResultFacts | undefined {
  if (!isAsked(operation, input) || content.kind !== "json") return undefined;
  const { input: name, total } = operation.countOnly!;
  if (valueAt(content.value, total) !== undefined) return undefined;
  return { notes: [`The API stated no total. Call without ${name} to count the items.`] };
}
