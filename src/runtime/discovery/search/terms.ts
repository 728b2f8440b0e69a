import { singularize } from "../../language/inflection.js";

/** Stop words: function words of English, and verbs of reading that nearly every tool has. */
const stopWords = new Set(
  [
    "a an the this that these those of to in on at by for from with without into onto about as",
    "is are was were be been being am do does did done has have had having",
    "get fetch retrieve can could will would shall should may might must",
    "i me my mine we us our you your he him his she her it its they them their",
    "and or but not no if then than so too very what which whose how there here also just",
    "please want wants wanted need needs give gives tell let lets one ones some any each every other",
    "such more most s t d ll ve re m",
  ].flatMap((line) => line.split(" ")),
);

/** Scripts without spaces between words. Their words are split into pairs of letters. */
const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** The terms of a name (`movieCredits`, `list_movies`) or a sentence in any script, as stems. */
export function tokenize(text: string): string[] {
  return wordsOf(text.replace(acronymPlurals, "$1")).flatMap(termsOfWord);
}

/** `IDs`, `URLs`: the plural s does not start a word in camel case. */
const acronymPlurals = /\b([A-Z]{2,})s\b/g;

/** Runs of letters and digits. */
export function wordsOf(text: string): readonly string[] {
  return text.match(isAscii(text) ? /[A-Za-z0-9]+/g : /[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** The terms of a word, which may be in camel case. */
export function termsOfWord(word: string): readonly string[] {
  if (/^[A-Z]?[a-z]+$/.test(word)) return termsOfPart(word.toLowerCase());
  if (isAscii(word))
    return word
      .replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$& ")
      .toLowerCase()
      .split(" ")
      .flatMap(termsOfPart);
  const parts = word
    .replace(/[\p{Ll}\d](?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu, "$& ")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (parts ?? []).flatMap((part) =>
    unspacedScripts.test(part) ? bigrams(part) : termsOfPart(part),
  );
}

/** The stem of a word in lower case, unless it is a stop word. */
function termsOfPart(part: string): readonly string[] {
  return stopWords.has(part) ? [] : [stemOf(abbreviations.get(part) ?? part)];
}

/** Common abbreviations, which count as the full words. */
const abbreviations: ReadonlyMap<string, string> = new Map(
  [
    "repo repository, repos repository, org organization, orgs organization, app application",
    "apps application, config configuration, configs configuration, env environment",
    "envs environment, doc document, docs document, msg message, img image, info information",
    "admin administrator, admins administrator, param parameter, params parameter, db database",
    "pic picture, pics picture, pictures picture, vm machine, vms machine, dev developer, spec specification",
    "stats statistic, sub subscription, subs subscription, temp temporary, qty quantity",
  ]
    .flatMap((line) => line.split(", "))
    .map((pair) => pair.split(" ") as [string, string]),
);

function bigrams(word: string): readonly string[] {
  const letters = [...word];
  if (letters.length < 3) return [word];
  return letters.slice(1).map((letter, index) => `${letters[index] ?? ""}${letter}`);
}

/** A suffix, the letters that must precede it, and its replacement. */
type SuffixRule = readonly [suffix: string, before: number, replacement: string];

/** Steps of stemming. The first rule of a step that applies is used. */
const steps: readonly (readonly SuffixRule[])[] = [
  [
    ["ourite", 2, "orite"],
    ["our", 3, "or"],
    ["logue", 2, "log"],
    ["isation", 3, "iz"],
    ["ization", 3, "iz"],
    ["ification", 2, "ifi"],
    ["ificate", 2, "ifi"],
    ["cription", 2, "crib"],
    ["ission", 3, "it"],
    ["ellation", 3, "el"],
    ["ational", 3, "at"],
    ["ation", 3, "at"],
    ["sion", 3, "s"],
    ["tion", 3, "t"],
    ["ability", 4, ""],
    ["ement", 4, "e"],
    ["ment", 4, ""],
    ["ship", 4, ""],
    ["ance", 5, ""],
    ["ence", 5, ""],
    ["ing", 3, ""],
    ["eed", 0, "eed"],
    ["ed", 3, ""],
    ["ly", 3, ""],
  ],
  [
    ["ant", 6, ""],
    ["ee", 4, ""],
    ["ister", 2, "istr"],
    ["er", 6, ""],
    ["or", 6, ""],
    ["al", 4, ""],
    ["ive", 4, ""],
    ["iv", 4, ""],
    ["able", 4, ""],
    ["ible", 4, ""],
  ],
  [
    ["ate", 4, ""],
    ["at", 4, ""],
    ["ise", 4, "iz"],
    ["is", 4, "iz"],
    ["e", 2, ""],
    ["y", 2, "i"],
  ],
];

/** The rules of each step by the last letter of their suffix. */
const rulesByLetter = steps.map((rules) => {
  const byLetter = new Map<string, SuffixRule[]>();
  for (const rule of rules) {
    const letter = rule[0].at(-1)!;
    byLetter.set(letter, [...(byLetter.get(letter) ?? []), rule]);
  }
  return byLetter;
});

/** Words whose endings are not suffixes. */
const unstemmed = new Set(
  "customer newsletter parameter december november september setting station general".split(" "),
);

/**
 * The stem of an English word: the same for `created`, `creating` and `creates`. It need not be the
 * linguistic stem.
 */
export function stemOf(word: string): string {
  const singular = singularize(word);
  if (unstemmed.has(singular) || !/^[a-z]{4,24}$/.test(word)) return singular;
  return withoutDouble(rulesByLetter.reduce(applyStep, singular));
}

function applyStep(word: string, rules: ReadonlyMap<string, readonly SuffixRule[]>): string {
  const rule = rules
    .get(word[word.length - 1]!)
    ?.find(([suffix, before]) => word.length >= suffix.length + before && word.endsWith(suffix));
  return rule ? word.slice(0, word.length - rule[0].length) + rule[2] : word;
}

/** `cancell` as `cancel`. */
function withoutDouble(word: string): string {
  const last = word[word.length - 1]!;
  const isDouble = word.length > 4 && word[word.length - 2] === last && !"aeiouy".includes(last);
  return isDouble ? word.slice(0, -1) : word;
}
