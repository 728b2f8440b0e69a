import type { ClassifiedOperation, OperationKind, PathSegment } from "../classified-operation.js";
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
  CONTROLLER_VERBS,
  CREATED_BY_REQUEST,
  NON_VERBS,
  PUT_VERBS,
  WRITING_NOUN_VERBS,
} from "./lexicon.js";
import { endsInParameter, lastSegmentHas, pathHasCollection, segmentWords } from "./path.js";
import { splitWords } from "./words.js";

/**
 * Verb of an operationId as the tool name has it. HTTP methods and words of web frameworks are
 * replaced by what they do, other verbs stay.
 * @param rest words after the verb
 */
export function normalizeVerb(
  verb: readonly string[],
  rest: readonly string[],
  classified: ClassifiedOperation,
): readonly string[] {
  const [first, second] = verb;
  if (first === undefined) return [inferVerb(classified)];
  return second === undefined ? [normalizeOneVerb(first, rest, classified)] : verb;
}

/** `get` of a list → `list`; `post` → `create`, or `update` of one item. */
function normalizeOneVerb(
  verb: string,
  rest: readonly string[],
  classified: ClassifiedOperation,
): string {
  const {
    kind,
    operation: { method },
    pathParts,
  } = classified;
  const isAll = kind === "list" && (rest[0] === "all" || rest.at(-1) === "list");
  switch (verb) {
    case "get": {
      const returnsList = isAll || (kind === "list" && rest[0] !== "by" && rest[0] !== "one");
      return returnsList && !isListResource(rest, pathParts) ? "list" : verb;
    }
    case "find":
      if (isAll) return "list";
      return rest[0] === "one" ? "get" : verb;
    case "post":
      return method === "POST" && !lastSegmentHas(pathParts, "post") ? inferVerb(classified) : verb;
    case "put":
      return method === "PUT" ? inferVerb(classified) : verb;
    case "patch":
      return method === "PATCH" ? "update" : verb;
    default:
      return CONTROLLER_VERBS.get(`${method} ${verb}`) ?? verb;
  }
}

/** `list ids` of `/profiles/{id}/lists` are IDs of lists. */
function isListResource([word, second]: readonly string[], parts: readonly PathSegment[]): boolean {
  return (
    word === "list" &&
    second !== undefined &&
    !isConnective(second) &&
    pathHasCollection(parts, word)
  );
}

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
 * Infers the verb of an operation that has none in its operationId: from its texts where the method
 * is ambiguous, else from its kind.
 */
export function inferVerb(classified: ClassifiedOperation): string {
  const { kind, operation, pathParts } = classified;
  const summaryVerb = isMethodAmbiguous(classified) ? verbOfSummary(classified) : undefined;
  const stated = summaryVerb ?? verbInIdentifier(classified);
  if (stated !== undefined) return stated;
  if (kind !== "action") return operation.method === "HEAD" ? "check" : KIND_VERBS[kind];
  if (operation.method === "PUT") return endsInParameter(pathParts) ? "add" : "set";
  if (operation.method === "POST") return "create";
  return /^[A-Z]+$/.test(operation.method) ? operation.method.toLowerCase() : "run";
}

/**
 * True where method and path do not determine the verb: `POST /pets/{id}`, `POST /ai/ask`, any PUT.
 * `POST /pets` creates.
 */
function isMethodAmbiguous({ operation: { method }, pathParts }: ClassifiedOperation): boolean {
  const last = pathParts.at(-1);
  return (
    method === "PUT" ||
    (method === "POST" &&
      (last?.kind === "param" ||
        (last?.kind === "words" && !isPlural(last.words.at(-1) as string))))
  );
}

/**
 * Summary of a POST that reads. `POST /models` creates a model otherwise, and `Return an order`
 * sends it back.
 */
const READING_SUMMARY =
  /^\s*(get|list|return(?=s)|retrieve|fetch|query|search|find|calculate|compute|count)(?:s|es)?\s+(?!or\b|and\b)[a-z]/i;

/**
 * Verb that the summary and the identifier or the last path segment agree on: `Fire the rule group`
 * of `fireRuleGroup`, `Count tokens in a message` of `/messages/count_tokens`.
 */
function verbInIdentifier({
  operation: { method, summary = "", operationId = "" },
  pathParts,
}: ClassifiedOperation): string | undefined {
  if (method !== "POST" && method !== "PUT") return undefined;
  const [lead = "", second] = segmentWords(pathParts, -1);
  const readingVerb = method === "POST" ? readingVerbOf(summary, pathParts) : undefined;
  if (readingVerb !== undefined) {
    return second !== undefined && isUnambiguousVerb(lead) ? lead : readingVerb;
  }
  const [, first = "", article] = SUMMARY_START.exec(summary.slice(0, 60)) ?? [];
  const word = first.toLowerCase();
  const isThirdPerson = article !== undefined && word.endsWith("s") && !word.endsWith("ss");
  if (word === "" || NON_VERBS.has(word) || word.endsWith("ing") || isThirdPerson) return undefined;
  if (PUT_VERBS.has(word) || word === "post") return undefined;
  const isFirstWord = lead === word;
  if (article === undefined) {
    return isFirstWord && isVerb(word) && second !== undefined ? word : undefined;
  }
  return isFirstWord || splitWords(operationId).includes(word) ? word : undefined;
}

const SUMMARY_START = /^\s*([A-Za-z]{3,20}) +((?:an?|the|all|your|one|this|its) )?[a-z]/;

/** Verb of a POST that reads, unless its path creates what it returns. */
function readingVerbOf(summary: string, parts: readonly PathSegment[]): string | undefined {
  if (CREATED_BY_REQUEST.has(singularize(segmentWords(parts, -1).at(-1) ?? ""))) return undefined;
  const verb = READING_SUMMARY.exec(summary)?.[1]?.toLowerCase();
  return verb !== undefined && /^(?:return|retrieve|fetch|get)$/.test(verb) ? "get" : verb;
}

/**
 * First word of the summary, or of the description when there is no summary: `Restore file` →
 * restore.
 */
function verbOfSummary({
  operation: { method, summary, description, operationId },
}: ClassifiedOperation): string | undefined {
  const text = stripLeadingIdentifier((summary?.trim() ? summary : description) ?? "", operationId);
  const [, first = "", second = ""] =
    /^(?:\s|<p>)*([A-Za-z]{2,20})\s+([a-z]+)?/.exec(text.slice(0, 60)) ?? [];
  const start = first.toLowerCase();
  const word = isPhrasalVerb(start, second) ? `${start}_${second}` : start;
  const isKnown = (one: string): boolean => isUnambiguousVerb(one) || WRITING_NOUN_VERBS.has(one);
  const verb = isKnown(word) ? word : toImperative(word);
  if (verb === undefined || !isKnown(verb)) return undefined;
  if (method === "PUT" && PUT_VERBS.has(verb)) return undefined;
  return verb === "retrieve" || verb === "fetch" ? "get" : verb;
}
