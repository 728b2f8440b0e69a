/** Words about jobs in documents. */
import { anyOfPhrases } from "../../language/patterns.js";

/** Matches one of these states. */
const state = (...lines: readonly string[]): RegExp =>
  new RegExp(`^(?:${anyOfPhrases(...lines)})$`);

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** Nouns of collections whose things are work. A response with the ID of one is a handle. */
export const JOB_NOUNS = words(
  "job task operation action run execution export import build batch process deployment backup " +
    "restore scan crawl sync migration pipeline rendering render transcription snapshot rollout " +
    "invocation workflow conversion extraction calculation simulation analysis training command " +
    "automation transformation ingestion statement upgrade deletion readout report translation",
);

/**
 * Nouns of things that people do too. Their state needs documented values.
 */
export const SHARED_NOUNS = words(
  "task action process workflow deployment automation statement report",
);

/** Nouns of work of any kind: `/jobs/{id}` may be the read of an export, and `/scans/{id}` not. */
export const ANY_WORK = words(
  "job task operation action run execution process batch command workflow pipeline invocation build",
);

/** Verbs of writes that start ended work again. */
export const RESTARTING_VERBS = words(
  "retry rerun restart replay redo requeue resubmit run start execute trigger rebuild redeploy",
);

/** Verbs of writes that make another thing of one. */
export const COPYING_VERBS = words("clone duplicate copy fork remix");

/** Verbs of writes that start a thing, or set it up. */
export const STARTING_VERBS = words(
  "start restart run execute launch boot reboot deploy redeploy rebuild resume scale resize upgrade " +
    "restore provision install migrate sync refresh",
);

/** Nouns of which a name may have less: `job_id` for an `import_job`. */
export const PLAIN_NOUNS = words("job task operation action");

/**
 * Nouns of things whose state people and partners decide: to wait for them takes days. The last
 * word of the collection counts.
 */
const LASTING_NOUNS = words(
  "payment charge refund reversal payout transfer invoice order subscription transaction dispute booking " +
    "reservation ticket issue todo shipment delivery appointment quote contract agreement " +
    "application case lead deal campaign message call email mail sms fax mandate debit topup " +
    "withdrawal deposit verification authorization checkout card account cardholder person user " +
    "member invitation purchase return claim settlement fulfillment intent mandate loan policy " +
    "incident alert event meeting webinar conversation thread post article page product price " +
    "customer contact company employee participant registration enrollment course lesson quiz exam " +
    "question answer passkey grant consent domain certificate number port review approval proposal opportunity milestone goal " +
    "notification broadcast survey poll vote bet game match trip ride dispatch recipient check " +
    "room conference session stream recording",
);

/** True for the words of such a thing, also of a request for it: `approval_request`. */
export const isLasting = (thing: readonly string[]): boolean =>
  LASTING_NOUNS.has((thing.at(-1) === "request" ? thing.at(-2) : thing.at(-1)) ?? "");

/** Nouns of things that only say what is to be done later, or by somebody else. */
export const DEFINITION_NOUNS = words(
  "schedule template definition webhook subscription policy trigger rule config configuration " +
    "setting profile filter view dashboard key token secret credential role group tag label note " +
    "comment folder attachment connection integration step",
);

/** True for the words of `retry_webhook`: an action on what is only said about work. */
export const isOnDefinition = (segment: readonly string[]): boolean =>
  segment.length > 1 && DEFINITION_NOUNS.has(segment.at(-1)!);

/** Verbs of writes that end work, or wait for it, instead of starting it. */
export const ENDING_VERBS = words(
  "cancel stop abort terminate pause suspend kill revoke end close finish complete interrupt halt " +
    "notify dismiss acknowledge approve reject decline confirm skip archive unarchive void expire mark wait",
);

/** States of any thing, also of a job, that ask somebody for something, as `normalizeState` has it. */
export const WAITING_STATES = state(
  "(?:requires?|needs?|awaiting|waiting (?:for|on)) .*",
  `pending (?:${anyOfPhrases(
    "approval, review, payment, confirmation, acceptance, signature, verification",
    "authori[sz]ation, customer, user, manual, input, activation",
  )})\\b.*`,
  "(?:action|input|payment|approval|review|attention) required, .* attention required, open, draft",
);

/** States that a person or a partner ends, in the form of `normalizeState`. */
export const PERSONAL_STATES = state(
  "approved, declined, denied, paid, unpaid, void, voided, overdue, refunded, shipped, delivered",
  "undelivered, fulfilled, unfulfilled, trialing, trial, past due, published, unpublished, won, lost",
  "(?:in|under) review, on hold, disputed, signed, confirmed, unconfirmed, verified, unverified",
  "opened, closed, assigned, resolved, acknowledged, to ?do, backlog, checked (?:in|out), sent, read",
  "unread, charged, settled, booked, invited, no show, captured, authori[sz]ed, answered, ringing",
  "no answer, busy",
);

/** Personal states of a job that a machine may have got as well. */
export const HANDED_OVER = state("sent, assigned, acknowledged, dispatched, confirmed, opened");

/** States of a thing that is carried to somebody. Two of them tell that a job takes days. */
export const SHIPPING_STATES = state(
  "shipped, picked up, in transit, out for delivery, delivered, returned, device ordered",
);

/** Last segments of paths by which callers tell how work of their own ended. */
export const REPORTING_SEGMENTS = /[/:](?:complete|succeed|fail)$/;

/** `jobid`, `TASKID`: the noun of a job and a word for an ID, without a mark between them. */
export const GLUED_ID =
  /^(job|task|batch|run|operation|process|export|import|scan|report)(u?u?id)$/i;
