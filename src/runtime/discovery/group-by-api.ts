/** Results of the tool search by API. */

/** Results of one API. The tools of workflows and of custom code have no API. */
interface ApiGroup<T> {
  readonly api?: string;
  readonly tools: readonly Omit<T, "api">[];
}

/**
 * Groups results by their API: the API of the best result first, and within each API in their
 * order. A reader who knows which API a task is about need not compare ranks across APIs.
 */
export function groupByApi<T extends { readonly api?: string }>(
  results: readonly T[],
): readonly ApiGroup<T>[] {
  const groups = new Map<string | undefined, Omit<T, "api">[]>();
  for (const { api, ...rest } of results) {
    const group = groups.get(api) ?? [];
    groups.set(api, [...group, rest]);
  }
  return Array.from(groups, ([api, tools]) => ({ ...(api !== undefined && { api }), tools }));
}
