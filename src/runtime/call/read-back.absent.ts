/** Stands in for reads after writes: no tool of this project has one. */
import type { ResultFacts } from "../response/result-facts.js";

export function readItemBack(..._: readonly unknown[]): Promise<ResultFacts | undefined> {
  return Promise.resolve(undefined);
}
