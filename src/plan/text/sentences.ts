/** What stands where text was cut, so that a reader knows. */
export const TRUNCATION_MARK = "…[truncated]";

/** Short forms whose full stop ends no sentence. */
const ABBREVIATION =
  /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|no|nos|fig|ca|st|dr|mr|mrs|min|max|inc|ltd|u\.s)|\b[A-Za-z])\.$/i;

/** The first sentence of a text and the rest. Chinese and Japanese full stops count. */
export function splitSentence(text: string): readonly [first: string, rest: string] {
  const ends = /[.!?](?=["')\]]?\s)|[。！？]/g;
  for (let match = ends.exec(text); match; match = ends.exec(text)) {
    const dot = match.index + 1;
    if (match[0] === "." && ABBREVIATION.test(text.slice(Math.max(0, dot - 8), dot))) continue;
    const end = /["')\]]/.test(text.charAt(dot)) ? dot + 1 : dot;
    return [text.slice(0, end), text.slice(end).trimStart()];
  }
  return [text, ""];
}

/**
 * Text in at most `max` characters: whole sentences when most of the room is used that way, else
 * whole words. What was cut is marked when `mark` is set.
 */
export function truncateText(text: string, max: number, mark = true): string {
  if (text.length <= max) return text;
  const room = max - (mark ? TRUNCATION_MARK.length + 1 : 1);
  const head = text.slice(0, room + 1);
  const sentence = Math.max(head.lastIndexOf(". "), head.lastIndexOf("。"));
  const word = head.lastIndexOf(" ");
  const end = sentence > room * 0.6 ? sentence + 1 : word > room * 0.6 ? word : room;
  const kept = removeHalfSurrogate(text.slice(0, end)).trimEnd();
  if (mark) return `${kept} ${TRUNCATION_MARK}`;
  return /[.!?。]$/.test(kept) ? kept : `${kept.replace(/[,;:]$/, "")}…`;
}

/** A cut may not leave one half of a surrogate pair. */
function removeHalfSurrogate(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

/** A text that ends like a sentence. */
export function toSentence(text: string): string {
  const trimmed = text.trimEnd();
  if (trimmed === "" || /[.!?。！？…][")'\]」』）]?$/.test(trimmed)) return trimmed;
  return `${trimmed.replace(/[,;:，、；：]$/, "")}${/[\u3040-\u30ff\u3400-\u9fff]$/.test(trimmed) ? "。" : "."}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWithAnd(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
