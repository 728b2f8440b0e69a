/** Lets a bounded number of requests through at a time; the others wait in line, and the line is bounded too. */
export interface Slots {
  /** True when the caller may go, and must `leave` afterwards; false when the line is full, or the signal was aborted in the line. */
  enter(signal: AbortSignal): boolean | Promise<boolean>;
  leave(): void;
}

/** @param places how many at a time. @param line how many may wait. */
export function createSlots(places: number, line: number): Slots {
  // A Map keeps its order and lets one leave from the middle; both in constant time.
  const waiting = new Map<object, (go: boolean) => void>();
  let free = places;

  function wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const ticket = {};
      const settle = (go: boolean): void => {
        waiting.delete(ticket);
        signal.removeEventListener("abort", giveUp);
        resolve(go);
      };
      const giveUp = (): void => settle(false);
      waiting.set(ticket, settle);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  return {
    enter(signal) {
      if (signal.aborted || (free === 0 && waiting.size >= line)) return false;
      if (free === 0) return wait(signal);
      free--;
      return true;
    },
    leave() {
      const [next] = waiting.values();
      if (next) next(true);
      else free++;
    },
  };
}
