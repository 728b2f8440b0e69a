import type { Subject } from "../../kind.js";
import { isLink } from "../function-words.js";
import { singular, singularPhrase } from "../inflect.js";
import { isCollectionIn } from "../noun.js";
import { type PathPart, wordsAt } from "../path.js";
import { isReadingVerb, isStrongVerb, isVerb } from "../verbs.js";
import { isAdverb } from "./phrase.js";

/** The words of the last chunk of an operationId, whose verb is looked for. */
interface Chunk {
  readonly words: readonly string[];
  /** There are groups before it. */
  readonly grouped: boolean;
  readonly method: string;
  readonly parts: readonly PathPart[];
  /** What the summary starts with. */
  readonly said: string;
}

/** There is no verb, and no later rule has a say. */
const NONE = -1;

/** Where the verb stands; undefined when that is for the next rule to say. */
type Rule = (chunk: Chunk) => number | undefined;

/** The first that has an answer gives it. */
export const verbRules: readonly Rule[] = [
  behindItsThing,
  beforeItsThing,
  behindItsManner,
  strongFirst,
  loneIndex,
  weakFirst,
  strongLater,
  weakLast,
];

/**
 * Where the verb stands in the words of the last chunk of an operationId: first; else the first
 * strong one; else a weak one at the end of a write. Undefined: it has none.
 * @param grouped whether there are groups before it
 */
export function verbAt(
  words: readonly string[],
  grouped: boolean,
  { operation, parts }: Subject,
): number | undefined {
  const said = /^\s*([a-z]+)/i.exec(operation.summary ?? "")?.[1]?.toLowerCase() ?? "";
  const chunk: Chunk = { words, grouped, method: operation.method, parts, said };
  for (const rule of verbRules) {
    const at = rule(chunk);
    if (at !== undefined) return at === NONE ? undefined : at;
  }
  return undefined;
}

/**
 * `invite_resolve` of `/invites/{code}`, `ExecResize` of `/exec/{id}/resize`: the first word is
 * what the path is about, though it can be a verb.
 */
function behindItsThing({
  words: [first = "", verb, more],
  method,
  parts,
}: Chunk): number | undefined {
  if (more !== undefined || !isVerb(verb)) return undefined;
  const isPiece = wordsAt(parts, -1).join(" ") === verb && canAct(verb, method);
  const isThing = isPiece
    ? parts.some((part) => isOnly(part, first))
    : isStrongVerb(verb) && isCollectionIn(parts, first);
  return isThing ? 1 : undefined;
}

/**
 * `recycle, post` of `PUT /posts/{id}/recycle`: the path ends in what is done; a verb that no list
 * knows is one when the summary starts with it.
 */
function beforeItsThing({
  words: [first, ...thing],
  method,
  parts,
  said,
}: Chunk): number | undefined {
  if (method === "GET" || thing.length === 0 || wordsAt(parts, -1).join(" ") !== first)
    return undefined;
  if (!isVerb(first) && said !== first) return undefined;
  const name = singularPhrase(thing).join(" ");
  return parts
    .slice(0, -1)
    .some((part) => part.kind === "words" && singularPhrase(part.words).join(" ") === name)
    ? 0
    : undefined;
}

/** A piece of the path is this word alone, in either number. */
function isOnly(part: PathPart, word: string): boolean {
  return (
    part.kind === "words" &&
    part.words.length === 1 &&
    singular(part.words[0] as string) === singular(word)
  );
}

/** `bulk, check` of `/links:bulkCheck`. */
function behindItsManner({ words, parts }: Chunk): number | undefined {
  return words.length === 2 &&
    isAdverb(words[0]) &&
    isVerb(words[1]) &&
    wordsAt(parts, -1).join(" ") === words.join(" ")
    ? 0
    : undefined;
}

/** `list, pets`. */
function strongFirst({ words }: Chunk): number | undefined {
  return isStrongVerb(words[0]) ? 0 : undefined;
}

/** `users.index`. */
function loneIndex({ words, grouped }: Chunk): number | undefined {
  return grouped && words.length === 1 && words[0] === "index" ? 0 : undefined;
}

/**
 * `check, pet`, unless the method cannot do that; then it is a noun, as it is where a strong verb
 * ends what no group explains (`post, list`).
 */
function weakFirst(chunk: Chunk): number | undefined {
  const { words, grouped, method } = chunk;
  if (!isVerb(words[0])) return undefined;
  const strong = nextStrong(chunk);
  if (strong === words.length - 1 && !grouped) return undefined;
  if (canAct(words[0], method)) return 0;
  return strong === NONE ? NONE : undefined;
}

/** `message, delete`; an adverb before it is a part of it (`admin, bulk, delete`). */
function strongLater(chunk: Chunk): number | undefined {
  const strong = nextStrong(chunk);
  if (strong === NONE) return undefined;
  return isAdverb(chunk.words[strong - 1]) ? strong - 1 : strong;
}

/** `account, charge` of a write. */
function weakLast({ words, grouped, method }: Chunk): number | undefined {
  const last = words.length - 1;
  return last > 0 && !grouped && isVerb(words[last]) && canAct(words[last], method)
    ? last
    : undefined;
}

/**
 * The first strong verb behind the first word: not what a link leads to (`for update`), nor the
 * `set` that a GET gets.
 */
function nextStrong({ words, method }: Chunk): number {
  return words.findIndex(
    (word, i) =>
      i > 0 &&
      isStrongVerb(word) &&
      !isLink(words[i - 1]) &&
      !(word === "set" && i === words.length - 1 && method === "GET"),
  );
}

const ASKING = new Set(["filter", "test", "diff", "watch"]);

/** What a GET is asked to do; for other methods every verb will do. */
function canAct(verb: string | undefined, method: string): boolean {
  return method !== "GET" || isReadingVerb(verb) || ASKING.has(verb as string);
}
