import { isLink } from "./function-words.js";
import { isPlural, pluralPhrase, singular, singularPhrase } from "./inflect.js";
import { wordsOf } from "./words.js";

/**
 * What a tag writes apart and a path together: `downloadclients` of the tag `DownloadClient` →
 * download, clients. Undefined for all else.
 */
export function unglued(word: string, tags: readonly string[]): readonly string[] | undefined {
  if (word.length < 6) return undefined;
  const one = singular(word);
  for (const tag of tags) {
    if (tag.length < word.length - 3 || tag.charAt(0).toLowerCase() !== word.charAt(0)) continue;
    const words = wordsOf(tag);
    if (
      words.length > 1 &&
      singular(words.join("")) === one &&
      words.every(isWhole) &&
      words.at(-1) !== "list"
    )
      return isPlural(word) ? pluralPhrase(words) : singularPhrase(words);
  }
  return undefined;
}

const isWhole = (word: string): boolean => /^[a-z]{2,}$/.test(word) && !isLink(word);
