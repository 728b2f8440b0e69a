import type { Operation } from "../../model/types.js";
import { ACRONYMS } from "../../language/spelling.js";
import type {
  ClassifiedOperation,
  OperationKind,
  PathSegment,
  Action,
} from "../operations/types.js";
import { isCreatedByRequest } from "../effects/phrases.js";
import {
  COMPUTED_READS,
  effectOfVerb,
  formsOf,
  OWN_MARK_REMOVALS,
} from "../../language/verb-effects.js";
import {
  isAdjective,
  isConnective,
  isCountable,
  isPlural,
  isQuantifier,
  isUnambiguousVerb,
  pluralize,
  singularize,
  singularizeLast,
} from "../../language/grammar.js";
import {
  CONTROLLER_VERBS,
  NON_VERBS,
  NOUNS_OF_FACTS,
  PLURAL_MODIFIERS,
} from "../../language/lexicon.js";
import { isStatedAsOne } from "./number.js";
import { headOfObject, LIST_OF, objectWords } from "./stated-object.js";
import { endsInParameter, lastSegmentHas, segmentWords } from "../operations/path.js";
import { readSummaryStart } from "./document-words.js";
import { stripPreamble } from "../../language/preamble.js";
import { splitWords } from "../../language/words.js";

/**
 * Verb of an operationId as the tool name has it. HTTP methods and words of web frameworks are
 * replaced by their meanings. A verb that the texts contradict is replaced by theirs. Others are
 * kept.
 * @param rest words after the verb
 */
export function normalizeVerb(
  verb: readonly string[],
  rest: readonly string[],
  classified: ClassifiedOperation,
): readonly string[] {
  const [first, second] = verb;
  if (first === undefined) return [verbOfNoun(rest, classified)];
  if (second !== undefined) return verb;
  return [contradictingVerb(first, rest, classified) ?? normalizeOneVerb(first, rest, classified)];
}

function verbOfNoun(noun: readonly string[], classified: ClassifiedOperation): string {
  if (isListOfAll(noun, classified)) return "list";
  const verb = inferVerb(classified);
  const isOne = isNamedAsOne(noun, classified) || isUncounted(noun, classified);
  return verb === "list" && isOne ? "get" : verb;
}

/** `campaign details`: facts about one thing, unless the texts state a list of them. */
export function isUncounted(
  words: readonly string[],
  { effects: { mainAction }, operation: { operationId } }: ClassifiedOperation,
): boolean {
  return (
    operationId !== undefined &&
    (NOUNS_OF_FACTS.has(words.at(-1) ?? "") ||
      (!isPlural(words.at(-1) ?? "") && FACTS_ABOUT_ONE.test(mainAction?.object ?? ""))) &&
    mainAction?.verb !== "list" &&
    !LIST_OF_THINGS.test(mainAction?.object ?? "")
  );
}

const FACTS_ABOUT_ONE = /^(?:\w+ )?(?:details?|info|information) (?:about|for|of|on) an? /;

/** `pet.all` of a GET, whatever its response is. */
const isListOfAll = (
  [word, second]: readonly string[],
  { operation: { method } }: ClassifiedOperation,
): boolean => method === "GET" && word === "all" && second === undefined;

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
      if (isToldList(rest, classified)) return "list";
      const returnsList = isAll || (isList(classified) && rest[0] !== "by" && rest[0] !== "one");
      const isOne =
        isSingleton(rest, classified) ||
        isNamedAsOne(rest, classified) ||
        isUncounted(rest, classified) ||
        isListedAsOne(rest, classified) ||
        isToldAsOne(rest, classified) ||
        isStatedAsOne(rest.at(-1) ?? segmentWords(pathParts, -2).at(-1) ?? "", classified);
      return returnsList && !isOne ? "list" : verb;
    }
    case "fetch":
    case "find":
    case "retrieve":
      if (isAll) return "list";
      return rest[0] === "one" ? "get" : verb;
    case "post":
      return method === "POST" && !lastSegmentHas(pathParts, "post") ? inferVerb(classified) : verb;
    case "put":
      return inferVerb(classified);
    case "paginate":
      return "list";
    case "patch":
      return method === "PATCH" ? "update" : verb;
    default:
      return CONTROLLER_VERBS.get(`${method} ${verb}`) ?? verb;
  }
}

/** `getPrice` of "Lists price and volume", which does not return a list. */
const isListedAsOne = (
  words: readonly string[],
  { kind, effects: { mainAction } }: ClassifiedOperation,
): boolean =>
  kind !== "list" &&
  mainAction?.verb === "list" &&
  isCountable(words.at(-1) ?? "") &&
  !isPlural(words.at(-1) ?? "") &&
  objectWords(mainAction.object).includes(words.at(-1) ?? "");

/**
 * `getCodeReview` of "Get results of code review": the identifier and the texts have the noun in
 * the singular only, so that the list in the response is a part of one thing.
 */
function isToldAsOne(
  words: readonly string[],
  { effects: { mainAction }, operation, pathParts }: ClassifiedOperation,
): boolean {
  const noun = words.at(-1) ?? "";
  if (!isCountable(noun) || noun === "list" || pluralize(noun) === noun) return false;
  if (words.some((word) => isPlural(word) || isConnective(word))) return false;
  const { summary = "", description = "" } = operation;
  const told = splitWords(`${summary} ${description.slice(0, 300)}`);
  const isSeveral = mainAction?.verb === "list" || LIST_OF_THINGS.test(mainAction?.object ?? "");
  const isCollection = isPlural(segmentWords(pathParts, -1).at(-1) ?? "");
  return !isSeveral && !isCollection && told.includes(noun) && !told.includes(pluralize(noun));
}

/**
 * `getAllPosts`, `getFeedbacks` of "Returns a list of feedbacks", `getRateList` of `/rates`: the
 * identifier and the texts have several things, whatever the response is declared to be.
 */
export function isToldList(
  words: readonly string[],
  { effects: { mainAction: action }, operation, pathParts }: ClassifiedOperation,
): boolean {
  const connective = words.findIndex(isConnective);
  const noun = words.at(connective < 0 ? -1 : connective - 1) ?? "";
  if (operation.method !== "GET" || connective === 0) return false;
  if (NOUNS_OF_FACTS.has(noun) || PLURAL_MODIFIERS.has(noun)) return false;
  if (noun === "list" && words.length > 1 && connective < 0 && !isQuantifier(words.at(-2)))
    return !endsInParameter(pathParts) && !lastSegmentHas(pathParts, "lists");
  const isTold =
    words[0] === "all" ||
    lastSegmentHas(pathParts, "all") ||
    /^all\b/.test(action?.object ?? "") ||
    TOLD_LIST.test(stripPreamble(operation.description ?? ""));
  const isOne =
    endsInParameter(pathParts) && headOfObject(action?.object.replace(LIST_OF, "") ?? "") !== noun;
  return isPlural(noun) && isTold && !isOne;
}

const TOLD_LIST =
  /^(?:you can )?(?:lists? all|(?:displays?|fetch(?:es)?|gets?|lists?|obtains?|retrieves?|returns?|shows?) (?:an? |the )?(?:[\w-]+ ){0,2}?(?:array|collection|list) (?:of|containing|with))\b/i;

/** `a Signal group` of "List a Signal group", `general information` of "List general information". */
function isOneThing(object: string): boolean {
  const head = headOfObject(object) ?? "";
  const isSingular = /^(?:an?|the) /.test(object) && pluralize(head) !== head && !isPlural(head);
  return !LIST_OF.test(object) && (isSingular || NOUNS_OF_FACTS.has(singularize(head)));
}

/** The response is a list, or the text states it. */
export function isList({ kind, effects: { mainAction } }: ClassifiedOperation): boolean {
  return (
    kind === "list" ||
    (kind === "get" &&
      mainAction?.effect === "reads" &&
      ((mainAction.verb === "list" && !isOneThing(mainAction.object)) ||
        /^(?:an? |the )?(?:\w+ )?(?:collection|list) of\b/.test(mainAction.object)))
  );
}

/** `get current user` of `/user`: one resource, although the response is declared as a list. */
function isSingleton(
  words: readonly string[],
  { effects: { mainAction }, pathParts }: ClassifiedOperation,
): boolean {
  const noun = words.at(-1) ?? "";
  return (
    pathParts.length === 1 &&
    mainAction?.verb !== "list" &&
    segmentWords(pathParts, -1).join(" ") === noun &&
    singularize(noun) === noun &&
    pluralize(noun) !== noun
  );
}

/**
 * `channel, function` of `/functions/{id}`, whose response is declared as a list: the operationId
 * names one thing, and so do the texts.
 */
function isNamedAsOne(
  words: readonly string[],
  { effects: { mainAction }, pathParts }: ClassifiedOperation,
): boolean {
  const noun = words.at(-1) ?? "";
  const object = mainAction?.object ?? "";
  const isSeveral = LIST_OF_THINGS.test(object) || isPlural(headOfObject(object) ?? "");
  return (
    endsInParameter(pathParts) &&
    isCountable(noun) &&
    !words.some((word) => isPlural(word) || isConnective(word)) &&
    mainAction?.verb !== "list" &&
    !isSeveral
  );
}

const LIST_OF_THINGS = /^(?:all|an? (?:array|collection|list|set)|array|collection|list)\b/;

/** Verbs that add nothing to the method, or that developers copy from other operations. */
const GENERIC_VERBS =
  /^(?:add|change|create|do|edit|handle|make|manage|modify|patch|post|process|put|set|update)$/;
/** Verbs for nothing but reading. */
export const PLAIN_READS = /^(?:fetch|find|get|list|read|retrieve|search|show|view)$/;

/** Effects that a read contradicts. A test or a start may well return something. */
const STATE_CHANGES = /^(?:adds|changes|removes|destroys)$/;

/**
 * Verb of the texts where it contradicts that of the operationId: `get` of "Retrieve a recording's
 * settings" for `recordingSettingUpdate`, `send` of "Send a message" for `createMessage`.
 */
function contradictingVerb(
  idVerb: string,
  rest: readonly string[],
  classified: ClassifiedOperation,
): string | undefined {
  const { effects, operation, pathParts } = classified;
  const { mainAction: action } = effects;
  const idEffect = effectOfVerb(idVerb);
  if (!action || idEffect === undefined || idEffect === action.effect) return undefined;
  // `Perform a partial update on a pet`
  if (VAGUE_VERBS.test(action.verb)) return undefined;
  // `Ask for a new password` at `/reset-password`, `Trigger an update of policies`
  const isCall = operation.method !== "GET" && segmentWords(pathParts, -1)[0] === idVerb;
  if (isCall || action.object.replace(/^(?:an?|the) /, "").startsWith(`${idVerb} of `))
    return undefined;
  if (idEffect === "destroys" && !effects.isDestructive)
    return OWN_MARK_REMOVALS.has(action.verb) || sharesWord(rest, action) ? action.verb : undefined;
  if (idVerb === operation.method.toLowerCase() && idVerb !== "get") return undefined;
  if (rest.some((word) => word.startsWith(action.verb.slice(0, 4)))) return undefined;
  if (action.effect === "reads")
    return effects.isReadOnly && STATE_CHANGES.test(idEffect) ? readingVerb(classified) : undefined;
  const isReplaceable =
    idEffect === "reads"
      ? PLAIN_READS.test(idVerb)
      : GENERIC_VERBS.test(idVerb) && !/^(?:adds|changes)$/.test(action.effect);
  if (!isReplaceable) return undefined;
  return sharesWord(rest, action) ? action.verb : undefined;
}

/** True when words of an operationId name the object of the stated action. */
function sharesWord(words: readonly string[], { object }: Action): boolean {
  const stems = new Set(splitWords(object).slice(0, 8).map(singularize));
  return words.some((word) => stems.has(singularize(word)));
}

/** Nothing says what the operation does: its name is its own words. */
export const NO_VERB = "";

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
 * Infers the verb of an operation that has none in its operationId: from its texts unless they only
 * repeat the method, else from its kind.
 */
export function inferVerb(classified: ClassifiedOperation): string {
  const { kind, operation, pathParts } = classified;
  const stated = statedVerb(classified) ?? verbInIdentifier(classified);
  if (stated !== undefined) return stated;
  if (operation.method === "HEAD" || asksQuestion(segmentWords(pathParts, -1))) return "check";
  if (isList(classified)) return "list";
  const own = operation.method === "POST" ? ownVerb(classified) : undefined;
  if (own !== undefined || kind !== "action") return own ?? KIND_VERBS[kind];
  if (operation.method === "PUT") return endsInParameter(pathParts) ? "add" : "set";
  if (operation.method === "POST") {
    if (endsInParameter(pathParts)) return "post";
    return classified.endsInVerb ? "create" : NO_VERB;
  }
  return /^[A-Z]+$/.test(operation.method) ? operation.method.toLowerCase() : "run";
}

/**
 * Verb of a POST where nothing says what it does: its own first word if that acts on an item. A
 * resource would have a body: `/users/{id}/avatar`.
 */
function ownVerb(classified: ClassifiedOperation): string | undefined {
  const { effects, operation, parsedId, pathParts } = classified;
  const words = segmentWords(pathParts, -1);
  const [first = ""] = words;
  const idWords = parsedId?.rest ?? words;
  if (/\/rpc\/[^/]+$/.test(operation.path)) return words.join("_");
  const isUnknown = effects.evidence.some((one) => one.isUnknown);
  if (!isUnknown || NOUN_ENDING.test(first) || isAdjective(first) || ACRONYMS.has(first))
    return undefined;
  const [idFirst, ...object] = idWords;
  const namesItem = object.join(" ") === singularizeLast(segmentWords(pathParts, -3)).join(" ");
  const isActionOnItem = pathParts.at(-2)?.kind === "param" && words.length === 1;
  if (isActionOnItem && idFirst === first && object.length > 0 && namesItem) return first;
  const isPhrase = pathParts.length === 1 && words.length > 1 && !/e[dn]$/.test(words[1] ?? "");
  const isCall = isActionOnItem || isPhrase;
  return isCall && operation.body === undefined && idFirst === first ? first : undefined;
}

const QUESTION_WORD = /^(?:can|is|are|has|have|should)$/;

/** `/numbers/is-prime` */
const asksQuestion = ([first = "", second]: readonly string[]): boolean =>
  second !== undefined && QUESTION_WORD.test(first);

/** Endings of nouns, which are hardly ever verbs. */
const NOUN_ENDING =
  /(?:age|ance|ation|ed|ence|er|ics|ing|ion|ist|ity|ment|ness|or|s|ship|ure|y|\d)$/;

/** Verbs that add nothing to a method: `Edit a pet` of a PUT, `Remove a pet` of a DELETE. */
const IMPLIED_VERBS: Readonly<Record<string, RegExp>> = {
  POST: /^(?:add|create|make|post|put|insert|define)$/,
  PUT: /^put$/,
  PATCH: /^(?:alter|amend|change|edit|modify|patch|save|set|update)$/,
  DELETE: /^(?:delete|destroy|erase|remove)$/,
};

/** Verbs that are meaningless without their object. */
const VAGUE_VERBS = /^(?:allow|handle|is|look|manage|perform|process)$/;

/** Verb of the texts, unless it repeats the method. A `POST` on one item may add or update. */
function statedVerb(classified: ClassifiedOperation): string | undefined {
  const { effects, operation } = classified;
  const { mainAction: action } = effects;
  if (!action || VAGUE_VERBS.test(action.verb)) return undefined;
  const isSafe = /^(?:GET|HEAD|OPTIONS|QUERY)$/.test(operation.method);
  if (isSafe && effects.isReadOnly)
    return isPreciseRead(action.verb, operation) ? action.verb : undefined;
  if (action.effect === "reads") return statedRead(classified);
  if (operation.method === "PUT") {
    if (CREATES_OR_UPDATES.test(operation.summary ?? "")) return "create_or_update";
    if (PARTIAL_CHANGES.test(action.verb)) return "update";
  }
  // A user who is removed from a group still exists.
  if (operation.method === "DELETE" && action.verb === "remove" && / from /.test(action.object))
    return "remove";
  // A tag that is added to a team may exist.
  if (operation.method === "POST" && action.verb === "add" && / to /.test(action.object))
    return "add";
  const isImplied =
    IMPLIED_VERBS[operation.method]?.test(action.verb) === true ||
    (operation.method === "DELETE" && DELETES_TOO.test(operation.summary ?? ""));
  return isImplied && !(operation.method === "POST" && isOnItem(classified))
    ? undefined
    : action.verb;
}

/** Verbs of reads that say more than `get` and `list`, whatever the operationId is. */
const PRECISE_READS = /^(?:calculate|check|compare|count|download|search)$/;

/**
 * `Search subjects` of `/subjects/{query}`, `Convert an amount` of `/convert`. The `get` of an
 * operationId stays.
 */
const isPreciseRead = (verb: string, { operationId = "" }: Operation): boolean =>
  PRECISE_READS.test(verb) ||
  ((COMPUTED_READS.has(verb) || verb === "generate") && !/^(?:get|list)/i.test(operationId));

/** `Stop and delete a group`. */
const DELETES_TOO = /^[a-z]+ and (?:deletes?|removes?|destroys?)\b/i;

/** `Create or update a pet` */
const CREATES_OR_UPDATES = /^creates? or (?:modif(?:y|ies)|overwrites?|replaces?|updates?)\b/i;

const PARTIAL_CHANGES = /^(?:alter|amend|change|edit|modify|patch|update)$/;

/** Verb of a text that reads. `Get a token` of a `POST` creates one. */
function statedRead(classified: ClassifiedOperation): string | undefined {
  const { effects, pathParts } = classified;
  const { isReadOnly, conflict, mainAction: action } = effects;
  const verb = readingVerb(classified);
  if (!action || isReadOnly || !/^(?:get|list)$/.test(verb)) return verb;
  const noun = segmentWords(pathParts, -1).at(-1) ?? "";
  const isCreated = [noun, action.object].some(isCreatedByRequest);
  const isPlain = PLAIN_READS.test(action.verb) || RETURNED_DATA.test(action.object);
  return conflict || isCreated || !isPlain ? undefined : verb;
}

/** Objects of a `return` that reads: `Return the data about a pet`, unlike `Return a transfer`. */
const RETURNED_DATA = /^(?:the )?(?:data|details|info|information)\b/;

/** `POST /pets/{id}`, `POST /ai/ask`: the path is not a collection. */
function isOnItem({ pathParts }: ClassifiedOperation): boolean {
  const last = pathParts.at(-1);
  return (
    last?.kind === "param" || (last?.kind === "words" && !isPlural(last.words.at(-1) as string))
  );
}

/** Verb of the texts of a read, with `get` for its synonyms. */
function readingVerb(classified: ClassifiedOperation): string {
  const verb = classified.effects.mainAction?.verb ?? "get";
  if (SYNONYMS_OF_GET.test(verb)) return isList(classified) ? "list" : "get";
  return verb === "determine" ? "check" : verb;
}

const SYNONYMS_OF_GET =
  /^(?:display|fetch|get|look|look_up|obtain|present|provide|read|receive|respond|retrieve|return|see|show|view)$/;

/**
 * Unknown verb that the summary and the identifier or the last path segment agree on: `Fire the
 * rule group` of `fireRuleGroup`, `Jettison cargo` of `jettison` at `/ships/{id}/jettison`.
 */
function verbInIdentifier({ operation, pathParts }: ClassifiedOperation): string | undefined {
  const { method, operationId = "" } = operation;
  if (method !== "POST" && method !== "PUT") return undefined;
  const [lead = ""] = segmentWords(pathParts, -1);
  const { word, hasDeterminer, rest } = readSummaryStart(operation);
  const isOnlyWord =
    lead === word &&
    pathParts.at(-2)?.kind === "param" &&
    (operationId === ""
      ? namesCollection(rest, pathParts)
      : splitWords(operationId).join(" ") === word);
  // `Force approval`, `Forces an approval`
  const described = readSummaryStart({ summary: operation.description ?? "" });
  const isDescribed = described.hasDeterminer && formsOf(described.word).includes(word);
  // `Defragment defragments a database`
  const isOwnForm = rest.startsWith(`${word}s `);
  const isVerbal =
    hasDeterminer || isUnambiguousVerb(word) || isOnlyWord || isDescribed || isOwnForm;
  if (word.length < 3 || rest === "" || NON_VERBS.has(word) || !isVerbal) return undefined;
  if (effectOfVerb(word) !== undefined || /(?:ing|[^s]s)$/.test(word)) return undefined;
  if (isUnambiguousVerb(word)) return word;
  return lead === word || splitWords(operationId).includes(word) ? word : undefined;
}

/** `hive` of `/hives/{id}/feed`. */
const namesCollection = (text: string, parts: readonly PathSegment[]): boolean =>
  text !== "" &&
  segmentWords(parts, -3).map(singularize).join(" ") ===
    splitWords(text).map(singularize).join(" ");
