/** Stands in for multipart bodies, which the API does not have. */
import type { DecodedBody } from "./types.js";

export const decodeMultipart = (value: Uint8Array, ..._: readonly unknown[]): DecodedBody => ({
  value,
  violations: [],
});
