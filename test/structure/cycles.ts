/** Import cycles. */

/**
 * Finds import cycles: the strongly connected components of more than one name. A name is in a
 * cycle if its imports lead back to it.
 */
export function cyclesOf(
  edges: readonly (readonly [from: string, to: string])[],
): readonly string[][] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges) next.set(from, (next.get(from) ?? new Set()).add(to));
  const order = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  /** Returns the earliest open name that a name leads to (Tarjan's algorithm). */
  const visit = (name: string): number => {
    const own = order.size;
    let first = own;
    order.set(name, own);
    open.push(name);
    for (const to of next.get(name) ?? [])
      if (!order.has(to)) first = Math.min(first, visit(to));
      else if (open.includes(to)) first = Math.min(first, order.get(to) as number);
    if (first < own) return first;
    const members = open.splice(open.indexOf(name));
    if (members.length > 1) cycles.push(members.sort());
    return first;
  };
  for (const name of next.keys()) if (!order.has(name)) visit(name);
  return cycles;
}
