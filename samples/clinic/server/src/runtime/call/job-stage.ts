/** The stage of work, read from a response. */
import { type FieldPath, readField } from "../data/field-paths.js";
import { isObject } from "../data/values.js";
import type { JobMapping, StateValue } from "../types.js";
import { normalizeState, type Stage, stageOfWord } from "../language/state-words.js";

type States = Pick<JobMapping, "running" | "done" | "failed">;

/** State of work in a value, and its stage. `undefined`: the state tells nothing. */
export interface ReadState {
  readonly value: unknown;
  readonly stage: Stage | undefined;
}

/** Reads the state at a path. Work that ended with an `error` beside its state failed. */
export function readState(states: States, body: unknown, path: FieldPath): ReadState {
  const value = readField(body, path);
  const stage = stageOf(states, value);
  return { value, stage: stage === "done" && hasError(body, path) ? "failed" : stage };
}

/** The object that has the field at a path. */
export function holderOf(body: unknown, path: FieldPath): unknown {
  return typeof path === "string" || path.length === 1 ? body : readField(body, path.slice(0, -1));
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
