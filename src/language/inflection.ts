/**
 * Inflection of English words, with cached results. The rules are those of generated servers, so
 * that both agree about the noun of a name.
 */
import * as rules from "../runtime/language/inflection.js";
import { memoize } from "../memoize.js";

export {
  basesOfGerund,
  basesOfParticiple,
  basesOfThirdPerson,
  isParticiple,
  pluralize,
} from "../runtime/language/inflection.js";

/**
 * `pets` → `pet`, `categories` → `category`, `statuses` → `status`; singulars are returned
 * unchanged.
 */
export const singularize: (word: string) => string = memoize(rules.singularize);

/** True for words with the form of a plural. */
export const isPlural = (word: string): boolean => singularize(word) !== word;
