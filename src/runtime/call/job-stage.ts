/** The stage of work, read from a response. */
import { type FieldPath, readSingleField } from "../data/field-paths.js";
import { isObject } from "../data/values.js";
import type { JobMapping, StateValue } from "../types.js";
import {
  isStateField,
  normalizeState,
  type Stage,
  STATE_WORDS,
  stageOfWord,
} from "../language/state-words.js";

type States = Pick<JobMapping, "running" | "done" | "failed">;

/** State of work in a value, and its stage. `undefined`: the state tells nothing. */
export interface ReadState {
  readonly path: FieldPath;
  readonly value: unknown;
  readonly stage: Stage | undefined;
}

/** Reads the state at a path. Work that ended with an `error` beside its state failed. */
export function readState(states: States, body: unknown, path: FieldPath): ReadState {
  const value = readSingleField(body, path);
  const isDescribed = states.running ?? states.done ?? states.failed;
  if (value === undefined && !isDescribed) return readNamedState(body, path);
  const stage = stageOf(states, value);
  return { path, value, stage: stage === "done" && hasError(body, path) ? "failed" : stage };
}

/** Reads the state of work in a response of the tool that follows it. */
export function readJobState(job: JobMapping, status: number, body: unknown): ReadState {
  const state = readState(job, body, job.state);
  const isStated = state.stage !== undefined && status !== 202;
  return job.isAccepted !== true || isStated ? state : readUnknownState(status, body, job.state);
}

/** The state of a response without the field: under another name, or the response itself. */
function readNamedState(body: unknown, path: FieldPath): ReadState {
  if (typeof body === "string") return { path, value: body, stage: stageOfWord(body) };
  const found = namedPath(body);
  if (!found) return { path, value: undefined, stage: undefined };
  const value = readSingleField(body, found);
  const isFlag = typeof value === "boolean";
  return { path: found, value, stage: stageOf(isFlag ? FLAG : {}, value) };
}

/** Stages of the flag `done`. */
const FLAG: States = { running: [false], done: [true] };

/** Objects that have the fields of a thing beside its ID. */
const PARTS: readonly FieldPath[] = [[], ["properties"], ["attributes"], ["data"]];

/** The field with a state: that of an envelope only says that the response is one. */
function namedPath(body: unknown): FieldPath | undefined {
  const [own, inner] = PARTS.flatMap((part) => {
    const path = statePath(body, part);
    return path ? [path] : [];
  });
  const isEnvelope = own && inner && /^(?:success|ok)$/i.test(String(readSingleField(body, own)));
  return isEnvelope ? inner : own;
}

/**
 * Reads the state of a response that the document does not describe: by its status, by words, or by
 * the flag `done`. A response without a state is the result.
 * @param place field that has the state by the document. Envelopes have one of their own above it
 */
export function readUnknownState(status: number, body: unknown, place?: FieldPath): ReadState {
  const isThere = place !== undefined && readSingleField(body, place) !== undefined;
  const path = isThere ? place : namedPath(body);
  if (status === 202)
    return { path: path ?? "status", value: path && readSingleField(body, path), stage: "running" };
  if (!path) return { path: "status", value: undefined, stage: "done" };
  const isFlag = typeof readSingleField(body, path) === "boolean";
  const state = readState(isFlag ? FLAG : {}, body, path);
  const isSettled =
    typeof state.value === "string" && STATE_WORDS.settled.has(normalizeState(state.value));
  return isSettled && state.stage === undefined ? { ...state, stage: "done" } : state;
}

function statePath(body: unknown, part: FieldPath): readonly string[] | undefined {
  const holder = part.length === 0 ? body : readSingleField(body, part);
  if (!isObject(holder)) return undefined;
  const isState = ([name, value]: readonly [string, unknown]): boolean =>
    (typeof value === "string" && isStateField(name)) ||
    (typeof value === "boolean" && name === "done");
  const names = Object.entries(holder)
    .filter(isState)
    .map(([name]) => name);
  const [name] = names.toSorted((a, b) => a.length - b.length);
  return name === undefined ? undefined : [...part, name];
}

/** The object that has the field at a path. */
export function holderOf(body: unknown, path: FieldPath): unknown {
  return readSingleField(body, typeof path === "string" ? [] : path.slice(0, -1));
}

function hasError(body: unknown, path: FieldPath): boolean {
  const holder = holderOf(body, path);
  const error = isObject(holder) ? holder["error"] : undefined;
  return isObject(error) && Object.keys(error).length > 0;
}

function stageOf({ running, done, failed }: States, value: unknown): Stage | undefined {
  if (includes(failed, value)) return "failed";
  if (includes(done, value)) return "done";
  if (includes(running, value)) return "running";
  // A flag that is not set yet may be left out.
  if (value === undefined) return done?.includes(true) ? "running" : undefined;
  if (!running && (done || failed)) return "running";
  return !running && typeof value === "string" ? stageOfWord(value) : undefined;
}

function includes(values: readonly StateValue[] | undefined, value: unknown): boolean {
  return values?.some((one) => isSameState(one, value)) === true;
}

function isSameState(one: StateValue, other: unknown): boolean {
  if (typeof one !== "string" || typeof other !== "string") return one === other;
  return normalizeState(one) === normalizeState(other);
}
