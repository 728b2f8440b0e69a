/**
 * Verbs of operations: each with its effect on the API's data or on the world, and with the places
 * where it is read as a verb. Names, effects, descriptions and the search use this one table.
 */

import type { ToolEffect } from "../types.js";

/** Effect of an operation on the API's data or on the world. */
export type VerbEffect = ToolEffect;

/**
 * Places where a word is read as a verb.
 *
 * - `verb`: hardly ever a noun; a verb at any position of an identifier or a sentence
 * - `verbOrNoun`: in an identifier a verb or a noun, depending on its position
 * - `sentence`: starts sentences, but rarely identifiers
 * - `textOnly`: states an effect in texts; not a verb of tool names
 */
export type VerbClass = "verb" | "verbOrNoun" | "sentence" | "textOnly";

/**
 * Rows of effect, class and verbs. An underscore joins the words of a phrasal verb. `none` has
 * verbs of explanations, which state no effect: `Use this to …`, `Allows …`.
 */
const ROWS: readonly (readonly [VerbEffect | "none", VerbClass, verbs: string])[] = [
  [
    "reads",
    "verb",
    `
      analyse analyze assess autocomplete calculate classify compare compute concatenate
      decode describe detect diagnose discover estimate evaluate explain extract fetch find
      get humanize identify inspect introspect lemmatize list locate obtain paginate parse
      predict read receive recommend render retrieve select show simulate suggest summarize
      tokenize translate validate visualize`,
  ],
  [
    "reads",
    "verbOrNoun",
    `
      check count diff download export filter lookup monitor poll preview query rank return
      scroll search stream trace view`,
  ],
  [
    "reads",
    "sentence",
    `
      determine display enumerate look present provide`,
  ],
  [
    "reads",
    "textOnly",
    `
      browse examine forecast geocode geolocate is look_up probe rerank see summarise tail`,
  ],
  [
    "adds",
    "verb",
    `
      acquire add allocate annotate append ask associate attest buy clone construct create
      crosspost donate duplicate embed enqueue enroll equip follow generate ingest inject
      insert instantiate invite join persist place populate prepend propose
      provision put refuel register replicate reserve save shorten submit subscribe unfurl`,
  ],
  [
    "adds",
    "verbOrNoun",
    `
      answer award book bookmark claim comment copy deposit draft favorite favourite fork
      grant import label like link log mint order pin plan post purchase quote reblog record
      report request review schedule seed share signup star store tag track upload vote
      watch`,
  ],
  [
    "adds",
    "sentence",
    `
      declare define establish issue make stage`,
  ],
  [
    "adds",
    "textOnly",
    `
      onboard react repost sign_up snapshot upvote`,
  ],
  [
    "changes",
    "verb",
    `
      accept ack acknowledge activate adjust adopt alter amend anonymize apply approve
      assign attach authenticate authorize ban bind bump bypass calibrate categorize close
      combine commit complete compress conceal configure confirm connect consume convert
      cordon crop customize deactivate decline decrease decrement decrypt defer demote deny
      deprecate disable disengage dispute downgrade edit elevate enable encrypt enforce
      engage enhance enrich expand extend failover finalize finish freeze fulfill hide
      ignore increase increment indicate init initialize install lock login logout manage
      mark merge migrate minimize moderate modify move mute normalize open override patch
      pause postpone prepare prioritize promote propagate protect publicize publish
      quarantine randomize reactivate reassign reconcile reconstruct recover rectify redeem
      reduce reenable refine refresh refuse regenerate reinstate reissue reject rekey
      relocate rename renew reopen reorder repair reroll reroute reschedule resolve respond
      restore restrict resume resync reveal reverse revive rewrite rotate seek set settle
      silence skip snooze split suspend sync synchronize toggle transform unarchive unban
      unblock undelete undo unfreeze unhide unhold unlock unmark unmute unpause unprotect
      unpublish unrestrict unseal unsuspend untrash update upgrade upsert verify waive write`,
  ],
  [
    "changes",
    "verbOrNoun",
    `
      advance archive block change delegate end exchange feature fill fix flag hold lease
      map mount pick rate release resize scale score sign swap switch trade transfer`,
  ],
  [
    "changes",
    "sentence",
    `
      blacklist enter flip sort whitelist`,
  ],
  [
    "changes",
    "textOnly",
    `
      anonymise authorise check_in check_into check_out checkin checkout correct customise
      fail fail_over finalise fulfil initialise log_in log_off log_out opt_in retag set_up
      setup sign_in sign_out signin signout synchronise transition turn_off turn_on`,
  ],
  [
    "removes",
    "verb",
    `
      deregister detach disassociate disconnect dismiss dissociate eject exclude kick leave
      remove unassign unbind unenroll unflag unfollow unlike unlink unmap unpin unregister
      unset unshare unstar unsubscribe untag unwatch withdraw`,
  ],
  [
    "removes",
    "textOnly",
    `
      opt_out sign_off unassociate unbookmark unfavorite unfavourite uninvite unsave unvote`,
  ],
  [
    "destroys",
    "verb",
    `
      abort cancel clean clear deallocate deauthorize decommission delete deprovision
      destroy discard dissolve empty erase evict expel expire expunge flush forget halt
      invalidate overwrite prune purge rebuild recreate recycle redact reimage reinitialize
      reinstall replace reset retire revert revoke rollback shutdown terminate truncate
      undeploy uninstall`,
  ],
  [
    "destroys",
    "verbOrNoun",
    `
      compact drain drop kill trim void wipe`,
  ],
  [
    "destroys",
    "textOnly",
    `
      clean_up cleanup hang_up hangup power_down power_off poweroff reinitialise roll_back
      shred shut_down trash`,
  ],
  [
    "starts",
    "verb",
    `
      begin collect compile encode execute impersonate infer initiate invoke launch navigate
      optimise optimize perform pull reboot recalculate recognize redeploy reindex reload
      requeue rerun rescan restart retrain retrigger retry scrape spawn start stop transcode
      transcribe trigger wake`,
  ],
  [
    "starts",
    "verbOrNoun",
    `
      build call deploy dispatch exec fire index load print process queue replay run scan
      screen test train`,
  ],
  [
    "starts",
    "textOnly",
    `
      back_up backup blink crawl flash hibernate kick_off kickoff play power_cycle power_on
      wake_up`,
  ],
  [
    "sends",
    "verb",
    `
      capture debit deliver distribute escalate forgot notify pay ping push redeliver remind
      rerequest resend sell send`,
  ],
  [
    "sends",
    "verbOrNoun",
    `
      bill charge credit mail message refund reply ship`,
  ],
  [
    "sends",
    "sentence",
    `
      broadcast`,
  ],
  [
    "sends",
    "textOnly",
    `
      alert email emit forward page pay_out payout text tweet`,
  ],
  [
    "none",
    "verb",
    `
      allow disallow ensure include wait`,
  ],
  [
    "none",
    "verbOrNoun",
    `
      access head match options top use`,
  ],
  [
    "none",
    "sentence",
    `
      give handle specify tell`,
  ],
];

/** An entry of the table of verbs. */
export interface Verb {
  /** Undefined for verbs that state no effect. */
  readonly effect: VerbEffect | undefined;
  readonly class: VerbClass;
}

/** All known verbs in the imperative, with their effect and class. */
export const VERBS: ReadonlyMap<string, Verb> = new Map(
  ROWS.flatMap(([effect, verbClass, verbs]) =>
    verbsIn(verbs).map((verb) => [
      verb,
      { effect: effect === "none" ? undefined : effect, class: verbClass },
    ]),
  ),
);

function verbsIn(row: string): readonly string[] {
  return row.trim().split(/\s+/);
}

/** Verbs of the given classes. */
export const verbsOfClass = (...classes: readonly VerbClass[]): ReadonlySet<string> =>
  new Set([...VERBS].flatMap(([verb, entry]) => (classes.includes(entry.class) ? [verb] : [])));
