import type { OperationKind, Subject } from "../../kind.js";
import { isPlural, singular } from "../inflect.js";
import { withoutOwnName } from "../own-name.js";
import { isPhrasal } from "../phrasal.js";
import { endsInParam, wordsAt } from "../path.js";
import { imperativeOf, isStrongVerb, isVerb } from "../verbs.js";
import { wordsOf } from "../words.js";

const KIND_VERBS: Readonly<Record<OperationKind, string>> = {
  list: "list",
  get: "get",
  search: "search",
  create: "create",
  update: "update",
  replace: "replace",
  delete: "delete",
  action: "run",
};

/**
 * The verb for an operation that brings none of its own: from what it says it does where its method
 * says little, else from its kind.
 */
export function verbFor(subject: Subject): string {
  const { kind, operation, parts } = subject;
  const said = (isGuess(subject) ? verbSaid(subject) : undefined) ?? verbNamed(subject);
  if (said !== undefined) return said;
  if (kind !== "action") return operation.method === "HEAD" ? "check" : KIND_VERBS[kind];
  if (operation.method === "PUT") return endsInParam(parts) ? "add" : "set";
  if (operation.method === "POST") return "create";
  return /^[A-Z]+$/.test(operation.method) ? operation.method.toLowerCase() : "run";
}

/**
 * `POST /pets` creates; what `POST /pets/{id}` or `POST /ai/ask` does, or a PUT, is not said by
 * method and path.
 */
function isGuess({ operation: { method }, parts }: Subject): boolean {
  const last = parts.at(-1);
  return (
    method === "PUT" ||
    (method === "POST" &&
      (last?.kind === "param" ||
        (last?.kind === "words" && !isPlural(last.words.at(-1) as string))))
  );
}

/** No verb, though an article follows. */
const NO_VERB = new Set(
  "for from to in on at with by of is are was as and or if when per any all both not only also given the this that".split(
    " ",
  ),
);

/** What is made by asking for it. */
const MADE = new Set(
  "session token key link code otp url report export job request task credential secret password signature".split(
    " ",
  ),
);
/**
 * `POST /models` makes one (`Return an order` sends it back), unless it says that it reads them.
 */
const ASKS =
  /^\s*(get|list|return(?=s)|retrieve|fetch|query|search|find|calculate|compute|count)(?:s|es)?\s+(?!or\b|and\b)[a-z]/i;

/**
 * `Fire the rule group` of `fireRuleGroup`, `Count tokens in a message` of
 * `/messages/count_tokens`: what the summary starts with stands in the identifier or in front of
 * the last piece of the path, and it can be a verb.
 */
function verbNamed({
  operation: { method, summary = "", operationId = "" },
  parts,
}: Subject): string | undefined {
  if (method !== "POST" && method !== "PUT") return undefined;
  const asks =
    method === "POST" && !MADE.has(singular(wordsAt(parts, -1).at(-1) ?? ""))
      ? ASKS.exec(summary)?.[1]?.toLowerCase()
      : undefined;
  const [lead = "", more] = wordsAt(parts, -1);
  if (asks !== undefined && more !== undefined && isStrongVerb(lead)) return lead;
  if (asks !== undefined) return /^(?:return|retrieve|fetch|get)$/.test(asks) ? "get" : asks;
  const [, first = "", article] =
    /^\s*([A-Za-z]{3,20}) +((?:an?|the|all|your|one|this|its) )?[a-z]/.exec(summary.slice(0, 60)) ??
    [];
  const word = first.toLowerCase();
  if (
    word === "" ||
    NO_VERB.has(word) ||
    word.endsWith("ing") ||
    (article !== undefined && word.endsWith("s") && !word.endsWith("ss"))
  )
    return undefined;
  if (OF_PUT.has(word) || word === "post") return undefined;
  const leads = lead === word;
  if (article === undefined) return leads && isVerb(word) && more !== undefined ? word : undefined;
  return leads || wordsOf(operationId).includes(word) ? word : undefined;
}

/** What a PUT is called anyway. */
const OF_PUT = new Set([
  "create",
  "update",
  "replace",
  "modify",
  "edit",
  "change",
  "set",
  "put",
  "save",
  "add",
  "get",
  "return",
  "retrieve",
  "fetch",
]);
/** Verbs that are nouns too, but hardly at the start of a sentence about a write. */
const WRITES = new Set([
  "upload",
  "import",
  "export",
  "transfer",
  "request",
  "copy",
  "check",
  "test",
  "share",
  "sign",
  "refund",
  "charge",
]);

/**
 * The first word of the summary, or of the description where there is none: `Restore file` →
 * restore.
 */
function verbSaid({
  operation: { method, summary, description, operationId },
}: Subject): string | undefined {
  const text = withoutOwnName((summary?.trim() ? summary : description) ?? "", operationId);
  const [, first = "", second = ""] =
    /^(?:\s|<p>)*([A-Za-z]{2,20})\s+([a-z]+)?/.exec(text.slice(0, 60)) ?? [];
  const word = isPhrasal(first.toLowerCase(), second)
    ? `${first.toLowerCase()}_${second}`
    : first.toLowerCase();
  const verb = isStrongVerb(word) || WRITES.has(word) ? word : imperativeOf(word);
  if (verb === undefined || !(isStrongVerb(verb) || WRITES.has(verb))) return undefined;
  if (method === "PUT" && OF_PUT.has(verb)) return undefined;
  return verb === "retrieve" || verb === "fetch" ? "get" : verb;
}
