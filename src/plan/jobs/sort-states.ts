/** Stages of the states that a field may have. */
import { anyOfPhrases } from "../../language/patterns.js";
import {
  normalizeState,
  type Stage,
  STATE_WORDS,
  stageOfWord,
  waitsForMachine,
} from "../../language/state-words.js";
import type { JobMapping, StateValue } from "../../runtime/types.js";
import { HANDED_OVER, PERSONAL_STATES, SHIPPING_STATES, WAITING_STATES } from "./words.js";

/** States of a field by their stage. */
export type States = Pick<JobMapping, "running" | "done" | "failed">;

/** Facts about a thing, beside its schema, that tell whether it is work. */
export interface WorkEvidence {
  /** True for a thing that is work by its name or its creation. Its states need less evidence. */
  readonly isJob: boolean;
  /** True for a job that no person does: flags tell its stage, and words of persons do not count. */
  readonly isOnlyWork: boolean;
  /** Words of the thing, which the name of its state may have. */
  readonly nouns: ReadonlySet<string>;
}

/** A state with its words, without those that all states of the field begin with. */
export interface NamedState {
  readonly value: StateValue;
  readonly words: string;
}

/** `JOB_STATE_QUEUED`, `JOB_STATE_DONE` → queued, done. */
export function namedStates(values: readonly string[]): readonly NamedState[] {
  const all = values.map((value) => normalizeState(value).split(" "));
  const [first = []] = all;
  const isShared = (i: number): boolean =>
    all.every((words) => words[i] === first[i] && words.length > i + 1);
  let shared = 0;
  while (values.length > 2 && isShared(shared)) shared++;
  return values.map((value, i) => ({ value, words: all[i]!.slice(shared).join(" ") }));
}

/**
 * Sorts states by their stage. Undefined without states of each stage, or with one that a person
 * ends.
 * @param isText true for words of a description, of which only known ones are states
 */
export function sortStates(
  all: readonly NamedState[],
  evidence: WorkEvidence,
  isText = false,
): States | undefined {
  const isPersonal = isPersonalFor(evidence);
  const known = isText ? all.filter((state) => isKnownState(state) || isPersonal(state)) : all;
  if (known.filter(isShipping).length > 1) return undefined;
  const { isJob, isOnlyWork } = evidence;
  const own = known.filter((state) => !isPersonal(state));
  if (isJob && isHandedOver(known, own)) return sortWork(known, isJob, isOnlyWork);
  if (!isOfMachines(own, known.length - own.length)) return undefined;
  const isSetUpInText = isText && !canFail(ofStage(own, "failed"));
  return sortWork(own, isJob, isOnlyWork) ?? (isSetUpInText ? undefined : sortSetup(own));
}

const isKnownState = (state: NamedState): boolean =>
  stageOfWord(state.words) !== undefined || isIn(STATE_WORDS.settled)(state);

/** True for a job whose only personal states are those of one that a machine got: `sent`. */
function isHandedOver(known: readonly NamedState[], own: readonly NamedState[]): boolean {
  const others = known.filter((state) => !own.includes(state));
  const ends = [ofStage(own, "done"), ofStage(own, "failed")];
  const isEnded = ends.every((stage) => stage.some((state) => END_WORDS.test(state.words)));
  return others.length > 0 && isEnded && others.every(({ words }) => HANDED_OVER.test(words));
}

/** Words that machines have for the end of an action. */
const END_WORDS = /^(?:success|succeeded|successful|error|errored|failure|failed|done)$/;

const isPersonalFor =
  ({ isOnlyWork }: WorkEvidence) =>
  ({ words }: NamedState): boolean =>
    (WAITING_STATES.test(words) && !waitsForMachine(words)) ||
    (!isOnlyWork && PERSONAL_STATES.test(words));

const isShipping = ({ words }: NamedState): boolean => SHIPPING_STATES.test(words);

/** True unless persons end the work: a volume with many states may also be handed over to one. */
function isOfMachines(own: readonly NamedState[], personal: number): boolean {
  if (personal === 0) return true;
  const moving = ofStage(own, "running").filter((state) => !isIn(STATE_WORDS.waiting)(state));
  return isSetUp(moving) && moving.length >= personal * MOVING_PER_PERSONAL;
}

/** Least number of states in which a machine works, for each state that a person ends. */
const MOVING_PER_PERSONAL = 6;

const isIn =
  (set: ReadonlySet<string>) =>
  ({ words }: NamedState): boolean =>
    set.has(words);

const ofStage = (all: readonly NamedState[], stage: Stage): readonly NamedState[] =>
  all.filter((state) => (stageOfWord(state.words) ?? stageAmong(state, all)) === stage);

/** `enabling` beside `enabled` goes on, and so does `sent`. */
const stageAmong = (state: NamedState, all: readonly NamedState[]): Stage | undefined =>
  isPaired(state, all) || HANDED_OVER.test(state.words) ? "running" : undefined;

/** True for `parking` and `unparking` beside `parked`. */
function isPaired({ words }: NamedState, all: readonly NamedState[]): boolean {
  if (!/^[a-z]{3,}ing$/.test(words)) return false;
  const ended = words.replace(/ing$/, "ed");
  return all.some((one) => [ended, ended.replace(/^(?:un|re|de|dis)/, "")].includes(one.words));
}

/** True if states tell a failure, and not only that somebody ended the work. */
const canFail = (failed: readonly NamedState[]): boolean =>
  failed.some((state) => !isIn(STATE_WORDS.ended)(state));

/** Work that ends: queued → running → succeeded or failed. */
function sortWork(
  all: readonly NamedState[],
  isJob: boolean,
  isOnlyWork: boolean,
): States | undefined {
  const [running, failed] = [ofStage(all, "running"), ofStage(all, "failed")];
  const ended = ofStage(all, "done");
  const done = ended.length > 0 ? ended : all.filter(({ words }) => READY.test(words));
  const isMoving = running.some((state) => !isIn(STATE_WORDS.waiting)(state));
  if (running.length === 0 || done.length === 0) return undefined;
  // A thing whose only final state is `ended`, such as a stream or a meeting, has no result.
  if (!isJob && done.every(({ words }) => words === "ended")) return undefined;
  const isWork = isJob ? isOnlyWork || isMoving || canFail(failed) : isMoving && canFail(failed);
  return isWork ? states(running, done, failed) : undefined;
}

/** True for states in which machines set up a thing. */
export const hasSetUp = (states: States): boolean =>
  stateWords(states).running.some((words) => SETUP.test(words));

/** Words of states by stage, without those that all states of the field begin with. */
export function stateWords({
  running = [],
  done = [],
  failed = [],
}: States): Readonly<Record<Stage, readonly string[]>> {
  const named = namedStates([...running, ...done, ...failed].map(String));
  const words = named.map((state) => state.words);
  const ended = running.length + done.length;
  return {
    running: words.slice(0, running.length),
    done: words.slice(running.length, ended),
    failed: words.slice(ended),
  };
}

/** True for the states of work that a machine does, ends and may fail at. */
export function isWorkThatEnds(state: States): boolean {
  const { running, done, failed } = stateWords(state);
  const isMoving = running.some((words) => !STATE_WORDS.waiting.has(words));
  return (
    isMoving &&
    done.some((words) => STATE_WORDS.done.has(words)) &&
    failed.some((words) => !STATE_WORDS.ended.has(words))
  );
}

/** Words of a result that can be fetched: queued → processing → ready. */
const READY = /^(?:ready|available)(?: (?:for|to) (?:use|download|execute|execution))?$/;

/** A thing that is set up: creating → available or failed. */
function sortSetup(all: readonly NamedState[]): States | undefined {
  const settled = all.filter((state) => isIn(STATE_WORDS.settled)(state) || isReached(state, all));
  const moving = ofStage(all, "running").filter((state) => !settled.includes(state));
  const failed = ofStage(all, "failed");
  const isChanged = canFail(failed) && moving.some((state) => isPaired(state, all));
  return (isSetUp(moving) || isChanged) && settled.length > 0
    ? states(moving, settled, failed)
    : undefined;
}

/** True for states of a thing that machines set up. */
const isSetUp = (moving: readonly NamedState[]): boolean =>
  moving.some(({ words }) => SETUP.test(words));

/**
 * True for a thing that need not start when it is created: it can be stopped, and no state creates
 * or completes it.
 */
export function mayRest(state: States): boolean {
  const { running, done, failed } = stateWords(state);
  const isCreated = running.some((words) => CREATION.test(words));
  const isCompleted = done.some((words) => STATE_WORDS.done.has(words));
  return failed.some((words) => STOPPED.test(words)) && !isCreated && !isCompleted;
}

/** True for `started` beside `starting` or `restarting`, and not for `stopped` beside `stopping`. */
const isReached = ({ words }: NamedState, all: readonly NamedState[]): boolean =>
  words.endsWith("ed") &&
  stageOfWord(words) !== "failed" &&
  all.some((one) => one.words.replace(/^re(?=start)/, "") === words.replace(/ed$/, "ing"));

/** Words of a thing that is set up by machines. */
const CREATION = new RegExp(
  `^(?:${anyOfPhrases(
    "creating, provisioning, building, initiali[sz]ing, deploying, installing, allocating, spawning",
    "restoring, rebuilding, configuring, importing, indexing, reconciling",
  )})\\b`,
);
const SETUP = new RegExp(
  `${CREATION.source}|^(?:starting|booting|launching|upgrading|activating|associating)\\b`,
);

/** Words of a thing that is there without running. */
const STOPPED = /^(?:stopped|off|halted|shut ?(?:down|off))$/;

function states(
  running: readonly NamedState[],
  done: readonly NamedState[],
  failed: readonly NamedState[],
): States {
  const values = (list: readonly NamedState[]): readonly StateValue[] =>
    list.map(({ value }) => value);
  const ended = values(failed);
  return {
    running: values(running),
    done: values(done),
    ...(ended.length > 0 && { failed: ended }),
  };
}
