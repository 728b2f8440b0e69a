import { memoize } from "../memo.js";

const IRREGULAR: readonly (readonly [singular: string, plural: string])[] = [
  ["person", "people"],
  ["child", "children"],
  ["man", "men"],
  ["woman", "women"],
  ["index", "indices"],
  ["index", "indexes"],
  ["matrix", "matrices"],
  ["vertex", "vertices"],
  ["analysis", "analyses"],
  ["basis", "bases"],
  ["crisis", "crises"],
  ["hypothesis", "hypotheses"],
  ["movie", "movies"],
  ["cookie", "cookies"],
  ["selfie", "selfies"],
  ["tie", "ties"],
  ["pie", "pies"],
  ["cache", "caches"],
  ["shoe", "shoes"],
  ["axis", "axes"],
  ["quiz", "quizzes"],
  ["life", "lives"],
  ["shelf", "shelves"],
  ["menu", "menus"],
  ["sku", "skus"],
  ["cpu", "cpus"],
  ["gpu", "gpus"],
  ["criterion", "criteria"],
  ["foot", "feet"],
  ["tooth", "teeth"],
  ["mouse", "mice"],
  ["leaf", "leaves"],
  ["half", "halves"],
];

/** Words that are the same in both numbers, and words that only look like plurals. */
const SAME = new Set(
  (
    "metadata data media info information feedback equipment content auth analytics stats statistics news series species sms dns " +
    "aws ios gas os vps https tls ssl css js sales kubernetes software hardware inventory history weather advice research " +
    "telemetry traffic staff audio video forecast music pictures tv physics economics logistics mathematics iris redis tennis debris us is as this has was postgres fish furniture"
  ).split(" "),
);

/** Singulars that end in one s, whose plural adds `es`. */
const S_ENDINGS = new Set(
  "status alias bus bonus virus canvas campus census lens atlas bias focus gas corpus focus iris menu".split(
    " ",
  ),
);

const TO_SINGULAR = new Map(IRREGULAR.map(([one, many]) => [many, one] as const));
const TO_PLURAL = new Map([...IRREGULAR].reverse().map(([one, many]) => [one, many] as const));

/**
 * `pets` → `pet`, `categories` → `category`, `statuses` → `status`; a singular comes back as it is.
 */
export const singular: (word: string) => string = memoize(toSingular);

function toSingular(word: string): string {
  const known = TO_SINGULAR.get(word);
  if (known) return known;
  if (word.length < 3 || SAME.has(word) || S_ENDINGS.has(word) || !word.endsWith("s")) return word;
  if (/(ss|us|sis|xis)$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return word.slice(0, -3) + "y";
  if (word.endsWith("es")) {
    const stem = word.slice(0, -2);
    if (
      S_ENDINGS.has(stem) ||
      /(ss|sh|x|zz|[^ae]ch|[^aeiou]o)$/.test(stem) ||
      /(ea|oa|e)ch$/.test(stem)
    )
      return stem;
  }
  return word.slice(0, -1);
}

/** `pet` → `pets`, `category` → `categories`; a plural comes back as it is. */
export function plural(word: string): string {
  const known = TO_PLURAL.get(word);
  if (known) return known;
  if (SAME.has(word) || isPlural(word) || isParticiple(word)) return word;
  if (/[^aeiou]y$/.test(word)) return word.slice(0, -1) + "ies";
  if (/(s|x|z|ch|sh)$/.test(word)) return word + "es";
  return word + "s";
}

/** `approved`, `denied`: says which, and has no plural. */
export function isParticiple(word: string | undefined): boolean {
  return word !== undefined && word.length > 5 && word.endsWith("ed") && !word.endsWith("eed");
}

const ADJECTIVES = new Set(
  "popular latest upcoming recent trending similar related past active inactive public private default current featured favorite pending enabled disabled remote local top rated now playing airing today scheduled starred blocked banned unread available".split(
    " ",
  ),
);

/** Says which ones, and stands before its noun: `/movies/popular` are popular movies. */
export function isAdjective(word: string | undefined): boolean {
  return word !== undefined && (ADJECTIVES.has(word) || isParticiple(word));
}

/** True when a word is a plural by its form. */
export function isPlural(word: string): boolean {
  return singular(word) !== word;
}

/** The last word of a phrase in the singular: `bank accounts` → `bank account`. */
export function singularPhrase(words: readonly string[]): string[] {
  return words.map((word, i) => (i === words.length - 1 ? singular(word) : word));
}

/** The last word of a phrase in the plural. */
export function pluralPhrase(words: readonly string[]): string[] {
  return words.map((word, i) => (i === words.length - 1 ? plural(word) : word));
}
