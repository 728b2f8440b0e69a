import type { Deadline } from "./types.js";

/** Limits concurrent requests. Further requests wait in a bounded queue. */
export interface Semaphore {
  /**
   * True if the caller may proceed, and must `release` afterwards. False if the queue is full or
   * the deadline expired while waiting.
   */
  acquire(deadline: Deadline): boolean | Promise<boolean>;
  release(): void;
}

/**
 * Creates a semaphore.
 * @param permits maximum of concurrent requests
 * @param maxWaiting maximum of waiting requests
 */
export function createSemaphore(permits: number, maxWaiting: number): Semaphore {
  // A Set keeps insertion order and removes any element, both in constant time.
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
