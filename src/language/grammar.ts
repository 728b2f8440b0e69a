import { ARTICLES, PREPOSITIONS_WITH_COMPLEMENT, QUANTIFIERS } from "./function-words.js";
import {
  ADJECTIVES,
  ADVERBS,
  CONNECTIVES,
  DANGLING_WORDS,
  GET_COMPATIBLE_VERBS,
  PARTICLES,
  SEARCH_VERBS,
  SENTENCE_VERBS,
  UNAMBIGUOUS_VERBS,
  VERBS_OR_NOUNS,
} from "./lexicon.js";
import {
  basesOfThirdPerson,
  isParticiple,
  isPlural,
  pluralize,
  singularize,
} from "./inflection.js";

export { isParticiple, isPlural, pluralize, singularize };

/** True for words that are verbs wherever they occur. */
export function isUnambiguousVerb(word: string | undefined): boolean {
  return (
    word !== undefined &&
    (UNAMBIGUOUS_VERBS.has(word) ||
      word.includes("_") ||
      isPrefixedVerb(word) ||
      isBritishVerb(word))
  );
}

/** `unmerge`, `unpause`, `resubmit`: a verb with a prefix that reverses or repeats it. */
function isPrefixedVerb(word: string): boolean {
  if (word.length < 6) return false;
  if (word.startsWith("un"))
    return UNAMBIGUOUS_VERBS.has(word.slice(2)) || VERBS_OR_NOUNS.has(word.slice(2));
  return word.startsWith("re") && word !== "remark" && UNAMBIGUOUS_VERBS.has(word.slice(2));
}

/** `analyse`, `authorise`: the lexicon has the American spelling. */
function isBritishVerb(word: string): boolean {
  return /.[iy]se$/.test(word) && UNAMBIGUOUS_VERBS.has(`${word.slice(0, -2)}ze`);
}

/** True for every word that can be a verb. */
export function isVerb(word: string | undefined): boolean {
  return isUnambiguousVerb(word) || VERBS_OR_NOUNS.has(word as string);
}

/** True for words that are nouns as often as verbs. */
export function isAmbiguousVerb(word: string): boolean {
  return VERBS_OR_NOUNS.has(word) && !UNAMBIGUOUS_VERBS.has(word);
}

/** True for verbs that also fit a GET. */
export function isReadingVerb(word: string | undefined): boolean {
  return word !== undefined && GET_COMPATIBLE_VERBS.has(word);
}

/** `lists`, `creates`, `fetches` → the imperative; undefined for other words. */
export function toImperative(word: string): string | undefined {
  return basesOfThirdPerson(word).find((base) => isVerb(base) || SENTENCE_VERBS.has(base));
}

/** True for words that can start an imperative sentence. */
export function canStartImperative(word: string): boolean {
  return isVerb(word) || SENTENCE_VERBS.has(word);
}

/** True for a verb and the particle of one phrasal verb. */
export function isPhrasalVerb(verb: string | undefined, particle: string | undefined): boolean {
  return (
    verb !== undefined &&
    particle !== undefined &&
    Object.hasOwn(PARTICLES, verb) &&
    (PARTICLES[verb] as string).split(" ").includes(particle)
  );
}

/**
 * Joins a phrasal verb at the start or end into one word: `bookings, check, in` → bookings,
 * check_in.
 */
export function joinPhrasalVerb(words: readonly string[]): string[] {
  const [first, second, ...others] = words;
  if (isPhrasalVerb(first, second)) return [`${first}_${second}`, ...others];
  const [verb, particle] = words.slice(-2);
  if (isPhrasalVerb(verb, particle)) return [...words.slice(0, -2), `${verb}_${particle}`];
  return [...words];
}

/** True for prepositions and conjunctions. */
export function isConnective(word: string | undefined): boolean {
  return word !== undefined && CONNECTIVES.has(word);
}

/** True for prepositions that need a complement: `for`, `with`. */
export function needsComplement(word: string | undefined): boolean {
  return word !== undefined && PREPOSITIONS_WITH_COMPLEMENT.includes(word);
}

/**
 * True for words at which no shortened name ends. Unshortened names may end in `of`, `by`, `and`,
 * `or`: `allOf`, `sortBy`.
 */
export function isDanglingWord(word: string | undefined): boolean {
  return word !== undefined && DANGLING_WORDS.has(word);
}

/** True for `a`, `an` and `the`. */
export function isArticle(word: string | undefined): boolean {
  return word !== undefined && ARTICLES.includes(word);
}

/** True for quantifiers that a list implies: `get-several-tracks`. */
export function isQuantifier(word: string | undefined): boolean {
  return word !== undefined && QUANTIFIERS.includes(word);
}

/** True for words that describe the manner of the next verb: `bulk delete`. */
export function isAdverb(word: string | undefined): boolean {
  return word !== undefined && ADVERBS.has(word);
}

/**
 * True for verbs of searching that other words can precede: `getSearchMovie`, `GET /search/movie`.
 */
export function isSearchVerb(word: string | undefined): boolean {
  return word !== undefined && SEARCH_VERBS.has(word);
}

/** True for words that select items and precede their noun: `/movies/popular` → popular movies. */
export function isAdjective(word: string | undefined): boolean {
  return word !== undefined && (ADJECTIVES.has(word) || isParticiple(word));
}

/** Puts the last word into the singular: `bank accounts` → `bank account`. */
export function singularizeLast(words: readonly string[]): string[] {
  const last = words.at(-1);
  return last === undefined ? [] : [...words.slice(0, -1), singularize(last)];
}

/** Puts the last word into the plural. */
export function pluralizeLast(words: readonly string[]): string[] {
  const last = words.at(-1);
  return last === undefined ? [] : [...words.slice(0, -1), pluralize(last)];
}

/** True for words that have a plural, unlike `pricing`, `v2` and `mine`. */
export function isCountable(word: string): boolean {
  return (
    /^[a-z]{3,}$/.test(word) &&
    !/(?:ing|ed)$/.test(word) &&
    !isAdjective(word) &&
    !/^(all|mine|own|self|usage|latest|details?|by|log|since|until)$/.test(word)
  );
}
