import { isArticle, isLink } from "./function-words.js";

/** Longest tool name: room for the server's name beside it in hosts that count both. */
export const MAX_NAME = 48;
const MAX_WORD = 24;

/**
 * Words as one snake_case name of at most `max` characters. What is given up, in this order:
 * articles and link words, the `extra` words (a group that only qualifies), all but the last word
 * after a link (`for authenticated user` → user), the long forms of words that everybody knows the
 * short ones of, words between the verb and the last.
 */
export function fitName(
  words: readonly string[],
  max: number,
  extra: ReadonlySet<number> = NONE,
): string {
  const whole = join(words);
  if (whole.length <= max) return whole;
  const plain = words.filter((word, i) => i === 0 || !isFiller(word));
  if (join(plain).length <= max) return join(plain);
  const own = words.filter((_, i) => !extra.has(i));
  if (join(own).length <= max) return join(own);
  return cut(own, max);
}

const NONE: ReadonlySet<number> = new Set();
const isFiller = (word: string): boolean => isLink(word) || isArticle(word);

/** A loop, because every name goes through it several times. */
function join(words: readonly string[]): string {
  let text = "";
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (word !== "" && word !== words[i - 1])
      text += `${text === "" ? "" : "_"}${word.slice(0, MAX_WORD)}`;
  }
  return text;
}

/** The verb and the last word of each part survive. */
function cut(words: readonly string[], max: number): string {
  const link = words.findIndex(
    (word, i) => i > 1 && isLink(word) && word !== "and" && word !== "or",
  );
  let head = words
    .slice(0, link < 0 ? undefined : link)
    .filter((word, i) => i === 0 || !isFiller(word));
  const tail = link < 0 ? [] : words.slice(link + 1).filter((word) => !isFiller(word));
  const excess = (): number => join([...head, ...tail]).length - max;
  while (tail.length > 1 && excess() > 0) tail.shift();
  if (excess() > 0) head = head.map(abbreviated);
  if (excess() > 0) tail.splice(0, 1, ...tail.slice(0, 1).map(abbreviated));
  while (head.length > 2 && excess() > 0) head = withoutOne(head, excess());
  const linked = link < 0 ? "" : join([...head, words[link] as string, ...tail]);
  return linked !== "" && linked.length <= max
    ? linked
    : join([...head, ...tail])
        .slice(0, max)
        .replace(/_+$/, "");
}

/** Short forms that everybody knows; used only where a word would be lost. */
const SHORT: Readonly<Record<string, string>> = {
  organization: "org",
  organizations: "orgs",
  repository: "repo",
  repositories: "repos",
  configuration: "config",
  configurations: "configs",
  application: "app",
  applications: "apps",
  environment: "env",
  environments: "envs",
  authentication: "auth",
  information: "info",
  specification: "spec",
  specifications: "specs",
  statistics: "stats",
};

const abbreviated = (word: string): string =>
  Object.hasOwn(SHORT, word) ? (SHORT[word] as string) : word;

/**
 * One word between the verb and the noun goes: the first that is long enough, since the first say
 * least, else the longest.
 */
function withoutOne(head: readonly string[], excess: number): string[] {
  const lengths = head.slice(1, -1).map((word) => Math.min(word.length, MAX_WORD) + 1);
  const enough = lengths.findIndex((length) => length >= excess);
  const gone = 1 + (enough >= 0 ? enough : lengths.indexOf(Math.max(...lengths)));
  return head.filter((_, i) => i !== gone);
}

/** A name and a suffix that must survive, within `max` characters. */
export function fitSuffixed(name: string, suffix: string, max: number): string {
  const room = max - suffix.length - 1;
  return `${name.length <= room ? name : fitName(name.split("_"), room)}_${suffix}`;
}
