import type { BoundRequest } from "../request/types.js";
import type { Semaphore } from "./semaphore.js";
import { pause } from "./deadline.js";
import { type RedirectOptions, sendFollowingRedirects } from "./redirect.js";
import { retryDelay } from "./retry.js";
import { type ApiResponse, type Failure, isFailure } from "./types.js";

/** Attempts after the first. */
const maxRetries = 2;

interface SendRequestOptions extends RedirectOptions {
  readonly semaphore: Semaphore;
  /** False when the caller retries by itself. */
  readonly retries?: boolean;
  /** Called before each wait. */
  onRetry?(ms: number): void;
}

/**
 * Sends a request and reads the response, within the deadline. Retries if the request is repeatable
 * or has not reached the API, and if a retry may help. A wait that would outlast the deadline or
 * the retry wait of the call is not started; the outcome is returned instead. Never throws.
 */
export async function sendRequest(
  request: BoundRequest,
  options: SendRequestOptions,
): Promise<ApiResponse | Failure> {
  const { deadline, isRepeatable, retries = true } = options;
  let reachedApi = false;
  for (let attempt = 0; ; attempt++) {
    const outcome = withEarlierEffect(await sendWithPermit(request, options), reachedApi);
    reachedApi = mayHaveReachedApi(outcome);
    const mayRetry = retries && (isRepeatable || !reachedApi) && attempt < maxRetries;
    const wait = mayRetry ? retryDelay(outcome, attempt) : undefined;
    if (wait === undefined || wait >= deadline.remainingMs()) return outcome;
    if (wait > deadline.retryWait.remainingMs) return outcome;
    deadline.retryWait.remainingMs -= wait;
    options.onRetry?.(wait);
    await pause(wait, deadline);
    if (deadline.expired) return deadline.expired;
  }
}

/** True if the API may have seen the request. */
function mayHaveReachedApi(outcome: ApiResponse | Failure): boolean {
  return !isFailure(outcome) || (outcome.kind === "connection" && outcome.sent);
}

/** Marks a failed retry as sent: it does not undo the side effects of an earlier attempt. */
function withEarlierEffect(
  outcome: ApiResponse | Failure,
  reachedApi: boolean,
): ApiResponse | Failure {
  return reachedApi && isFailure(outcome) && outcome.kind === "connection"
    ? { ...outcome, sent: true }
    : outcome;
}

async function sendWithPermit(
  request: BoundRequest,
  options: SendRequestOptions,
): Promise<ApiResponse | Failure> {
  const { semaphore, deadline } = options;
  const permit = semaphore.acquire(deadline);
  if (permit !== true && !(await permit)) return deadline.expired ?? { kind: "busy" };
  try {
    return await sendFollowingRedirects(request, options);
  } finally {
    semaphore.release();
  }
}
