import type { Subject } from "../../kind.js";
import { isArticle, isLink, isManyWord, needsMore } from "../function-words.js";
import { isAdjective, isParticiple, isPlural, plural, pluralPhrase } from "../inflect.js";
import { mentions } from "../noun.js";
import type { PathPart } from "../path.js";
import { isPhrasal } from "../phrasal.js";

/**
 * What an operationId says that something is done to, without words that add nothing.
 * @param rest its words behind the verb
 * @param does the verb of the name
 * @param isNoun it has no verb of its own
 */
export function objectOf(
  rest: readonly string[],
  does: readonly string[],
  isNoun: boolean,
  { parts }: Subject,
): readonly string[] {
  const object = withoutCount(rest, does, parts).filter(
    (word, i, all) => !isArticle(word) || i === all.length - 1,
  );
  return (isNoun ? whichFirst(object) : undefined) ?? withoutOpenEnd(object);
}

/**
 * `pet list` → `pets`, `all pets` → `pets` when the verb already says so; `one` of `findOne` and
 * `createOne` goes too.
 */
function withoutCount(
  rest: readonly string[],
  [verb]: readonly string[],
  parts: readonly PathPart[],
): readonly string[] {
  if (verb === "get" && rest[0] === "one") return rest.slice(1);
  if (rest.length === 1 && /^(one|many|multiple)$/.test(rest[0] as string)) return [];
  if (verb !== "list") return rest;
  if (
    rest.length > 1 &&
    rest.at(-1) === "list" &&
    !isLink(rest.at(-2)) &&
    !mentions(parts, "lists")
  )
    return pluralPhrase(rest.slice(0, -1));
  return isManyWord(rest[0]) && !isLink(rest[1]) ? rest.slice(1) : rest;
}

/** Says which ones, and nothing else. */
const WHICH = new Set(
  "all active inactive current latest recent upcoming popular trending pending available".split(
    " ",
  ),
);

/**
 * `teams all`, `season current`: which ones stands before what, unless it is a question (`is report
 * available`).
 */
function whichFirst(object: readonly string[]): readonly string[] | undefined {
  const last = object.at(-1) as string;
  if (object.length < 2 || !WHICH.has(last) || /^(is|are|has|have|can)$/.test(object[0] as string))
    return undefined;
  return [last, ...object.slice(0, isLink(object.at(-2)) ? -2 : -1)];
}

/** `jobs for`: a link at the end links nothing, but for `assigned to` and `log in with`. */
function withoutOpenEnd(object: readonly string[]): readonly string[] {
  const [before, last] = [object.at(-2), object.at(-1)];
  return before !== undefined &&
    needsMore(last) &&
    !isParticiple(before) &&
    !isPhrasal(before, last)
    ? object.slice(0, -1)
    : object;
}

/**
 * `ListAccount` on `/Accounts` lists accounts; so does `ListNumberCountry`, which gives a list,
 * wherever it is.
 */
export function listObject(
  object: readonly string[],
  { parts, kind }: Subject,
  said: boolean,
): string[] {
  const link = object.findIndex(isLink);
  const head = (link < 0 ? object.length : link) - 1;
  const many =
    said &&
    link < 0 &&
    kind === "list" &&
    !object.some(isPlural) &&
    isCountable(object[head] as string);
  return object.map((word, i) =>
    i === head && (mentions(parts, plural(word)) || many) ? plural(word) : word,
  );
}

/** `pricing`, `v2` and `mine` have no plural. */
export function isCountable(word: string): boolean {
  return (
    /^[a-z]{3,}$/.test(word) &&
    !/(?:ing|ed)$/.test(word) &&
    !isAdjective(word) &&
    !/^(all|mine|own|self|usage|latest|details?|by|log)$/.test(word)
  );
}
