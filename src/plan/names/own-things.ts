/** Names of the caller's own things. */
import { singularizeLast } from "../../language/grammar.js";
import { segmentWords } from "../operations/path.js";
import type { ClassifiedOperation } from "../operations/types.js";

/**
 * `get customer me` of `/customers/me` → get my customer, `get users me` → get current user, `add me
 * headshot` of `/profiles/me/headshots` → add my headshot: the segment `me` says whose things they
 * are.
 */
export function ownThings(
  words: readonly string[],
  { pathParts }: ClassifiedOperation,
): readonly string[] {
  const at = words.lastIndexOf("me");
  const isOwn = at > 0 && pathParts.some((_, i) => segmentWords(pathParts, i).join() === "me");
  if (!isOwn || words.length < 3) return words;
  const [verb = "", ...before] = words.slice(0, at);
  const things = words.slice(at + 1);
  if (words.includes("my")) return [verb, ...before, ...things];
  const owner = singularizeLast(before);
  if (things.length > 0) return [verb, "my", ...(isPerson(owner) ? [] : before), ...things];
  if (isPerson(owner)) return [verb, "current", ...owner];
  return SESSION.test(owner.join(" ")) ? [verb, "me"] : [verb, "my", ...owner];
}

const isPerson = (words: readonly string[]): boolean => words.join(" ") === "user";

/** Groups of operations on the session. */
const SESSION = /^(?:auth|authentication|oauth|session)$/;
