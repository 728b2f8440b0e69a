/** Words of identifiers: their boundaries, and words that a document writes together. */
import { LETTER_SPELLINGS } from "./spelling.js";
import type { OperationFacts } from "../classify.js";
import {
  isConnective,
  isPlural,
  isVerb,
  pluralizeLast,
  singularize,
  singularizeLast,
} from "./grammar.js";
import { stripPreamble } from "../descriptions/opening.js";
import { memoize } from "../text/patterns.js";

/** Words whose inner capitals are not word boundaries. */
const BRANDS = new RegExp(
  "OAuth|OpenAPI|GitHub|GitLab|GraphQL|JavaScript|TypeScript|WebSocket|WebHook|YouTube|" +
    "LinkedIn|PayPal|WhatsApp|(?:MySQL|PostgreSQL|NoSQL|SignalR|IoT|iOS)(?![a-z])|WiFi|" +
    "(?:IdP|MySql|PostgreSql|NoSql)(?![a-z])|IPv(?=\\d)|[A-Z]{2,64}s(?![a-z])",
  "g",
);

/** Removes diacritics from Latin letters; other scripts stay. */
export function toAscii(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^\0-\x7f]/g, (c) => LETTER_SPELLINGS[c] ?? c);
}

/** True for identifiers with letters that have no ASCII spelling here. */
export function hasForeignLetters(text: string): boolean {
  return /[^\0-\x7f]/.test(text) && /\p{L}/u.test(toAscii(text).replace(/[\0-\x7f]+/g, ""));
}

/**
 * Words of an identifier or phrase, in lower-case ASCII letters and digits. `listAPIKeys` → list,
 * api, keys; `get-OAuth2_token` → get, oauth2, token. Other scripts give no words.
 */
export const splitWords: (text: string) => readonly string[] = memoize((text) => {
  const spaced = removeGeneratedKeys(toAscii(text.length > 400 ? text.slice(0, 400) : text))
    .replace(/['’](?:s\b)?/g, "")
    .replace(BRANDS, (brand) => brand[0] + brand.slice(1).toLowerCase())
    .replace(/([a-z]|[A-Za-z]\d+)(?=[A-Z])/g, "$1 ")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2");
  return spaced.toLowerCase().match(/[a-z0-9]+/g) ?? [];
});

/** `securityClassification-6VMVochwUWo` → securityClassification: a generated key is not a word. */
function removeGeneratedKeys(text: string): string {
  if (text.length < 8 || !/\d/.test(text)) return text;
  return text.replace(/[A-Za-z0-9]{8,}/g, (run) =>
    run.length < text.length && isOpaqueRun(run) ? " " : run,
  );
}

/**
 * True for a whole identifier that is a generated key: a UUID, a long run of hexadecimal digits, or
 * the name that Laravel generates for a route without one.
 */
export function isGeneratedKey(text: string): boolean {
  if (text.startsWith("generated::")) return true;
  return (
    text.length >= 16 &&
    text.length <= 64 &&
    /\d/.test(text) &&
    /^[0-9a-f-]+$/i.test(text) &&
    text.replaceAll("-", "").length >= 16
  );
}

/**
 * True for runs that change between digits and letters of both cases every few characters, and for
 * long runs of hexadecimal digits.
 */
function isOpaqueRun(run: string): boolean {
  if (!/\d/.test(run)) return false;
  if (/^[0-9a-f]{16,}$/i.test(run)) return true;
  if (!/[a-z]/.test(run) || !/[A-Z]/.test(run)) return false;
  const parts = run.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  return parts.length > 3 && run.length / parts.length < 3.5;
}

/** `v1`, `v2beta1`, `2010-04-01`: names the version of an API. */
export function isVersion(word: string): boolean {
  if (!/^v?\d/.test(word)) return false;
  return (
    /^v\d+(p\d+)?((alpha|beta|rc)\d*)?$/.test(word) ||
    /^\d{4}(-?\d\d){2}$/.test(word) ||
    /^\d+\.\d+(\.\d+)?$/.test(word) ||
    /^v\d+\.\d+(\.\d+)?$/.test(word)
  );
}

/**
 * Splits a word where a tag separates it: `downloadclients` with the tag `DownloadClient` →
 * download, clients. Undefined for other words.
 */
export function splitCompound(
  word: string,
  tags: readonly string[],
): readonly string[] | undefined {
  if (word.length < 6) return undefined;
  const stem = singularize(word);
  for (const tag of tags) {
    if (tag.length < word.length - 3 || tag.charAt(0).toLowerCase() !== word.charAt(0)) continue;
    const words = splitWords(tag);
    if (
      words.length > 1 &&
      singularize(words.join("")) === stem &&
      words.every(isPlainWord) &&
      words.at(-1) !== "list"
    )
      return isPlural(word) ? pluralizeLast(words) : singularizeLast(words);
  }
  return undefined;
}

const isPlainWord = (word: string): boolean => /^[a-z]{2,}$/.test(word) && !isConnective(word);

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
export function readSummaryStart({ summary = "" }: OperationFacts["operation"]): SummaryStart {
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
const GLUED_VERBS = "get list put post patch delete create update add remove set search".split(" ");

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
  const rest =
    verb === undefined ? undefined : piecesOf(word.slice(verb.length), known, MAX_PIECES);
  if (verb !== undefined && rest) return [verb, ...rest];
  // `devicelist` of `/devices`.
  const listed = word.endsWith("list") ? word.slice(0, -"list".length) : "";
  if (listed !== "" && known.has(singularize(listed))) return [listed, "list"];
  const pieces = piecesOf(word, known, MAX_PIECES);
  return pieces && pieces.length > 1 ? pieces : undefined;
}

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

const isCounter = (word: string): boolean => /^\d{1,2}$/.test(word);

/**
 * `offset4` → offset, `v1search` → search, `getv1` of `/v1/pets` → get, unless the document writes it
 * so.
 */
function withoutCounter(word: string, known: ReadonlySet<string>): string {
  const [, versioned, ofPath = ""] = /^([a-z]{3,})(v\d{1,2})$/.exec(word) ?? [];
  if (versioned !== undefined && known.has(ofPath) && !known.has(word)) return versioned;
  const [, version, , stem] = /^(v\d{1,2})?(([a-z]{3,})(?:\d{1,2})?)$/.exec(word) ?? [];
  if (stem === undefined || stem === word || known.has(singularize(word))) return word;
  if (version !== undefined) return word.slice(version.length);
  return known.has(singularize(stem)) ? stem : word;
}
