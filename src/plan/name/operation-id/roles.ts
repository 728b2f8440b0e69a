import type { Subject } from "../../kind.js";
import { singular } from "../inflect.js";
import { isCollectionIn } from "../noun.js";
import { wordsAt } from "../path.js";
import { isStrongVerb, isVerb } from "../verbs.js";
import { groupWords, withoutNoise } from "./groups.js";
import type { ParsedId } from "./index.js";
import { splitOwners } from "./owners.js";
import { phrase } from "./phrase.js";
import { verbAt } from "./verb-at.js";

/**
 * Which words of an operationId are group, verb and object. @param chunks at least one, each with a
 * word
 */
export function assignRoles(chunks: readonly string[][], subject: Subject): ParsedId {
  const owners = splitOwners(chunks.slice(0, -1), subject.parts);
  const parsed = inShown([...owners.shown, chunks.at(-1) as string[]], subject);
  return owners.hidden.length > 0 ? { ...parsed, hidden: groupWords(owners.hidden) } : parsed;
}

/**
 * The verb stands in the last chunk, else at the start of the groups, else it starts one between
 * them.
 */
function inShown(chunks: readonly string[][], subject: Subject): ParsedId {
  const method = subject.operation.method.toLowerCase();
  const before = groupWords(chunks.slice(0, -1));
  const group = before[0] === method ? before.slice(1) : before;
  const words = withoutMethod(chunks.at(-1) as string[], subject, method);
  const start = verbAt(words, group.length > 0, subject);
  if (start !== undefined)
    return {
      group: [...group, ...withoutNoise(beforeVerb(words, start, subject, method))],
      ...phrase(words.slice(start)),
    };
  if (isMethodOfController(chunks, words, method)) return { group, verb: words, rest: [] };
  if (chunks.length > 1 && verbAt(before, false, subject) === 0)
    return { group: [], ...phrase([...before, ...words]) };
  const middle = chunks.findLastIndex(
    (chunk, i) => i > 0 && i < chunks.length - 1 && isStrongVerb(chunk[0]),
  );
  if (middle > 0)
    return { group: groupWords(chunks.slice(0, middle)), ...phrase(chunks.slice(middle).flat()) };
  return { group, verb: [], rest: words };
}

/** `PostTokenRefresh` of `/token/refresh` says its method first. */
function beforeVerb(
  words: readonly string[],
  start: number,
  { parts }: Subject,
  method: string,
): readonly string[] {
  return words.slice(
    start > 0 && words[0] === method && !isCollectionIn(parts, method) ? 1 : 0,
    start,
  );
}

/**
 * `readItemGet` and `mergePost` of `/merge` say their method at the end; `createStatusPagePost` of
 * `/posts` says what it makes.
 */
function withoutMethod(
  words: string[],
  { parts, operation: { summary = "" } }: Subject,
  method: string,
): string[] {
  const last = words.at(-1) as string;
  if (last !== method || words.length < 2) return words;
  const own = words.slice(0, -1);
  const [piece, more] = wordsAt(parts, -1);
  const isPiece = own.length === 1 && more === undefined && piece === own[0];
  const isVerbal =
    own.length > 1 &&
    ((method === "post" && isVerb(own[0])) ||
      own.some(
        (word) =>
          isStrongVerb(word) || (isVerb(word) && summary.toLowerCase().startsWith(`${word} `)),
      ));
  return isPiece || (isVerbal && !isCollectionIn(parts, singular(last))) ? own : words;
}

/**
 * `OrdersController_ship`: what a controller does with a write is a verb, even one that no list
 * knows.
 */
function isMethodOfController(
  chunks: readonly string[][],
  words: readonly string[],
  method: string,
): boolean {
  return (
    method !== "get" &&
    words.length === 1 &&
    chunks.slice(0, -1).some((group) => group.at(-1) === "controller")
  );
}
