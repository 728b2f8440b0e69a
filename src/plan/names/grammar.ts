import { memoize } from "../memoize.js";

/**
 * Words that are verbs and hardly ever nouns: they mark the verb wherever they stand in an
 * operationId.
 */
const UNAMBIGUOUS_VERBS = new Set(
  (
    "get list create update delete remove add set put patch fetch retrieve read find replace upsert insert destroy edit modify rename " +
    "clone duplicate send publish unpublish enable disable activate deactivate reactivate start stop restart pause resume cancel approve reject accept " +
    "decline deny confirm verify validate resolve reopen lock unlock attach detach assign unassign subscribe unsubscribe register unregister " +
    "deregister logout login authenticate authorize revoke refresh reset restore unarchive merge revert compare convert generate calculate compute " +
    "evaluate estimate predict submit sync synchronize retry rerun redeliver trigger execute invoke apply dismiss follow unfollow unstar " +
    "unwatch mute unmute unblock unban join unpin mark unmark hide unhide minimize transform parse render encrypt decrypt capture pay finalize " +
    "reverse initialize init complete finish abort begin connect disconnect install uninstall provision rotate regenerate renew extend resend " +
    "acknowledge ack snooze escalate unlike reschedule reserve buy adopt donate redeem unlink allow disallow ban suspend unsuspend " +
    "promote demote migrate terminate reboot shutdown reindex describe show save bind unbind ingest embed summarize translate transcribe moderate " +
    "classify detect analyze recognize extract enroll rollback undelete purge clear empty ensure append prepend move inspect prune commit pull " +
    "push configure acquire receive expire shutdown wait ping close open invite leave kick notify restrict unrestrict consume crosspost customize debit discard expunge forget freeze unfreeze fulfill " +
    "discover halt ignore include exclude increment decrement launch obtain override prepare quarantine rebuild recalculate recover reload remind repair " +
    "requeue rescan resync retire select settle shorten simulate skip ask upgrade downgrade initiate invalidate redact unfurl associate dissociate disassociate rerequest spawn split tokenize withdraw write bump rewrite attest collect dispute place equip untag toggle perform reorder paginate scrape introspect recycle reroll decode anonymize enqueue identify reissue annotate undo flush populate instantiate failover expand clean allocate deallocate decrease increase replicate deauthorize manage"
  ).split(" "),
);

/** Words that are verbs or nouns, by where they stand. */
const VERBS_OR_NOUNS = new Set(
  (
    "search query lookup count check test poll import export copy archive run order report request review comment post star block transfer sign " +
    "charge refund void deploy answer rate vote like schedule book purchase access view preview filter match plan process release fork tag " +
    "label log store index diff scan build exchange claim stream watch call share use mint swap delegate grant dispatch screen fix pin flag " +
    "track draft exec kill resize upload download credit drop hold monitor queue quote return score switch train rank signup charge top attach link change reply pick message trade bill head options trace fill print load end trim advance fire seed scroll award compact wipe bookmark reblog favorite favourite feature"
  ).split(" "),
);

/** Verbs that serve a GET as well: `/users/search`, `/pets/count`. */
const READING_METHOD_VERBS = new Set(
  "search query lookup count check export download preview compare".split(" "),
);

export function isUnambiguousVerb(word: string | undefined): boolean {
  return (
    word !== undefined &&
    (UNAMBIGUOUS_VERBS.has(word) || word.includes("_") || isPrefixedVerb(word))
  );
}

/** `unmerge`, `unpause`, `resubmit`: what undoes or repeats a verb is one. */
function isPrefixedVerb(word: string): boolean {
  if (word.length < 6) return false;
  if (word.startsWith("un"))
    return UNAMBIGUOUS_VERBS.has(word.slice(2)) || VERBS_OR_NOUNS.has(word.slice(2));
  return word.startsWith("re") && word !== "remark" && UNAMBIGUOUS_VERBS.has(word.slice(2));
}

/** A verb, or a noun that can be one. */
export function isVerb(word: string | undefined): boolean {
  return isUnambiguousVerb(word) || VERBS_OR_NOUNS.has(word as string);
}

/** A verb that is as often a noun. */
export function isAmbiguousVerb(word: string): boolean {
  return VERBS_OR_NOUNS.has(word) && !UNAMBIGUOUS_VERBS.has(word);
}

export function isReadingVerb(word: string | undefined): boolean {
  return word !== undefined && READING_METHOD_VERBS.has(word);
}

/** `lists`, `creates`, `fetches` → the verb; undefined for anything else. */
export function toImperative(word: string): string | undefined {
  if (!word.endsWith("s")) return undefined;
  return [word.slice(0, -1), word.slice(0, -2), `${word.slice(0, -3)}y`].find(
    (stem) => isVerb(stem) || SENTENCE_VERBS.has(stem),
  );
}

/** Verbs that start sentences but rarely operationIds. */
const SENTENCE_VERBS = new Set(
  (
    "return provide allow perform make give display obtain enumerate determine load look ask tell handle define specify receive issue mint " +
    "sort perform record release respond simulate store manage handle rerun search upload download import export preview check count report present establish delegate broadcast"
  ).split(" "),
);

/** A word that can start an imperative sentence. */
export function canStartImperative(word: string): boolean {
  return isVerb(word) || SENTENCE_VERBS.has(word);
}

/** Verbs of two words, and what may stand behind the first: `log in`, `check out`. */
const PARTICLES: Readonly<Record<string, string>> = {
  log: "in out off on",
  sign: "in out up off on",
  check: "in out",
  opt: "in out",
  power: "on off up down",
  turn: "on off",
  scale: "up down in out",
  roll: "back out",
  shut: "down",
  clean: "up",
  look: "up",
  fail: "over back",
  wake: "up",
};

/** True for the two words of one verb. */
export function isPhrasalVerb(verb: string | undefined, particle: string | undefined): boolean {
  return (
    verb !== undefined &&
    particle !== undefined &&
    Object.hasOwn(PARTICLES, verb) &&
    (PARTICLES[verb] as string).split(" ").includes(particle)
  );
}

/**
 * A verb of two words as one, where it stands first or last: `bookings, check, in` → bookings,
 * check_in.
 */
export function joinPhrasalVerb(words: readonly string[]): string[] {
  const at = isPhrasalVerb(words[0], words[1])
    ? 0
    : isPhrasalVerb(words.at(-2), words.at(-1))
      ? words.length - 2
      : -1;
  return at < 0
    ? [...words]
    : [
        ...words.slice(0, at),
        `${words[at] as string}_${words[at + 1] as string}`,
        ...words.slice(at + 2),
      ];
}

/** Prepositions that something must follow. */
const PREPOSITIONS_WITH_COMPLEMENT = new Set(["for", "to", "with", "from", "using"]);

/** What follows a verb without being its object: `list-for-repo`, `getById`. */
const CONNECTIVES = new Set([
  ...PREPOSITIONS_WITH_COMPLEMENT,
  ..."by in on of at as via into is are has without under between against per and or within".split(
    " ",
  ),
]);

/** A preposition or conjunction. */
export function isConnective(word: string | undefined): boolean {
  return word !== undefined && CONNECTIVES.has(word);
}

/** `for`, `with`: something must follow it. */
export function needsComplement(word: string | undefined): boolean {
  return word !== undefined && PREPOSITIONS_WITH_COMPLEMENT.has(word);
}

const DANGLING_WORDS = new Set([...PREPOSITIONS_WITH_COMPLEMENT, "of", "by", "and", "or"]);

/**
 * What no name that was cut ends in. Elsewhere `of`, `by`, `and`, `or` can be meant: `allOf`,
 * `sortBy`.
 */
export function isDanglingWord(word: string | undefined): boolean {
  return word !== undefined && DANGLING_WORDS.has(word);
}

export function isArticle(word: string | undefined): boolean {
  return word === "a" || word === "an" || word === "the";
}

/** Says how many, which a list says anyway: `get-several-tracks`. */
export function isQuantifier(word: string | undefined): boolean {
  return word === "all" || word === "multiple" || word === "several";
}

export const ADVERBS = new Set(["bulk", "batch", "partial", "force", "soft"]);

/** Says how the verb behind it is done: `bulk delete`. */
export function isAdverb(word: string | undefined): boolean {
  return word !== undefined && ADVERBS.has(word);
}

const SEARCH_VERBS = new Set(["search", "discover", "lookup"]);

/** `getSearchMovie` and `GET /search/movie` search, though they start with another word. */
export function isSearchVerb(word: string | undefined): boolean {
  return word !== undefined && SEARCH_VERBS.has(word);
}

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

/** Words that are the same in both numbers, and words that only look like plurals. */
const UNINFLECTED_NOUNS = new Set(
  (
    "metadata data media info information feedback equipment content auth analytics stats statistics news series species sms dns " +
    "aws ios gas os vps https tls ssl css js sales kubernetes software hardware inventory history weather advice research " +
    "telemetry traffic staff audio video forecast music pictures tv physics economics logistics mathematics iris redis tennis debris us is as this has was postgres fish furniture"
  ).split(" "),
);

/** Singulars that end in one s, whose plural adds `es`. */
const SINGULARS_IN_S = new Set(
  "status alias bus bonus virus canvas campus census lens atlas bias focus gas corpus focus iris menu".split(
    " ",
  ),
);

const TO_SINGULAR = new Map(IRREGULAR_NOUNS.map(([one, many]) => [many, one] as const));
const TO_PLURAL = new Map(
  [...IRREGULAR_NOUNS].reverse().map(([one, many]) => [one, many] as const),
);

/**
 * `pets` → `pet`, `categories` → `category`, `statuses` → `status`; a singular comes back as it is.
 */
export const singularize: (word: string) => string = memoize(toSingular);

function toSingular(word: string): string {
  const known = TO_SINGULAR.get(word);
  if (known) return known;
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
      /(ss|sh|x|zz|[^ae]ch|[^aeiou]o)$/.test(stem) ||
      /(ea|oa|e)ch$/.test(stem)
    )
      return stem;
  }
  return word.slice(0, -1);
}

/** `pet` → `pets`, `category` → `categories`; a plural comes back as it is. */
export function pluralize(word: string): string {
  const known = TO_PLURAL.get(word);
  if (known) return known;
  if (UNINFLECTED_NOUNS.has(word) || isPlural(word) || isParticiple(word)) return word;
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
  return singularize(word) !== word;
}

/** The last word of a phrase in the singular: `bank accounts` → `bank account`. */
export function singularizeLast(words: readonly string[]): string[] {
  return words.map((word, i) => (i === words.length - 1 ? singularize(word) : word));
}

/** The last word of a phrase in the plural. */
export function pluralizeLast(words: readonly string[]): string[] {
  return words.map((word, i) => (i === words.length - 1 ? pluralize(word) : word));
}
