/** Path segments that all operations of an API share, and that tell none of them apart. */
import type { ClassifiedOperation, PathSegment } from "../operations/types.js";
import { segmentWords } from "../operations/path.js";
import { isVerb } from "../../language/grammar.js";

/** Part of the operations that share a prefix. A later operation without it renames none of them. */
const MIN_SHARE = 0.9;
const MIN_OPERATIONS = 8;

/**
 * Creates a function that removes the common prefix of paths, for names: `/consumer/v1/customers` →
 * customers. A resource is not a prefix: after it, words follow in nearly all paths.
 */
export function createPrefixRemover(
  classifiedOperations: readonly ClassifiedOperation[],
): (classified: ClassifiedOperation) => ClassifiedOperation {
  const counts = new Map<string, number>();
  for (const { pathParts } of classifiedOperations) {
    const first = segmentWords(pathParts, 0).join(" ");
    if (first !== "" && !isVerb(first) && segmentWords(pathParts, 1).length > 0)
      counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  const minimum = Math.max(MIN_OPERATIONS, classifiedOperations.length * MIN_SHARE);
  const prefix = [...counts].find(([, count]) => count >= minimum)?.[0];
  if (prefix === undefined) return (classified) => classified;
  return (classified) =>
    hasPrefix(classified.pathParts, prefix)
      ? { ...classified, pathParts: classified.pathParts.slice(1) }
      : classified;
}

/** `/admin/reset` keeps its prefix: the verb alone says less. */
function hasPrefix(parts: readonly PathSegment[], prefix: string): boolean {
  const next = segmentWords(parts, 1);
  const isVerbAlone = parts.length === 2 && isVerb(next[0]);
  return segmentWords(parts, 0).join(" ") === prefix && next.length > 0 && !isVerbAlone;
}
