/** The time after which an API allows another call, from the header or the body of its response. */
import { isObject } from "../data/values.js";
import { retryAfter } from "../client/failures.js";
import type { ApiResponse } from "../request/types.js";
import { responseValue } from "./api-error/extract.js";

/** Fields with seconds to wait, as Discord, Telegram and Zulip have them. */
const SECONDS_FIELD = /^(?:retry|try)[-_]?(?:after|in)(?:[-_]?(?:s|secs?|seconds))?$/i;

/** Longest time in seconds that is taken for one. */
const MAX_SECONDS = 7 * 24 * 3600;

/** Milliseconds to wait; `undefined` if the response does not say. */
export function retryTime(response: ApiResponse): number | undefined {
  return retryAfter(response) ?? secondsIn(responseValue(response), 1);
}

/** The time in a body, or in an object in it. */
function secondsIn(value: unknown, depth: number): number | undefined {
  if (!isObject(value)) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const seconds = SECONDS_FIELD.test(name) ? Number(part) : NaN;
    if (seconds > 0 && seconds <= MAX_SECONDS) return Math.ceil(seconds * 1000);
  }
  if (depth === 0) return undefined;
  const times = Object.values(value).map((part) => secondsIn(part, depth - 1));
  return times.find((time) => time !== undefined);
}
