import type { Operation } from "../../model/types.js";
import type { InputCandidate } from "../inputs/candidates.js";

/** Sentence about a call that cannot do what its name says, as far as the document tells. */
export function callLimitSentence(
  name: string,
  { method, requiresUnsendableBody }: Pick<Operation, "method" | "requiresUnsendableBody">,
  sent: readonly InputCandidate[],
): string | undefined {
  if (requiresUnsendableBody)
    return `The API requires a request body, which a ${method} request cannot carry.`;
  const isUpdate = /^(?:PUT|PATCH)$/.test(method) && /^(?:update|edit|modify)_/.test(name);
  const hasFields = sent.some(({ in: location }) => location !== "path" && location !== "header");
  return isUpdate && !hasFields ? "The API's documentation names no fields to update." : undefined;
}
