import { isArticle, isConnective } from "./grammar.js";

/** Longest tool name: room for the server's name beside it in hosts that count both. */
export const MAX_NAME_LENGTH = 48;
const MAX_WORD_LENGTH = 24;

/**
 * Words as one snake_case name of at most `max` characters. What is given up, in this order:
 * articles and link words, the `extra` words (a group that only qualifies), all but the last word
 * after a link (`for authenticated user` → user), the long forms of words that everybody knows the
 * short ones of, words between the verb and the last.
 */
export function shortenName(
  words: readonly string[],
  max: number,
  extra: ReadonlySet<number> = NO_POSITIONS,
): string {
  const whole = joinWords(words);
  if (whole.length <= max) return whole;
  const plain = words.filter((word, i) => i === 0 || !isFiller(word));
  if (joinWords(plain).length <= max) return joinWords(plain);
  const own = words.filter((_, i) => !extra.has(i));
  if (joinWords(own).length <= max) return joinWords(own);
  return dropWords(own, max);
}

const NO_POSITIONS: ReadonlySet<number> = new Set();
const isFiller = (word: string): boolean => isConnective(word) || isArticle(word);

/** A loop, because every name goes through it several times. */
function joinWords(words: readonly string[]): string {
  let text = "";
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (word !== "" && word !== words[i - 1])
      text += `${text === "" ? "" : "_"}${word.slice(0, MAX_WORD_LENGTH)}`;
  }
  return text;
}

/** The verb and the last word of each part survive. */
function dropWords(words: readonly string[], max: number): string {
  const link = words.findIndex(
    (word, i) => i > 1 && isConnective(word) && word !== "and" && word !== "or",
  );
  let head = words
    .slice(0, link < 0 ? undefined : link)
    .filter((word, i) => i === 0 || !isFiller(word));
  const tail = link < 0 ? [] : words.slice(link + 1).filter((word) => !isFiller(word));
  const excess = (): number => joinWords([...head, ...tail]).length - max;
  while (tail.length > 1 && excess() > 0) tail.shift();
  if (excess() > 0) head = head.map(abbreviate);
  if (excess() > 0) tail.splice(0, 1, ...tail.slice(0, 1).map(abbreviate));
  while (head.length > 2 && excess() > 0) head = dropOneWord(head, excess());
  const linked = link < 0 ? "" : joinWords([...head, words[link] as string, ...tail]);
  return linked !== "" && linked.length <= max
    ? linked
    : joinWords([...head, ...tail])
        .slice(0, max)
        .replace(/_+$/, "");
}

/** Short forms that everybody knows; used only where a word would be lost. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
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

const abbreviate = (word: string): string =>
  Object.hasOwn(ABBREVIATIONS, word) ? (ABBREVIATIONS[word] as string) : word;

/**
 * One word between the verb and the noun goes: the first that is long enough, since the first say
 * least, else the longest.
 */
function dropOneWord(head: readonly string[], excess: number): string[] {
  const lengths = head.slice(1, -1).map((word) => Math.min(word.length, MAX_WORD_LENGTH) + 1);
  const enough = lengths.findIndex((length) => length >= excess);
  const gone = 1 + (enough >= 0 ? enough : lengths.indexOf(Math.max(...lengths)));
  return head.filter((_, i) => i !== gone);
}

/** A name and a suffix that must survive, within `max` characters. */
export function appendSuffix(name: string, suffix: string, max: number): string {
  const room = max - suffix.length - 1;
  return `${name.length <= room ? name : shortenName(name.split("_"), room)}_${suffix}`;
}

/**
 * Six characters of `[0-9a-z]` that depend on nothing but the text (FNV-1a, 32 bit). For names, not
 * for security.
 */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0).toString(36).padStart(7, "0").slice(-6);
}
