/** Words for the states of work, also for the generator. */

/** Stage of work: it goes on, it has its result, or it will never have one. */
export type Stage = "running" | "done" | "failed";

/**
 * Words of states, in lower case with single spaces. `settled` are those of a thing that is in use
 * after it was set up, and not of work that ended.
 */
export const STATE_WORDS = {
  /** Work that nobody has to push: a person may be the one who starts a `pending` thing. */
  running: words(
    "queued|enqueued|in queue|running|in progress|inprogress|progress|ongoing|processing|started|" +
      "starting|executing|working|creating|provisioning|building|deploying|initializing|" +
      "initialising|initiating|initialized|preparing|pulling|uploading|downloading|importing|" +
      "exporting|transcoding|encoding|transcribing|analyzing|analysing|validating|indexing|" +
      "training|rendering|generating|converting|copying|restoring|resizing|updating|deleting|" +
      "removing|migrating|booting|rebooting|restarting|installing|configuring|stopping|" +
      "terminating|loading|launching|allocating|staging|finalizing|finalising|rebuilding|" +
      "upgrading|scaling|syncing|synchronizing|scanning|fetching|crawling|computing|calculating|" +
      "compiling|packaging|publishing|compressing|extracting|parsing|ingesting|cloning|archiving|" +
      "unarchiving|attaching|detaching|backing up|creating backup|pre processing|post processing|" +
      "collecting|optimizing|warming up|cleaning up|modifying|resuming|activating|" +
      "deactivating|enabling|disabling|associating|disassociating|registering|deregistering|" +
      "reconciling|dispatched|assigned to worker",
  ),
  /** Words that also stand for a person who has not acted yet. */
  waiting: words(
    "pending|waiting|new|created|submitted|accepted|scheduled|received|not started|notstarted|" +
      "ready to start|init|idle|delayed|blocked|retrying|uploaded",
  ),
  done: words(
    "succeeded|success|successful|successfully completed|completed|complete|completed successfully|" +
      "done|finished|processed|finalized|ended|ok|passed|succeed|completed with warnings|" +
      "completed with errors|succeeded with issues|partially succeeded|partial success|" +
      "partially completed|imported|exported|built|analyzed|indexed|trained|rendered|generated|" +
      "converted|transcribed|transcoded|applied|complete with errors|terminated normally",
  ),
  settled: words(
    "available|active|online|ready|running|healthy|deployed|live|installed|provisioned|in use|" +
      "up|operational|up to date|stable|in service",
  ),
  failed: words(
    "failed|failure|fail|error|errored|error occurred|faulted|crashed|timed out|timedout|timeout|" +
      "time out|unsuccessful|aborted|failing|internal error|system error|killed|fault|unhealthy|" +
      "dead|dead letter|partially failed|invalid",
  ),
  /** Work that ended without a result, because somebody wanted it. */
  ended: words(
    "cancelled|canceled|expired|terminated|skipped|revoked|deleted|removed|rejected|superseded|" +
      "incomplete|stopped|interrupted|neutral|stale|lost|preempted|abandoned|discarded",
  ),
} as const;

function words(list: string): ReadonlySet<string> {
  return new Set(list.split("|"));
}

/** `IN_PROGRESS`, `inProgress` and `in-progress` → in progress. */
export const normalizeState = (value: string): string =>
  value
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[^a-zA-Z\d]+/g, " ")
    .trim()
    .toLowerCase();

const [FAILED_END, RUNNING_END, DONE_END] = [
  / (?:failed|failure|error)$/,
  /^(?:pending|queued|waiting to) .*| (?:in progress|running|queued)$/,
  / (?:succeeded|success|successful|successfully|completed|complete|finished|done)$/,
];

/** Work that waits for a machine, and not for a person: `waiting for control plane nodes`. */
const WAITING_FOR_MACHINE = new RegExp(
  "^wait(?:ing)? (?:for|on) (?:[a-z]+ ){0,3}(?:nodes?|subnets?|networks?|volumes?|disks?|storage|" +
    "resources?|dependenc(?:y|ies)|capacity|workers?|queues?|locks?|servers?|clusters?|slots?|" +
    "gpus?|hosts?|agents?|retry)$",
);

/** True for a state, as `normalizeState` has it, of work that waits for a machine. */
export const waitsForMachine = (words: string): boolean => WAITING_FOR_MACHINE.test(words);

/** Stage of a state that the document does not explain; undefined for other words. */
export function stageOfWord(state: string): Stage | undefined {
  const word = normalizeState(state);
  const { running, waiting, done, failed, ended } = STATE_WORDS;
  if (failed.has(word) || ended.has(word) || FAILED_END.test(word)) return "failed";
  if (done.has(word) || DONE_END.test(word)) return "done";
  // `running tests`, `building image`
  const isRunning =
    running.has(word) || waitsForMachine(word) || running.has(word.split(" ", 1)[0]!);
  return isRunning || waiting.has(word) || RUNNING_END.test(word) ? "running" : undefined;
}

/**
 * True for a name of a field with a state: `status`, `jobState`, `provisioning_state`.
 * @param nouns words of the thing that has the field: `reportStatus` of a report
 */
export function isStateField(name: string, nouns?: ReadonlySet<string>): boolean {
  const [last = "", ...before] = normalizeState(name).split(" ").toReversed();
  const isOwn = (word: string): boolean => STATE_QUALIFIERS.has(word) || nouns?.has(word) === true;
  return STATE_NOUNS.has(last) && before.every(isOwn);
}

const STATE_NOUNS = words("status|state|phase");

/** Words before it that do not name a state of something else, as `payment` does. */
const STATE_QUALIFIERS = words(
  "job|task|operation|action|run|execution|process|processing|provisioning|provision|build|export|" +
    "import|batch|request|workflow|pipeline|deployment|deploy|backup|restore|scan|sync|transfer|" +
    "lifecycle|current|overall|progress|async|creation|upload|report|query|crawl|render|instance|" +
    "cluster|server|node|machine|analysis|training|migration|snapshot|transcription|generation|" +
    "resource|ready",
);
