import type { OperationKind, ClassifiedOperation } from "../classify.js";
import {
  isConnective,
  isPhrasalVerb,
  isPlural,
  isUnambiguousVerb,
  isVerb,
  singularize,
  toImperative,
} from "./grammar.js";
import { stripLeadingIdentifier } from "./leading-identifier.js";
import {
  endsInParameter,
  lastSegmentHas,
  pathHasCollection,
  type PathSegment,
  segmentWords,
} from "./path.js";
import { splitWords } from "./words.js";

/**
 * The verb of an operationId as the name says it: HTTP words and those of frameworks become what
 * they do here, all others stay.
 * @param rest what stands behind it
 */
export function normalizeVerb(
  verb: readonly string[],
  rest: readonly string[],
  subject: ClassifiedOperation,
): readonly string[] {
  const [first, more] = verb;
  if (first === undefined) return [inferVerb(subject)];
  return more === undefined ? [normalizeOneVerb(first, rest, subject)] : verb;
}

/** `get` of a list is `list`, `post` is `create`, or `update` of one thing. */
function normalizeOneVerb(
  verb: string,
  rest: readonly string[],
  subject: ClassifiedOperation,
): string {
  const {
    kind,
    operation: { method },
    pathParts: parts,
  } = subject;
  const isAll = kind === "list" && (rest[0] === "all" || rest.at(-1) === "list");
  switch (verb) {
    case "get":
      return isAll || (kind === "list" && rest[0] !== "by" && rest[0] !== "one")
        ? isListResource(rest, parts)
          ? verb
          : "list"
        : verb;
    case "find":
      return isAll ? "list" : rest[0] === "one" ? "get" : verb;
    case "post":
      return method === "POST" && !lastSegmentHas(parts, "post") ? inferVerb(subject) : verb;
    case "put":
      return method === "PUT" ? inferVerb(subject) : verb;
    case "patch":
      return method === "PATCH" ? "update" : verb;
    default:
      return CONTROLLER_VERBS.get(`${method} ${verb}`) ?? verb;
  }
}

/** `list ids` of `/profiles/{id}/lists` are IDs of lists. */
function isListResource([word, more]: readonly string[], parts: readonly PathSegment[]): boolean {
  return (
    word === "list" && more !== undefined && !isConnective(more) && pathHasCollection(parts, word)
  );
}

/** What Rails and Laravel call the methods of a controller. */
const CONTROLLER_VERBS: ReadonlyMap<string, string> = new Map([
  ["GET index", "list"],
  ["GET show", "get"],
  ["POST store", "create"],
]);

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
export function inferVerb(subject: ClassifiedOperation): string {
  const { kind, operation, pathParts: parts } = subject;
  const said =
    (isMethodAmbiguous(subject) ? verbOfSummary(subject) : undefined) ?? verbInIdentifier(subject);
  if (said !== undefined) return said;
  if (kind !== "action") return operation.method === "HEAD" ? "check" : KIND_VERBS[kind];
  if (operation.method === "PUT") return endsInParameter(parts) ? "add" : "set";
  if (operation.method === "POST") return "create";
  return /^[A-Z]+$/.test(operation.method) ? operation.method.toLowerCase() : "run";
}

/**
 * `POST /pets` creates; what `POST /pets/{id}` or `POST /ai/ask` does, or a PUT, is not said by
 * method and path.
 */
function isMethodAmbiguous({
  operation: { method },
  pathParts: parts,
}: ClassifiedOperation): boolean {
  const last = parts.at(-1);
  return (
    method === "PUT" ||
    (method === "POST" &&
      (last?.kind === "param" ||
        (last?.kind === "words" && !isPlural(last.words.at(-1) as string))))
  );
}

/** No verb, though an article follows. */
const NON_VERBS = new Set(
  "for from to in on at with by of is are was as and or if when per any all both not only also given the this that".split(
    " ",
  ),
);

/** What is made by asking for it. */
const CREATED_BY_REQUEST = new Set(
  "session token key link code otp url report export job request task credential secret password signature".split(
    " ",
  ),
);
/**
 * `POST /models` makes one (`Return an order` sends it back), unless it says that it reads them.
 */
const READING_SUMMARY =
  /^\s*(get|list|return(?=s)|retrieve|fetch|query|search|find|calculate|compute|count)(?:s|es)?\s+(?!or\b|and\b)[a-z]/i;

/**
 * `Fire the rule group` of `fireRuleGroup`, `Count tokens in a message` of
 * `/messages/count_tokens`: what the summary starts with stands in the identifier or in front of
 * the last piece of the path, and it can be a verb.
 */
function verbInIdentifier({
  operation: { method, summary = "", operationId = "" },
  pathParts: parts,
}: ClassifiedOperation): string | undefined {
  if (method !== "POST" && method !== "PUT") return undefined;
  const asks =
    method === "POST" && !CREATED_BY_REQUEST.has(singularize(segmentWords(parts, -1).at(-1) ?? ""))
      ? READING_SUMMARY.exec(summary)?.[1]?.toLowerCase()
      : undefined;
  const [lead = "", more] = segmentWords(parts, -1);
  if (asks !== undefined && more !== undefined && isUnambiguousVerb(lead)) return lead;
  if (asks !== undefined) return /^(?:return|retrieve|fetch|get)$/.test(asks) ? "get" : asks;
  const [, first = "", article] =
    /^\s*([A-Za-z]{3,20}) +((?:an?|the|all|your|one|this|its) )?[a-z]/.exec(summary.slice(0, 60)) ??
    [];
  const word = first.toLowerCase();
  if (
    word === "" ||
    NON_VERBS.has(word) ||
    word.endsWith("ing") ||
    (article !== undefined && word.endsWith("s") && !word.endsWith("ss"))
  )
    return undefined;
  if (PUT_VERBS.has(word) || word === "post") return undefined;
  const leads = lead === word;
  if (article === undefined) return leads && isVerb(word) && more !== undefined ? word : undefined;
  return leads || splitWords(operationId).includes(word) ? word : undefined;
}

/** What a PUT is called anyway. */
const PUT_VERBS = new Set([
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
const WRITING_NOUN_VERBS = new Set([
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
function verbOfSummary({
  operation: { method, summary, description, operationId },
}: ClassifiedOperation): string | undefined {
  const text = stripLeadingIdentifier((summary?.trim() ? summary : description) ?? "", operationId);
  const [, first = "", second = ""] =
    /^(?:\s|<p>)*([A-Za-z]{2,20})\s+([a-z]+)?/.exec(text.slice(0, 60)) ?? [];
  const word = isPhrasalVerb(first.toLowerCase(), second)
    ? `${first.toLowerCase()}_${second}`
    : first.toLowerCase();
  const verb = isUnambiguousVerb(word) || WRITING_NOUN_VERBS.has(word) ? word : toImperative(word);
  if (verb === undefined || !(isUnambiguousVerb(verb) || WRITING_NOUN_VERBS.has(verb)))
    return undefined;
  if (method === "PUT" && PUT_VERBS.has(verb)) return undefined;
  return verb === "retrieve" || verb === "fetch" ? "get" : verb;
}
