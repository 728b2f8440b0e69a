import type { Deadline } from "./deadline.js";

/**
 * Lets a bounded number of requests through at a time; the others wait in line, and the line is
 * bounded too.
 */
export interface Slots {
  /**
   * True when the caller may go, and must `leave` afterwards; false when the line is full, or the
   * call had to end in the line.
   */
  enter(deadline: Deadline): boolean | Promise<boolean>;
  leave(): void;
}

/** @param places how many at a time. @param line how many may wait. */
export function createSlots(places: number, line: number): Slots {
  // A Set keeps its order and lets one leave from the middle; both in constant time.
  const waiting = new Set<(go: boolean) => void>();
  let free = places;

  function wait(deadline: Deadline): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (go: boolean): void => {
        waiting.delete(settle);
        deadline.wake(undefined);
        resolve(go);
      };
      waiting.add(settle);
      deadline.wake(() => settle(false));
    });
  }

  return {
    enter(deadline) {
      if (deadline.over || (free === 0 && waiting.size >= line)) return false;
      if (free === 0) return wait(deadline);
      free--;
      return true;
    },
    leave() {
      const [next] = waiting;
      if (next) next(true);
      else free++;
    },
  };
}
