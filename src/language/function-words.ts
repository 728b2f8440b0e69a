/** Function words of English by class. Classes are closed: a word belongs to one of them. */

const words = (text: string): readonly string[] => text.split(" ");

export const ARTICLES = words("a an the");
export const DEMONSTRATIVES = words("this that these");
export const POSSESSIVES = words("its your their his her");
export const QUANTIFIERS = words("all many multiple several");
/** Words that pick one of several, or all of them one after another. */
export const DISTRIBUTIVES = words("any one each every");
/** Adjectives that say no more about a thing than an article. */
export const EMPTY_ADJECTIVES = words("existing given specified");
/** Prepositions that need a complement: `assigned to`. */
export const PREPOSITIONS_WITH_COMPLEMENT = words("for from to using with");
export const PREPOSITIONS = words(
  "against as at between by in into of on per under via within without",
);
export const CONJUNCTIONS = words("and or");
/** Verbs without a meaning of their own, inside of a phrase. */
export const COPULAS = words("are has is");

/** Words that precede a noun. `new` is one: `Create a new pet` creates a pet. */
export const DETERMINERS: readonly string[] = [
  ...ARTICLES,
  ...DEMONSTRATIVES,
  ...POSSESSIVES,
  ...QUANTIFIERS,
  ...DISTRIBUTIVES,
  ...EMPTY_ADJECTIVES,
  "new",
];
