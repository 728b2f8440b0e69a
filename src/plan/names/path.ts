import type { Action, ClassifiedOperation, PathSegment } from "../operations/types.js";
import {
  isAdjective,
  isConnective,
  isQuantifier,
  isSearchVerb,
  isUnambiguousVerb,
  pluralizeLast,
  singularize,
  singularizeLast,
} from "../../language/grammar.js";
import { ADDING_VERBS } from "../../language/lexicon.js";
import { shortHash } from "./format-name.js";
import { LIST_OF, objectWords } from "./stated-object.js";
import { isVersion, splitWords } from "../../language/words.js";
import { endsInParameter } from "../operations/path.js";

const MAX_STATED_WORDS = 3;

/** Noun of an operation whose operationId has none. Of a path without words it is that of the text. */
export function nounOfPath(
  { pathParts, operation, effects: { mainAction } }: ClassifiedOperation,
  verb: readonly string[],
): string[] {
  const asSingular =
    (endsInParameter(pathParts) && verb[0] !== "list") ||
    (ADDING_VERBS.has(verb[0] ?? "") &&
      !/^(?:all|many|multiple|several)\b/.test(mainAction?.object ?? ""));
  const noun =
    adjectiveNoun(pathParts, verb[0] === "list", mainAction?.object) ??
    nounOfSegments(pathParts, asSingular);
  // `analyze text` of "Analyze text" at `/read`, `delete messages` at `/search`
  const isOtherVerb =
    noun.length === 1 &&
    noun[0] !== verb[0] &&
    (isUnambiguousVerb(noun[0]) || isSearchVerb(noun[0]));
  const object = isOtherVerb ? statedNoun(verb[0], true, mainAction) : undefined;
  if (object) return object;
  if (noun.some((word) => word !== verb[0] && !isVersion(word)))
    return removeVerb(noun, pathParts, verb[0] ?? "");
  const params = noun.length > 0 ? noun : nounOfParameters(pathParts);
  const stated = statedNoun(verb[0], noun.includes(verb[0] ?? ""), mainAction);
  if (stated && (noun.length > 0 || params.length === 0 || params[0] === "by")) return stated;
  if (params.length > 0) return params;
  return pathParts.length > 0 || operation.path.length > 1 ? [shortHash(operation.path)] : ["root"];
}

/**
 * Object of the text for a path without nouns: `GET /` of "Look up the location of an address". The
 * object of `/convert` is that of this verb.
 */
function statedNoun(
  verb = "",
  isVerbOnly: boolean,
  action: Action | undefined,
): string[] | undefined {
  const stated = objectWords(action?.object.replace(LIST_OF, "") ?? "");
  if (stated.length === 0 || stated.length > MAX_STATED_WORDS) return undefined;
  if (isVerbOnly && action?.verb !== verb) return undefined;
  return verb === "list" ? pluralizeLast(stated) : [...stated];
}

/**
 * Removes the verb from its object: `/shipments/create_from_quote`, `/addresses/validate_address`.
 */
function removeVerb(noun: string[], parts: readonly PathSegment[], verb: string): string[] {
  if (noun.length > 1 && (noun.at(-1) === verb || noun.at(-1) === verb.replace("_", "")))
    return noun.slice(0, -1);
  const index = parts.findLastIndex((part) => part.kind === "words");
  const last = parts[index];
  if (last?.kind !== "words" || last.words.length < 2) return noun;
  const isVerbOnly = last.words.join("_") === verb;
  if (last.words[0] !== verb && !isVerbOnly) return noun;
  const before = nounOfSegments(parts.slice(0, index), true);
  if (isVerbOnly) return before;
  return isConnective(last.words[1]) && before.length > 0
    ? before
    : noun.filter((word) => word !== verb);
}

/**
 * Noun of a path that has parameters only: `/{appId}/{cardId}` → app card, `/{year}/{month}` → by
 * year and month.
 */
function nounOfParameters(parts: readonly PathSegment[]): string[] {
  const params = parts
    .flatMap((part) => (part.kind === "param" ? [splitWords(part.name)] : []))
    .filter((words) => words.length > 0);
  const last = params.at(-1) ?? [];
  if (last.length > 1 && isIdWord(last.at(-1)))
    return params.flatMap((words) => (isIdWord(words.at(-1)) ? words.slice(0, -1) : words));
  return params.flatMap((words, i) => [i === 0 ? "by" : "and", ...words]);
}

/** `/movies/popular` and `/movies/{id}/similar` → popular movies, similar movies. */
function adjectiveNoun(
  parts: readonly PathSegment[],
  asPlural: boolean,
  object = "",
): string[] | undefined {
  const last = parts.at(-1);
  const before = parts.slice(0, -1).findLast((part) => part.kind === "words");
  if (last?.kind !== "words" || before?.kind !== "words") return undefined;
  const isStated = object.includes(`${last.words.join(" ")} ${before.words.join(" ")}`);
  if (!isStated && !last.words.every(isAdjective)) return undefined;
  // `/stations/{id}/now-playing` is not about a station that plays now.
  const phrase = [...last.words, singularizeLast(before.words).join(" ")].join(" ");
  if (!asPlural && parts.at(-2)?.kind === "param" && !object.includes(phrase)) return undefined;
  const noun = asPlural ? pluralizeLast(before.words) : singularizeLast(before.words);
  const owner = parentWords(parts.slice(0, parts.indexOf(before)));
  return [...last.words, ...unlessRepeated(owner, noun), ...noun];
}

/**
 * Noun of the last static segment, qualified by the one before it: `/pets/{id}/visits` → pet
 * visits.
 */
export function nounOfSegments(parts: readonly PathSegment[], asSingular: boolean): string[] {
  const wordSegments = parts.filter(
    (part) =>
      part.kind === "words" &&
      part.words.some((word) => !/^\d+$/.test(word) && !isConnective(word)),
  );
  const last = wordSegments.findLast(namesThings) ?? wordSegments.at(-1);
  if (last?.kind !== "words") return [];
  const object = asSingular ? singularizeLast(last.words) : [...last.words];
  return [...qualifierWords(parts, parts.lastIndexOf(last), object), ...object];
}

/** False for `all` of `/messages/all`. */
const namesThings = (part: PathSegment): boolean =>
  part.kind === "words" && !part.words.every(isQuantifier);

/**
 * Words of the segment before the noun: in the singular when a parameter follows it, else as
 * written. Its parent comes first: `/files/{id}/metadata/global` → file metadata global.
 */
function qualifierWords(
  parts: readonly PathSegment[],
  index: number,
  object: readonly string[],
): string[] {
  const before = parts[index - 1];
  const parent = parentWords(parts.slice(0, index));
  if (before?.kind !== "words") return unlessRepeated(parent, object);
  const topic = unlessRepeated(before.words, object);
  return [...unlessRepeated(parent, [...topic, ...object]), ...topic];
}

/** Keeps all words of a group or none, so that `test_helpers` of test clocks stays complete. */
function unlessRepeated(group: readonly string[], object: readonly string[]): string[] {
  if (wordsNotIn(group, object).length === 0) return [];
  return group.filter((word, i) => !isConnective(word) || (i > 0 && i < group.length - 1));
}

/**
 * Nearest segment before a parameter. Without one, the name of the first parameter:
 * `/{org}/members` → org.
 */
function parentWords(parts: readonly PathSegment[]): readonly string[] {
  const param = parts.findLastIndex((part) => part.kind === "param");
  const parent = parts.slice(0, Math.max(param, 0)).findLast((part) => part.kind === "words");
  if (parent?.kind === "words") return singularizeLast(parent.words);
  const first = parts[0];
  const words = first?.kind === "param" ? splitWords(first.name) : [];
  return isIdWord(words.at(-1)) ? words.slice(0, -1) : words;
}

/** True for words that say that a parameter identifies something. */
export const isIdWord = (word: string | undefined): boolean =>
  word !== undefined && /^(id|uuid|guid|sid|key|slug|name)$/.test(word);

/**
 * Words of a group that the object does not contain, in singular or plural. A connective stays within
 * a whole group: `out of band`.
 */
export function wordsNotIn(group: readonly string[], object: readonly string[]): string[] {
  if (group.length === 0) return [];
  const objectWords = new Set(object.flatMap((word) => [word, singularize(word)]));
  const missing = group.filter(
    (word) => !objectWords.has(word) && !objectWords.has(singularize(word)),
  );
  const isWhole = missing.length === group.length;
  return missing.filter(
    (word, i) => !isConnective(word) || (isWhole && i > 0 && i < missing.length - 1),
  );
}
