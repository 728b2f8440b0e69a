/** Forms of a name: identifier, file name and title, and names of limited length. */
import { RESERVED_WORDS } from "../../reserved-words.js";
import { fnv1a } from "../../runtime/data/fnv.js";
import { ABBREVIATIONS, ACRONYMS, SPELLINGS } from "../../language/spelling.js";
import { isDeviceName } from "../../file-name.js";
import { isArticle, isConnective, isParticiple, isVerb } from "../../language/grammar.js";

/** Longest tool name. Leaves room for the server's name in hosts that count both. */
export const MAX_NAME_LENGTH = 48;
const MAX_WORD_LENGTH = 24;

/**
 * Joins words to a snake_case name of at most `max` characters. Dropped in this order: a clause
 * (`associated to an application`); articles and connectives; the words at optional positions; all
 * but the last word after a connective (`for authenticated user` → user); letters, by common
 * abbreviations; words between the verb and the last word.
 */
export function shortenName(
  words: readonly string[],
  max: number,
  optionalPositions: ReadonlySet<number> = NO_POSITIONS,
): string {
  const fullName = joinWords(words);
  if (fullName.length <= max) return fullName;
  const clause = words.findIndex(
    (word, i) => i > 2 && isParticiple(words[i - 1]) && LINK.test(word),
  );
  const mainWords = words.slice(0, clause - 1);
  if (clause > 0 && joinWords(mainWords).length <= max) return joinWords(mainWords);
  const contentWords = words.filter((word, i) => i === 0 || !isFiller(word));
  if (joinWords(contentWords).length <= max) return joinWords(contentWords);
  const requiredWords = words.filter((_, i) => !optionalPositions.has(i));
  if (joinWords(requiredWords).length <= max) return joinWords(requiredWords);
  return dropWords(requiredWords, max);
}

/** Prepositions of a clause; a word after `by` distinguishes operations. */
const LINK = /^(?:for|from|in|on|to|with)$/;

const NO_POSITIONS: ReadonlySet<number> = new Set();
const isFiller = (word: string): boolean => isConnective(word) || isArticle(word);

/** Joins words with underscores. A loop, because it runs several times for every name. */
function joinWords(words: readonly string[]): string {
  let text = "";
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (word !== "" && word !== words[i - 1])
      text += `${text === "" ? "" : "_"}${word.slice(0, MAX_WORD_LENGTH)}`;
  }
  return text;
}

/** Drops words until the name fits. The verb and the last word of each part stay. */
function dropWords(words: readonly string[], max: number): string {
  const link = words.findIndex(
    (word, i) => i > 1 && isConnective(word) && word !== "and" && word !== "or",
  );
  let head = words
    .slice(0, link < 0 ? undefined : link)
    .filter((word, i) => i === 0 || !isFiller(word));
  const tail = link < 0 ? [] : words.slice(link + 1).filter((word) => !isFiller(word));
  const excess = (): number => joinWords([...head, ...tail]).length - max;
  while (tail.length > 1 && excess() > 0) tail.shift();
  if (excess() > 0) head = head.map(abbreviate);
  if (excess() > 0) tail.splice(0, 1, ...tail.slice(0, 1).map(abbreviate));
  while (head.length > 2 && excess() > 0) head = dropOneWord(head, excess());
  const linked = link < 0 ? "" : joinWords([...head, words[link] as string, ...tail]);
  if (linked !== "" && linked.length <= max) return linked;
  const joined = joinWords([...head, ...tail]).slice(0, max);
  return joined.replace(/(?<!_)_+$/, "");
}

const abbreviate = (word: string): string =>
  Object.hasOwn(ABBREVIATIONS, word) ? (ABBREVIATIONS[word] as string) : word;

/**
 * Drops one word between verb and noun: the first that is long enough, because first words are
 * least informative, else the longest.
 */
function dropOneWord(head: readonly string[], excess: number): string[] {
  const lengths = head.slice(1, -1).map((word) => Math.min(word.length, MAX_WORD_LENGTH) + 1);
  const enough = lengths.findIndex((length) => length >= excess);
  const dropped = 1 + (enough >= 0 ? enough : lengths.indexOf(Math.max(...lengths)));
  return head.filter((_, i) => i !== dropped);
}

/** Appends a suffix and shortens only the name before it. */
export function appendSuffix(name: string, suffix: string, max: number): string {
  const available = max - suffix.length - 1;
  return `${name.length <= available ? name : shortenName(name.split("_"), available)}_${suffix}`;
}

/** Six characters of `[0-9a-z]` computed from the text alone. For names, not for security. */
export const shortHash = (text: string): string =>
  fnv1a(text).toString(36).padStart(7, "0").slice(-6);

/**
 * camelCase identifier of a tool name: `find_pets` → `findPets`. Different names give different
 * identifiers, because the underscore before a digit is kept. Reserved words, and names whose
 * `…Input` or `…Output` is a named schema, get the suffix `Tool`.
 */
export function toIdentifier(name: string, isTaken: (typeName: string) => boolean): string {
  const camel = camelCase(name);
  const pascal = camel.charAt(0).toUpperCase() + camel.slice(1);
  const clashes =
    isReservedIdentifier(camel) || isTaken(`${pascal}Input`) || isTaken(`${pascal}Output`);
  return clashes ? `${camel}Tool` : camel;
}

function camelCase(name: string): string {
  const [first = "", ...rest] = name.split("_");
  return (
    first +
    rest
      .map((word) =>
        /^[a-z]/.test(word) ? word.charAt(0).toUpperCase() + word.slice(1) : `_${word}`,
      )
      .join("")
  );
}

/** File and folder names that a generated project uses itself or that git ignores. */
const RESERVED_FILE_NAMES = new Set(
  "index node_modules dist build coverage custom runtime".split(" "),
);

/** True when a tool or toolset name is not usable as a file or folder name. */
export function isReservedFileName(name: string): boolean {
  return isDeviceName(name) || RESERVED_FILE_NAMES.has(name);
}

/** Names that the files of a generated project import in addition to a tool. */
const IMPORTED = new Set(["defineTool", "defineApi", "tools", "api"]);

/** True when a name cannot be an identifier of a generated module. */
function isReservedIdentifier(name: string): boolean {
  return RESERVED_WORDS.has(name) || IMPORTED.has(name);
}

/** Spelling of a word in titles and labels: `id` → `ID`. */
export function displayWord(word: string): string {
  return SPELLINGS[word] ?? (ACRONYMS.has(word) ? word.toUpperCase() : word);
}

/** Phrase in sentence case: `list api keys` → `List API keys`. */
export function toSentenceCase(words: readonly string[]): string {
  const phrase = words.map(displayWord).join(" ");
  return phrase.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}

const MAX_TITLE_LENGTH = 60;

/** `Stop`, `Create one`, `Get by project`: a verb without an object. */
function isVerbAlone(text: string): boolean {
  const [, word] = /^([A-Za-z]+)(?: (?:one|many|all))?(?: by .*)?$/i.exec(text) ?? [];
  return word !== undefined && isVerb(word.toLowerCase());
}

/** `addToGroup`, `message-length`, `All`: one word, which is less readable than the name. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z][\w-]*$/.test(text);
}

/** Title of a tool: the summary when it is short enough, else the name in words. */
export function toolTitle(name: string, summary: string): string {
  const text = summary.replace(/(?<![.。!])[.。!]+$/, "");
  if (
    !/[\p{L}\p{N}]/u.test(text) ||
    text.length > MAX_TITLE_LENGTH ||
    /[.!?]\s|https?:/.test(text) ||
    (name.includes("_") && (isVerbAlone(text) || isIdentifier(text)))
  )
    return toSentenceCase(name.split("_"));
  return /^[a-z](?:[a-z]|\s)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
