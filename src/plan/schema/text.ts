import { flatten } from "../describe/markdown.js";
import { ended, fit } from "../describe/sentences.js";

/** Texts inside a schema that a model reads, flattened and shortened; each is worked out once. */
export function textCache(max: number): (text: unknown) => string {
  const cache = new Map<string, string>();
  return (text) => {
    if (typeof text !== "string" || text === "") return "";
    const known = cache.get(text);
    if (known !== undefined) return known;
    const short = fit(flatten(text), max, false);
    cache.set(text, short);
    return short;
  };
}

/** A text and further sentences behind it. */
export function withSentences(text: string, sentences: readonly string[]): string {
  return sentences.length === 0
    ? text
    : [ended(text), ...sentences].filter((part) => part !== "").join(" ");
}
