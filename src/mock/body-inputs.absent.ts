/** Stands in for the inputs of request bodies, which the API does not have. */
import type { SampledValue } from "./sampled-values.js";

export function bodyValues(..._: readonly unknown[]): readonly SampledValue[] {
  return [];
}

export function needsBody(..._: readonly unknown[]): boolean {
  return false;
}

export function withoutInnerFields(
  input: Record<string, unknown>,
  ..._: readonly unknown[]
): Record<string, unknown> {
  return input;
}
