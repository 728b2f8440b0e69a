import { isManyWord } from "./function-words.js";
import { plural } from "./inflect.js";
import { withoutRepeats } from "./repeats.js";

/** Verbs of reading, for which `find` says as much. */
const READING = new Set(
  "list get search find query fetch retrieve read show browse index".split(" "),
);

/**
 * What a tool that lists, searches and gets is called after the name of its list: `list_pets` →
 * `find_pets`; undefined when that starts with a verb that says more.
 * @param collection words of the last piece of the path, for the number and for names that are
 *   nothing but a verb
 */
export function findName(
  words: readonly string[],
  collection: readonly string[],
): string | undefined {
  if (!READING.has(words[0] as string)) return undefined;
  const noun = withoutManyWords(words.slice(1));
  const last = noun.at(-1);
  if (last !== undefined && plural(last) === collection.at(-1))
    noun[noun.length - 1] = plural(last);
  return ["find", ...(noun.length > 0 ? noun : collection)].join("_");
}

/**
 * What stood before `all` can stand behind it, too: `codes of conduct all codes of conduct`.
 * Otherwise, what a name repeats tells operations apart.
 */
function withoutManyWords(noun: readonly string[]): string[] {
  const left = noun.filter((word) => !isManyWord(word));
  return left.length < noun.length ? withoutRepeats(["find", ...left]).slice(1) : left;
}
