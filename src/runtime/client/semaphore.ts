import type { Deadline } from "./deadline.js";

/**
 * Lets a bounded number of requests through at a time; the others wait in line, and the line is
 * bounded too.
 */
export interface Semaphore {
  /**
   * True when the caller may go, and must `leave` afterwards; false when the line is full, or the
   * call had to end in the line.
   */
  acquire(deadline: Deadline): boolean | Promise<boolean>;
  release(): void;
}

/** @param permits how many at a time. @param maxWaiting how many may wait. */
export function createSemaphore(permits: number, maxWaiting: number): Semaphore {
  // A Set keeps its order and lets one leave from the middle; both in constant time.
  const waiting = new Set<(isAdmitted: boolean) => void>();
  let free = permits;

  function wait(deadline: Deadline): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (isAdmitted: boolean): void => {
        waiting.delete(finish);
        deadline.onExpire(undefined);
        resolve(isAdmitted);
      };
      waiting.add(finish);
      deadline.onExpire(() => finish(false));
    });
  }

  return {
    acquire(deadline) {
      if (deadline.expired || (free === 0 && waiting.size >= maxWaiting)) return false;
      if (free === 0) return wait(deadline);
      free--;
      return true;
    },
    release() {
      const [next] = waiting;
      if (next) next(true);
      else free++;
    },
  };
}
