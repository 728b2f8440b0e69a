/**
 * Words that are verbs and hardly ever nouns: they mark the verb wherever they stand in an
 * operationId.
 */
const STRONG = new Set(
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
const WEAK = new Set(
  (
    "search query lookup count check test poll import export copy archive run order report request review comment post star block transfer sign " +
    "charge refund void deploy answer rate vote like schedule book purchase access view preview filter match plan process release fork tag " +
    "label log store index diff scan build exchange claim stream watch call share use mint swap delegate grant dispatch screen fix pin flag " +
    "track draft exec kill resize upload download credit drop hold monitor queue quote return score switch train rank signup charge top attach link change reply pick message trade bill head options trace fill print load end trim advance fire seed scroll award compact wipe bookmark reblog favorite favourite feature"
  ).split(" "),
);

/** Verbs that serve a GET as well: `/users/search`, `/pets/count`. */
const READING = new Set(
  "search query lookup count check export download preview compare".split(" "),
);

export function isStrongVerb(word: string | undefined): boolean {
  return word !== undefined && (STRONG.has(word) || word.includes("_") || isUndoing(word));
}

/** `unmerge`, `unpause`, `resubmit`: what undoes or repeats a verb is one. */
function isUndoing(word: string): boolean {
  if (word.length < 6) return false;
  if (word.startsWith("un")) return STRONG.has(word.slice(2)) || WEAK.has(word.slice(2));
  return word.startsWith("re") && word !== "remark" && STRONG.has(word.slice(2));
}

/** A verb, or a noun that can be one. */
export function isVerb(word: string | undefined): boolean {
  return isStrongVerb(word) || WEAK.has(word as string);
}

/** A verb that is as often a noun. */
export function isAmbiguousVerb(word: string): boolean {
  return WEAK.has(word) && !STRONG.has(word);
}

export function isReadingVerb(word: string | undefined): boolean {
  return word !== undefined && READING.has(word);
}

/** `lists`, `creates`, `fetches` → the verb; undefined for anything else. */
export function imperativeOf(word: string): string | undefined {
  if (!word.endsWith("s")) return undefined;
  return [word.slice(0, -1), word.slice(0, -2), `${word.slice(0, -3)}y`].find(
    (stem) => isVerb(stem) || MORE.has(stem),
  );
}

/** Verbs that start sentences but rarely operationIds. */
const MORE = new Set(
  (
    "return provide allow perform make give display obtain enumerate determine load look ask tell handle define specify receive issue mint " +
    "sort perform record release respond simulate store manage handle rerun search upload download import export preview check count report present establish delegate broadcast"
  ).split(" "),
);

/** A word that can start an imperative sentence. */
export function startsImperative(word: string): boolean {
  return isVerb(word) || MORE.has(word);
}
