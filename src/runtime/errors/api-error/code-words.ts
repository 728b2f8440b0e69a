/** Machine-readable codes in messages, as words: `MISSING_LOCAL_ID`. */

/** A code at the start of a message or of a part of it. A quoted one is a value. */
const MACHINE_CODE = /(^|[;:(] ?)([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)\b/g;

/** Maximum number of characters of a message that are read. */
const MAX_SPELLED = 2000;

/**
 * Spells the codes of a message as words, and the inputs in them by their names:
 * `MISSING_LOCAL_ID` → `missing localId`.
 */
export function spellCodes(message: string, inputs: readonly string[]): string {
  if (message.length > MAX_SPELLED) return message;
  return message.replace(MACHINE_CODE, (_, before: string, code: string) => {
    const words = plainWords(code);
    const named = inputs.filter((input) => ` ${words} `.includes(` ${plainWords(input)} `));
    const [input] = named.toSorted((a, b) => b.length - a.length);
    return before + (input === undefined ? words : words.replace(plainWords(input), () => input));
  });
}

const plainWords = (name: string): string => wordsOf(name).join(" ");

/** The words of a text or a name in lower case: `pet`, `id` of `petId`. */
export const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
