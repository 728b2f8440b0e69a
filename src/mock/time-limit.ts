/**
 * Limit of time for patterns of a document. JavaScript cannot interrupt a match, and `^(a+)+$` on a
 * text of 50 characters takes years.
 */
import { type Context, createContext, Script } from "node:vm";

/** Longest run, in milliseconds. */
const MAX_MS = 1_000;

/** Number of interrupted runs after which no more are tried. */
const MAX_INTERRUPTED = 10;

const script = new Script("run()");
let context: Context | undefined;
let interrupted = 0;

/** Repetitions. Patterns without one take time linear in the text. */
const REPETITION = /[*+]|\{\d+,\d*\}/g;

/** Repeated groups and back references, with which a pattern can take exponential time. */
const EXPONENTIAL = /\)(?:[*+]|\{)|\\[1-9k]/;

/** Steps of a match that take no noticeable time. */
const FEW_STEPS = 1e6;

/**
 * True if a match of a pattern can take long.
 * @param length length of the longest text; unknown by default
 */
export function mayTakeLong(pattern: string, length = Infinity): boolean {
  const repetitions = pattern.match(REPETITION)?.length ?? 0;
  if (repetitions === 0) return false;
  return EXPONENTIAL.test(pattern) || length ** (repetitions + 1) > FEW_STEPS;
}

/**
 * Runs a function that matches patterns of a document.
 * @returns its result; undefined if it takes too long
 */
export function runInTime<Result>(run: () => Result): Result | undefined {
  if (interrupted >= MAX_INTERRUPTED) return undefined;
  context ??= createContext();
  // A match may lead to another one, whose own limit is that of the outer one.
  const outer: unknown = context["run"];
  if (outer !== undefined) return run();
  context["run"] = run;
  try {
    return script.runInContext(context, { timeout: MAX_MS }) as Result;
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    interrupted++;
    return undefined;
  } finally {
    context["run"] = undefined;
  }
}
