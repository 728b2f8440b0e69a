/** Stands in for the wait for work: no tool of this project starts work that takes time. */
import type { ResultFacts } from "../response/result-facts.js";
import type { DecodedResponse } from "./build-result.js";

interface FollowedJob {
  readonly decoded?: DecodedResponse;
  readonly facts: ResultFacts;
}

export function waitForJob(..._: readonly unknown[]): FollowedJob | undefined {
  return undefined;
}

export function withJob<Outcome>(outcome: Outcome, _: FollowedJob | undefined): Outcome {
  return outcome;
}

export function withSecrets<Sent>(sent: Sent, _: FollowedJob | undefined): Sent {
  return sent;
}
