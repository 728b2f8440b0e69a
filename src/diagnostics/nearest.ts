import { nearest as nearestOf } from "../runtime/nearest.js";

/** The candidate that a mistaken word most likely means; undefined when none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  return nearestOf(word, candidates, 1)[0];
}

/** `; did you mean x?`, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const best = nearest(word, candidates);
  return best === undefined ? "" : `; did you mean ${best}?`;
}
