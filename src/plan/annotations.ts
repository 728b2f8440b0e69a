import type { Operation } from "../model/types.js";
import type { ToolAnnotations } from "../runtime/types.js";
import { toImperative, isVerb } from "./names/grammar.js";
import { splitWords } from "./names/words.js";
import type { ClassifiedOperation } from "./classified-operation.js";

/** Verbs of actions that remove or overwrite something. */
const DESTRUCTIVE_VERBS = new Set(
  (
    "delete remove destroy purge clear empty erase drop cancel revoke reset archive close " +
    "terminate refund void kill abort stop disable deactivate block ban kick suspend " +
    "unpublish expire prune wipe overwrite replace update merge move rename transfer " +
    "withdraw discard reject decline dismiss clean flush recycle failover"
  ).split(" "),
);
/** Verbs that change something and are never the noun of a resource that is read. */
const MUTATING_VERBS = new Set(
  (
    "delete remove destroy purge erase wipe create add append insert set update edit modify " +
    "replace put send publish unpublish revoke cancel register unregister subscribe " +
    "unsubscribe confirm move copy clone rename restore enable disable activate deactivate " +
    "reset submit approve reject upload save merge upsert"
  ).split(" "),
);
/** Verbs that only read, whatever the method. */
const QUERY_VERBS = new Set("list describe search find count lookup".split(" "));
const READ_VERBS = new Set([
  ...QUERY_VERBS,
  ..."get retrieve return fetch read show view provide check query".split(" "),
]);
/** Nouns of resources that a GET creates anew. */
const CREATED_NOUNS = new Set(
  "token tokens session key keys credential credentials otp code link url urls upload password secret".split(
    " ",
  ),
);

/**
 * Annotations of a tool, from the method first (RFC 9110, section 9.2). Where the document
 * contradicts the method, the careful reading counts: `GET /deletePad` is not read-only. A POST is
 * read-only when its name lists, finds or counts, or its path is a search.
 * @param name name of the tool without the namespace: verb first
 */
export function annotate({ operation, kind }: ClassifiedOperation, name: string): ToolAnnotations {
  const { method } = operation;
  const [verb = "", ...rest] = name.split("_");
  const isSafe =
    method === "GET" || method === "HEAD" || method === "OPTIONS" || method === "QUERY";
  const readOnlyHint = isSafe
    ? !isMutatingGet(operation, verb)
    : kind === "search" || (method === "POST" && isReadOnlyPost(operation, verb, rest));
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && isDestructive(method, kind, verb),
    idempotentHint: readOnlyHint || method === "PUT" || method === "DELETE",
    openWorldHint: true,
  };
}

/**
 * Tests whether the name of a GET has a verb that writes, and its text does not contradict that.
 */
function isMutatingGet(operation: Operation, verb: string): boolean {
  if (!MUTATING_VERBS.has(verb)) {
    const words = splitWords((operation.operationId ?? "").replace(/_?using_?get(?:_\d+)?$/i, ""));
    if (
      !MUTATING_VERBS.has(words[0] as string) ||
      words.slice(1).some((word) => READ_VERBS.has(word) || word === "status")
    )
      return false;
  }
  return !READ_VERBS.has(firstVerb(operation));
}

function isReadOnlyPost(operation: Operation, verb: string, rest: readonly string[]): boolean {
  if (rest.some((word) => MUTATING_VERBS.has(word) || DESTRUCTIVE_VERBS.has(word))) return false;
  if (
    verb === "count" &&
    (operation.summary || operation.description) &&
    !READ_VERBS.has(firstVerb(operation))
  )
    return false;
  return (
    QUERY_VERBS.has(verb) ||
    (verb === "get" &&
      READ_VERBS.has(firstVerb(operation)) &&
      !rest.some((word) => CREATED_NOUNS.has(word)))
  );
}

/** First verb of the document's text, in the imperative. */
function firstVerb({ summary, description }: Operation): string {
  const word = /^\W*([a-z]+)/i.exec(summary?.trim() || description || "")?.[1]?.toLowerCase() ?? "";
  return toImperative(word) ?? word;
}

/**
 * Creating adds; replacing, updating and deleting remove something. The verb decides about other
 * actions, and an unknown verb counts as destructive.
 */
function isDestructive(method: string, kind: ClassifiedOperation["kind"], verb: string): boolean {
  if (method === "DELETE" || method === "PUT" || method === "PATCH") return true;
  if (kind === "update" || kind === "replace" || DESTRUCTIVE_VERBS.has(verb)) return true;
  return kind !== "create" && !isVerb(verb);
}
