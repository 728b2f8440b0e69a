/** Stages of the states that a field may have, and the signs that they are those of work. */
import { anyOfPhrases } from "../../language/patterns.js";
import {
  normalizeState,
  type Stage,
  STATE_WORDS,
  stageOfWord,
  waitsForMachine,
} from "../../language/state-words.js";
import type { JobMapping, StateValue } from "../../runtime/types.js";
import { type Sign, signsOf } from "./signs.js";
import { HANDED_OVER, PERSONAL_STATES, SHIPPING_STATES, WAITING_STATES } from "./words.js";

/** States of a field by their stage. */
export type States = Pick<JobMapping, "running" | "done" | "failed">;

/** A state with its words, without those that all states of the field begin with. */
export interface NamedState {
  readonly value: StateValue;
  readonly words: string;
}

/** States by stage, with the signs that machines pass through them. */
export interface SortedStates {
  readonly states: States;
  readonly signs: readonly Sign[];
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

/** Stage of a state, or what it is instead: one that a person ends, or one in which a thing rests. */
type Kind = Stage | "waiting" | "handedOver" | "personal" | "settled" | "unknown";

/**
 * Sorts states by their stage; undefined if none of them goes on and ends.
 *
 * @param all states of an enum, or words of a text, of which only known ones are states
 */
export function sortStates(all: readonly NamedState[], isText: boolean): SortedStates | undefined {
  const of = (...kinds: readonly Kind[]): readonly NamedState[] =>
    all.filter((state) => kinds.includes(kindOf(state, all)));
  const [running, failed] = [of("running", "handedOver"), of("failed")];
  const [ended, settled] = [of("done"), of("settled")];
  const named = isText ? [] : of("unknown").filter(({ words }) => words.endsWith("ed"));
  const done = [ended, settled, named].find((list) => list.length > 0) ?? [];
  if (done.length === 0 || running.length + failed.length === 0) return undefined;
  const isOnlyEnds = running.length === 0;
  if (isOnlyEnds && (done !== ended || (isText && all.length > 4))) return undefined;
  const signs = signsOf({
    described: !isOnlyEnds,
    fails: failed.some(({ words }) => !STATE_WORDS.ended.has(words)),
    setsUp: running.some(({ words }) => SETUP.test(words)),
    rests: done === settled,
    stops: done !== ended && all.some(({ words }) => STOPPED.test(words)),
    ends: done.every(({ words }) => words === "ended"),
    personal: of("personal", "handedOver").length > 0,
    waits: of("waiting").length * MOVING_PER_WAITING > running.length,
    manyPersonal: of("personal", "handedOver").length > 1,
  });
  const values = (list: readonly NamedState[]): readonly StateValue[] =>
    list.map(({ value }) => value);
  return {
    states: {
      ...(!isOnlyEnds && { running: values(running) }),
      done: values(done),
      ...(failed.length > 0 && { failed: values(failed) }),
    },
    signs,
  };
}

/** Least number of states in which a machine works, for each that asks somebody for something. */
const MOVING_PER_WAITING = 6;

function kindOf(state: NamedState, all: readonly NamedState[]): Kind {
  const { words } = state;
  if (waitsForMachine(words)) return "running";
  if (WAITING_STATES.test(words)) return "waiting";
  if (HANDED_OVER.test(words)) return "handedOver";
  if ([PERSONAL_STATES, SHIPPING_STATES].some((states) => states.test(words))) return "personal";
  const known = stageOfWord(words);
  const isSettled = STATE_WORDS.settled.has(words) || READY.test(words);
  const isLast = !all.some((one) => isEnd(one) || (one !== state && isOnlySettled(one)));
  if (known === "running" && isSettled && isLast) return "settled";
  if (known) return known;
  if (isSettled) return "settled";
  return /^[a-z]{3,}ing$/.test(words) ? "running" : "unknown";
}

/** Words of a result that can be fetched. */
const READY = /^(?:ready|available) (?:for|to) (?:use|download|execute|execution)$/;

const isOnlySettled = ({ words }: NamedState): boolean =>
  stageOfWord(words) === undefined && (STATE_WORDS.settled.has(words) || READY.test(words));

const isEnd = ({ words }: NamedState): boolean => stageOfWord(words) === "done";

/** Words of a thing that machines set up. */
const SETUP = new RegExp(
  `^(?:${anyOfPhrases(
    "creating, provisioning, building, initiali[sz]ing, deploying, installing, allocating, spawning",
    "restoring, rebuilding, configuring, importing, indexing, reconciling, starting, booting",
    "launching, upgrading, activating, associating",
  )})\\b`,
);

/** Words of a thing that is there without running. */
const STOPPED = /^(?:stopped|off|halted|shut ?(?:down|off))$/;
