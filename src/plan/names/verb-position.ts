import type { ClassifiedOperation } from "../classify.js";
import {
  isAdverb,
  isConnective,
  isReadingVerb,
  isUnambiguousVerb,
  isVerb,
  singularize,
  singularizeLast,
} from "./grammar.js";
import { pathHasCollection, type PathSegment, segmentWords } from "./path.js";

/** The words of the last chunk of an operationId, whose verb is looked for. */
interface LastChunk {
  readonly words: readonly string[];
  /** There are groups before it. */
  readonly hasGroup: boolean;
  readonly method: string;
  readonly parts: readonly PathSegment[];
  /** What the summary starts with. */
  readonly summaryVerb: string;
}

/** There is no verb, and no later rule has a say. */
const NO_VERB = -1;

/** Where the verb stands; undefined when that is for the next rule to say. */
type VerbPositionRule = (chunk: LastChunk) => number | undefined;

/** The first that has an answer gives it. */
export const verbPositionRules: readonly VerbPositionRule[] = [
  afterObject,
  beforeObject,
  afterAdverb,
  unambiguousFirst,
  indexAlone,
  ambiguousFirst,
  unambiguousLater,
  ambiguousLast,
];

/**
 * Where the verb stands in the words of the last chunk of an operationId: first; else the first
 * strong one; else a weak one at the end of a write. Undefined: it has none.
 * @param grouped whether there are groups before it
 */
export function findVerb(
  words: readonly string[],
  grouped: boolean,
  { operation, pathParts: parts }: ClassifiedOperation,
): number | undefined {
  const said = /^\s*([a-z]+)/i.exec(operation.summary ?? "")?.[1]?.toLowerCase() ?? "";
  const chunk: LastChunk = {
    words,
    hasGroup: grouped,
    method: operation.method,
    parts,
    summaryVerb: said,
  };
  for (const rule of verbPositionRules) {
    const at = rule(chunk);
    if (at !== undefined) return at === NO_VERB ? undefined : at;
  }
  return undefined;
}

/**
 * `invite_resolve` of `/invites/{code}`, `ExecResize` of `/exec/{id}/resize`: the first word is
 * what the path is about, though it can be a verb.
 */
function afterObject({
  words: [first = "", verb, more],
  method,
  parts,
}: LastChunk): number | undefined {
  if (more !== undefined || !isVerb(verb)) return undefined;
  const isPiece = segmentWords(parts, -1).join(" ") === verb && fitsMethod(verb, method);
  const isThing = isPiece
    ? parts.some((part) => isSegment(part, first))
    : isUnambiguousVerb(verb) && pathHasCollection(parts, first);
  return isThing ? 1 : undefined;
}

/**
 * `recycle, post` of `PUT /posts/{id}/recycle`: the path ends in what is done; a verb that no list
 * knows is one when the summary starts with it.
 */
function beforeObject({
  words: [first, ...thing],
  method,
  parts,
  summaryVerb: said,
}: LastChunk): number | undefined {
  if (method === "GET" || thing.length === 0 || segmentWords(parts, -1).join(" ") !== first)
    return undefined;
  if (!isVerb(first) && said !== first) return undefined;
  const name = singularizeLast(thing).join(" ");
  return parts
    .slice(0, -1)
    .some((part) => part.kind === "words" && singularizeLast(part.words).join(" ") === name)
    ? 0
    : undefined;
}

/** A piece of the path is this word alone, in either number. */
function isSegment(part: PathSegment, word: string): boolean {
  return (
    part.kind === "words" &&
    part.words.length === 1 &&
    singularize(part.words[0] as string) === singularize(word)
  );
}

/** `bulk, check` of `/links:bulkCheck`. */
function afterAdverb({ words, parts }: LastChunk): number | undefined {
  return words.length === 2 &&
    isAdverb(words[0]) &&
    isVerb(words[1]) &&
    segmentWords(parts, -1).join(" ") === words.join(" ")
    ? 0
    : undefined;
}

/** `list, pets`. */
function unambiguousFirst({ words }: LastChunk): number | undefined {
  return isUnambiguousVerb(words[0]) ? 0 : undefined;
}

/** `users.index`. */
function indexAlone({ words, hasGroup: grouped }: LastChunk): number | undefined {
  return grouped && words.length === 1 && words[0] === "index" ? 0 : undefined;
}

/**
 * `check, pet`, unless the method cannot do that; then it is a noun, as it is where a strong verb
 * ends what no group explains (`post, list`).
 */
function ambiguousFirst(chunk: LastChunk): number | undefined {
  const { words, hasGroup: grouped, method } = chunk;
  if (!isVerb(words[0])) return undefined;
  const strong = nextUnambiguousVerb(chunk);
  if (strong === words.length - 1 && !grouped) return undefined;
  if (fitsMethod(words[0], method)) return 0;
  return strong === NO_VERB ? NO_VERB : undefined;
}

/** `message, delete`; an adverb before it is a part of it (`admin, bulk, delete`). */
function unambiguousLater(chunk: LastChunk): number | undefined {
  const strong = nextUnambiguousVerb(chunk);
  if (strong === NO_VERB) return undefined;
  return isAdverb(chunk.words[strong - 1]) ? strong - 1 : strong;
}

/** `account, charge` of a write. */
function ambiguousLast({ words, hasGroup: grouped, method }: LastChunk): number | undefined {
  const last = words.length - 1;
  return last > 0 && !grouped && isVerb(words[last]) && fitsMethod(words[last], method)
    ? last
    : undefined;
}

/**
 * The first strong verb behind the first word: not what a link leads to (`for update`), nor the
 * `set` that a GET gets.
 */
function nextUnambiguousVerb({ words, method }: LastChunk): number {
  return words.findIndex(
    (word, i) =>
      i > 0 &&
      isUnambiguousVerb(word) &&
      !isConnective(words[i - 1]) &&
      !(word === "set" && i === words.length - 1 && method === "GET"),
  );
}

const GET_VERBS = new Set(["filter", "test", "diff", "watch"]);

/** What a GET is asked to do; for other methods every verb will do. */
function fitsMethod(verb: string | undefined, method: string): boolean {
  return method !== "GET" || isReadingVerb(verb) || GET_VERBS.has(verb as string);
}
