/** Sources of the values of a call: the prompt, and results of earlier calls. */

/** Texts and results that an agent has read before a call. */
export interface Knowledge {
  readonly prompt: string;
  /** Structured results and texts of earlier calls. */
  readonly results: readonly unknown[];
}

/** Tests whether a value stands in the prompt, or in a result of an earlier call. */
export function isKnown(value: unknown, { prompt, results }: Knowledge): boolean {
  if (Array.isArray(value)) return value.every((item) => isKnown(item, { prompt, results }));
  const text = String(value);
  return includesWord(prompt, text) || results.some((result) => contains(result, text));
}

/** Tests whether a text has a value as a whole word, in any case: `12` is not in `112`. */
function includesWord(original: string, word: string): boolean {
  const [text, value] = [original.toLowerCase(), word.toLowerCase()];
  const isWord = (character: string | undefined): boolean =>
    character !== undefined && /[\p{L}\p{N}_]/u.test(character);
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
    if (!isWord(text[at - 1]) && !isWord(text[at + value.length])) return true;
  return false;
}

/** Tests whether data contains a value, also in its texts. */
function contains(data: unknown, value: string): boolean {
  if (typeof data === "object" && data !== null)
    return Object.values(data).some((part) => contains(part, value));
  return data !== undefined && includesWord(String(data), value);
}
