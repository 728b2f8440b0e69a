/** Words with which texts about operations say the same: synonyms, determiners, prepositions. */
import { ARTICLES, CONJUNCTIONS, EMPTY_ADJECTIVES } from "../../language/function-words.js";
import { effectOfVerb } from "../../language/verb-effects.js";
import { singularize, toImperative } from "../../language/grammar.js";
import { memoize } from "../../language/patterns.js";

/** Verbs that texts about operations use as synonyms. The first one stands for the others. */
const SYNONYMS = [
  "get display fetch obtain provide read retrieve return show view",
  "add create",
  "update modify patch",
  "delete remove",
].map((verbs) => verbs.split(" "));

const MAIN_VERB: ReadonlyMap<string, string> = new Map(
  SYNONYMS.flatMap((verbs) => verbs.map((verb) => [verb, verbs[0] as string] as const)),
);

/** Verbs that a text can write for a verb: its synonyms with the same effect, and itself. */
export function synonymsOf(verb: string): readonly string[] {
  const synonyms = SYNONYMS.find((verbs) => verbs.includes(verb)) ?? [verb];
  return synonyms.filter((one) => effectOfVerb(one) === effectOfVerb(verb));
}

/** Words that make no difference between two texts. `all`, `new` and `their` may make one. */
const IGNORED: ReadonlySet<string> = new Set([
  ...ARTICLES,
  ...EMPTY_ADJECTIVES.filter((word) => word !== "existing"),
  ..."this that its your specific of for to in on by with".split(" "),
]);
const FUNCTION_WORDS: ReadonlySet<string> = new Set([...IGNORED, ...CONJUNCTIONS]);

/** True for determiners, prepositions and conjunctions, which name nothing. */
export const isFunctionWord = (word: string): boolean => FUNCTION_WORDS.has(word);

/**
 * True when a sentence has the verb and every content word of another: `Deletes a pet by ID.`
 * contains `Delete pet`.
 */
export function containsStatement(sentence: string, other: string): boolean {
  return firstStem(sentence) === firstStem(other) && containsContentWords(sentence, other);
}

/** True when a text has every content word of another, in any order. */
export function containsContentWords(text: string, other: string): boolean {
  const words = new Set(contentWords(text));
  if (LIST.test(text)) words.add("all");
  return contentWords(other).every((word) => words.has(word));
}

/** Content words of a text that another lacks, each once. */
export function newContentWords(text: string, known: string): readonly string[] {
  const words = new Set(contentWords(known));
  return [...new Set(contentWords(text))].filter((word) => !words.has(word));
}

/** `Returns a list of the pets` are all. */
const LIST = /\b(?:list|collection|array) of\b/i;

/** Stem of the first word. Different first verbs rule out most pairs cheaply. */
function firstStem(text: string): string {
  const [, first = "", second = ""] = FIRST_WORDS.exec(text.slice(0, 80).toLowerCase()) ?? [];
  return stemOf(isManner(first) ? second : first);
}

const FIRST_WORDS = /([\p{L}\p{N}]+)(?:[^\p{L}\p{N}]+([\p{L}\p{N}]+))?/u;

/** `Synchronously refresh`, `Bulk delete`: manner of a verb. */
const isManner = (word: string): boolean => /^(?:bulk|[a-z]{5,}ly)$/.test(word);

function contentWords(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replace(/['’]s\b|\b(?:an? |the )?list of (?=\S)/g, "")
      .match(/[^\0-\x7f]/.test(text) ? /[\p{L}\p{N}]+/gu : /[a-z0-9]+/g) ?? [];
  return words.filter((word, i) => !IGNORED.has(word) && !(i === 0 && isManner(word))).map(stemOf);
}

/** Stem of a word, and one of all verbs that read: `Get the pets of a user` lists them. */
const stemOf = memoize((word) => {
  const verb = toImperative(word) ?? word;
  if (verb === "list") return "get";
  return MAIN_VERB.get(verb) ?? (verb === word ? singularize(word) : verb);
});
