import type { ClassifiedOperation } from "../classify.js";
import {
  isAdjective,
  isArticle,
  isConnective,
  isParticiple,
  isPhrasalVerb,
  isPlural,
  isQuantifier,
  isSearchVerb,
  needsComplement,
  pluralize,
  pluralizeLast,
  singularizeLast,
} from "./grammar.js";
import { inferVerb, normalizeVerb } from "./infer-verb.js";
import type { ParsedOperationId } from "./parse-operation-id.js";
import { lastSegmentHas, nounOfPath, type PathSegment, segmentWords, wordsNotIn } from "./path.js";

/** An operationId taken apart, as the rules look at it. */
interface OperationIdReading extends Omit<ParsedOperationId, "hidden"> {
  readonly classified: ClassifiedOperation;
  /** What the operation does, as the name will say it: `list` of `get`. */
  readonly verbWords: readonly string[];
  /** `rest` without what the verb says already. */
  readonly object: readonly string[];
}

/** The words of a name; undefined when the next rule is to give them. */
type OperationIdRule = (reading: OperationIdReading) => NameWords | undefined;

/** From the narrowest to the widest: the first that applies names the operation. */
export const operationIdRules: readonly OperationIdRule[] = [
  searchVerbAfterGet,
  verbInsideWords,
  groupOnly,
  objectFromPath,
  connectiveToGroup,
  allOfGroup,
  createByNoun,
  verbAndObject,
];

/**
 * Names an operation by its operationId: verb first, then group and object. The words start with a
 * verb, and there are two or more but for a few whose verb says all.
 */
export function nameFromOperationId(
  parsed: ParsedOperationId,
  subject: ClassifiedOperation,
): NameWords {
  const reading = readOperationId(parsed, subject);
  for (const rule of operationIdRules) {
    const found = rule(reading);
    if (found) return found;
  }
  return verbAndObject(reading);
}

/** An operationId as the rules look at it. */
export function readOperationId(
  { group, verb, rest }: ParsedOperationId,
  subject: ClassifiedOperation,
): OperationIdReading {
  const does = normalizeVerb(verb, rest, subject);
  return {
    group,
    verb,
    rest,
    classified: subject,
    verbWords: does,
    object: simplifyObject(rest, does, verb.length === 0, subject),
  };
}

/** `getSearchMovie` searches movies. */
function searchVerbAfterGet({
  group,
  verb,
  rest: [first, ...further],
  classified: subject,
}: OperationIdReading): NameWords | undefined {
  if (verb[0] !== "get" || further.length === 0 || !isSearchVerb(first)) return undefined;
  return nameFromOperationId({ group, verb: [first as string], rest: further }, subject);
}

/**
 * `genai_custom_model_import` has a word that can be a verb, and the summary (or the kind) says
 * that it is one.
 */
function verbInsideWords({
  group,
  verb,
  rest,
  classified: subject,
}: OperationIdReading): NameWords | undefined {
  const isMethod = verb.length === 1 && verb[0] === "post" && subject.operation.method === "POST";
  const at =
    verb.length === 0 || isMethod
      ? [inferVerb(subject), ...verbOfPath(subject)]
          .map((word) => rest.indexOf(word))
          .find((found) => found >= 0)
      : undefined;
  if (at === undefined) return undefined;
  return nameFromOperationId(
    {
      group: [...group, ...rest.slice(0, at)],
      verb: rest.slice(at, at + 1),
      rest: rest.slice(at + 1),
    },
    subject,
  );
}

/** `POST /models/{id}/archive`. */
function verbOfPath({
  endsInVerb: pathVerb,
  operation: { method },
  pathParts: parts,
}: ClassifiedOperation): readonly string[] {
  const words = pathVerb && method !== "GET" ? segmentWords(parts, -1) : [];
  return words.length === 1 ? words : [];
}

/** `users.destroy`: the object is the group, or the thing of the path where there is none. */
function groupOnly({
  group,
  object,
  verbWords: does,
  classified: subject,
}: OperationIdReading): NameWords | undefined {
  if (object.length > 0) return undefined;
  return { words: [...does, ...nounOfGroup(removeListWord(group, does), does, subject)] };
}

/** `listOnCalls` of `/oncalls`: what starts like a link is the thing itself. */
function objectFromPath({
  group,
  verb,
  object,
  verbWords: does,
  classified: subject,
}: OperationIdReading): NameWords | undefined {
  if (
    verb.length === 0 ||
    group.length > 0 ||
    !isConnective(object[0]) ||
    segmentWords(subject.pathParts, -1).join("") !== object.join("")
  )
    return undefined;
  return { words: [...does, ...nounOfPath(subject, does)] };
}

/** `getById`, `issues/list-for-repo`: what is linked stands behind the thing. */
function connectiveToGroup({
  group,
  verb,
  object,
  verbWords: does,
  classified: subject,
}: OperationIdReading): NameWords | undefined {
  if (verb.length === 0 || !isConnective(object[0])) return undefined;
  return { words: [...does, ...nounOfGroup(group, does, subject), ...object] };
}

/** `pets.deleteAll`, `All` of `/products`: many of the group, or what the path has. */
function allOfGroup({
  group,
  object,
  verbWords: does,
  classified: subject,
}: OperationIdReading): NameWords | undefined {
  if (object.length !== 1 || object[0] !== "all") return undefined;
  return {
    words: [...does, ...(group.length > 0 ? pluralizeLast(group) : nounOfPath(subject, does))],
  };
}

/** `app_packages` of a `POST /app_packages` makes one of them. */
function createByNoun({
  group,
  verb,
  object,
  verbWords: does,
  classified: subject,
}: OperationIdReading): NameWords | undefined {
  if (
    verb.length > 0 ||
    does[0] !== "create" ||
    !lastSegmentHas(subject.pathParts, object.at(-1) as string)
  )
    return undefined;
  return nameFromOperationId({ group, verb: ["create"], rest: singularizeLast(object) }, subject);
}

/** `code-scanning/list-alerts`: verb, words of the group that the object does not say, object. */
function verbAndObject({
  group,
  verb,
  rest,
  object,
  verbWords: does,
  classified: subject,
}: OperationIdReading): NameWords {
  const saidAll =
    rest[0] === "all" && object.length < rest.length && !isPlural(object.at(-1) as string);
  const missing = wordsNotIn(
    removeListWord(saidAll ? group : singularizeLast(group), does),
    object,
  );
  const isList = does[0] === "list";
  const words = [
    ...does,
    ...missing,
    ...(isList
      ? pluralizeListObject(object, subject, verb[0] === "list" && group.length === 0)
      : object),
  ];
  return { words, optionalPositions: new Set(missing.map((_, i) => does.length + i)) };
}

/** `airport list` of a list is about airports. */
function removeListWord(group: readonly string[], [verb]: readonly string[]): readonly string[] {
  return verb === "list" && group.length > 1 ? group.filter((word) => word !== verb) : group;
}

/** The words of a name before it is made to fit. */
export interface NameWords {
  readonly words: readonly string[];
  /** Positions of words that only qualify, given up first when the name is too long. */
  readonly optionalPositions?: ReadonlySet<number>;
}

/**
 * What an operationId says that something is done to, without words that add nothing.
 * @param rest its words behind the verb
 * @param does the verb of the name
 * @param isNoun it has no verb of its own
 */
export function simplifyObject(
  rest: readonly string[],
  does: readonly string[],
  isNoun: boolean,
  { pathParts: parts }: ClassifiedOperation,
): readonly string[] {
  const object = removeCountWords(rest, does, parts).filter(
    (word, i, all) => !isArticle(word) || i === all.length - 1,
  );
  return (isNoun ? moveSelectorFirst(object) : undefined) ?? removeDanglingEnd(object);
}

/**
 * `pet list` → `pets`, `all pets` → `pets` when the verb already says so; `one` of `findOne` and
 * `createOne` goes too.
 */
function removeCountWords(
  rest: readonly string[],
  [verb]: readonly string[],
  parts: readonly PathSegment[],
): readonly string[] {
  if (verb === "get" && rest[0] === "one") return rest.slice(1);
  if (rest.length === 1 && /^(one|many|multiple)$/.test(rest[0] as string)) return [];
  if (verb !== "list") return rest;
  if (
    rest.length > 1 &&
    rest.at(-1) === "list" &&
    !isConnective(rest.at(-2)) &&
    !lastSegmentHas(parts, "lists")
  )
    return pluralizeLast(rest.slice(0, -1));
  return isQuantifier(rest[0]) && !isConnective(rest[1]) ? rest.slice(1) : rest;
}

/** Says which ones, and nothing else. */
const SELECTOR_ADJECTIVES = new Set(
  "all active inactive current latest recent upcoming popular trending pending available".split(
    " ",
  ),
);

/**
 * `teams all`, `season current`: which ones stands before what, unless it is a question (`is report
 * available`).
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

/** `jobs for`: a link at the end links nothing, but for `assigned to` and `log in with`. */
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
 * `ListAccount` on `/Accounts` lists accounts; so does `ListNumberCountry`, which gives a list,
 * wherever it is.
 */
export function pluralizeListObject(
  object: readonly string[],
  { pathParts: parts, kind }: ClassifiedOperation,
  said: boolean,
): string[] {
  const link = object.findIndex(isConnective);
  const head = (link < 0 ? object.length : link) - 1;
  const many =
    said &&
    link < 0 &&
    kind === "list" &&
    !object.some(isPlural) &&
    isCountable(object[head] as string);
  return object.map((word, i) =>
    i === head && (lastSegmentHas(parts, pluralize(word)) || many) ? pluralize(word) : word,
  );
}

/** `pricing`, `v2` and `mine` have no plural. */
export function isCountable(word: string): boolean {
  return (
    /^[a-z]{3,}$/.test(word) &&
    !/(?:ing|ed)$/.test(word) &&
    !isAdjective(word) &&
    !/^(all|mine|own|self|usage|latest|details?|by|log)$/.test(word)
  );
}

/** Verbs of which a collection is the object, not one thing of it. */
const COLLECTION_VERBS = new Set(
  "prune purge query count export import clear compare sync reindex".split(" "),
);

/**
 * The object that the group names: many for a list, one for nearly everything else; without a
 * group, what the path names.
 */
export function nounOfGroup(
  group: readonly string[],
  does: readonly string[],
  subject: ClassifiedOperation,
): readonly string[] {
  const verb = does[0] ?? "";
  if (group.length === 0) return nounOfPath(subject, does);
  if (verb === "list") return group.some(isPlural) ? group : pluralizeLast(group);
  if (verb === "search") return nounOfSearch(group, subject);
  const isLastPiece = segmentWords(subject.pathParts, -1).at(-1) === group.at(-1);
  if (isLastPiece && verb !== "create" && verb !== "add") return group;
  return COLLECTION_VERBS.has(verb) && isBeforeLast(group, subject)
    ? pluralizeLast(group)
    : singularizeLast(group);
}

/** `guild_search` of `/guilds/{id}/messages/search` searches messages. */
function nounOfSearch(group: readonly string[], subject: ClassifiedOperation): readonly string[] {
  if (isBeforeLast(group, subject)) return pluralizeLast(group);
  const before = segmentWords(subject.pathParts, -2);
  return before.length > 0 && subject.pathParts.length > 2
    ? [...wordsNotIn(group, before), ...before]
    : group;
}

/** `/images/search`: the piece before the verb is the group itself, and no parameter picks one. */
function isBeforeLast(
  group: readonly string[],
  { pathParts: parts }: ClassifiedOperation,
): boolean {
  return segmentWords(parts, -2).at(-1) === pluralize(group.at(-1) as string);
}
