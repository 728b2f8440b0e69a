import type { ClassifiedOperation } from "../classify.js";
import { memoize } from "../memoize.js";
import {
  isAdjective,
  isConnective,
  pluralize,
  pluralizeLast,
  singularize,
  singularizeLast,
} from "./grammar.js";
import { shortHash } from "./name-length.js";
import { isVersion, splitWords } from "./words.js";

/** One piece of a path template. */
export type PathSegment =
  | { readonly kind: "words"; readonly text: string; readonly words: readonly string[] }
  | { readonly kind: "param"; readonly name: string };

/** First segments that say nothing: `/api/v1/pets` is about pets. */
const NOISE_SEGMENTS = new Set(["api", "rest", "apis", "services", "json"]);

/**
 * A path template in pieces: `/v1/pets/{petId}/visits` → pets, {petId}, visits. Versions, dates,
 * `api` above all parameters and file extensions behind are left out; `{id}:adopt` is two pieces.
 */
export function parsePathTemplate(path: string): readonly PathSegment[] {
  const parts: PathSegment[] = [];
  for (const segment of path.split("/"))
    if (segment !== "")
      parts.push(
        ...parseSegment(
          parts.length > 0 && segment.includes(".") ? segment.replace(NAMESPACE, "") : segment,
        ),
      );
  while (
    parts[1]?.kind === "words" &&
    parts[0]?.kind === "words" &&
    isNoiseSegment(parts[0].text, parts[0].words)
  )
    parts.shift();
  const kept = parts.filter(
    (part, i) =>
      part.kind === "param" || !(isVersion(part.text.toLowerCase()) || isMountPoint(parts, i)),
  );
  return kept.length > 0 ? kept : parts;
}

/**
 * `/members/acme.graph.user`, `/items/acme.graph.copy`: the last word of a long dotted one is what
 * OData asks for.
 */
const NAMESPACE = /^[A-Za-z]{3,40}\.(?:[A-Za-z]{3,40}\.){1,8}(?=[A-Za-z]{3})/;

/**
 * `/admin/api/users`: above everything that a parameter picks out, it only says where the API is.
 */
function isMountPoint(parts: readonly PathSegment[], at: number): boolean {
  const part = parts[at];
  return (
    at > 0 &&
    at < parts.length - 1 &&
    part?.kind === "words" &&
    part.text === "api" &&
    parts.slice(0, at).every(({ kind }) => kind === "words")
  );
}

/** `api`, `v1`, `api-v1.0`. */
function isNoiseSegment(text: string, words: readonly string[]): boolean {
  return (
    words.every((word) => NOISE_SEGMENTS.has(word) || isVersion(word)) ||
    /^(?:(?:api|rest)[-_.]?v?)?\d+(?:[._]\d+)*$/i.test(text)
  );
}

const parseSegment = memoize(splitSegment);

function splitSegment(segment: string): readonly PathSegment[] {
  const custom = /^(.+[^:]):([A-Za-z]\w*)$/.exec(segment);
  if (custom) return [...splitSegment(custom[1] as string), ...splitSegment(custom[2] as string)];
  const param = /^([^{]*)\{([^{}]*)\}/.exec(segment);
  if (
    param &&
    /^v?$/i.test(param[1] as string) &&
    /^(?:api[-_]?)?version$/i.test(param[2] as string) &&
    (param[1] !== "" || param[2]?.length !== 7)
  )
    return [];
  if (param)
    return [...splitSegment(param[1] as string), { kind: "param", name: param[2] as string }];
  const text = decode(segment).replace(/\.(json|xml|ya?ml|php|aspx?|do)$/i, "");
  const words = splitWords(text);
  return words.length > 0 ? [{ kind: "words", text, words }] : [];
}

function decode(segment: string): string {
  try {
    return segment.includes("%") ? decodeURIComponent(segment) : segment;
  } catch {
    return segment;
  }
}

const NO_WORDS: readonly string[] = [];

/**
 * The words of a piece, counted from the end when negative; none where a parameter stands, or
 * nothing.
 */
export function segmentWords(parts: readonly PathSegment[], index: number): readonly string[] {
  const part = parts.at(index);
  return part?.kind === "words" ? part.words : NO_WORDS;
}

/** True when a path ends at one thing: `/pets/{petId}`. */
export function endsInParameter(parts: readonly PathSegment[]): boolean {
  return parts.at(-1)?.kind === "param";
}

/** What an operation without words of its own is about, by its path. */
export function nounOfPath(
  { pathParts: parts, operation }: ClassifiedOperation,
  verb: readonly string[],
): string[] {
  const one =
    (endsInParameter(parts) && verb[0] !== "list") || /^(create|add)$/.test(verb[0] ?? "");
  const noun = adjectiveNoun(parts, verb[0] === "list") ?? nounOfSegments(parts, one);
  if (noun.length > 0) return removeVerb(noun, parts, verb[0] ?? "");
  const params = nounOfParameters(parts);
  if (params.length > 0) return params;
  return parts.length > 0 || operation.path.length > 1 ? [shortHash(operation.path)] : ["root"];
}

/**
 * The verb is no part of what it is done to: `/shipments/create_from_quote`,
 * `/addresses/validate_address`.
 */
function removeVerb(noun: string[], parts: readonly PathSegment[], verb: string): string[] {
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
  const before = nounOfSegments(parts.slice(0, at), true);
  if (last.words.join("_") === verb) return before;
  return isConnective(last.words[1]) && before.length > 0
    ? before
    : noun.filter((word) => word !== verb);
}

/**
 * A path of parameters alone: `/{appId}/{cardId}` is about a card of an app, `/{year}/{month}`
 * finds something by both.
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

/** `/movies/popular` and `/movies/{id}/similar`: popular movies, similar movies. */
function adjectiveNoun(parts: readonly PathSegment[], many: boolean): string[] | undefined {
  const last = parts.at(-1);
  const before = parts.slice(0, -1).findLast((part) => part.kind === "words");
  if (last?.kind !== "words" || before?.kind !== "words" || !last.words.every(isAdjective))
    return undefined;
  return [...last.words, ...(many ? pluralizeLast(before.words) : singularizeLast(before.words))];
}

/** The last static piece, with the one before it in front: `/pets/{id}/visits` → pet visits. */
export function nounOfSegments(parts: readonly PathSegment[], one: boolean): string[] {
  const named = parts.filter(
    (part) =>
      part.kind === "words" &&
      part.words.some((word) => !/^\d+$/.test(word) && !isConnective(word)),
  );
  const last = named.at(-1);
  if (last?.kind !== "words") return [];
  const object = one ? singularizeLast(last.words) : [...last.words];
  const topic = qualifierWords(parts, parts.lastIndexOf(last), object);
  return [...topic, ...object];
}

/**
 * The piece before: one thing when a parameter follows it. A topic, which no parameter follows,
 * stands as it is written, behind the thing that it is a topic of: `/files/{id}/metadata/global` →
 * file metadata global.
 */
function qualifierWords(
  parts: readonly PathSegment[],
  index: number,
  object: readonly string[],
): string[] {
  const before = parts[index - 1];
  const owner = ownerWords(parts.slice(0, index));
  if (before?.kind !== "words") return unlessRepeated(owner, object);
  const topic = unlessRepeated(before.words, object);
  return [...unlessRepeated(owner, [...topic, ...object]), ...topic];
}

/** All or nothing, so that `test_helpers` of test clocks stays what it is. */
function unlessRepeated(group: readonly string[], object: readonly string[]): string[] {
  return wordsNotIn(group, object).length === 0 ? [] : group.filter((word) => !isConnective(word));
}

/**
 * The nearest thing that a parameter picks out; where nothing stands before it, the parameter:
 * `/{org}/members` → org.
 */
function ownerWords(parts: readonly PathSegment[]): readonly string[] {
  const param = parts.findLastIndex((part) => part.kind === "param");
  const owner = parts.slice(0, Math.max(param, 0)).findLast((part) => part.kind === "words");
  if (owner?.kind === "words") return singularizeLast(owner.words);
  const first = parts[0];
  const words = first?.kind === "param" ? splitWords(first.name) : [];
  return isIdWord(words.at(-1)) ? words.slice(0, -1) : words;
}

const isIdWord = (word: string | undefined): boolean =>
  word !== undefined && /^(id|uuid|guid|sid|key|slug|name)$/.test(word);

/** The words of a group that its object does not say already, in either number. */
export function wordsNotIn(group: readonly string[], object: readonly string[]): string[] {
  if (group.length === 0) return [];
  const said = new Set(object.flatMap((word) => [word, singularize(word)]));
  return group.filter(
    (word) => !said.has(word) && !said.has(singularize(word)) && !isConnective(word),
  );
}

/** The last piece of a path has a word. */
export function lastSegmentHas(parts: readonly PathSegment[], word: string): boolean {
  return segmentWords(parts, -1).includes(word);
}

/** A path names many of something: `posts` for `post`. */
export function pathHasCollection(parts: readonly PathSegment[], word: string): boolean {
  const many = pluralize(word);
  return parts.some((part) => part.kind === "words" && part.words.at(-1) === many);
}
