import type { BoundRequest } from "../request/types.js";
import type { Semaphore } from "./semaphore.js";
import { pause } from "./deadline.js";
import { type RedirectOptions, sendFollowingRedirects } from "./redirect.js";
import { retryDelay } from "./retry.js";
import { type ApiResponse, type Failure, isFailure } from "./types.js";

/** Tries after the first. */
export const maxRetries = 2;

export interface SendRequestOptions extends RedirectOptions {
  readonly semaphore: Semaphore;
  /** False: never tried again here, because the caller does that. */
  readonly retries?: boolean;
  /** Told before each wait. */
  onRetry?(ms: number): void;
}

/**
 * Sends a request, again where that is harmless (always when it has not reached the API) and may
 * help, and reads the response. All of it within one deadline; a wait that would outlast it is not
 * begun: the caller is told how long it would be instead. Never throws.
 */
export async function sendRequest(
  request: BoundRequest,
  options: SendRequestOptions,
): Promise<ApiResponse | Failure> {
  const { deadline, isRepeatable: repeatable, retries = true } = options;
  let reachedApi = false;
  for (let attempt = 0; ; attempt++) {
    const outcome = withEarlierEffect(await sendWithPermit(request, options), reachedApi);
    reachedApi = mayHaveReachedApi(outcome);
    const wait =
      retries && (repeatable || !reachedApi) && attempt < maxRetries
        ? retryDelay(outcome, attempt)
        : undefined;
    if (wait === undefined || wait >= deadline.remainingMs()) return outcome;
    options.onRetry?.(wait);
    await pause(wait, deadline);
    if (deadline.expired) return deadline.expired;
  }
}

/** Whether the API may have seen the request. */
export function mayHaveReachedApi(outcome: ApiResponse | Failure): boolean {
  return !isFailure(outcome) || (outcome.kind === "connection" && outcome.sent);
}

/** A try that got nowhere does not undo what one before it may have done. */
export function withEarlierEffect(
  outcome: ApiResponse | Failure,
  reachedApi: boolean,
): ApiResponse | Failure {
  return reachedApi && isFailure(outcome) && outcome.kind === "connection"
    ? { ...outcome, sent: true }
    : outcome;
}

export async function sendWithPermit(
  request: BoundRequest,
  options: SendRequestOptions,
): Promise<ApiResponse | Failure> {
  const { semaphore: slots, deadline } = options;
  const permit = slots.acquire(deadline);
  if (permit !== true && !(await permit)) return deadline.expired ?? { kind: "busy" };
  try {
    return await sendFollowingRedirects(request, options);
  } finally {
    slots.release();
  }
}
