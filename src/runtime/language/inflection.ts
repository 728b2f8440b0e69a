/**
 * Inflection of English words: singular and plural of nouns, base forms of verbs. The one source
 * for the generator (through `src/language`) and for generated servers, to which this file is
 * copied.
 */

const wordSet = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.join(" ").split(" "));

/**
 * Irregular plurals, and regular ones that the rules would get wrong. Of two plurals, the first is
 * used.
 */
const IRREGULAR_NOUNS: readonly (readonly [singular: string, plural: string])[] = [
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

/** Words with the same singular and plural, and singulars that look like plurals. */
const UNINFLECTED_NOUNS = wordSet(
  "advice analytics as audio auth aws baggage bandwidth btrfs cash cephfs cifs compliance connectivity content",
  "correspondence css data debris dns economics energy equipment evidence feedback firmware fish health",
  "forecast freight furniture gas glusterfs gps gtfs hardware has hdfs history hls https info information inventory ios iris",
  "is js knowledge kubernetes logistics luggage machinery mail mathematics media merchandise",
  "metadata mms money music news nfs ntfs os ownership physics pictures postgres progress redis research rss",
  "sales series sms sns software species sqs ssl staff statistics stats stock storage stuff telemetry",
  "telephony",
  "tennis this tls traffic tv us vfs video vps was wealth weather xfs zfs",
);

/** Singulars that end in one s; their plural adds `es`. */
const SINGULARS_IN_S = wordSet(
  "alias atlas bias bonus bus campus canvas census corpus focus gas iris lens menu status virus",
);

/** `schoolbus` and `substatus`, and not `abus` of abuses. */
const COMPOUND_IN_S = new RegExp(`^\\w{3,}(?:${[...SINGULARS_IN_S].join("|")})$`);

const TO_SINGULAR = new Map(
  IRREGULAR_NOUNS.map(([singular, plural]) => [plural, singular] as const),
);
const TO_PLURAL = new Map(
  [...IRREGULAR_NOUNS].reverse().map(([singular, plural]) => [singular, plural] as const),
);

/**
 * `pets` → `pet`, `categories` → `category`, `statuses` → `status`; singulars are returned
 * unchanged.
 */
export function singularize(word: string): string {
  const irregular = TO_SINGULAR.get(word);
  if (irregular) return irregular;
  if (
    word.length < 3 ||
    UNINFLECTED_NOUNS.has(word) ||
    SINGULARS_IN_S.has(word) ||
    !word.endsWith("s")
  )
    return word;
  if (/(ss|us|sis|xis)$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return word.slice(0, -3) + "y";
  if (word.endsWith("es")) {
    const stem = word.slice(0, -2);
    if (
      SINGULARS_IN_S.has(stem) ||
      COMPOUND_IN_S.test(stem) ||
      /(ss|sh|x|zz|[^ae]ch|[^aeiou]o)$/.test(stem) ||
      /(ea|oa|e)ch$/.test(stem)
    )
      return stem;
  }
  return word.slice(0, -1);
}

/** `pet` → `pets`, `category` → `categories`; plurals are returned unchanged. */
export function pluralize(word: string): string {
  const irregular = TO_PLURAL.get(word);
  if (irregular) return irregular;
  if (UNINFLECTED_NOUNS.has(word) || isPlural(word) || isParticiple(word)) return word;
  return withEndingS(word);
}

/** `pet` → `pets`, `match` → `matches`, `category` → `categories`: also the third person of verbs. */
function withEndingS(word: string): string {
  if (/[^aeiou]y$/.test(word)) return word.slice(0, -1) + "ies";
  return /(s|x|z|ch|sh)$/.test(word) ? word + "es" : word + "s";
}

/** True for words with the form of a plural. */
export function isPlural(word: string): boolean {
  return singularize(word) !== word;
}

/** True for participles such as `approved` and `denied`, which have no plural. */
export function isParticiple(word: string | undefined): boolean {
  return word !== undefined && word.length > 5 && word.endsWith("ed") && !word.endsWith("eed");
}

/** Verbs with an irregular participle. */
const IRREGULAR_PARTICIPLES: ReadonlyMap<string, string> = new Map([
  ["built", "build"],
  ["frozen", "freeze"],
  ["hidden", "hide"],
  ["overwritten", "overwrite"],
  ["sent", "send"],
  ["undone", "undo"],
  ["withdrawn", "withdraw"],
  ["written", "write"],
]);

/** Possible base forms of a verb in the third person: `creates` → create, creat. */
export function basesOfThirdPerson(word: string): readonly string[] {
  if (!word.endsWith("s") || word.endsWith("ss")) return [];
  const bases = [word.slice(0, -1), word.slice(0, -2)];
  return word.endsWith("ies") ? [...bases, `${word.slice(0, -3)}y`] : bases;
}

/** Possible base forms of a gerund: `creating` → creat, create; `setting` → sett, sette, set. */
export function basesOfGerund(word: string): readonly string[] {
  if (!word.endsWith("ing")) return [];
  const stem = word.slice(0, -3);
  return [stem, `${stem}e`, undoubled(stem)];
}

/** Possible base forms of a past participle: `deleted` → delete, delet; `denied` → deny. */
export function basesOfParticiple(word: string): readonly string[] {
  const irregular = IRREGULAR_PARTICIPLES.get(word);
  if (irregular !== undefined) return [irregular];
  if (!word.endsWith("ed")) return [];
  const stem = word.slice(0, -2);
  return [word.slice(0, -1), stem, undoubled(stem), stem.replace(/i$/, "y")];
}

const undoubled = (stem: string): string => stem.replace(/([a-z])\1$/, "$1");
