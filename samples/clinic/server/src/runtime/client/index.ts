export { type Deadline, startDeadline } from "./deadline.js";
export { type Failure, isFailure, type RequestOutcome } from "./types.js";
export type { ResponseHeaders, SendFunction } from "./types.js";
export { type ApiResponse, type Body, isSuccess } from "./types.js";
export { isRepeatable, retryAfter } from "./retry.js";
export { createSemaphore, type Semaphore } from "./semaphore.js";
