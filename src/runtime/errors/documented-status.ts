/** Meanings of response statuses, as the documentation states them. */
import { ownProperty } from "../data/values.js";
import type { ApiCall } from "../request/types.js";

/** The documented meaning of a status for the operation of a call: `no such container`. */
export function documentedStatus(
  { api, statuses }: Pick<ApiCall, "api" | "statuses">,
  status: number,
): string | undefined {
  const keys = [String(status), `${Math.floor(status / 100)}XX`];
  const key = keys.find((candidate) => ownProperty(statuses, candidate) !== undefined);
  if (key === undefined) return undefined;
  const text = ownProperty(statuses, key);
  return text === true ? ownProperty(api.statuses, key) : text;
}

/** Words of faults that pass without another request: of load, of time and of unknown causes. */
const PASSING = new RegExp(
  String.raw`\b(?:capacity|down|maintenance|overload\w*|temporar\w*|unavailable|unexpected\w*|` +
    String.raw`later|again|retry\w*|time(?:d )?-?outs?|busy|unknown|went wrong|internal|` +
    String.raw`(?:server|gateway) (?:errors?|experienced)|not ready|restart\w*|start(?:ing|s) up|` +
    String.raw`initiali[sz]ing|upstream|unhealthy|unreachable|could not be reached)\b`,
  "i",
);

/** Words of the shortest text that explains a fault. "Failure" and "Bad server" do not. */
const MIN_WORDS = 3;

/**
 * True if the documentation explains a server error by a state that only another call can change:
 * `node is not part of a swarm`. A retry meets the same error.
 */
export function isLastingFault(call: Pick<ApiCall, "api" | "statuses">, status: number): boolean {
  if (status < 500) return false;
  const meaning = documentedStatus(call, status);
  return (
    meaning !== undefined && meaningWords(meaning).length >= MIN_WORDS && !PASSING.test(meaning)
  );
}

/** True if a message has all words of a documented meaning. */
export function repeatsMeaning(message: string, meaning: string): boolean {
  const words = new Set(meaningWords(message));
  return meaningWords(meaning).every((word) => words.has(word));
}

const meaningWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
