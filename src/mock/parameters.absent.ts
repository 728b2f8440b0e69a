/** Stands in for parameters, which the API does not have. */
import {
  type DecodedParameters,
  declarablePairs,
  type RawRequest,
  undeclared,
} from "./parameters.js";
import type { MockApi, MockOperation } from "./types.js";

export function decodeParameters(
  operation: MockOperation,
  { query }: RawRequest,
  api: MockApi,
  ..._: readonly unknown[]
): DecodedParameters {
  const violations = declarablePairs(operation, query, api).map(undeclared);
  return { values: new Map(), violations };
}
