/** The object in a tool name: from the operationId, its group, and the texts of the operation. */
import type { ClassifiedOperation, PathSegment, OperationEffects } from "../operations/types.js";
import {
  isAmbiguousVerb,
  isArticle,
  isConnective,
  isCountable,
  isParticiple,
  isPhrasalVerb,
  isPlural,
  isQuantifier,
  isSearchVerb,
  needsComplement,
  pluralize,
  pluralizeLast,
  singularize,
  singularizeLast,
} from "../../language/grammar.js";
import { ADDING_VERBS, COLLECTION_VERBS, SELECTOR_ADJECTIVES } from "../../language/lexicon.js";
import { lastSegmentHas, segmentWords } from "../operations/path.js";
import { nounOfPath, wordsNotIn } from "./path.js";
import { readSummaryStart } from "./document-words.js";
import { splitWords } from "../../language/words.js";
import { COMPUTED_READS } from "../../language/verb-effects.js";
import { LIST_OF, objectWords } from "./stated-object.js";

const MAX_OBJECT_WORDS = 3;

/**
 * Object of an operationId without redundant words.
 * @param rest words after the verb
 * @param verbWords verb of the tool name
 * @param isNoun the operationId has no verb
 */
export function simplifyObject(
  rest: readonly string[],
  verbWords: readonly string[],
  isNoun: boolean,
  { pathParts }: ClassifiedOperation,
): readonly string[] {
  const object = removeCountWords(withoutItemId(rest, pathParts), verbWords, pathParts).filter(
    (word, i, all) => !isArticle(word) || i === all.length - 1,
  );
  return (isNoun ? moveSelectorFirst(object) : undefined) ?? removeDanglingEnd(object);
}

/**
 * `slides, id` and `slides, by, id` of `/slides/{id}`, `boards, names, by, id, board` of
 * `/boards/{idBoard}/names`: the input, not the object.
 */
function withoutItemId(words: readonly string[], parts: readonly PathSegment[]): readonly string[] {
  const last = parts.at(-1);
  const by = words.indexOf("by");
  if (by > 0 && repeatsAsId(words.slice(by + 1), words.slice(0, by))) return words.slice(0, by);
  if (by > 0 && words.length > by + 2 && namesIds(words.slice(by + 1), words.slice(0, by), parts))
    return words.slice(0, by);
  if (last?.kind !== "param" || words.at(-1) !== "id") return words;
  if (words.at(-2) === "by" && /id$/i.test(last.name))
    return words.at(-3) === "details" ? words.slice(0, -2) : singularizeLast(words.slice(0, -2));
  return /^id$/i.test(last.name) && !isConnective(words.at(-2)) ? words.slice(0, -1) : words;
}

/** `note, id` after `employment, note`; `leave, request, ids` after `leave, requests`. */
function repeatsAsId(words: readonly string[], object: readonly string[]): boolean {
  const noun = singularizeLast(words.slice(0, -1));
  const isId = noun.length > 0 && singularize(words.at(-1) ?? "") === "id";
  return isId && singularizeLast(object.slice(-noun.length)).join(" ") === noun.join(" ");
}

/** True for the IDs of a path, all of whose nouns stand before them. */
function namesIds(
  words: readonly string[],
  before: readonly string[],
  parts: readonly PathSegment[],
): boolean {
  const ids = parts.flatMap((part) => (part.kind === "param" ? [splitWords(part.name)] : []));
  const nouns = parts.flatMap((part) => (part.kind === "words" ? part.words : []));
  const given = words.filter((word) => word !== "by" && word !== "and").join(" ");
  const isOfPath = ids.some((_, from) => ids.slice(from).flat().join(" ") === given);
  return isOfPath && ids.every((id) => id.includes("id")) && wordsNotIn(nouns, before).length === 0;
}

/**
 * `pet list` and `all pets` → `pets` when the verb is `list`. `one` of `findOne` and `createOne` is
 * dropped.
 */
function removeCountWords(
  rest: readonly string[],
  [verb]: readonly string[],
  parts: readonly PathSegment[],
): readonly string[] {
  if (isArticle(rest[0]) && rest[1] === "list")
    return removeCountWords(rest.slice(1), [verb ?? ""], parts);
  if (/^one or more\b/.test(rest.join(" "))) return rest.slice(3);
  if (verb === "get" && rest[0] === "one") return rest.slice(1);
  if (rest.length === 1 && /^(one|many|multiple)$/.test(rest[0] as string)) return [];
  if (/^(?:get|list)$/.test(verb ?? "") && rest[0] === "list" && rest[1] === "of")
    return rest.slice(2);
  if (verb !== "list") return rest;
  if (rest[0] === "of" && rest.length > 1) return rest.slice(1);
  if (
    rest.length > 1 &&
    rest.at(-1) === "list" &&
    !isConnective(rest.at(-2)) &&
    !isArticle(rest.at(-2)) &&
    !lastSegmentHas(parts, "lists")
  )
    return pluralizeLast(rest.slice(0, -1));
  return isQuantifier(rest[0]) && !isConnective(rest[1]) ? rest.slice(1) : rest;
}

/**
 * `teams all`, `season current`: moves the selector before the noun. Questions (`is report
 * available`) are not changed.
 */
function moveSelectorFirst(object: readonly string[]): readonly string[] | undefined {
  const last = object.at(-1) as string;
  if (
    object.length < 2 ||
    !SELECTOR_ADJECTIVES.has(last) ||
    /^(is|are|has|have|can)$/.test(object[0] as string)
  )
    return undefined;
  return [last, ...object.slice(0, isConnective(object.at(-2)) ? -2 : -1)];
}

/**
 * `jobs for`: drops a preposition at the end, except after a participle or in a phrasal verb
 * (`assigned to`, `log in with`).
 */
function removeDanglingEnd(object: readonly string[]): readonly string[] {
  const [before, last] = [object.at(-2), object.at(-1)];
  return before !== undefined &&
    needsComplement(last) &&
    !isParticiple(before) &&
    !isPhrasalVerb(before, last)
    ? object.slice(0, -1)
    : object;
}

/**
 * `ListAccount` of `/Accounts` → accounts. `ListNumberCountry` returns a list, so it becomes plural
 * on any path.
 */
export function pluralizeListObject(
  object: readonly string[],
  { pathParts, kind }: ClassifiedOperation,
  isExplicitList: boolean,
): string[] {
  const connective = object.findIndex(isConnective);
  const head = (connective < 0 ? object.length : connective) - 1;
  const isPluralizable =
    isExplicitList &&
    connective < 0 &&
    kind === "list" &&
    !object.some(isPlural) &&
    isCountable(object[head] as string);
  return object.map((word, i) =>
    i === head && (lastSegmentHas(pathParts, pluralize(word)) || isPluralizable)
      ? pluralize(word)
      : word,
  );
}

/** `destroyPets` of `DELETE /pets/{id}` → pet. `/pets/{ids}` are several. */
export function singularizeItem(
  object: readonly string[],
  { pathParts, operation: { method }, effects: { mainAction } }: ClassifiedOperation,
): readonly string[] {
  const last = pathParts.at(-1);
  // "Delete all devices" of `/devices/{system}`
  if (/^(?:all|multiple|several)\b/.test(mainAction?.object ?? "")) return object;
  return /^(?:PUT|PATCH|DELETE)$/.test(method) &&
    last?.kind === "param" &&
    !isPlural(splitWords(last.name).at(-1) ?? "") &&
    segmentWords(pathParts, -2).join(" ") === object.join(" ")
    ? singularizeLast(object)
    : object;
}

/**
 * Noun of the group: plural for lists, singular for nearly all other verbs. Without a group, the
 * path's noun.
 */
export function nounOfGroup(
  group: readonly string[],
  verbWords: readonly string[],
  classified: ClassifiedOperation,
): readonly string[] {
  const verb = verbWords[0] ?? "";
  if (group.length === 0) return nounOfPath(classified, verbWords);
  if (verb === "list") return group.some(isPlural) ? group : pluralizeHead(group);
  if (verb === "search") return nounOfSearch(group, classified);
  if (verb === "count") return pluralOfThings(group);
  const isLastSegment = segmentWords(classified.pathParts, -1).at(-1) === group.at(-1);
  if (isLastSegment && !ADDING_VERBS.has(verb)) return group;
  return COLLECTION_VERBS.has(verb) && isBeforeLast(group, classified)
    ? pluralizeLast(group)
    : singularizeLast(group);
}

/**
 * Object of an unknown verb, from a summary of verb and object only: `Jettison cargo` → cargo, at
 * `/ships/{id}/jettison` too. A group that only repeats the verb gives way: `Rent a tool` of
 * `/rentals`.
 */
export function objectInSummary(
  group: readonly string[],
  [verb = ""]: readonly string[],
  { effects, operation }: ClassifiedOperation,
): readonly string[] | undefined {
  if (operation.method === "GET" || effects.mainAction !== undefined) return undefined;
  if (!group.every((one) => one.startsWith(verb))) return undefined;
  const { word, rest } = readSummaryStart(operation);
  const words = splitWords(rest);
  const object = isArticle(words[0]) ? words.slice(1) : words;
  const isObject = object.length > 0 && object.length < MAX_OBJECT_WORDS;
  return word === verb && isObject && !object.some(isConnective) && !object.some(isArticle)
    ? object
    : undefined;
}

/** `tool by name` → tools by name. */
function pluralizeHead(words: readonly string[]): readonly string[] {
  const end = words.indexOf("by");
  return end < 1
    ? pluralizeLast(words)
    : [...pluralizeLast(words.slice(0, end)), ...words.slice(end)];
}

/** `guild_search` of `/guilds/{id}/messages/search` → guild messages. */
function nounOfSearch(
  group: readonly string[],
  classified: ClassifiedOperation,
): readonly string[] {
  if (isBeforeLast(group, classified)) return pluralizeLast(group);
  const before = segmentWords(classified.pathParts, -2);
  return before.length > 0 && classified.pathParts.length > 2
    ? [...wordsNotIn(group, before), ...before]
    : pluralOfThings(group);
}

/** `package` of `Package_Search` and `Package_Count` → packages. */
const pluralOfThings = (group: readonly string[]): readonly string[] =>
  isCountable(group.at(-1) ?? "") && !isSearchVerb(group.at(-1)) && !group.some(isPlural)
    ? pluralizeLast(group)
    : group;

/** `/images/search`: the group is the segment before the verb, without a path parameter. */
function isBeforeLast(group: readonly string[], { pathParts }: ClassifiedOperation): boolean {
  return segmentWords(pathParts, -2).at(-1) === pluralize(group.at(-1) as string);
}

/** Verbs whose object is the resource of the path. */
const RESOURCE_VERBS = /^(?:add|create|delete|get|list|replace|search|set|update)$/;

/**
 * Noun of an action that the texts of a write state. It is the noun of the path up to the word that
 * the text names, without words of the verb: `Join a group` of `/groups/{id}/memberships` → group.
 * When they share no word, it is that of the text.
 * @param pathNoun noun of the path
 */
export function nounOfAction(
  verb: string,
  pathNoun: readonly string[],
  { effects: { mainAction: action, isReadOnly }, operation: { method } }: ClassifiedOperation,
): readonly string[] {
  if (isReadOnly && action?.verb === verb && COMPUTED_READS.has(verb)) {
    const object = objectWords(action.object);
    const isSame = singularize(object.at(-1) ?? "") === singularize(pathNoun.at(-1) ?? "");
    if (isSame && object.length > 1 && object.length <= MAX_OBJECT_WORDS)
      return [...object.slice(0, -1), ...pathNoun.slice(-1)];
  }
  if (isReadOnly && action) return inStatedOrder(pathNoun, action.object.split(" "));
  // `Remove a user from a group` of `/groups/{id}/members/{id}` removes a member.
  const isOfPath = RESOURCE_VERBS.test(verb) || (method === "DELETE" && verb === "remove");
  if (action?.verb !== verb || isOfPath)
    return extendedNoun(verb, pathNoun, action?.verb === verb ? action.object : "");
  const stated = objectWords(action.object.replace(LIST_OF, ""));
  const noun = withoutVerb(nounOfObject(stated, pathNoun), verb);
  const [, state] = /^(?:mark|flag)$/.test(verb)
    ? (/\bas ([a-z]+)(?= for | to | by |$)/.exec(action.object) ?? [])
    : [];
  return state === undefined ? noun : [...noun, "as", state];
}

/** `client selfie` of "Create a client selfie" at `/client`. */
function extendedNoun(verb: string, pathNoun: readonly string[], text: string): readonly string[] {
  const object = objectWords(text);
  const isExtended =
    verb === "create" &&
    object.length === pathNoun.length + 1 &&
    object.slice(0, -1).join(" ") === pathNoun.join(" ");
  return isExtended ? object : pathNoun;
}

/** `type notifications` of "Get the available notification types" → notification types. */
function inStatedOrder(noun: readonly string[], object: readonly string[]): readonly string[] {
  const stemsOf = (words: readonly string[]): readonly string[] => words.map(singularize);
  const own = stemsOf(noun).join(" ");
  const stems = stemsOf(noun).toSorted().join(" ");
  const runs = [...object.map((_, i) => object.slice(i, i + noun.length)), ...genitives(object)];
  const stated = runs.find((run) => stemsOf(run).toSorted().join(" ") === stems);
  const isSame = stated === undefined || stemsOf(stated).join(" ") === own;
  return isSame || isPlural(noun.at(-1) ?? "") !== isPlural(stated.at(-1) ?? "") ? noun : stated;
}

/** `frequency of a word` → word frequency. */
const genitives = (words: readonly string[]): readonly (readonly string[])[] =>
  words.flatMap((word, i) => {
    const rest = words.slice(i + 1).filter((one) => !isArticle(one));
    return word === "of" && i > 0 ? [[singularize(rest[0] ?? ""), words[i - 1] as string]] : [];
  });

function nounOfObject(object: readonly string[], pathNoun: readonly string[]): readonly string[] {
  if (object.length === 0) return pathNoun;
  const stems = object.map(singularize);
  const last = pathNoun.findLastIndex((word) => stems.includes(singularize(word)));
  const isOther = last >= 0 && last < pathNoun.length - 1 && object.length > 1;
  // `Submit an IATU transaction request` at `/iatu/topups`
  const isQualifier = isOther && stems.at(-1) !== singularize(pathNoun[last] as string);
  if (last < 0 || isQualifier) return object.length > MAX_OBJECT_WORDS ? pathNoun : object;
  const named = object[stems.indexOf(singularize(pathNoun[last] as string))] as string;
  return [...pathNoun.slice(0, last), named];
}

/** `unfollow, follows, brand` → brand. */
function withoutVerb(noun: readonly string[], verb: string): readonly string[] {
  const others = noun.filter(
    (word) => !verb.includes(word.slice(0, MIN_STEM)) && singularize(word) !== verb,
  );
  return others.length > 0 ? others : noun;
}

const MIN_STEM = 5;

/** Verbs whose object is an action: `Start a scan` scans. */
const VERBS_OF_ACTIONS =
  /^(?:begin|create|do|execute|get|initiate|issue|make|perform|request|run|schedule|start|submit|trigger)$/;

/** True for a word that the texts use as a noun: `label` of "Update a credential label". */
export function isObjectOfAction(
  word: string | undefined,
  { mainAction: action }: OperationEffects,
): boolean {
  return (
    word !== undefined &&
    action !== undefined &&
    isAmbiguousVerb(word) &&
    action.verb !== word &&
    !VERBS_OF_ACTIONS.test(action.verb) &&
    objectWords(action.object).includes(word)
  );
}
