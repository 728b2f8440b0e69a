/** Stands in for request bodies, which the API does not have. */
import { violation } from "./schema-set.js";
import type { DecodedBody, MockOperation } from "./types.js";

export function decodeBody(
  _operation: MockOperation,
  body: Uint8Array,
  ..._: readonly unknown[]
): DecodedBody {
  const problem = "is present, but the operation has no request body";
  return { violations: body.length === 0 ? [] : [violation(problem)] };
}
