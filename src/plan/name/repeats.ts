import { singular } from "./inflect.js";

/**
 * Positions of the words of a name that say what stands beside them already: `trips trip details` → trip details; `business unit
 * business unit` once; `port in fetch` behind `fetch`. The verb, at 0, stays.
 */
export function keptPositions(words: readonly string[]): readonly number[] {
  const stems = words.map((word, i) => (i === 0 ? word : singular(word)));
  let kept = words.map((_, i) => i);
  for (let length = Math.floor((words.length - 1) / 2); length > 0; length--) kept = withoutRow(kept, stems, length);
  const last = kept.at(-1) as number;
  return kept.length > 2 && words[last] === words[0] ? kept.slice(0, -1) : kept;
}

/** Of two equal rows of words in a row, the second stays: it has the number that fits. */
function withoutRow(kept: readonly number[], stems: readonly string[], length: number): number[] {
  const out = [...kept];
  for (let i = 1; i + 2 * length <= out.length; i++) {
    const isRepeat = Array.from({ length }, (_, at) => stems[out[i + at] as number] === stems[out[i + length + at] as number]).every(Boolean);
    if (isRepeat) out.splice(i--, length);
  }
  return out;
}
