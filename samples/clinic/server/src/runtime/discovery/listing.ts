/** Stands in for the tool search, which is left out. */
import { leftOut } from "../left-out.js";

/** Sentence for the user who asks for the tool search. */
export const discoveryProblem: string | undefined = leftOut("the tool search", "discovery");

/** @throws always */
export function createDiscoveryListing(..._: readonly unknown[]): never {
  throw new Error(discoveryProblem);
}
