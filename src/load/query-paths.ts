/** Paths that a document keeps apart because they differ only in their query. */
import { isObject, type JsonObject } from "../json.js";

/**
 * Moves the operations of `x-ms-paths` to `paths`, where paths may have a query too. A path that is
 * in both stays as `paths` has it. Changes the root in place.
 *
 * @param root root of a document, whose `paths` is an object or absent
 * @see https://github.com/Azure/autorest/blob/main/docs/extensions/readme.md#x-ms-paths
 */
export function mergeQueryPaths(root: JsonObject): void {
  const paths = root["x-ms-paths"];
  if (!isObject(paths)) return;
  const document = root as Record<string, unknown>;
  document["paths"] = { ...paths, ...(isObject(root["paths"]) && root["paths"]) };
  delete document["x-ms-paths"];
}
