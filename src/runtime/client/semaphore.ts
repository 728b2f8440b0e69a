/**
 * Permits for requests to the API: a limited number at once, fair to callers, and only for requests
 * with time enough left.
 */
import type { Deadline, Failure } from "../request/types.js";
import { createDurations, type Durations } from "./durations.js";
import { FairQueue } from "./fair-queue.js";

/** A request that needs a permit. */
export interface PermitRequest {
  readonly deadline: Deadline;
  /** Identity of the caller. Callers take turns. */
  readonly caller: string;
  /** Name of the tool, whose usual duration must be left. */
  readonly tool: string;
  /** A second request does no harm. */
  readonly isRepeatable: boolean;
}

/** The permit to send one request. */
export interface Permit {
  /** Milliseconds for which the request waited. */
  readonly waitedMs: number;
  /**
   * Ends the request.
   * @param isTypical true if it took as long as requests of its tool take
   */
  release(isTypical: boolean): void;
}

/** A permit, or the reason why the request must not be sent. */
export type PermitResult = Permit | Failure;

/** Limits concurrent requests. Further requests wait in a bounded queue. */
export interface Semaphore {
  acquire(request: PermitRequest): PermitResult | Promise<PermitResult>;
  /** Number of requests that wait. */
  readonly waiting: number;
  /** Number of requests that have a permit. */
  readonly inFlight: number;
}

interface SemaphoreOptions {
  /** Maximum of concurrent requests. */
  readonly permits: number;
  /** Maximum of concurrent requests of one caller. */
  readonly permitsPerCaller?: number;
  /** Maximum of waiting requests. */
  readonly maxWaiting: number;
}

interface Waiter extends PermitRequest {
  /** Gives it its turn, which it takes if the time left is enough. */
  offer(): void;
}

/** Beyond it, a timer fires at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Share of the time of a request that it needs if no duration is known. */
const neededShare = 0.1;

/**
 * Factor by which even the wait behind the quickest requests may be too long. A burst of calls
 * makes the first requests slow, and a call that could be answered must not be refused. A
 * repeatable request waits in doubt, until its time is used up; it is never sent too late.
 */
const doubtMargin = 4;

/** Creates a semaphore. */
export function createSemaphore(options: SemaphoreOptions): Semaphore {
  return new FairSemaphore(options);
}

class FairSemaphore implements Semaphore {
  readonly #permits: number;
  readonly #permitsPerCaller: number;
  readonly #maxWaiting: number;
  readonly #queue = new FairQueue<Waiter>();
  readonly #durations: Durations;
  readonly #inFlightByCaller = new Map<string, number>();
  #inFlight = 0;

  constructor({ permits, permitsPerCaller = permits, maxWaiting }: SemaphoreOptions) {
    this.#permits = permits;
    this.#permitsPerCaller = Math.min(permits, permitsPerCaller);
    this.#maxWaiting = maxWaiting;
    this.#durations = createDurations(permits);
  }

  get waiting(): number {
    return this.#queue.size;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  acquire(request: PermitRequest): PermitResult | Promise<PermitResult> {
    const { deadline, caller } = request;
    if (deadline.expired) return deadline.expired;
    if (this.#inFlight < this.#permits && this.#hasRoom(caller)) return this.#grant(request, 0);
    const neededMs = this.#neededTime(request);
    const isLate = this.#leastWait(request) + neededMs() > deadline.remainingMs();
    if (isLate || this.#queue.size >= this.#maxWaiting)
      return { kind: "busy", waitedMs: 0, expectedMs: this.#expectedWait(caller) };
    return this.#wait(request, neededMs);
  }

  #hasRoom(caller: string): boolean {
    return (this.#inFlightByCaller.get(caller) ?? 0) < this.#permitsPerCaller;
  }

  #grant({ caller, tool }: PermitRequest, waitedMs: number): Permit {
    const startedAt = performance.now();
    this.#count(caller, 1);
    const release = (isTypical: boolean): void => {
      const ms = performance.now() - startedAt;
      this.#durations.addPermitTime(ms);
      if (isTypical) this.#durations.add(tool, ms);
      this.#count(caller, -1);
      this.#queue.postpone(caller);
      this.#giveTurns();
    };
    return { waitedMs, release };
  }

  #count(caller: string, change: 1 | -1): void {
    this.#inFlight += change;
    const count = (this.#inFlightByCaller.get(caller) ?? 0) + change;
    if (count > 0) this.#inFlightByCaller.set(caller, count);
    else this.#inFlightByCaller.delete(caller);
  }

  /** Milliseconds until a new request of the caller has its turn, as far as is known. */
  #expectedWait(caller: string): number {
    return this.#turnsBefore(caller) * this.#durations.meanPermitTime();
  }

  /** Milliseconds that a new request waits for its turn at the least, to decide on its refusal. */
  #leastWait({ caller, isRepeatable }: PermitRequest): number {
    if (!isRepeatable) return this.#expectedWait(caller);
    return (this.#turnsBefore(caller) * this.#durations.quickPermitTime()) / doubtMargin;
  }

  #turnsBefore(caller: string): number {
    return Math.max(
      (this.#queue.countAhead(caller) + 1) / this.#permits,
      (this.#queue.countOf(caller) + 1) / this.#permitsPerCaller,
    );
  }

  #neededTime({ deadline, tool, isRepeatable }: PermitRequest): () => number {
    const unknownMs = deadline.remainingMs() * neededShare;
    return () => this.#durations.usual(tool, isRepeatable) ?? unknownMs;
  }

  /** Waits for a turn, as long as the time left is enough. */
  #wait(request: PermitRequest, neededMs: () => number): Promise<PermitResult> {
    const { deadline, caller } = request;
    const startedAt = performance.now();
    const spareMs = (): number => deadline.remainingMs() - neededMs();
    const waitedMs = (): number => performance.now() - startedAt;
    return new Promise((resolve) => {
      const leave = (result: PermitResult): void => {
        this.#queue.delete(waiter);
        clearTimeout(timer);
        deadline.onExpire(undefined);
        resolve(result);
      };
      const giveUp = (): void => {
        const expectedMs = this.#expectedWait(caller);
        leave(deadline.expired ?? { kind: "busy", waitedMs: waitedMs(), expectedMs });
      };
      const offer = (): void =>
        spareMs() < 0 ? giveUp() : leave(this.#grant(request, waitedMs()));
      const waiter: Waiter = { ...request, offer };
      // The usual duration may change while the request waits.
      const check = (): void => {
        if (spareMs() < 1) giveUp();
        else timer = setTimeout(check, Math.min(spareMs(), maxTimerMs));
      };
      let timer = setTimeout(check, Math.min(spareMs(), maxTimerMs));
      this.#queue.add(waiter);
      deadline.onExpire(giveUp);
    });
  }

  #giveTurns(): void {
    while (this.#inFlight < this.#permits) {
      const next = this.#queue.take((caller) => this.#hasRoom(caller));
      if (!next) return;
      next.offer();
    }
  }
}
