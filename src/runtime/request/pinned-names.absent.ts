/** Stands in for pinned names: no input of this project adds a name to a request. */
import type { PinnedRequest } from "./pinned-names.js";

const NONE: ReadonlySet<string> = new Set();

export function pinnedNamesOf(..._: readonly unknown[]): PinnedRequest {
  return { query: NONE, header: NONE, cookie: NONE, field: NONE };
}
