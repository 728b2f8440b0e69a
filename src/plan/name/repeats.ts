import { needsMore } from "./function-words.js";
import { singular } from "./inflect.js";

/** Longer names are cut in any case, and rows in them would take long to find. */
const mostWords = 100;

/**
 * Positions of the words of a name without those that say what stands beside them already: `trips
 * trip details` → trip details; `business unit business unit` once; `port in fetch` behind `fetch`.
 * The verb, at 0, stays. Undefined: all of them stay.
 */
export function keptPositions(words: readonly string[]): readonly number[] | undefined {
  if (words.length > mostWords || !repeatsSome(words)) return undefined;
  const stems = words.map((word, i) => (i === 0 ? word : singular(word)));
  let kept = words.map((_, i) => i);
  for (let length = Math.floor((words.length - 1) / 2); length > 0; length--)
    kept = withoutRow(kept, stems, length);
  const last = kept.at(-1) as number;
  const all =
    kept.length > 2 &&
    words[last] === words[0] &&
    !needsMore(words[kept.at(-2) as number]) &&
    words[kept.at(-2) as number] !== "by"
      ? kept.slice(0, -1)
      : kept;
  return all.length < words.length ? all : undefined;
}

/** The words of a name without those. */
export function withoutRepeats(words: readonly string[]): readonly string[] {
  return keptPositions(words)?.map((i) => words[i] as string) ?? words;
}

/** Hardly any name does: this is asked of every operation. */
function repeatsSome(words: readonly string[]): boolean {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    for (let j = i + 1; j < words.length; j++) {
      const other = words[j] as string;
      if (
        word === other ||
        (word.charCodeAt(0) === other.charCodeAt(0) && singular(word) === singular(other))
      )
        return true;
    }
  }
  return false;
}

/** Of two equal rows of words in a row, the second stays: it has the number that fits. */
function withoutRow(kept: readonly number[], stems: readonly string[], length: number): number[] {
  const out = [...kept];
  for (let i = 1; i + 2 * length <= out.length; i++) {
    const isRepeat = Array.from(
      { length },
      (_, at) => stems[out[i + at] as number] === stems[out[i + length + at] as number],
    ).every(Boolean);
    if (isRepeat) out.splice(i--, length);
  }
  return out;
}
