/** Stands in for advice to request less: no operation of this project has a query or pages. */
import { describeOmissions, type NarrowingOptions } from "./notes.js";
import type { Omission } from "./truncate.js";

/** Lists the parts that were omitted for size. */
export function truncationNote(
  omissions: readonly Omission[],
  _tool: unknown,
  _options?: NarrowingOptions,
): string {
  return `The result was too large. Omitted: ${describeOmissions(omissions)}.`;
}

/** There is no next page. */
export function nextPageNote(..._: readonly unknown[]): string | undefined {
  return undefined;
}

/** No input narrows a result. */
export function narrowingInputs(..._: readonly unknown[]): readonly string[] {
  return [];
}
