/**
 * Arguments nested deeper, or with more values, than any request needs are refused before anything
 * recursive sees them.
 */
const deepest = 64;
const mostValues = 200_000;

/** Why this input is too much to handle; `undefined` when it is not. */
export function outOfBounds(input: object): string | undefined {
  const size = { values: 0 };
  const depth = depthOf(input, 1, size);
  if (size.values > mostValues) return `the input has more than ${mostValues} values`;
  return depth > deepest ? `the input is nested more than ${deepest} levels deep` : undefined;
}

/** Stops counting at the bounds. */
function depthOf(value: object, depth: number, size: { values: number }): number {
  if (depth > deepest) return depth;
  let most = depth;
  for (const part of Object.values(value)) {
    if (++size.values > mostValues) break;
    if (typeof part === "object" && part !== null)
      most = Math.max(most, depthOf(part as object, depth + 1, size));
  }
  return most;
}

/** Problems told at once; an agent corrects a few and comes back for the rest. */
export const mostProblems = 20;
