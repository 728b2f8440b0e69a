import { describeInputs } from "../input-properties.js";
import type { PlannedInput, PlannedTool } from "../types.js";
import { boundPhrase, parseBound } from "./bounds.js";

/** Shorter texts are not worth a reference. */
const MIN_LENGTH = 80;
/** Maximum number of words that differ between texts about the same value. */
const MAX_DIFFERENCES = 4;

/**
 * Explains the bounds of one value once: of `x_gte`, `x_gt`, `x_lte` and `x_lt` with nearly the same
 * long text, all but the first refer to the first.
 */
export function explainFamiliesOnce(tool: PlannedTool): PlannedTool {
  const first = new Map<string, PlannedInput>();
  const descriptions = new Map<string, string>();
  for (const input of tool.inputs) {
    const bound = input.description.length < MIN_LENGTH ? undefined : parseBound(input.name);
    const key = bound?.stem.join(" ") ?? "";
    const known = first.get(key);
    if (bound && known && isSimilar(known.description, input.description))
      descriptions.set(input.name, `${boundPhrase(bound)}; see ${known.name}.`);
    else if (bound && !known) first.set(key, input);
  }
  return describeInputs(tool, descriptions);
}

function isSimilar(text: string, other: string): boolean {
  const words = new Set(text.toLowerCase().split(/\W+/));
  const differences = other
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => !words.has(word));
  return differences.length <= MAX_DIFFERENCES && other.length < text.length * 1.2;
}
