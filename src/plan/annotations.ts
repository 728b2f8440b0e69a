import type { Operation } from "../model/types.js";
import type { ToolAnnotations } from "../runtime/types.js";
import type { Subject } from "./kind.js";
import { imperativeOf, isVerb } from "./name/verbs.js";
import { wordsOf } from "./name/words.js";

/** Actions that take something away or overwrite it. */
const DESTRUCTIVE = new Set(
  "delete remove destroy purge clear empty erase drop cancel revoke reset archive close terminate refund void kill abort stop disable deactivate block ban kick suspend unpublish expire prune wipe overwrite replace update merge move rename transfer withdraw discard reject decline dismiss clean flush recycle failover".split(
    " ",
  ),
);
/** Verbs that change something and are never the noun of a thing that is read. */
const CHANGING = new Set(
  "delete remove destroy purge erase wipe create add append insert set update edit modify replace put send publish unpublish revoke cancel register unregister subscribe unsubscribe confirm move copy clone rename restore enable disable activate deactivate reset submit approve reject upload save merge upsert".split(
    " ",
  ),
);
/** Verbs that only read, whatever the method. */
const ASKING = new Set("list describe search find count lookup".split(" "));
const READING = new Set([
  ...ASKING,
  ..."get retrieve return fetch read show view provide check query".split(" "),
]);
/** What is made anew when one gets it. */
const MADE = new Set(
  "token tokens session key keys credential credentials otp code link url urls upload password secret".split(
    " ",
  ),
);

/**
 * Hints for the client, from the method first (RFC 9110, section 9.2). Where the document's own
 * verb contradicts it, the more careful reading of a safe method counts (`GET /deletePad` deletes),
 * and a POST that by its name lists, finds or counts, or is a search by its path, only reads.
 * @param name the tool's, without the namespace: verb first
 */
export function annotate({ operation, kind }: Subject, name: string): ToolAnnotations {
  const { method } = operation;
  const [verb = "", ...rest] = name.split("_");
  const safe = method === "GET" || method === "HEAD" || method === "OPTIONS" || method === "QUERY";
  const reads = safe
    ? !changes(operation, verb)
    : kind === "search" || (method === "POST" && onlyAsks(operation, verb, rest));
  return {
    readOnlyHint: reads,
    destructiveHint: !reads && isDestructive(method, kind, verb),
    idempotentHint: reads || method === "PUT" || method === "DELETE",
    openWorldHint: true,
  };
}

/** What a GET is called for says that it writes, and its text does not say otherwise. */
function changes(operation: Operation, verb: string): boolean {
  if (!CHANGING.has(verb)) {
    const words = wordsOf((operation.operationId ?? "").replace(/_?using_?get(?:_\d+)?$/i, ""));
    if (
      !CHANGING.has(words[0] as string) ||
      words.slice(1).some((word) => READING.has(word) || word === "status")
    )
      return false;
  }
  return !READING.has(firstVerb(operation));
}

function onlyAsks(operation: Operation, verb: string, rest: readonly string[]): boolean {
  if (rest.some((word) => CHANGING.has(word) || DESTRUCTIVE.has(word))) return false;
  if (
    verb === "count" &&
    (operation.summary || operation.description) &&
    !READING.has(firstVerb(operation))
  )
    return false;
  return (
    ASKING.has(verb) ||
    (verb === "get" && READING.has(firstVerb(operation)) && !rest.some((word) => MADE.has(word)))
  );
}

/** The verb that the document's text starts with. */
function firstVerb({ summary, description }: Operation): string {
  const word = /^\W*([a-z]+)/i.exec(summary?.trim() || description || "")?.[1]?.toLowerCase() ?? "";
  return imperativeOf(word) ?? word;
}

/**
 * Creating adds; replacing, updating and deleting take away what was there; of other actions the
 * verb decides, and an unknown one may.
 */
function isDestructive(method: string, kind: Subject["kind"], verb: string): boolean {
  if (method === "DELETE" || method === "PUT" || method === "PATCH") return true;
  if (kind === "update" || kind === "replace" || DESTRUCTIVE.has(verb)) return true;
  return kind !== "create" && !isVerb(verb);
}
