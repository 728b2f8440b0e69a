import type { OperationFacts, PathSegment } from "../operations/types.js";
import {
  isAdverb,
  isConnective,
  isReadingVerb,
  isUnambiguousVerb,
  isVerb,
  singularize,
  singularizeLast,
  toImperative,
} from "../../language/grammar.js";
import { effectOfVerb } from "../../language/verb-effects.js";
import {
  AMBIGUOUS_GET_VERBS,
  PLAIN_VERBS,
  VERBS_OF_METHODS,
  VERBS_OF_RESOURCES,
} from "../../language/lexicon.js";
import { pathHasCollection, segmentWords } from "../operations/path.js";
import { readSummaryStart } from "./document-words.js";

/** Words of the last chunk of an operationId, and the data for the rules about its verb. */
interface LastChunk {
  readonly words: readonly string[];
  /** The chunk follows a group. */
  readonly hasGroup: boolean;
  readonly method: string;
  readonly parts: readonly PathSegment[];
  /** First word of the summary. */
  readonly summaryVerb: string;
  /** A determiner follows it. */
  readonly isTransitive: boolean;
  /** Further words of the summary are in lower case, unlike those of a heading. */
  readonly isSentence: boolean;
}

/** Ends the search: there is no verb. */
const NO_VERB = -1;

/** Index of the verb; undefined when the rule does not apply. */
type VerbPositionRule = (chunk: LastChunk) => number | undefined;

/** The first rule that applies decides. */
export const verbPositionRules: readonly VerbPositionRule[] = [
  questionOfRead,
  afterObject,
  beforeObject,
  firstOfRequest,
  unambiguousFirst,
  indexOfCollection,
  statedLast,
  ambiguousFirst,
  firstOfSummary,
  unambiguousLater,
  ambiguousLast,
];

/**
 * Index of the verb in the last chunk of an operationId: the first word, else the first unambiguous
 * verb, else an ambiguous one at the end of a write. Undefined when there is no verb.
 * @param hasGroup the chunk follows a group
 */
export function findVerb(
  words: readonly string[],
  hasGroup: boolean,
  { operation, pathParts }: OperationFacts,
): number | undefined {
  const { summary, description } = operation;
  const { word, hasDeterminer, rest } = readSummaryStart({ summary: summary || description });
  const chunk: LastChunk = {
    words,
    hasGroup,
    method: operation.method,
    parts: pathParts,
    summaryVerb: word,
    isTransitive: hasDeterminer,
    isSentence: /^[a-z]/.test(rest),
  };
  for (const rule of verbPositionRules) {
    const index = rule(chunk);
    if (index !== undefined) return index === NO_VERB ? undefined : index;
  }
  return undefined;
}

/** `can, delete` of a GET asks whether it is possible. */
function questionOfRead({ words: [first = ""], method }: LastChunk): number | undefined {
  return method === "GET" && /^(?:can|is|are|has|have|should)$/.test(first) ? NO_VERB : undefined;
}

/**
 * `invite_resolve` of `/invites/{code}`, `ExecResize` of `/exec/{id}/resize`: the path shows that
 * the first word is a noun.
 */
function afterObject({
  words: [first = "", verb, third],
  method,
  parts,
}: LastChunk): number | undefined {
  const isCrud = VERBS_OF_METHODS.get(method)?.has(verb ?? "") === true;
  const collections = method === "GET" ? parts : parts.slice(0, -1);
  // `notify, get, thread` of a GET
  const effect = effectOfVerb(first);
  const isOfRead = method === "GET" && isUnambiguousVerb(first) && effect !== "reads";
  if (isCrud && isVerb(first) && (isOfRead || collections.some((part) => isSegment(part, first))))
    return 1;
  if (third !== undefined || !isVerb(verb)) return undefined;
  const isLastSegment = segmentWords(parts, -1).join(" ") === verb && fitsMethod(verb, method);
  const isObject = isLastSegment
    ? parts.some((part) => isSegment(part, first))
    : isUnambiguousVerb(verb) && pathHasCollection(parts, first);
  return isObject ? 1 : undefined;
}

/**
 * `recycle, post` of `PUT /posts/{id}/recycle`: the path ends in the verb. An unknown verb counts
 * when the summary starts with it. `sell, cargo` of `POST /ships/{id}/sell`: the path need not name
 * the object of an action on an item.
 */
function beforeObject({
  words: [first, ...object],
  method,
  parts,
  summaryVerb,
}: LastChunk): number | undefined {
  if (method === "GET" || object.length === 0 || segmentWords(parts, -1).join(" ") !== first)
    return undefined;
  const isStated = summaryVerb === first;
  if (!isVerb(first) && !isStated) return undefined;
  if (isStated && parts.at(-2)?.kind === "param" && !object.some(isVerb)) return 0;
  const name = singularizeLast(object).join(" ");
  return parts
    .slice(0, -1)
    .some((part) => part.kind === "words" && singularizeLast(part.words).join(" ") === name)
    ? 0
    : undefined;
}

/** True for a segment that consists of this word, in singular or plural. */
function isSegment(part: PathSegment, word: string): boolean {
  return (
    part.kind === "words" &&
    part.words.length === 1 &&
    singularize(part.words[0] as string) === singularize(word)
  );
}

/**
 * `request, password, reset` with the summary `Request a password reset`, or of a path that ends in
 * `/request-password-reset` or `/password-reset`.
 */
function firstOfRequest({ words, method, parts, summaryVerb }: LastChunk): number | undefined {
  const [first = "", ...rest] = words;
  if (method === "GET" || !/^(?:request|schedule|trigger|initiate)$/.test(first)) return undefined;
  const last = segmentWords(parts, -1).join(" ");
  const isNoun = rest.length > 1 && [words.join(" "), rest.join(" ")].includes(last);
  return rest.length > 0 && (first === summaryVerb || isNoun) ? 0 : undefined;
}

/** `list, pets`. */
function unambiguousFirst({ words }: LastChunk): number | undefined {
  return isUnambiguousVerb(words[0]) ? 0 : undefined;
}

/** `users.index`, `indexUsers` of `GET /users`. */
function indexOfCollection({ words, hasGroup, method, parts }: LastChunk): number | undefined {
  const [first, ...rest] = words;
  if (first !== "index") return undefined;
  const isCollection =
    method === "GET" && rest.length > 0 && segmentWords(parts, -1).join("") === rest.join("");
  return isCollection || (hasGroup && rest.length === 0) ? 0 : undefined;
}

/** `individual, invite, cancel` of "Cancels an invitation": the last word is the verb of the texts. */
function statedLast({ words, summaryVerb }: LastChunk): number | undefined {
  const last = words.length - 1;
  const [before, verb] = words.slice(-2);
  const isStated = verb === (toImperative(summaryVerb) ?? summaryVerb) && isUnambiguousVerb(verb);
  const isPhrase = isUnambiguousVerb(before) && !VERBS_OF_RESOURCES.has(before as string);
  const isNoun = isPhrase || isAdverb(before) || isConnective(before);
  return last > 0 && isStated && !isNoun ? last : undefined;
}

/**
 * `check, pet`. A noun where the method does not fit the verb, or where an unambiguous verb is the
 * last word without a group (`post, list`).
 */
function ambiguousFirst(chunk: LastChunk): number | undefined {
  const { words, hasGroup, method, summaryVerb } = chunk;
  if (!isVerb(words[0])) return undefined;
  const strong = nextUnambiguousVerb(chunk);
  const isFirstStated = isStated(words[0] as string, summaryVerb);
  if (strong === words.length - 1 && !hasGroup && !isFirstStated) return undefined;
  if (fitsMethod(words[0], method)) return 0;
  return NO_VERB;
}

/** `seek, to, position` with the summary `Seek to position`; `defend, dispute`: `Defend a dispute`. */
function firstOfSummary({
  words: [first, second],
  method,
  summaryVerb,
  isTransitive,
  isSentence,
}: LastChunk): number | undefined {
  const isVerbal =
    method !== "GET" && first === summaryVerb && second !== undefined && !isConnective(first);
  // `email, refund` of "Email a credit note"
  const isStated = isSentence && effectOfVerb(first ?? "") !== undefined;
  return isVerbal && (((isTransitive || isStated) && !isVerb(first)) || isConnective(second))
    ? 0
    : undefined;
}

/** `message, delete`, with an adverb before it (`admin, bulk, delete`). */
function unambiguousLater(chunk: LastChunk): number | undefined {
  const strong = nextUnambiguousVerb(chunk);
  if (strong === NO_VERB) return undefined;
  return isAdverb(chunk.words[strong - 1]) ? strong - 1 : strong;
}

/** `account, charge` of a write. */
function ambiguousLast({ words, hasGroup, method }: LastChunk): number | undefined {
  const last = words.length - 1;
  return last > 0 &&
    !hasGroup &&
    words[last - 1] !== "no" &&
    isVerb(words[last]) &&
    fitsMethod(words[last], method)
    ? last
    : undefined;
}

/**
 * First unambiguous verb after the first word. Skips words after a connective (`for update`) or
 * `no` (`no show`), and of a GET a final `set`, `stats split by team` and the writing verb of a noun
 * that the summary does not start with (`group invite link`).
 */
function nextUnambiguousVerb({ words, method, summaryVerb }: LastChunk): number {
  return words.findIndex(
    (word, i) =>
      i > 0 &&
      isUnambiguousVerb(word) &&
      !isConnective(words[i - 1]) &&
      words[i - 1] !== "no" &&
      !(word === "split" && method === "GET") &&
      !(method === "GET" && isOfNoun(words, i) && !isStated(word, summaryVerb)) &&
      !(word === "set" && i === words.length - 1 && method === "GET"),
  );
}

/** `invite` of `group invite link`, unlike `delete` of `batch delete items` and `user create token`. */
const isOfNoun = (words: readonly string[], i: number): boolean =>
  i < words.length - 1 &&
  !isAdverb(words[i - 1]) &&
  !PLAIN_VERBS.has(words[i] as string) &&
  effectOfVerb(words[i] as string) === "adds";

const isStated = (verb: string, summaryVerb: string): boolean =>
  [summaryVerb, toImperative(summaryVerb)].includes(verb);

/** True if the verb is possible for an operation with this method. */
function fitsMethod(verb: string | undefined, method: string): boolean {
  return method !== "GET" || isReadingVerb(verb) || AMBIGUOUS_GET_VERBS.has(verb as string);
}
