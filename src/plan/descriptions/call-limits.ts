import type { Operation } from "../../model/types.js";
import type { InputCandidate } from "../inputs/candidates.js";

/** Sentence about a call that cannot do what its name says, as far as the document tells. */
export function callLimitSentence(
  name: string,
  {
    method,
    requiresUnsendableBody,
    description = "",
  }: Pick<Operation, "method" | "requiresUnsendableBody" | "description">,
  sent: readonly InputCandidate[],
): string | undefined {
  if (requiresUnsendableBody)
    return `The API requires a request body, which a ${method} request cannot carry.`;
  const isUpdate = /^(?:PUT|PATCH)$/.test(method) && /^(?:update|edit|modify)_/.test(name);
  const chosen = sent.filter(({ in: location }) => location !== "path" && location !== "header");
  if (isUpdate && chosen.length === 0) return "The API's documentation names no fields to update.";
  return chosen.length < demandedParameters(description)
    ? "The API's documentation does not declare the parameters that it demands."
    : undefined;
}

const NUMBERS = ["", "one", "two", "three", "four"];

/** Number of parameters that a text demands: 2 for `exactly two of these parameters`. */
function demandedParameters(text: string): number {
  const [, number = ""] =
    /\b(?:exactly|at least) (one|two|three|four|[1-4]) of (?:these|the following|the) (?:query |optional )?(?:parameters|fields|filters)\b/i.exec(
      text,
    ) ?? [];
  return Number(number) || Math.max(0, NUMBERS.indexOf(number.toLowerCase()));
}
