import { isLink } from "./verbs.js";

/** Longest tool name: room for the server's name beside it in hosts that count both. */
export const MAX_NAME = 48;
const MAX_WORD = 24;

/**
 * Words as one snake_case name of at most `max` characters. What is given up, in this order: articles and link words,
 * the `extra` words (a group that only qualifies), all but the last word after a link (`for authenticated user` → user),
 * words before that.
 */
export function fitName(words: readonly string[], max: number, extra: ReadonlySet<number> = NONE): string {
  const whole = join(words);
  if (whole.length <= max) return whole;
  const plain = words.filter((word, i) => i === 0 || !isFiller(word));
  if (join(plain).length <= max) return join(plain);
  const own = words.filter((_, i) => !extra.has(i));
  if (join(own).length <= max) return join(own);
  return cut(own, max);
}

const NONE: ReadonlySet<number> = new Set();
const isFiller = (word: string): boolean => isLink(word) || word === "the" || word === "a" || word === "an";

function join(words: readonly string[]): string {
  return words.filter((word, i) => word !== "" && word !== words[i - 1]).map((word) => word.slice(0, MAX_WORD)).join("_");
}

function cut(words: readonly string[], max: number): string {
  const link = words.findIndex((word, i) => i > 1 && isLink(word) && word !== "and" && word !== "or");
  const head = words.slice(0, link < 0 ? undefined : link).filter((word, i) => i === 0 || !isFiller(word));
  const tail = link < 0 ? [] : words.slice(link + 1).filter((word) => !isFiller(word));
  const short = (): string => join([...head, ...tail]);
  while (tail.length > 1 && short().length > max) tail.shift();
  while (head.length > 2 && short().length > max) head.pop();
  return short().slice(0, max).replace(/_+$/, "");
}

/** A name and a suffix that must survive, within `max` characters. */
export function fitSuffixed(name: string, suffix: string, max: number): string {
  const room = max - suffix.length - 1;
  return `${name.length <= room ? name : fitName(name.split("_"), room)}_${suffix}`;
}
