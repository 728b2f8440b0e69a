import { isVerb } from "../verbs.js";

const ADVERBS = new Set(["bulk", "batch", "partial", "force", "soft"]);

/** Says how the verb behind it is done: `bulk delete`. */
export function isAdverb(word: string | undefined): boolean {
  return word !== undefined && ADVERBS.has(word);
}

/** How much is done at once stands behind, so that the verb is first. */
const MANNER: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ["bulk", ["in", "bulk"]],
  ["batch", ["in", "batch"]],
  ["partial", ["partially"]],
]);

/**
 * Words from the verb on, in verb and rest: `create or update x` has two verbs; `bulk delete x` is
 * to delete x in bulk.
 */
export function phrase(words: readonly string[]): { verb: string[]; rest: string[] } {
  const manner = MANNER.get(words[0]);
  if (manner && words.length > 1) {
    const { verb, rest } = phrase(words.slice(1));
    return { verb, rest: rest.includes(words[0] as string) ? rest : [...rest, ...manner] };
  }
  const start = isAdverb(words[0]) ? 2 : 1;
  const isDouble = (words[start] === "or" || words[start] === "and") && isVerb(words[start + 1]);
  const end = isDouble ? start + 2 : start;
  return { verb: words.slice(0, end), rest: words.slice(end) };
}
