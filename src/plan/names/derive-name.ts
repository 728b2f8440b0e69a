import { sequence } from "../../language/patterns.js";
import { nameFromOperationId, type NameWords } from "./from-operation-id.js";
import { nameFromPath } from "./from-path.js";
import {
  canStartImperative,
  isAmbiguousVerb,
  isDanglingWord,
  isParticiple,
  isQuantifier,
  isUnambiguousVerb,
  needsComplement,
  pluralize,
  singularize,
  singularizeLast,
} from "../../language/grammar.js";
import { READING_VERBS, SESSION_VERBS, VERBS_OF_RESOURCES } from "../../language/lexicon.js";
import { COMPUTED_READS } from "../../language/verb-effects.js";
import { NO_VERB } from "./infer-verb.js";
import { objectWords } from "./stated-object.js";
import { splitAsTold } from "./document-words.js";
import { asWritten, pluralAsStated, singularAsStated, singularOwners } from "./number.js";
import type { Operation } from "../../model/types.js";
import type { ClassifiedOperation, ParsedOperationId, PathSegment } from "../operations/types.js";
import { parsePathTemplate, segmentWords } from "../operations/path.js";
import { splitWords } from "../../language/words.js";
import { pathInOperationId } from "./tokenize-operation-id.js";

/** Words of a name, and their source. */
export interface DerivedName extends NameWords {
  /**
   * Groups of the operationId that the name leaves out, used when the name belongs to another
   * operation.
   */
  readonly omittedGroup?: readonly string[];
  readonly source: "operationId" | "path";
}

/**
 * Derives the name of one operation from its operationId when that is usable, else from its path.
 * Considers no other operation.
 */
export function deriveName(classified: ClassifiedOperation): DerivedName {
  const id = classified.operation.operationId;
  const path = id === undefined ? undefined : pathInOperationId(id, classified.operation.path);
  if (path !== undefined) {
    const name = nameFromPath({ ...classified, pathParts: parsePathTemplate(path) });
    return { ...tidyName(name, classified), source: "operationId" };
  }
  const parsed = readId(classified);
  if (!parsed || namesPathVerbLast(parsed, classified))
    return { ...tidyName(nameFromPath(classified), classified), source: "path" };
  return {
    ...tidyName(nameFromOperationId(parsed, classified), classified),
    ...(parsed.omittedGroup && { omittedGroup: parsed.omittedGroup }),
    source: "operationId",
  };
}

/**
 * Parses an operationId. A verb that the texts use as a noun is read as a noun: `transfer
 * instruments`.
 */
function readId(classified: ClassifiedOperation): ParsedOperationId | undefined {
  const parsed = classified.parsedId;
  const [verb, second] = parsed?.verb ?? [];
  if (!parsed || verb === undefined || second !== undefined) return parsed;
  return isCompoundNoun(verb, parsed.rest, classified)
    ? { ...parsed, verb: [], rest: [verb, ...parsed.rest] }
    : parsed;
}

/** `transferInstruments` of "Create a transfer instrument", `listFollow` of "Follow a list". */
function isCompoundNoun(
  verb: string,
  rest: readonly string[],
  { effects: { mainAction: action, isReadOnly } }: ClassifiedOperation,
): boolean {
  if (!action || action.verb === verb) return false;
  const object = action.object.split(" ");
  // `Creates a Notify resource`
  if (/^resources?$/.test(object[object.indexOf(verb) + 1] ?? "") && object.includes(verb))
    return true;
  const next = object[object.indexOf(verb) + 1];
  const isNoun = isAmbiguousVerb(verb) && next !== undefined && next === singularize(rest[0] ?? "");
  return (
    object.includes(verb) &&
    (isNoun || (!isReadOnly && action.effect !== "reads" && rest.includes(action.verb)))
  );
}

/**
 * `createSchedulePreview` of `POST /schedules/preview`: the verb of the path is the better one. In
 * `updateBuildLog` of `POST /builds/{id}/log`, no text says that `log` is a verb.
 */
function namesPathVerbLast(
  { verb, group, rest }: ParsedOperationId,
  { effects, endsInVerb, pathParts }: ClassifiedOperation,
): boolean {
  const segment = segmentWords(pathParts, -1);
  const stated = effects.mainAction?.verb;
  // `schedules_release_create`
  const named = rest.length > 0 ? rest : group;
  return (
    endsInVerb &&
    (stated === segment[0] || (stated === undefined && isCall(segment, pathParts))) &&
    verb.length === 1 &&
    /^(?:create|post|put|replace|update)$/.test(verb[0] as string) &&
    named.length > segment.length &&
    named.slice(-segment.length).join(" ") === segment.join(" ")
  );
}

/** `submit answer`, and `complete quiz` of `/quizzes/{id}/complete_quiz`, without any text. */
const isCall = ([verb, ...object]: readonly string[], pathParts: readonly PathSegment[]): boolean =>
  isUnambiguousVerb(verb) ||
  (object.length > 0 &&
    pathParts.slice(0, -1).some((_, i) => isSameThing(segmentWords(pathParts, i), object)));

const isSameThing = (one: readonly string[], other: readonly string[]): boolean =>
  singularizeLast(one).join(" ") === singularizeLast(other).join(" ");

/**
 * Removes repeated and empty words, adapts the optional positions, and corrects the number of
 * nouns.
 */
function tidyName(nameWords: NameWords, classified: ClassifiedOperation): NameWords {
  const spoken = selectWords(withVerb(nameWords), positionsWithoutEmptyVerb);
  const unrepeated = selectWords(
    selectWords(spoken, positionsWithoutNounOfVerb),
    positionsWithoutRepeats,
  );
  const stated =
    objectOfCall(unrepeated.words, classified) ?? objectOfNounOfVerb(unrepeated.words, classified);
  if (stated !== undefined) return { words: stated };
  const name = withoutOne(selectWords(unrepeated, meaningfulPositions), classified.operation);
  const corrections = [
    splitAsTold,
    asWritten,
    pluralAsStated,
    singularAsStated,
    qualifyByCaller,
    singularOwners,
  ];
  return {
    ...name,
    words: corrections.reduce((words, correct) => correct(words, classified), name.words),
  };
}

/**
 * `delete objects` of "Delete objects in path" at `POST /operations/delete`: the object of the
 * text, where no text has a word of the path.
 */
function objectOfCall(
  [verb = "", ...object]: readonly string[],
  { effects: { mainAction: action }, operation, pathParts }: ClassifiedOperation,
): readonly string[] | undefined {
  const isCall = operation.method === "POST" && pathParts.every(({ kind }) => kind === "words");
  if (!isCall || pathParts.length < 2 || action?.verb !== verb) return undefined;
  const { summary = "", description = "" } = operation;
  const told = new Set(splitWords(`${summary} ${description.slice(0, 300)}`).map(singularize));
  const stated = objectWords(action.object);
  const isUntold = object.length > 0 && !object.some((word) => told.has(singularize(word)));
  return isUntold && stated.length > 0 && stated.length <= MAX_STATED_WORDS
    ? [verb, ...stated]
    : undefined;
}

/** `authorize authorization` of "Authorize a transaction" → authorize transaction. */
function objectOfNounOfVerb(
  [verb = "", noun = "", ...others]: readonly string[],
  { effects: { mainAction: action } }: ClassifiedOperation,
): readonly string[] | undefined {
  if (action?.verb !== verb || others.length > 0 || !isNounOfVerb(noun, verb)) return undefined;
  const stated = objectWords(action.object);
  return stated.length > 0 && stated.length <= MAX_STATED_WORDS ? [verb, ...stated] : undefined;
}

const MAX_STATED_WORDS = 3;

/** Things of the caller alone, in the object of a text: `issues assigned to you`. */
const OF_CALLER = sequence(
  /^(?:(?!by|for|from|in|of|on|that|to|which|with)[a-z-]+ )*?/,
  /(assigned|created|owned|shared|starred|watched) (?:to|by|with) /,
  /(?:me|you|the (?:authenticated|current) user)\b/,
);

/**
 * `list issues` of "List issues assigned to the authenticated user" → list assigned issues. The
 * name without a qualifier would promise all issues.
 */
function qualifyByCaller(
  words: readonly string[],
  { effects: { isReadOnly, mainAction }, pathParts }: ClassifiedOperation,
): readonly string[] {
  const [, participle] = OF_CALLER.exec(mainAction?.object ?? "") ?? [];
  const [verb = "", ...object] = words;
  if (participle === undefined || !isReadOnly) return words;
  const own = [...object, ...pathParts.flatMap((_, i) => segmentWords(pathParts, i))];
  const isQualified = own.some((word) => OWN_WORDS.test(word));
  return isQualified ? words : [verb, participle, ...object];
}

/** Words that say whose things they are. */
const OWN_WORDS = /^(?:authenticated|current|me|mine|my|own|self|users?)$/;

function selectWords(
  { words, optionalPositions }: NameWords,
  select: (words: readonly string[]) => readonly number[] | undefined,
): NameWords {
  const positions = select(words);
  if (!positions) return { words, ...(optionalPositions && { optionalPositions }) };
  const optional = positions.flatMap((from, to) => (optionalPositions?.has(from) ? [to] : []));
  return { words: positions.map((i) => words[i] as string), optionalPositions: new Set(optional) };
}

/**
 * Name of a merged tool that lists, searches and gets, derived from the name of its list:
 * `list_pets` → `find_pets`. Undefined when that name starts with a more specific verb.
 * @param collection words of the last path segment; decide the grammatical number, and the noun
 * when the name is only a verb
 */
export function findToolName(
  words: readonly string[],
  collection: readonly string[],
): string | undefined {
  if (!READING_VERBS.has(words[0] as string)) return undefined;
  // `search for pets`
  const noun = removeQuantifiers(words.slice(words[1] === "for" ? 2 : 1));
  const last = noun.at(-1);
  if (last !== undefined && pluralize(last) === collection.at(-1))
    noun[noun.length - 1] = pluralize(last);
  return ["find", ...(noun.length > 0 ? noun : collection)].join("_");
}

/**
 * Removes quantifiers. Words that surrounded one can be equal: `codes of conduct all codes of
 * conduct`. Without a quantifier, repeated words tell operations apart and stay.
 */
function removeQuantifiers(noun: readonly string[]): string[] {
  const remaining = noun.filter((word) => !isQuantifier(word));
  return remaining.length < noun.length
    ? removeRepeats(["find", ...remaining]).slice(1)
    : remaining;
}

/** `zap vm` is a name; a noun takes the word of its method, which states no effect: post overview. */
function withVerb(name: NameWords): NameWords {
  const [verb, first = "", ...rest] = name.words;
  if (verb !== NO_VERB || canStartImperative(first)) return name;
  return { ...name, words: ["post", first, ...rest] };
}

const positionsWithoutEmptyVerb = (words: readonly string[]): readonly number[] | undefined =>
  words[0] === NO_VERB && words.length > 1 ? [...words.keys()].slice(1) : undefined;

/** `validate phone validation`, `migrate migration csv`: without the noun of the verb. */
function positionsWithoutNounOfVerb(words: readonly string[]): readonly number[] | undefined {
  const [verb = "", ...object] = words;
  const isNoun = (word: string): boolean =>
    isNounOfVerb(word, verb) &&
    (COMPUTED_READS.has(verb) || (word === object[0] && word.endsWith("ion")));
  if (object.length < 2 || !object.some(isNoun)) return undefined;
  return [...words.keys()].filter((i) => i === 0 || !isNoun(words[i] as string));
}

/** `validation` of validate. */
function isNounOfVerb(word: string, verb: string): boolean {
  const stem = verb.slice(0, Math.max(MIN_STEM, verb.length - 2));
  return word.startsWith(stem) && word !== verb && /(?:ed|ing|ion|sis|son|or|er)$/.test(word);
}

const MIN_STEM = 4;

/** Longer names are shortened anyway, and searching them for repeated rows is slow. */
const MAX_WORDS = 100;

/**
 * Positions of the words that remain without repetition: `trips trip details` → trip details,
 * `business unit business unit` → business unit, `fetch port in fetch` → fetch port in. The verb
 * (position 0) stays. Undefined when nothing repeats.
 */
export function positionsWithoutRepeats(words: readonly string[]): readonly number[] | undefined {
  if (words.length > MAX_WORDS || !hasRepeats(words)) return undefined;
  const stems = words.map((word, i) => (i === 0 ? word : singularize(word)));
  let positions = words.map((_, i) => i);
  for (let length = Math.floor((words.length - 1) / 2); length > 0; length--)
    positions = removeRepeatedRow(positions, stems, length);
  if (endsInVerbAgain(positions.map((i) => words[i] as string))) positions = positions.slice(0, -1);
  return positions.length < words.length ? positions : undefined;
}

/** `fetch port in fetch`. After `by`, or a preposition with a complement, the word has a meaning. */
function endsInVerbAgain(words: readonly string[]): boolean {
  const before = words.at(-2);
  const isComplement = needsComplement(before) || before === "by";
  const isNoun = VERBS_OF_RESOURCES.has(words[0] ?? "");
  return words.length > 2 && words.at(-1) === words[0] && !isComplement && !isNoun;
}

/** Removes words that repeat their neighbors. */
export function removeRepeats(words: readonly string[]): readonly string[] {
  return positionsWithoutRepeats(words)?.map((i) => words[i] as string) ?? words;
}

/** Cheap test before the search for repeated rows, because few names repeat a word. */
function hasRepeats(words: readonly string[]): boolean {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    for (let j = i + 1; j < words.length; j++) {
      const other = words[j] as string;
      if (
        word === other ||
        (word.charCodeAt(0) === other.charCodeAt(0) && singularize(word) === singularize(other))
      )
        return true;
    }
  }
  return false;
}

/**
 * Removes the first of two equal adjacent rows of words. The second has the right grammatical
 * number.
 */
function removeRepeatedRow(
  positions: readonly number[],
  stems: readonly string[],
  length: number,
): number[] {
  const remaining = [...positions];
  for (let i = 1; i + 2 * length <= remaining.length; i++) {
    const isRepeat = Array.from(
      { length },
      (_, offset) =>
        stems[remaining[i + offset] as number] === stems[remaining[i + length + offset] as number],
    ).every(Boolean);
    if (isRepeat) remaining.splice(i--, length);
  }
  return remaining;
}

/** Words that a name does not need: `create_new_pet`, `get_specified_pet`. */
const EMPTY_WORDS = /^(?:existing|given|particular|specific|specified)$/;

/**
 * Positions of the words with a meaning: without a preposition at the end (`associations_to`) and
 * empty adjectives before a noun.
 */
function meaningfulPositions(words: readonly string[]): readonly number[] {
  // `log in login` of `/login/{env}` beside `/login`
  if (words.length === 2 && words[1] === words[0]?.replace("_", "")) return [1];
  if (SESSION_VERBS.has(words[0] as string) && words.slice(1).every(isSessionWord)) return [0];
  let end = words.length;
  while (end > 2 && isStray(words[end - 1], words[end - 2])) end -= 1;
  return words
    .map((_, i) => i)
    .filter((i) => i < end && (i === 0 || i === end - 1 || !isEmptyWord(words, i)));
}

/** `profitAndLossOne`, `uploadSessionsOne`, `statisticsSingle` of a GET: one thing. */
function withoutOne(name: NameWords, { operationId = "" }: Operation): NameWords {
  const { words } = name;
  const isOfId = /(?:one|single)$/i.test(operationId);
  return isOfId &&
    words.length > 2 &&
    words[0] === "get" &&
    /^(?:one|single)$/.test(words.at(-1) ?? "")
    ? { ...name, words: singularizeLast(words.slice(0, -1)) }
    : name;
}

/** `logout_auth`, `sign_in_session`: the verb says it. */
const isSessionWord = (word: string): boolean =>
  /^(?:auth|authentication|authenticated|sessions?)$/.test(word);

/** A preposition or article after a word that does not need it, unlike `assigned to`. */
const isStray = (word: string | undefined, before: string | undefined): boolean =>
  isDanglingWord(word) && !isParticiple(before) && before !== "by" && before !== "all";

function isEmptyWord(words: readonly string[], i: number): boolean {
  const word = words[i] as string;
  if (word === "new")
    return i === 1 && /^(?:add|create|generate|register)$/.test(words[0] as string);
  return EMPTY_WORDS.test(word);
}
