import { shortHash } from "./hash.js";
import { isAdjective, plural, pluralPhrase, singular, singularPhrase } from "./inflect.js";
import { endsInParam, type PathPart, wordsAt } from "./path.js";
import type { Subject } from "../kind.js";
import { isLink } from "./function-words.js";
import { wordsOf } from "./words.js";

/** What an operation without words of its own is about, by its path. */
export function pathNoun({ parts, operation }: Subject, verb: readonly string[]): string[] {
  const one = (endsInParam(parts) && verb[0] !== "list") || /^(create|add)$/.test(verb[0] ?? "");
  const noun = described(parts, verb[0] === "list") ?? nounOf(parts, one);
  if (noun.length > 0) return withoutVerb(noun, parts, verb[0] ?? "");
  const params = paramNoun(parts);
  if (params.length > 0) return params;
  return parts.length > 0 || operation.path.length > 1 ? [shortHash(operation.path)] : ["root"];
}

/**
 * The verb is no part of what it is done to: `/shipments/create_from_quote`,
 * `/addresses/validate_address`.
 */
function withoutVerb(noun: string[], parts: readonly PathPart[], verb: string): string[] {
  if (noun.length > 1 && (noun.at(-1) === verb || noun.at(-1) === verb.replace("_", "")))
    return noun.slice(0, -1);
  const at = parts.findLastIndex((part) => part.kind === "words");
  const last = parts[at];
  if (
    last?.kind !== "words" ||
    (last.words[0] !== verb && last.words.join("_") !== verb) ||
    last.words.length < 2
  )
    return noun;
  const before = nounOf(parts.slice(0, at), true);
  if (last.words.join("_") === verb) return before;
  return isLink(last.words[1]) && before.length > 0 ? before : noun.filter((word) => word !== verb);
}

/**
 * A path of parameters alone: `/{appId}/{cardId}` is about a card of an app, `/{year}/{month}`
 * finds something by both.
 */
function paramNoun(parts: readonly PathPart[]): string[] {
  const params = parts
    .flatMap((part) => (part.kind === "param" ? [wordsOf(part.name)] : []))
    .filter((words) => words.length > 0);
  const last = params.at(-1) ?? [];
  if (last.length > 1 && isIdWord(last.at(-1)))
    return params.flatMap((words) => (isIdWord(words.at(-1)) ? words.slice(0, -1) : words));
  return params.flatMap((words, i) => [i === 0 ? "by" : "and", ...words]);
}

/** `/movies/popular` and `/movies/{id}/similar`: popular movies, similar movies. */
function described(parts: readonly PathPart[], many: boolean): string[] | undefined {
  const last = parts.at(-1);
  const before = parts.slice(0, -1).findLast((part) => part.kind === "words");
  if (last?.kind !== "words" || before?.kind !== "words" || !last.words.every(isAdjective))
    return undefined;
  return [...last.words, ...(many ? pluralPhrase(before.words) : singularPhrase(before.words))];
}

/** The last static piece, with the one before it in front: `/pets/{id}/visits` → pet visits. */
export function nounOf(parts: readonly PathPart[], one: boolean): string[] {
  const named = parts.filter(
    (part) =>
      part.kind === "words" && part.words.some((word) => !/^\d+$/.test(word) && !isLink(word)),
  );
  const last = named.at(-1);
  if (last?.kind !== "words") return [];
  const object = one ? singularPhrase(last.words) : [...last.words];
  const topic = topicWords(parts, parts.lastIndexOf(last), object);
  return [...topic, ...object];
}

/**
 * The piece before: one thing when a parameter follows it. A topic, which no parameter follows,
 * stands as it is written, behind the thing that it is a topic of: `/files/{id}/metadata/global` →
 * file metadata global.
 */
function topicWords(
  parts: readonly PathPart[],
  index: number,
  object: readonly string[],
): string[] {
  const before = parts[index - 1];
  const owner = ownerWords(parts.slice(0, index));
  if (before?.kind !== "words") return unlessSaid(owner, object);
  const topic = unlessSaid(before.words, object);
  return [...unlessSaid(owner, [...topic, ...object]), ...topic];
}

/** All or nothing, so that `test_helpers` of test clocks stays what it is. */
function unlessSaid(group: readonly string[], object: readonly string[]): string[] {
  return missingFrom(group, object).length === 0 ? [] : group.filter((word) => !isLink(word));
}

/**
 * The nearest thing that a parameter picks out; where nothing stands before it, the parameter:
 * `/{org}/members` → org.
 */
function ownerWords(parts: readonly PathPart[]): readonly string[] {
  const param = parts.findLastIndex((part) => part.kind === "param");
  const owner = parts.slice(0, Math.max(param, 0)).findLast((part) => part.kind === "words");
  if (owner?.kind === "words") return singularPhrase(owner.words);
  const first = parts[0];
  const words = first?.kind === "param" ? wordsOf(first.name) : [];
  return isIdWord(words.at(-1)) ? words.slice(0, -1) : words;
}

const isIdWord = (word: string | undefined): boolean =>
  word !== undefined && /^(id|uuid|guid|sid|key|slug|name)$/.test(word);

/** The words of a group that its object does not say already, in either number. */
export function missingFrom(group: readonly string[], object: readonly string[]): string[] {
  if (group.length === 0) return [];
  const said = new Set(object.flatMap((word) => [word, singular(word)]));
  return group.filter((word) => !said.has(word) && !said.has(singular(word)) && !isLink(word));
}

/** The last piece of a path has a word. */
export function mentions(parts: readonly PathPart[], word: string): boolean {
  return wordsAt(parts, -1).includes(word);
}

/** A path names many of something: `posts` for `post`. */
export function isCollectionIn(parts: readonly PathPart[], word: string): boolean {
  const many = plural(word);
  return parts.some((part) => part.kind === "words" && part.words.at(-1) === many);
}
