import type { ClassifiedOperation, PathSegment } from "../classified-operation.js";
import {
  isArticle,
  isConnective,
  isCountable,
  isParticiple,
  isPhrasalVerb,
  isPlural,
  isQuantifier,
  needsComplement,
  pluralize,
  pluralizeLast,
} from "./grammar.js";
import { SELECTOR_ADJECTIVES } from "./lexicon.js";
import { lastSegmentHas } from "./path.js";

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
  const object = removeCountWords(rest, verbWords, pathParts).filter(
    (word, i, all) => !isArticle(word) || i === all.length - 1,
  );
  return (isNoun ? moveSelectorFirst(object) : undefined) ?? removeDanglingEnd(object);
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
  if (verb === "get" && rest[0] === "one") return rest.slice(1);
  if (/^(?:get|list)$/.test(verb ?? "") && rest[0] === "list" && rest[1] === "of")
    return rest.slice(2);
  if (rest.length === 1 && /^(one|many|multiple)$/.test(rest[0] as string)) return [];
  if (verb !== "list") return rest;
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
 * available`) stay as they are.
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
