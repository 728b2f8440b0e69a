/** The search index that `bundle.mjs` stores in the bundle. */
import type { AnyTool } from "../tools/definitions.js";
import { storeIndex } from "./search/index.js";

/** Reads tools into an index as data. */
export function searchIndexOf(tools: Iterable<AnyTool>): object {
  return storeIndex(tools);
}
