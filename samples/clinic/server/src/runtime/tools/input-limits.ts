/**
 * Arguments nested deeper, or with more values, than any request needs are refused before anything
 * recursive sees them.
 */
const maxDepth = 64;
const maxValues = 200_000;

/** Why this input is too much to handle; `undefined` when it is not. */
export function findLimitViolation(input: object): string | undefined {
  const size = { values: 0 };
  const depth = measureDepth(input, 1, size);
  if (size.values > maxValues) return `the input has more than ${maxValues} values`;
  return depth > maxDepth ? `the input is nested more than ${maxDepth} levels deep` : undefined;
}

/** Stops counting at the bounds. */
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
