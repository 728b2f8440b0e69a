/** Stands in for the inputs of parameters, which the API does not have. */
import type { SampledValue } from "./sampled-values.js";

export function parameterValues(..._: readonly unknown[]): readonly SampledValue[] {
  return [];
}
