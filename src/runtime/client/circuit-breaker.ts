/** Circuit breakers: after several failures, requests to a host are not retried, then not sent. */
import { type ApiResponse, type Failure, isFailure } from "../request/types.js";
import { retryAfter } from "./failures.js";

/** Failures in a row after which failed requests are not repeated. */
const maxFailuresWithRetries = 5;

/** Failures in a row after which requests are not sent. */
const maxFailures = 10;

/** Milliseconds after which earlier failures no longer count. */
const memoryMs = 10_000;

/** Milliseconds for which no request is sent; doubled after each failed probe. */
const firstPauseMs = 1_000;
const maxPauseMs = 30_000;

interface FailingHost {
  failures: number;
  lastFailureAt: number;
  last: LastFailure;
  pauseMs: number;
  /** The time until which no request is sent. Absent while the circuit is closed. */
  openUntil?: number;
  /** True while one request probes the host. */
  isProbing?: boolean;
}

/** The latest failure: the status of the response, or the cause of its absence. */
type LastFailure = Pick<Extract<Failure, { kind: "unavailable" }>, "status" | "cause">;

/** Circuit breakers of all hosts. A host is identified by its origin. */
export interface CircuitBreaker {
  /** The reason not to send a request; undefined if it may be sent. */
  refusal(origin: string): Extract<Failure, { kind: "unavailable" }> | undefined;
  /** Notes that a request is sent. After a pause, it is the one that probes the host. */
  start(origin: string): void;
  /** Notes the outcome of a request. */
  end(origin: string, outcome: ApiResponse | Failure): void;
  /** True if a failed request may be sent again. */
  mayRetry(origin: string): boolean;
}

interface CircuitBreakerOptions {
  /** Called when requests to a host are no longer sent, and when they are sent again. */
  onChange?(origin: string, isOpen: boolean, last?: LastFailure): void;
  now?(): number;
}

/** Creates circuit breakers. Only hosts that fail are remembered. */
export function createCircuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreaker {
  return new HostCircuits(options);
}

class HostCircuits implements CircuitBreaker {
  readonly #hosts = new Map<string, FailingHost>();
  readonly #onChange: NonNullable<CircuitBreakerOptions["onChange"]>;
  readonly #now: () => number;

  constructor({ onChange = () => {}, now = () => performance.now() }: CircuitBreakerOptions) {
    this.#onChange = onChange;
    this.#now = now;
  }

  refusal(origin: string): ReturnType<CircuitBreaker["refusal"]> {
    const host = this.#hosts.get(origin);
    if (host?.openUntil === undefined) return undefined;
    const waitMs = Math.max(0, host.openUntil - this.#now());
    if (waitMs === 0 && !host.isProbing) return undefined;
    return { kind: "unavailable", origin, failures: host.failures, waitMs, ...host.last };
  }

  start(origin: string): void {
    const host = this.#hosts.get(origin);
    if (host?.openUntil !== undefined) host.isProbing = true;
  }

  end(origin: string, outcome: ApiResponse | Failure): void {
    const failure = failureOf(outcome);
    if (failure) this.#fail(origin, failure, isFailure(outcome) ? 0 : (retryAfter(outcome) ?? 0));
    else if (failure === undefined) this.#succeed(origin);
    else this.#endProbe(origin);
  }

  mayRetry(origin: string): boolean {
    return (this.#hosts.get(origin)?.failures ?? 0) < maxFailuresWithRetries;
  }

  #fail(origin: string, last: LastFailure, requestedMs: number): void {
    const now = this.#now();
    const known = this.#hosts.get(origin);
    const isRecent =
      known && (known.openUntil !== undefined || now - known.lastFailureAt < memoryMs);
    const host = isRecent
      ? known
      : { failures: 0, lastFailureAt: now, last, pauseMs: firstPauseMs };
    Object.assign(host, { failures: host.failures + 1, lastFailureAt: now, last });
    this.#hosts.set(origin, host);
    if (host.failures < maxFailures) return;
    if (host.openUntil === undefined) this.#onChange(origin, true, last);
    // Requests that were sent before the pause do not prolong it.
    else if (!host.isProbing) return;
    else host.pauseMs = Math.min(maxPauseMs, host.pauseMs * 2);
    host.isProbing = false;
    host.openUntil = now + Math.min(maxPauseMs, Math.max(host.pauseMs, requestedMs));
  }

  #succeed(origin: string): void {
    const host = this.#hosts.get(origin);
    if (!host) return;
    this.#hosts.delete(origin);
    if (host.openUntil !== undefined) this.#onChange(origin, false);
  }

  /** A probe without an outcome, such as a cancelled one. The next request probes the host. */
  #endProbe(origin: string): void {
    const host = this.#hosts.get(origin);
    if (host) host.isProbing = false;
  }
}

/** Statuses of gateways and servers that cannot serve any request. */
const downStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** The failure of a host; undefined if it works, null if the outcome is inconclusive. */
function failureOf(outcome: ApiResponse | Failure): LastFailure | undefined | null {
  if (!isFailure(outcome))
    return downStatuses.has(outcome.status) ? { status: outcome.status } : undefined;
  if (outcome.kind === "connection") return { cause: outcome.cause };
  if (outcome.kind === "timeout") return { cause: "the API did not respond" };
  return outcome.kind === "tooLarge" || outcome.kind === "redirect" ? undefined : null;
}
