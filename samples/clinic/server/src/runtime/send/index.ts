import type { BoundRequest } from "../bind/types.js";
import { pause } from "./deadline.js";
import { exchange, type ExchangeOptions } from "./exchange.js";
import { type Failure, isFailure } from "./failure.js";
import type { ApiResponse } from "./response.js";
import { waitBeforeRetry } from "./retry.js";
import type { Slots } from "./slots.js";

export { type Deadline, startDeadline } from "./deadline.js";
export { type Failure, isFailure } from "./failure.js";
export type { ResponseHeaders, Send } from "./incoming.js";
export { type ApiResponse, type Body, isSuccess } from "./response.js";
export { isRepeatable, retryAfter } from "./retry.js";
export { createSlots, type Slots } from "./slots.js";

/** Tries after the first. */
const mostRetries = 2;

export interface SendOptions extends ExchangeOptions {
  readonly slots: Slots;
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
  options: SendOptions,
): Promise<ApiResponse | Failure> {
  const { deadline, repeatable, retries = true } = options;
  let isSeen = false;
  for (let attempt = 0; ; attempt++) {
    const outcome = sinceThen(await inSlot(request, options), isSeen);
    isSeen = isSeenBy(outcome);
    const wait =
      retries && (repeatable || !isSeen) && attempt < mostRetries
        ? waitBeforeRetry(outcome, attempt)
        : undefined;
    if (wait === undefined || wait >= deadline.left()) return outcome;
    options.onRetry?.(wait);
    await pause(wait, deadline);
    if (deadline.over) return deadline.over;
  }
}

/** Whether the API may have seen the request. */
function isSeenBy(outcome: ApiResponse | Failure): boolean {
  return !isFailure(outcome) || (outcome.kind === "connection" && outcome.sent);
}

/** A try that got nowhere does not undo what one before it may have done. */
function sinceThen(outcome: ApiResponse | Failure, isSeen: boolean): ApiResponse | Failure {
  return isSeen && isFailure(outcome) && outcome.kind === "connection"
    ? { ...outcome, sent: true }
    : outcome;
}

async function inSlot(request: BoundRequest, options: SendOptions): Promise<ApiResponse | Failure> {
  const { slots, deadline } = options;
  const turn = slots.enter(deadline);
  if (turn !== true && !(await turn)) return deadline.over ?? { kind: "busy" };
  try {
    return await exchange(request, options);
  } finally {
    slots.leave();
  }
}
