import { basesOfGerund, basesOfParticiple, basesOfThirdPerson } from "./inflection.js";
import { memoize } from "./patterns.js";
import { VERBS, type VerbEffect } from "./verbs.js";

/** Effect of a verb in the imperative; undefined for other words. */
export const effectOfVerb: (verb: string) => VerbEffect | undefined = memoize(
  (verb) => VERBS.get(verb)?.effect ?? effectOfDerivedVerb(verb),
);

/** `unmerge` undoes what `merge` does, `resubmit` does it again, `authorise` is British spelling. */
function effectOfDerivedVerb(verb: string): VerbEffect | undefined {
  const [, prefix, base = ""] = /^(re|un)([a-z]{4,})$/.exec(verb) ?? [];
  const { effect, class: verbClass } = VERBS.get(base) ?? {};
  if (prefix === "un") return effect === "adds" ? "removes" : effect && "changes";
  // What is classified anew is stored.
  if (prefix === "re" && verb !== "remark" && verbClass === "verb")
    return effect === "reads" ? "changes" : effect;
  return /.[iy]se$/.test(verb) ? VERBS.get(`${verb.slice(0, -2)}ze`)?.effect : undefined;
}

/** Known verb of which a word is a form: `deletes`, `deleting` → delete. */
export const imperativeOf: (word: string) => string | undefined = memoize((word) =>
  formsOf(word).find((form) => effectOfVerb(form) !== undefined),
);

/** Known verb of which a word is the past participle: `deleted`, `sent` → delete, send. */
export const verbOfParticiple = (word: string): string | undefined =>
  basesOfParticiple(word).find((form) => effectOfVerb(form) !== undefined);

/** Possible imperatives of a word form: `turns` → turns, turn. */
export const formsOf = (word: string): readonly string[] =>
  word.endsWith("ing") ? basesOfGerund(word) : [word, ...basesOfThirdPerson(word)];

/** Nouns of actions: `Deletion of a user`. */
export const NOUNS_OF_ACTIONS: ReadonlyMap<string, string> = new Map([
  ["activation", "activate"],
  ["cancellation", "cancel"],
  ["conversion", "convert"],
  ["creation", "create"],
  ["deletion", "delete"],
  ["export", "export"],
  ["import", "import"],
  ["listing", "list"],
  ["list", "list"],
  ["lookup", "lookup"],
  ["modification", "modify"],
  ["registration", "register"],
  ["removal", "remove"],
  ["retrieval", "retrieve"],
  ["reversal", "revert"],
  ["sync", "sync"],
  ["synchronization", "synchronize"],
  ["upload", "upload"],
  ["validation", "validate"],
]);

/**
 * Reading verbs that are no evidence by themselves that a POST reads: they may store their result,
 * like `validate` of a domain, or start a job, like `export`.
 */
const RISKY_READS = new Set(
  (
    "analyse analyze diagnose discover display download export extract is monitor obtain poll " +
    "present provide receive see select simulate stream summarise summarize tokenize validate"
  ).split(" "),
);

/** Verbs of reads that tell how the result is made from the request. */
export const COMPUTED_READS: ReadonlySet<string> = new Set(
  (
    "analyse analyze assess calculate check classify compare compute convert count decode detect " +
    "encode estimate evaluate extract geocode geolocate identify infer locate lookup parse predict " +
    "render search simulate summarize tokenize translate validate verify visualize"
  ).split(" "),
);

/** Verbs that compute a result from the data of a request: a safe method with one of them reads. */
export const COMPUTING_VERBS: ReadonlySet<string> = new Set(
  (
    "annotate answer build categorize classify combine compile compose convert crawl encode expand follow generate " +
    "index infer issue load make map navigate normalize perform ping play print process rate recognize report " +
    "resolve run score scrape sort test track transform watch"
  ).split(" "),
);

/** True for verbs that only read, whatever the method. */
export const isPureRead = (verb: string): boolean =>
  effectOfVerb(verb) === "reads" && !RISKY_READS.has(verb);

/** Reading verbs that a POST can mark an item with: `POST /messages/{id}/read`. */
const MARKING_READS = new Set("check read show view".split(" "));

/** Reading verbs that change an item unless the texts state a read: `POST /questions/{id}/rank`. */
const STATED_READS = new Set("classify detect display evaluate identify rank recommend".split(" "));

/** Tests whether a reading verb may change the item of a POST. A check of a condition does not. */
export const mayMarkItem = (verb: string, object: string, isStated: boolean): boolean =>
  (MARKING_READS.has(verb) && !/^(?:whether|if|that|for)\b/.test(object)) ||
  (!isStated && STATED_READS.has(verb));

/** Verbs that remove a mark of the caller, such as a star, which one call sets again. */
export const OWN_MARK_REMOVALS = new Set(
  (
    "dismiss opt_out unbookmark unfavorite unfavourite unflag unfollow unlike unpin unsave unstar " +
    "unsubscribe unvote unwatch"
  ).split(" "),
);

/** Verbs that end or interrupt a running system, or that exclude users. */
export const DISRUPTIVE_VERBS = new Set(
  "ban end fail_over failover power_cycle reboot restart stop".split(" "),
);

/**
 * `Stop watching` and `Stop receiving` end something that affects only the caller, not `Stop
 * recording`.
 */
export function isOwnActivity(object: string): boolean {
  const [gerund] = /^[a-z]+ing\b/.exec(object) ?? [];
  if (gerund === undefined) return false;
  const verb = imperativeOf(gerund);
  return verb === undefined || effectOfVerb(verb) === "reads" || OWN_MARK_REMOVALS.has(`un${verb}`);
}

/** Changes that the opposite verb reverses, also when the method is DELETE. */
export const REVERSIBLE_CHANGES = new Set(
  (
    "archive close deactivate disable disconnect hide lock mute pause restore sign_out log_out " +
    "logout stop suspend unarchive unban unblock undelete unhide unlock unmute unpause unpublish " +
    "unsuspend turn_off resume enable"
  ).split(" "),
);
