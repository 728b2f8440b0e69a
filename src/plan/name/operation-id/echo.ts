import type { Subject } from "../../kind.js";
import { isPlural, singular } from "../inflect.js";
import { type PathPart, wordsAt } from "../path.js";
import { wordsOf } from "../words.js";

/**
 * True when an operationId says nothing that method and path do not: then they name the operation
 * better.
 */
export function isEcho(words: readonly string[], subject: Subject): boolean {
  return repeatsPath(words, subject) || namesPath(words, subject);
}

/**
 * True when the words are the method, every static word of the path in order, and nothing else but
 * names of parameters. Where an ID is among them, the first pieces of the path may be missing:
 * `GetCartsId` of `/store/carts/{id}`.
 */
export function repeatsPath(words: readonly string[], { operation, parts }: Subject): boolean {
  if (words[0] !== operation.method.toLowerCase()) return false;
  const pieces = parts.flatMap((part) => (part.kind === "words" ? [part.words] : []));
  const params = new Set([
    "id",
    "by",
    "and",
    ...parts.flatMap((part) => (part.kind === "param" ? wordsOf(part.name) : [])),
  ]);
  const said = words.slice(1);
  return pieces.some(
    (_, from) =>
      (from === 0 || (said.includes("id") && !said.includes("by"))) &&
      isRow(said, pieces.slice(from).flat(), params),
  );
}

/** All expected words in order, and nothing else but words of parameters. */
function isRow(
  words: readonly string[],
  expected: readonly string[],
  params: ReadonlySet<string>,
): boolean {
  let next = 0;
  for (const word of words) {
    if (word === expected[next]) next += 1;
    else if (!params.has(word)) return false;
  }
  return next === expected.length;
}

/**
 * `listIdFollowers` of `/lists/{id}/followers`, `listIdGet` of `/lists/{id}`: pieces of the path in
 * their order, with a parameter, and its first piece is a plural, so that what looks like a verb is
 * none.
 */
function namesPath(words: readonly string[], { operation, parts }: Subject): boolean {
  if (!startsWithCollection(parts, words[0]) || !parts.some((part) => part.kind === "param"))
    return false;
  const own = words.at(-1) === operation.method.toLowerCase() ? words.slice(0, -1) : words;
  const expected = parts.flatMap((part) =>
    part.kind === "words" ? part.words : wordsOf(part.name),
  );
  return (
    own.length === expected.length &&
    own.every((word, i) => singular(word) === singular(expected[i] as string))
  );
}

/** `/lists/…`, of which the identifier says `list`. */
function startsWithCollection(parts: readonly PathPart[], word: string | undefined): boolean {
  const [many, more] = wordsAt(parts, 0);
  return many !== undefined && more === undefined && isPlural(many) && word === singular(many);
}
