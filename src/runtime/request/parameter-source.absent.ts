/** Stands in for values that the environment or a default gives: inputs give all of this project. */
import type { ResolvedSource } from "./parameter-source.js";

export function withDefault(resolved: ResolvedSource, ..._: readonly unknown[]): ResolvedSource {
  return resolved;
}

export function fromEnvironment(..._: readonly unknown[]): ResolvedSource {
  return { value: undefined, reportProblem: () => undefined };
}
