/** Several calls of one call: at once, until the API limits the rate of requests. */
import { textOfResult } from "../tools/tool-error.js";
import { beginningOf } from "../data/values.js";
import { type CallOutcome, errorResult } from "../tools/definitions.js";

/** Maximum number of calls at once. */
const MAX_AT_ONCE = 5;

/** Reason for which calls are not sent after the API has limited their rate. */
export const RATE_LIMITED = "the API limits the rate of requests";

/** Runs a call for each item. After a rate limit of the API, no further call is sent. */
export async function runAtOnce<Item>(
  items: readonly Item[],
  callFor: (item: Item) => Promise<CallOutcome>,
): Promise<readonly CallOutcome[]> {
  const outcomes: CallOutcome[] = [];
  let next = 0;
  let isLimited = false;
  const work = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) {
      outcomes[i] = isLimited ? notSent(RATE_LIMITED) : await callFor(items[i]!);
      isLimited ||= outcomes[i]?.status === 429 || outcomes[i]?.outcome === "rate_limited";
    }
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
  return outcomes;
}

/** Maximum number of characters of the text of one of the calls. */
const MAX_TEXT_OF_ONE = 1_000;

/** The text of one of the calls, which is an error or has no structure. */
export const textOfOne = (result: CallOutcome["result"]): string =>
  beginningOf(textOfResult(result), MAX_TEXT_OF_ONE);

/** Outcome of a call that was not sent. */
export const notSent = (reason: string): CallOutcome =>
  errorResult("cancelled", `Not sent, because ${reason}.`);
