/** Words of identifiers that a document or its generator writes together. */
import type { OperationFacts } from "../operations/types.js";
import {
  isConnective,
  isPlural,
  isUnambiguousVerb,
  isVerb,
  pluralizeLast,
  singularize,
  singularizeLast,
} from "../../language/grammar.js";
import { PLAIN_VERBS } from "../../language/lexicon.js";
import { stripPreamble } from "../../language/preamble.js";
import { splitWords } from "../../language/words.js";

/** Words of an operation's path, parameters and tags, in the singular. */
export function documentWords({ operation, pathParts }: OperationFacts): ReadonlySet<string> {
  const words = [
    ...pathParts.flatMap((part) => (part.kind === "words" ? part.words : splitWords(part.name))),
    ...splitWords(operation.path.slice(0, 400)),
    ...operation.tags.flatMap(splitWords),
  ];
  return new Set(words.map(singularize));
}

/** Beginning of a summary, which shows whether a word of the operationId is a verb. */
interface SummaryStart {
  /** First word in lower case; empty if it has characters other than English letters. */
  readonly word: string;
  /** A determiner follows, so that the word is a verb: `Fire the rule group`. */
  readonly hasDeterminer: boolean;
  /** Text after the first word. */
  readonly rest: string;
}

/** Splits a summary after its first word. */
export function readSummaryStart({
  summary = "",
}: Pick<OperationFacts["operation"], "summary">): SummaryStart {
  const [, first = "", rest = ""] =
    /^\s*([a-z]+)(?![\w'’]) *(.*)/is.exec(stripPreamble(summary)) ?? [];
  const hasDeterminer = /^(?:an?|the|all|your|one|this|its) /i.test(rest);
  return { word: first.toLowerCase(), hasDeterminer, rest };
}

/** Plain words of an operation's summary and of the beginning of its description. */
function textWords({ operation: { summary = "", description = "" } }: OperationFacts) {
  const words = `${summary} ${description.slice(0, 400)}`.toLowerCase().match(/\b[a-z]{3,}\b/g);
  return (words ?? []).filter((word) => !isConnective(word)).map(singularize);
}

/** `alistof`, `reviewby`: words of the summary with a preposition, written as one. */
export function splitPhrase(
  word: string,
  { operation: { summary = "" } }: OperationFacts,
): readonly string[] | undefined {
  const end = /(?:by|for|from|in|of|to|with)$/.exec(word)?.[0];
  if (end === undefined || word.length < 6 || isVerb(word)) return undefined;
  const words = splitWords(summary.slice(0, 200));
  if (words.includes(word)) return undefined;
  const ends = words.flatMap((one, i) => (one === end ? [i] : []));
  return ends
    .flatMap((i) => [1, 2, 3].map((length) => words.slice(Math.max(0, i - length), i + 1)))
    .find((phrase) => phrase.join("") === word);
}

/** Verbs that identifiers write together with their object. */
const GLUED_VERBS = [...PLAIN_VERBS, "put", "post", "patch", "search", "del"];

const MIN_GLUED_LENGTH = 6;
const MAX_PIECES = 4;

/** Shorter words are composed of words of a text by chance. */
const MIN_LENGTH_IN_TEXTS = 10;

/**
 * Splits a word into words that the path, the tags or the texts write apart: `putfacet` of
 * `/facets` → put, facet; `bulkmd5` of `/bulk/md5`; `compactchat` of `Compact a chat`. Undefined
 * for other words.
 */
export function splitGluedWord(
  word: string,
  known: ReadonlySet<string>,
  facts: OperationFacts,
): readonly string[] | undefined {
  if (word.length < MIN_GLUED_LENGTH || isVerb(word)) return undefined;
  const written = asInPath(word, facts);
  if (written || known.has(singularize(word))) return written;
  const pieces = splitIntoKnown(word, known);
  if (pieces || word.length < MIN_LENGTH_IN_TEXTS) return pieces;
  const texts = textWords(facts);
  return texts.includes(singularize(word))
    ? undefined
    : splitIntoKnown(word, new Set([...known, ...texts]));
}

/** Shorter words are two words of a text by chance, as `onto` is. */
const MIN_TOLD_LENGTH = 8;

/** `vCenter` is one word. */
const MIN_PIECE = 2;

/** `phonenumber` of "Generate a phone number" → phone, number: the texts write it apart only. */
export function splitAsTold(
  words: readonly string[],
  { operation: { summary = "", description = "" } }: OperationFacts,
): readonly string[] {
  const text = `${summary} ${description.slice(0, 400)}`;
  return words.flatMap((word, i) =>
    i === 0 || word.length < MIN_TOLD_LENGTH ? [word] : (piecesAsTold(word, text) ?? [word]),
  );
}

function piecesAsTold(word: string, text: string): readonly string[] | undefined {
  const stem = singularize(word);
  const lower = text.toLowerCase();
  // Most words are written as they are, or not at all.
  if (lower.includes(stem) && !isInCamelCase(stem, text)) return undefined;
  if (!lower.replace(/[^a-z]/g, "").includes(stem)) return undefined;
  const told = splitWords(text).map(singularize);
  const pieces = told
    .map((_, i) => told.slice(i, i + 2))
    .find((pair) => pair.join("") === stem && pair.every((one) => one.length >= MIN_PIECE));
  if (!pieces || told.includes(stem)) return undefined;
  return isPlural(word) ? pluralizeLast(pieces) : pieces;
}

/** `ApplicationRole` for `applicationrole`. */
const isInCamelCase = (word: string, text: string): boolean =>
  !text.slice(1).includes(word.slice(1));

/** `eventticketclass` of `/eventTicketClass` → event, ticket, class. */
function asInPath(word: string, { pathParts }: OperationFacts): readonly string[] | undefined {
  const stem = singularize(word);
  const part = pathParts.find(
    (one) =>
      one.kind === "words" && one.words.length > 1 && singularizeLast(one.words).join("") === stem,
  );
  return part?.kind !== "words"
    ? undefined
    : isPlural(word)
      ? pluralizeLast(part.words)
      : singularizeLast(part.words);
}

function splitIntoKnown(word: string, known: ReadonlySet<string>): readonly string[] | undefined {
  const verb = GLUED_VERBS.find((one) => word.startsWith(one) && word.length > one.length + 2);
  const noun = verb === undefined ? "" : word.slice(verb.length);
  const rest = piecesOf(noun, known, MAX_PIECES) ?? (hasStem(noun, known) ? [noun] : undefined);
  if (verb !== undefined && rest) return [verb === "del" ? "delete" : verb, ...rest];
  const pieces = piecesOf(word, known, MAX_PIECES);
  return pieces && pieces.length > 1 ? pieces : undefined;
}

/** `actor` of `/actoren`, `bijlage` of `/bijlagen`: the plural of another language. */
const hasStem = (word: string, known: ReadonlySet<string>): boolean =>
  word.length >= MIN_NOUN &&
  !/\d/.test(word) &&
  [...known].some((one) => {
    const shorter = Math.min(one.length, word.length);
    const isLonger = Math.max(one.length, word.length) - shorter <= MAX_PLURAL_ENDING;
    return isLonger && shorter >= MIN_NOUN && word.slice(0, shorter) === one.slice(0, shorter);
  });

const MIN_NOUN = 5;
const MAX_PLURAL_ENDING = 2;

/** Known words of at least three letters that a text consists of. */
function piecesOf(
  text: string,
  known: ReadonlySet<string>,
  limit: number,
): readonly string[] | undefined {
  if (known.has(singularize(text))) return [text];
  if (limit === 1) return undefined;
  for (let end = text.length - 3; end >= 3; end--) {
    const head = text.slice(0, end);
    if (!known.has(singularize(head))) continue;
    const rest = piecesOf(text.slice(end), known, limit - 1);
    if (rest) return [head, ...rest];
  }
  return undefined;
}

const LANGUAGES = new Set(
  (
    "en us de fr es it nl pt zh cn jp ja ko kr ru pl tr csharp curl golang java javascript nodejs php " +
    "python ruby typescript"
  ).split(" "),
);

/**
 * Removes what generators append to words and the document does not have: `uploadFile2`, `get_1`,
 * `v1search`, `createUser_php`; and the rest of a possessive: `user_s`.
 */
export function removeGeneratedParts(
  words: readonly string[],
  known: ReadonlySet<string>,
): readonly string[] {
  const cleaned = words
    .filter((word, i) => {
      const isAppended = isCounter(word) && !known.has(word) && !/^\d/.test(words[i - 1] ?? "");
      return !(word === "s" && i > 0) && !isAppended;
    })
    .map((word) => withoutCounter(word, known));
  const last = cleaned.at(-1) ?? "";
  return cleaned.length > 2 && LANGUAGES.has(last) && !known.has(last)
    ? cleaned.slice(0, -1)
    : cleaned;
}

const isCounter = (word: string): boolean => word.length <= 2 && /^\d{1,2}$/.test(word);

/**
 * `offset4` → offset, `list2` → list, `v1search` → search, `getv1` of `/v1/pets` → get, unless the
 * document writes it so.
 */
function withoutCounter(word: string, known: ReadonlySet<string>): string {
  if (!/\d/.test(word)) return word;
  const [, versioned, ofPath = ""] = /^([a-z]{3,})(v\d{1,2})$/.exec(word) ?? [];
  if (versioned !== undefined && known.has(ofPath) && !known.has(word)) return versioned;
  const [, version, , stem] = /^(v\d{1,2})?(([a-z]{3,})(?:\d{1,2})?)$/.exec(word) ?? [];
  if (stem === undefined || stem === word || known.has(singularize(word))) return word;
  if (version !== undefined) return word.slice(version.length);
  return known.has(singularize(stem)) || isUnambiguousVerb(stem) ? stem : word;
}
