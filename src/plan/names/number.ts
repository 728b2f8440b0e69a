/** Grammatical number of the nouns in a name: of its object by the texts, of owners by the path. */
import type { Operation } from "../../model/types.js";
import type { ClassifiedOperation, PathSegment } from "../operations/types.js";
import {
  isAdjective,
  isConnective,
  isPlural,
  isUnambiguousVerb,
  isVerb,
  pluralize,
  singularize,
  singularizeLast,
} from "../../language/grammar.js";
import {
  DELETING_VERBS,
  EDITING_VERBS,
  NOUNS_OF_FACTS,
  PLURAL_MODIFIERS,
  VERBS_OF_ONE_READ,
} from "../../language/lexicon.js";
import { headOfObject, LIST_OF } from "./stated-object.js";
import { endsInParameter, segmentWords } from "../operations/path.js";
import { splitWords } from "../../language/words.js";
import { isNonEnglish } from "../text/sentences.js";

/**
 * Plural of an object that the texts have in the plural: `get child` of "Return children", `replace
 * record` of "Replace all records". A POST that creates adds one item at a time.
 */
export function pluralAsStated(
  words: readonly string[],
  { effects: { isReadOnly, mainAction: action }, pathParts }: ClassifiedOperation,
): readonly string[] {
  const stated = action && headOfObject(action.object.replace(LIST_OF, "").replace(/^for /, ""));
  const isCounted = isReadOnly
    ? /^(?:get|list|search)$/.test(words[0] ?? "") &&
      (words.includes("by") || !endsInOwnId(pathParts))
    : canWriteSeveral(words[0] ?? "") && !endsInParameter(pathParts);
  if (!isCounted || stated === undefined) return words;
  const connective = words.findIndex((word, i) => i > 1 && isConnective(word));
  const head = (connective < 0 ? words.length : connective) - 1;
  const noun = words[head] ?? "";
  return head > 0 && noun !== stated && pluralize(noun) === stated
    ? words.with(head, stated)
    : words;
}

/**
 * Singular of an object that the texts of a write have in the singular with an article, or that an
 * ID of the path or a required parameter of the query selects: `POST /pins/reveal` of "Reveal a
 * PIN".
 */
export function singularAsStated(
  words: readonly string[],
  { effects: { isReadOnly, mainAction: action }, operation, pathParts }: ClassifiedOperation,
): readonly string[] {
  const noun = words.at(-1) ?? "";
  const isSelected =
    endsInOwnId(pathParts) ||
    operation.parameters.some((one) => one.in === "query" && one.required);
  const isOne =
    isPlural(noun) && action !== undefined && headOfObject(action.object) === singularize(noun);
  const isStated = /^an? /.test(action?.object ?? "");
  return !isReadOnly && (isSelected || isStated) && isOne ? singularizeLast(words) : words;
}

/**
 * Words of another language as the document writes them: the plural `zaken` of `/zaken` for
 * `zaaks`, the singular `vorgang` where no text has a plural. English rules inflect them wrongly.
 */
export function asWritten(
  words: readonly string[],
  { operation }: ClassifiedOperation,
): readonly string[] {
  const { operationId = "", summary = "", description = "", path, tags } = operation;
  if (!isNonEnglish(`${summary} ${description}`)) return words;
  const ownWords = path.split("/").flatMap((part) => (part.includes("{") ? [] : splitWords(part)));
  const texts = splitWords([operationId, summary, description, ...tags].join(" "));
  const written = new Set([...ownWords, ...texts]);
  return words.map((word, i) => {
    if (i === 0 || !isPlural(word) || written.has(word)) return word;
    const stem = singularize(word);
    return ownWords.findLast((one) => hasStem(one, stem)) ?? (written.has(stem) ? stem : word);
  });
}

/** Letters by which an inflected noun and its stem differ at most. */
const MAX_ENDING = 4;
/** Letters at the end of a stem that inflection can change: `zaak`, `zaken`. */
const MAX_CHANGED = 2;

/** True for a longer word that begins with a stem, up to its last letters. */
const hasStem = (word: string, stem: string): boolean =>
  word.length > stem.length &&
  word.length - stem.length < MAX_ENDING &&
  stem.length > MAX_CHANGED &&
  word.startsWith(stem.slice(0, -MAX_CHANGED));

/** One call can write several items with it. */
const canWriteSeveral = (verb: string): boolean =>
  EDITING_VERBS.has(verb) || DELETING_VERBS.has(verb);

/** `/payments/{id}`, `/tags/{tag}`: one item, although "Get payments" has the plural. */
function endsInOwnId(parts: readonly PathSegment[]): boolean {
  const last = parts.at(-1);
  if (last?.kind !== "param") return false;
  const item = singularizeLast(segmentWords(parts, -2)).join(" ");
  return /id$|key$|ref$/i.test(last.name) || splitWords(last.name).join(" ") === item;
}

/**
 * True when the texts of a read name one such thing, as in "Get the service time", so that a list
 * in the response says nothing about its name.
 */
export function isStatedAsOne(
  noun: string,
  { effects: { mainAction: action }, pathParts }: ClassifiedOperation,
): boolean {
  if (!action || !VERBS_OF_ONE_READ.has(action.verb) || /^all\b/.test(action.object)) return false;
  const isOne = /^[a-z]{3,}$/.test(noun) && !isPlural(noun) && pluralize(noun) !== noun;
  // `/shopping_list` is one thing, `/recommendations/list` is not.
  const isListOfItems =
    noun === "list" &&
    (/\blist of\b/.test(action.object) || segmentWords(pathParts, -1).length < 2);
  return isOne && !isListOfItems && headOfObject(action.object) === noun;
}

/** True for a word that can follow an owner: not the preposition of `cities near city`. */
const isNoun = (word: string | undefined): word is string =>
  word !== undefined && !/^(?:containing|near)$/.test(word) && !isConnective(word);

/** `types` of `/commands/types`, unlike the verb or adjective of `/commands/popular`. */
const isNounSegment = (words: readonly string[]): boolean =>
  NOUNS_OF_FACTS.has(words.join(" ")) ||
  (isPlural(words.at(-1) ?? "") &&
    words.every((word) => isNoun(word) && !isVerb(word) && !isAdjective(word)));

/**
 * Singular of owners: `list trees history` of `/trees/{id}/history` → list tree history, `list
 * commands types` of `/commands/types` or `/commands/types/{id}` → list command types, and where
 * the texts have it so. The object itself, words before a preposition and acronyms keep their
 * number.
 */
export function singularOwners(
  words: readonly string[],
  { operation, pathParts }: ClassifiedOperation,
): readonly string[] {
  const segments = pathParts.map((_, i) => segmentWords(pathParts, i));
  const isBeforeId = (i: number): boolean =>
    pathParts[i + 1]?.kind === "param" && i + 2 < pathParts.length;
  const others = new Set(segments.flatMap((segment, i) => (isBeforeId(i) ? [] : segment)));
  const owners = new Set(
    segments
      .flatMap((segment, i) => (isBeforeId(i) ? segment.slice(-1) : []))
      .filter((word) => !others.has(word)),
  );
  const end = endsInParameter(pathParts) ? 3 : 2;
  const [topic = [], noun = []] = segments.slice(-end);
  const isTopic = (i: number): boolean =>
    words[i] === topic.at(-1) &&
    singularize(words[i + 1] ?? "") === singularize(noun[0] ?? "") &&
    isNounSegment(noun);
  return words.map((word, i) => {
    const next = words[i + 1];
    const isKept =
      i === 0 || !isPlural(word) || PLURAL_MODIFIERS.has(word) || words.slice(1, i).includes("all");
    if (isKept || !isNoun(next) || !/[aeiouy]/.test(word)) return word;
    const told = wordsBefore(next, operation);
    const isSegment = segments.some((segment) => segment.at(-1) === word);
    const isVerbOfText =
      isUnambiguousVerb(next) || (i > 1 && !isSegment && isVerb(singularize(word)));
    const isStated = told.includes(singularize(word)) && !isVerbOfText;
    const isOwner = isStated || (isTopic(i) && !wordsBefore(next, operation, 2).includes(word));
    return owners.has(word) || (!told.includes(word) && isOwner) ? singularize(word) : word;
  });
}

/** Words that the texts have before a noun: `task` of "Delete a task comment". */
function wordsBefore(
  noun: string,
  { summary = "", description = "" }: Operation,
  distance = 1,
): readonly string[] {
  const prose = description.slice(0, 200).replace(PATHS, " ");
  const words = splitWords(`${summary} ${prose}`);
  return words.filter(
    (_, i) =>
      singularize(words[i + distance] ?? "") === singularize(noun) &&
      (distance === 1 || (isNoun(words[i + 1]) && words[i + 1] !== "where")),
  );
}

const PATHS = /\/[\w{}/-]*/g;
