/** The object of an action that a text states, as words. */
import { DETERMINERS } from "../../language/function-words.js";
import { memoize, wordIn } from "../../language/patterns.js";
import { splitWords } from "../../language/words.js";

/** Words before a noun that a name leaves out. */
const OMITTED_WORDS = wordIn(
  `${DETERMINERS.join(" ")} or more another single specific particular current`,
);
/** Words that end the object of a verb. */
const END_OF_OBJECT = wordIn(
  "for from to of in into with within without that which who whose where by on onto " +
    "at as is are was using via and if when based associated belonging about against " +
    "under be so not has have can will it them through together",
);

/** Words of the object up to a preposition, without determiners. */
export const objectWords: (text: string) => readonly string[] = memoize((text) => {
  const words = text.split(" ").filter((word) => word.length > 1 || word === "a");
  const start = words.findIndex((word) => !OMITTED_WORDS.test(word));
  if (start < 0) return [];
  const end = words.findIndex((word, i) => i >= start && END_OF_OBJECT.test(word));
  const object = words
    .slice(start, end < 0 ? undefined : end)
    .filter((word) => !OMITTED_WORDS.test(word));
  return object.flatMap((word) => splitWords(word.replace(/['’]s?$/, "")));
});

/** `a list of ` of the object that a text states. */
export const LIST_OF = /^(?:an? |the )?(?:[\w-]+ )?(?:array|collection|list|page|set) of /;

/** Head of an object in a text: `the last 5 cached dweets for a thing` → dweets. */
export const headOfObject = (text: string): string | undefined => objectWords(text).at(-1);
