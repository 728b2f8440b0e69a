/** Stands in for the sentences about the extent of a list: no tool of this project returns one. */
import type { ResultFacts } from "../response/result-facts.js";

export function listFacts(..._: readonly unknown[]): ResultFacts {
  return {};
}
