/** Calls in flight, which the end of the process interrupts. */
import type { Deadline } from "../request/types.js";

/** The calls in flight of a server. */
export interface RunningCalls {
  readonly count: number;
  /** Milliseconds until the last of their deadlines; 0 without calls. */
  longestMs(): number;
  /**
   * Adds a call.
   * @returns a function that removes it
   */
  add(deadline: Deadline): () => void;
  /**
   * Ends all calls, each with a result.
   * @returns their number
   */
  interrupt(): number;
}

/** Creates an empty set of calls. */
export function createRunningCalls(): RunningCalls {
  const deadlines = new Set<Deadline>();
  return {
    get count() {
      return deadlines.size;
    },
    add(deadline) {
      deadlines.add(deadline);
      return () => void deadlines.delete(deadline);
    },
    longestMs: () => Math.max(0, ...[...deadlines].map((deadline) => deadline.remainingMs())),
    interrupt() {
      const calls = [...deadlines];
      for (const deadline of calls) deadline.interrupt();
      return calls.length;
    },
  };
}

/** Interrupts the calls in flight at the end of the grace period, and logs their number. */
export function interruptCalls({
  runningCalls,
  log,
}: {
  readonly runningCalls: RunningCalls;
  readonly log: { warn(message: string): void };
}): void {
  const count = runningCalls.interrupt();
  if (count > 0) log.warn(`Stopping: ${count === 1 ? "1 call" : `${count} calls`} interrupted.`);
}
