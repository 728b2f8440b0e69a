/** Stands in for lists that are read with a thing: no tool of this project has them. */
import type { ResultFacts } from "../response/result-facts.js";

export const LISTS_SHARE = 0;

export function readIncludedLists(..._: readonly unknown[]): Promise<ResultFacts | undefined> {
  return Promise.resolve(undefined);
}

export function includedNames(..._: readonly unknown[]): readonly string[] {
  return [];
}
