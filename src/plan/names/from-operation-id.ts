import type { ClassifiedOperation, ParsedOperationId } from "../operations/types.js";
import {
  isAdjective,
  isArticle,
  isConnective,
  isPlural,
  isSearchVerb,
  isVerb,
  pluralizeLast,
  singularize,
  singularizeLast,
} from "../../language/grammar.js";
import {
  nounOfGroup,
  objectInSummary,
  pluralizeListObject,
  simplifyObject,
  singularizeItem,
} from "./object-noun.js";
import { objectWords } from "./stated-object.js";
import { effectOfVerb } from "../../language/verb-effects.js";
import { inferVerb, normalizeVerb, PLAIN_READS } from "./infer-verb.js";
import {
  endsInTopic,
  lastSegmentHas,
  pathHasCollection,
  segmentWords,
} from "../operations/path.js";
import { NOUNS_OF_FACTS } from "../../language/lexicon.js";
import { nounOfPath, wordsNotIn } from "./path.js";
import { splitWords } from "../../language/words.js";

/** Words of a name before it is shortened. */
export interface NameWords {
  readonly words: readonly string[];
  /** Positions of words that only qualify. They are dropped first when the name is too long. */
  readonly optionalPositions?: ReadonlySet<number>;
}

/** A parsed operationId with its normalized verb and object. */
interface OperationIdReading extends Omit<ParsedOperationId, "omittedGroup"> {
  readonly classified: ClassifiedOperation;
  /** Verb of the tool name: `list` for a `get` that returns a list. */
  readonly verbWords: readonly string[];
  /** `rest` without words that the verb implies. */
  readonly object: readonly string[];
}

/** Derives the words of a name; undefined when the rule does not apply. */
type OperationIdRule = (reading: OperationIdReading) => NameWords | undefined;

/** Rules from the most specific to the most general. The first that applies names the operation. */
export const operationIdRules: readonly OperationIdRule[] = [
  searchVerbAfterGet,
  verbOfNoun,
  verbInsideWords,
  groupOnly,
  connectiveToGroup,
  allOfGroup,
  createByNoun,
  partOfItem,
  verbAndObject,
];

/**
 * Derives a name from a parsed operationId: verb, group, object. The first word is a verb. There
 * are at least two words, except for verbs that need no object.
 */
export function nameFromOperationId(
  parsed: ParsedOperationId,
  classified: ClassifiedOperation,
): NameWords {
  const reading = readOperationId(parsed, classified);
  for (const rule of operationIdRules) {
    const name = rule(reading);
    if (name) return name;
  }
  return verbAndObject(reading);
}

/** Normalizes verb and object of a parsed operationId. */
export function readOperationId(
  { group, verb, rest }: ParsedOperationId,
  classified: ClassifiedOperation,
): OperationIdReading {
  if (isNounOfPath(verb, classified))
    return readOperationId({ group, verb: [], rest: [...verb, ...rest] }, classified);
  // `makeUserKey` of "Generate a user key"
  if (verb.length === 0 && rest[0] === "make" && rest.length > 1)
    return readOperationId({ group, verb: ["make"], rest: rest.slice(1) }, classified);
  const verbWords = normalizeVerb(verb, rest, classified);
  return {
    group,
    verb,
    rest,
    classified,
    verbWords,
    object: simplifyObject(rest, verbWords, verb.length === 0, classified),
  };
}

/** `Stop` of `StopPoint_Meta` at `GET /StopPoint/Meta`: `Get the modes of a stop`. */
function isNounOfPath(
  [word, second]: readonly string[],
  { effects, operation, pathParts }: ClassifiedOperation,
): boolean {
  const isSafe = operation.method === "GET" && effects.isReadOnly;
  if (word === undefined || second !== undefined || !isSafe) return false;
  const isTopic = endsInTopic(pathParts) && segmentWords(pathParts, -1).join(" ") === word;
  const isStated = effects.mainAction
    ? PLAIN_READS.test(effects.mainAction.verb)
    : isTopic || pathHasCollection(pathParts, word);
  const isRead = effectOfVerb(word) === "reads";
  const isObject = objectWords(effects.mainAction?.object ?? "").includes(word);
  return (
    (!isRead || (isObject && isSearchVerb(word))) &&
    isStated &&
    pathParts.some((part) => part.kind === "words" && part.words.map(singularize).includes(word))
  );
}

/** `getSearchMovie` → search movie. */
function searchVerbAfterGet({
  group,
  verb,
  rest: [first, ...further],
  classified,
}: OperationIdReading): NameWords | undefined {
  const isStated = classified.effects.mainAction?.verb === first;
  if (verb[0] !== "get" || further.length === 0 || !(isStated || isSearchVerb(first)))
    return undefined;
  // "Get search parameters"
  if (objectWords(classified.effects.mainAction?.object ?? "")[0] === first) return undefined;
  return nameFromOperationId({ group, verb: [first as string], rest: further }, classified);
}

/** `performSearch` → search. */
function verbOfNoun({
  group,
  verb,
  rest: [first, ...further],
  classified,
}: OperationIdReading): NameWords | undefined {
  const isPerformed = /^(?:do|execute|perform)$/.test(verb[0] ?? "") && isVerb(first);
  if (!isPerformed || verb.length > 1) return undefined;
  return nameFromOperationId({ group, verb: [first as string], rest: further }, classified);
}

/**
 * `genai_custom_model_import`: one of the words is the verb that the summary, the path or the kind
 * of the operation confirms.
 */
function verbInsideWords({
  group,
  verb,
  rest,
  classified,
}: OperationIdReading): NameWords | undefined {
  const isMethod =
    verb.length === 1 && verb[0] === "post" && classified.operation.method === "POST";
  if (verb.length > 0 && !isMethod) return undefined;
  const { verb: stated = "" } = classified.effects.mainAction ?? {};
  const index = [inferVerb(classified), stated, ...verbOfPath(classified)]
    // A noun of the path would come back as a word without a verb.
    .filter((word) => !isNounOfPath([word], classified))
    .map((word) => rest.indexOf(word))
    .find((position) => position >= 0);
  if (index === undefined) return undefined;
  const parsed = {
    group: [...group, ...rest.slice(0, index)],
    verb: rest.slice(index, index + 1),
    rest: rest.slice(index + 1),
  };
  return nameFromOperationId(parsed, classified);
}

/** `POST /models/{id}/archive` → archive. */
function verbOfPath({
  endsInVerb,
  operation: { method },
  pathParts,
}: ClassifiedOperation): readonly string[] {
  const words = endsInVerb && method !== "GET" ? segmentWords(pathParts, -1) : [];
  return words.length === 1 ? words : [];
}

/** `users.destroy`: the group is the object; without a group, the path's noun. */
function groupOnly({
  group,
  object,
  verb,
  verbWords,
  classified,
}: OperationIdReading): NameWords | undefined {
  if (object.length > 0) return undefined;
  const noun =
    objectInSummary(group, verbWords, classified) ?? nounOfGroup(group, verbWords, classified);
  const named = [...noun, ...partBeforeVerb(noun, verb, classified)];
  // `commit` of `/branches/{branch}/commits`
  const isNamedTwice = named.length > 1 && singularize(named.at(-1) ?? "") === verb[0];
  return { words: [...verbWords, ...(isNamedTwice ? named.slice(0, -1) : named)] };
}

/** `kyc` of `/customers/{id}/kyc/reject`: the verb of the path acts on a part of the item. */
function partBeforeVerb(
  noun: readonly string[],
  [verb = ""]: readonly string[],
  { operation: { summary = "" }, pathParts }: ClassifiedOperation,
): readonly string[] {
  const part = segmentWords(pathParts, -2);
  const isPart =
    segmentWords(pathParts, -1).join(" ") === verb && pathParts.at(-3)?.kind === "param";
  const told = splitWords(summary);
  return isPart && part.every((word) => told.includes(word)) ? wordsNotIn(part, noun) : [];
}

/**
 * `getById`, `issues/list-for-repo`: the phrase with the connective follows the noun of the group.
 */
function connectiveToGroup({
  group,
  verb,
  object,
  verbWords,
  classified,
}: OperationIdReading): NameWords | undefined {
  if (verb.length === 0 || !isConnective(object[0])) return undefined;
  // `listOnCalls` of `/oncalls`: a noun that starts like a connective.
  if (segmentWords(classified.pathParts, -1).join("") === object.join("")) return undefined;
  // `text to speech` of `/text-to-speech/{voice}/stream` is one phrase.
  const phrase = [...verb, ...object].join(" ");
  const isPhrase = segmentWords(classified.pathParts, 0).join(" ") === phrase;
  const told = splitWords(classified.operation.summary ?? "").filter((word) => !isArticle(word));
  const isStated = group.length === 0 && object[0] !== "of" && told.join(" ") === phrase;
  const noun = isPhrase || isStated ? [] : nounOfGroup(group, verbWords, classified);
  // `stop points` stay whole before `by geo point`, and `jobs` before `from job schedule`.
  const isOwner =
    noun.length === 1 && singularize(object.at(-1) ?? "") !== singularize(noun[0] ?? "");
  const missing = wordsNotIn(noun, object).length === 0 && !isOwner ? [] : noun;
  const addsGroup = group.length > 0 || missing.length === 0;
  return { words: [...verbWords, ...(addsGroup ? missing : noun), ...object] };
}

/** `pets.deleteAll` → delete pets; `All` of `/products` → list products. */
function allOfGroup({
  group,
  object,
  verbWords,
  classified,
}: OperationIdReading): NameWords | undefined {
  if (object.length !== 1 || object[0] !== "all") return undefined;
  return {
    words: [
      ...verbWords,
      ...(group.length > 0 ? pluralizeLast(group) : nounOfPath(classified, verbWords)),
    ],
  };
}

/** `app_packages` of `POST /app_packages` → create app package. */
function createByNoun({
  group,
  verb,
  object,
  verbWords,
  classified,
}: OperationIdReading): NameWords | undefined {
  if (
    verb.length > 0 ||
    verbWords[0] !== "create" ||
    !lastSegmentHas(classified.pathParts, object.at(-1) as string)
  )
    return undefined;
  return nameFromOperationId(
    { group, verb: ["create"], rest: singularizeLast(object) },
    classified,
  );
}

/** `getMetadata` of `/matches/{id}/metadata` → get match metadata. */
function partOfItem({
  group,
  object: [word = "", second],
  verbWords,
  classified,
}: OperationIdReading): NameWords | undefined {
  const { pathParts } = classified;
  const at = pathParts.findLastIndex(({ kind }) => kind === "words");
  const isPart = segmentWords(pathParts, at).join(" ") === word && VAGUE_PARTS.has(word);
  if (group.length > 0 || second !== undefined || !isPart) return undefined;
  return pathParts[at - 1]?.kind === "param"
    ? { words: [...verbWords, ...nounOfPath(classified, verbWords)] }
    : undefined;
}

/** Parts that most things have, so that the word alone names none of them. */
const VAGUE_PARTS = new Set(
  "config configuration content contents data history metadata schema settings statistics stats".split(
    " ",
  ),
);

/** `rate plan` of rates, which stays whole. */
function isCompound(group: readonly string[], object: readonly string[]): boolean {
  const [first, head] = group;
  const isBroken = group.length === 2 && wordsNotIn(group, object).join() === head;
  return isBroken && !/^(?:get|post|put|patch)$/.test(head ?? "") && !isConnective(first);
}

const MAX_OWNER_WORDS = 4;

/** `repo` and `cred` of `repository credentials`. */
const isAbbreviationIn = (object: readonly string[], word: string): boolean =>
  word.length >= MIN_ABBREVIATION && object.some((whole) => whole.startsWith(word));

const MIN_ABBREVIATION = 4;

/** `code-scanning/list-alerts`: verb, group words that the object does not repeat, object. */
function verbAndObject({
  group,
  verb,
  rest,
  object,
  verbWords,
  classified,
}: OperationIdReading): NameWords {
  const meansAll =
    rest[0] === "all" && object.length < rest.length && !isPlural(object.at(-1) as string);
  // `getDetails` of `/account`
  const owner = singularizeLast(nounOfPath(classified, ["get"]));
  const isFact = group.length === 0 && object.length === 1 && NOUNS_OF_FACTS.has(object[0] ?? "");
  if (isFact && owner.length < MAX_OWNER_WORDS && !owner.includes(object[0] ?? ""))
    return { words: [...verbWords, ...owner, ...object] };
  const groupNoun = meansAll ? group : singularizeLast(group);
  const isShort = groupNoun.every((word) => isAbbreviationIn(object, word));
  const unnamed = isShort ? [] : wordsNotIn(groupNoun, object);
  const missing = isCompound(groupNoun, object) ? groupNoun : unnamed;
  // `Runs_ForRun`
  if (group.length > 0 && missing.length === 0 && isConnective(object[0]))
    return { words: [...verbWords, ...pluralizeLast(group), ...object] };
  // `getAdvertised` of rentals
  if (verbWords[0] === "list" && group.length > 0 && object.every(isAdjective))
    return { words: [...verbWords, ...object, ...pluralizeLast(group)] };
  // `Deleted` of `/genes/deleted`
  const isAdjectiveOnly =
    group.length === 0 &&
    object.length > 0 &&
    object.every(isAdjective) &&
    segmentWords(classified.pathParts, -1).join(" ") === object.join(" ") &&
    classified.effects.isReadOnly;
  if (isAdjectiveOnly) return { words: [...verbWords, ...nounOfPath(classified, ["list"])] };
  // `post_board_lists` without a text adds one list.
  const isOneOfCollection =
    verb[0] === "post" &&
    verbWords[0] === "create" &&
    !classified.effects.mainAction &&
    lastSegmentHas(classified.pathParts, object.at(-1) ?? "");
  const isExplicitList = verb[0] === "list" && group.length === 0;
  const noun =
    verbWords[0] === "list"
      ? pluralizeListObject(object, classified, isExplicitList)
      : isOneOfCollection
        ? singularizeLast(object)
        : singularizeItem(object, classified);
  return {
    words: [...verbWords, ...missing, ...noun],
    optionalPositions: new Set(missing.map((_, i) => verbWords.length + i)),
  };
}
