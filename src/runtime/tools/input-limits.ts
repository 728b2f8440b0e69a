/** Limits of the arguments of a call, checked before any recursive function sees them. */
const maxDepth = 64;
const maxValues = 200_000;

/** Describes a violated limit; `undefined` when there is none. */
export function findLimitViolation(input: object): string | undefined {
  const size = { values: 0 };
  const depth = measureDepth(input, 1, size);
  if (size.values > maxValues) return `the input has more than ${maxValues} values`;
  return depth > maxDepth ? `the input is nested more than ${maxDepth} levels deep` : undefined;
}

/** Measures the nesting and stops at the limits. */
function measureDepth(value: object, depth: number, size: { values: number }): number {
  if (depth > maxDepth) return depth;
  let reached = depth;
  for (const part of Object.values(value)) {
    if (++size.values > maxValues) break;
    if (typeof part === "object" && part !== null)
      reached = Math.max(reached, measureDepth(part as object, depth + 1, size));
  }
  return reached;
}
