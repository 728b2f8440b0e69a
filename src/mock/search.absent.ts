/** Stands in for searches: no operation that reads has parameters. */
import type { MockResponse } from "./types.js";

export function searchedResponse(
  response: MockResponse,
  _: unknown,
  _accepts: (value: unknown) => boolean,
): MockResponse {
  return response;
}
