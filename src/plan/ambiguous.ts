import { quoteText } from "../diagnostics/clean.js";
import type { Operation } from "../model/types.js";
import type { Findings } from "./findings.js";

/**
 * Reports operations whose paths only differ in the names of their parameters: the API cannot tell
 * them apart (OpenAPI, "Paths Object").
 */
export function reportAmbiguous(operations: readonly Operation[], findings: Findings): void {
  const seen = new Map<string, Operation>();
  for (const operation of operations) {
    const key = `${operation.method} ${operation.path.replace(/\{[^{}]*\}/g, "{}")} ${JSON.stringify(operation.fixedQuery ?? [])}`;
    const first = seen.get(key);
    if (!first) seen.set(key, operation);
    else if (first.path !== operation.path) {
      findings.add(
        "plan-ambiguous-path",
        `The paths ${quoteText(first.path)} and ${quoteText(operation.path)} match the same requests; both have a tool, and the API answers as it likes.`,
        operation.place,
      );
    }
  }
}
