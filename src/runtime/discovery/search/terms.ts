/** Stop words: function words of English, and verbs of reading that nearly every tool has. */
const stopWords = new Set(
  [
    "a an the this that these those of to in on at by for from with without into onto about as",
    "is are was were be been being am do does did done has have had having",
    "get fetch retrieve return returns can could will would shall should may might must",
    "i me my mine we us our you your he him his she her it its they them their",
    "and or but not no if then than so too very what which whose how there here also just",
    "please want need give tell let one ones some any each every other such more most",
  ].flatMap((line) => line.split(" ")),
);

/** Scripts without spaces between words. Their words are split into pairs of letters. */
const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** The terms of a name (`movieCredits`, `list_movies`) or a sentence in any script, as stems. */
export function tokenize(text: string): string[] {
  const terms: string[] = [];
  const words = isAscii(text) ? text.match(/[A-Za-z0-9]+/g) : text.match(/[\p{L}\p{N}\p{M}]+/gu);
  for (const word of words ?? []) for (const term of cachedTerms(word)) terms.push(term);
  return terms;
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Terms by word. Its size is bounded, because queries come from clients. */
const termCache = new Map<string, readonly string[]>();
const maxCachedWords = 50_000;

function cachedTerms(word: string): readonly string[] {
  const cached = termCache.get(word);
  if (cached) return cached;
  const terms = splitWord(word).flatMap(termsOfWord);
  if (termCache.size < maxCachedWords && word.length < 40) termCache.set(word, terms);
  return terms;
}

/** Words of a name in camel case, in lower case and without accents. */
function splitWord(word: string): readonly string[] {
  if (/^[A-Z]?[a-z]+$/.test(word)) return [word.toLowerCase()];
  const words = word
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words ?? [];
}

function termsOfWord(word: string): readonly string[] {
  if (unspacedScripts.test(word)) return bigrams(word);
  return stopWords.has(word) ? [] : [stemOf(abbreviations.get(word) ?? word)];
}

/** Common abbreviations, which count as the words that they stand for. */
const abbreviations: ReadonlyMap<string, string> = new Map(
  [
    "repo repository, repos repository, org organization, orgs organization, app application",
    "apps application, config configuration, configs configuration, env environment",
    "envs environment, doc document, docs document, msg message, img image, info information",
    "admin administrator, admins administrator, param parameter, params parameter, db database",
    "pic picture, pics picture, vm machine, vms machine, dev developer, spec specification",
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

const suffixRules: readonly (readonly [RegExp, string])[] = [
  [/(ss|x|ch|sh|zz)es$/, "$1"],
  [/ies$/, "i"],
  [/([^su])s$/, "$1"],
  [/(ational|ation|ations)$/, "at"],
  [/(\w{3})ing$/, "$1"],
  [/(\w{3})ed$/, "$1"],
  [/(\w{6})(er|or)$/, "$1"],
  [/(\w{3})ly$/, "$1"],
  [/(\w{4})ment$/, "$1"],
  [/(\w{4})(al|ive|able|ible)$/, "$1"],
  [/(\w{3})([b-df-hj-np-rtv-z])\2$/, "$1$2"],
  [/(\w{2})e$/, "$1"],
  [/(\w{2})y$/, "$1i"],
];

/** Words whose endings are not suffixes. */
const unstemmed = new Set([
  "customer",
  "newsletter",
  "parameter",
  "december",
  "november",
  "september",
]);

/**
 * The stem of an English word: the same for `created`, `creating` and `creates`. It need not be the
 * linguistic stem.
 */
export function stemOf(word: string): string {
  const singular = word.replace(/s$/, "");
  if (unstemmed.has(singular)) return singular;
  if (!/^[a-z]{4,24}$/.test(word)) return word;
  return suffixRules.reduce(
    (rest, [suffix, replacement]) => rest.replace(suffix, replacement),
    word,
  );
}
