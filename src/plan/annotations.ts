import type { ToolAnnotations } from "../runtime/types.js";
import type { Subject } from "./kind.js";
import { isVerb } from "./name/verbs.js";

/** Actions that take something away or overwrite it. */
const DESTRUCTIVE = new Set(
  "delete remove destroy purge clear empty erase drop cancel revoke reset archive close terminate refund void kill abort stop disable deactivate block ban kick suspend unpublish expire prune wipe overwrite replace update merge move rename transfer withdraw discard reject decline dismiss".split(" "),
);

/**
 * Hints for the client, from the method first, because a wording can be wrong and a safe method cannot change anything
 * (RFC 9110, section 9.2). A POST that is a search by its path only reads.
 * @param verb first word of the tool's name, without the namespace
 */
export function annotate({ operation, kind }: Subject, verb: string): ToolAnnotations {
  const { method } = operation;
  const reads = method === "GET" || method === "HEAD" || method === "OPTIONS" || method === "QUERY" || kind === "search";
  return {
    readOnlyHint: reads,
    destructiveHint: !reads && isDestructive(method, kind, verb),
    idempotentHint: reads || method === "PUT" || method === "DELETE",
    openWorldHint: true,
  };
}

/** Creating adds; replacing, updating and deleting take away what was there; of other actions the verb decides, and an unknown one may. */
function isDestructive(method: string, kind: Subject["kind"], verb: string): boolean {
  if (method === "DELETE" || method === "PUT" || method === "PATCH") return true;
  if (kind === "update" || kind === "replace" || DESTRUCTIVE.has(verb)) return true;
  return kind !== "create" && !isVerb(verb);
}
