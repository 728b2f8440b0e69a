import type { Effect } from "./index.js";
import { memoize } from "../text/patterns.js";

/** Verbs by effect. An underscore joins the words of a phrasal verb. */
const VERBS: Readonly<Record<Effect, string>> = {
  reads:
    "analyse analyze autocomplete browse calculate check classify compare compute " +
    "count decode describe detect determine diff discover display download enumerate estimate " +
    "evaluate examine explain export extract fetch filter find forecast geocode get identify " +
    "inspect introspect is list look lookup look_up monitor obtain parse poll predict present " +
    "preview probe provide query rank read receive recommend render rerank retrieve return scroll " +
    "search see select show simulate stream suggest summarise summarize tail tokenize translate " +
    "validate view",
  adds:
    "acquire add allocate append associate book bookmark buy claim clone comment copy create " +
    "crosspost define donate draft duplicate enqueue enroll establish favorite favourite follow " +
    "fork generate grant import ingest insert instantiate invite issue join like link make mint " +
    "order pin place post prepend provision purchase put react record register replicate repost " +
    "request reserve save schedule share sign_up signup snapshot star store submit subscribe tag " +
    "track upload upvote vote watch",
  changes:
    "accept ack acknowledge activate adjust alter amend anonymise anonymize apply approve archive assign attach " +
    "authenticate authorise authorize ban bind block change check_in check_out checkin checkout " +
    "close commit complete configure confirm connect consume convert customise customize " +
    "deactivate decline decrease decrement defer demote deny disable dispute downgrade edit " +
    "enable end exchange extend fail_over failover finalise finalize finish fix flag freeze fulfil " +
    "fulfill hide hold ignore increase increment indicate initialise initialize install lock log_in " +
    "log_off log_out login logout manage mark merge migrate modify move mute open opt_in override " +
    "patch pause promote publish quarantine rate reactivate reassign recover redeem reduce " +
    "refresh regenerate reject release relocate rename renew reopen reorder repair resize resolve respond " +
    "restore restrict resume retag rewrite rotate set set_up setup settle sign sign_in sign_out " +
    "signin signout snooze sort split suspend swap switch sync synchronise synchronize toggle " +
    "transfer transform turn_off turn_on unarchive unban unblock undelete undo unfreeze unhide " +
    "unlock unmark unmute unpause unpublish unsuspend update upgrade upsert verify write",
  removes:
    "deregister detach disassociate disconnect dismiss dissociate eject exclude kick leave opt_out " +
    "remove sign_off unassign unassociate unbind unbookmark unenroll unfavorite unfavourite unflag " +
    "unfollow uninvite unlike unlink unmap unpin unregister unsave unset unshare unstar " +
    "unsubscribe untag unvote unwatch withdraw",
  destroys:
    "abort cancel clean clean_up cleanup clear deauthorize decommission delete deprovision destroy " +
    "discard drop empty erase evict expel expire expunge flush forget halt hang_up hangup invalidate " +
    "kill overwrite power_down power_off " +
    "poweroff prune purge rebuild recreate recycle redact reimage reinitialise reinitialize reinstall replace " +
    "reset revert revoke roll_back rollback shred shut_down shutdown terminate trash " +
    "truncate undeploy uninstall void wipe",
  starts:
    "begin build call compile crawl deploy dispatch exec execute hibernate index initiate invoke " +
    "kick_off kickoff launch optimise optimize perform play power_cycle power_on print process " +
    "queue reboot redeploy reindex rerun restart retrigger retry run scan scrape spawn start stop " +
    "test train trigger wake wake_up",
  sends:
    "alert broadcast capture charge deliver email emit escalate forward mail message notify page " +
    "pay pay_out payout ping push redeliver refund remind reply resend send text tweet",
};

const EFFECT_OF = new Map<string, Effect>(
  (Object.keys(VERBS) as Effect[]).flatMap((effect) =>
    VERBS[effect].split(" ").map((verb) => [verb, effect] as const),
  ),
);

/** Effect of a verb in the imperative; undefined for other words. */
export const effectOfVerb = (verb: string): Effect | undefined => EFFECT_OF.get(verb);

/** Known verb of which a word is a form: `deletes`, `deleting` → delete. */
export const imperativeOf: (word: string) => string | undefined = memoize((word) =>
  formsOf(word).find((form) => EFFECT_OF.has(form)),
);

/** Known verb of which a word is the past participle: `deleted`, `sent` → delete, send. */
export function verbOfParticiple(word: string): string | undefined {
  if (word === "sent") return "send";
  if (word === "overwritten") return "overwrite";
  if (!word.endsWith("ed")) return undefined;
  const stem = word.slice(0, -2);
  return [word.slice(0, -1), stem, undoubled(stem), stem.replace(/i$/, "y")].find((form) =>
    EFFECT_OF.has(form),
  );
}

/** Possible imperatives of a word form: `turns` → turns, turn. */
export function formsOf(word: string): readonly string[] {
  if (word.endsWith("ing")) {
    const stem = word.slice(0, -3);
    return [stem, `${stem}e`, undoubled(stem)];
  }
  return word.endsWith("s") && !word.endsWith("ss")
    ? [word, word.slice(0, -1), word.slice(0, -2), word.replace(/ies$/, "y")]
    : [word];
}

const undoubled = (stem: string): string => stem.replace(/([a-z])\1$/, "$1");

/** Nouns of actions: `Deletion of a user`. */
export const NOUNS_OF_ACTIONS: ReadonlyMap<string, string> = new Map([
  ["activation", "activate"],
  ["cancellation", "cancel"],
  ["creation", "create"],
  ["deletion", "delete"],
  ["listing", "list"],
  ["list", "list"],
  ["modification", "modify"],
  ["registration", "register"],
  ["removal", "remove"],
  ["retrieval", "retrieve"],
  ["reversal", "revert"],
  ["validation", "validate"],
]);

/** Reading verbs that a POST can state and still write: `verify`, `test` and `export` of jobs. */
const RISKY_READS = new Set(
  "export extract is monitor obtain poll present provide receive see select simulate stream summarise summarize".split(
    " ",
  ),
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
