/** Smallest and largest sizes of a growing input. */
const FIRST = 250;
const LARGEST = 32_000;
/** Times between which a growth is judged, in milliseconds: longer inputs do not grow further. */
const LEAST_MS = 300;
const MOST_MS = 1_500;
/** Largest factor between an input and one of twice the size. Linear work has about two. */
const MAX_FACTOR = 3.5;

/**
 * The cost oracle: finds a size at which an input of twice the size takes more than 3.5 times as
 * long, in two measurements.
 * @param timeOf processor time of a size in milliseconds
 * @returns the excessive growth as text; empty for none
 */
export async function excessiveGrowth(
  timeOf: (size: number) => Promise<number> | number,
): Promise<string> {
  let before = await timeOf(FIRST);
  for (let size = 2 * FIRST; size <= LARGEST && before < MOST_MS; size *= 2) {
    const after = await timeOf(size);
    if (isExcessive(before, after)) {
      const [least, most] = [await timeOf(size / 2), await timeOf(size)];
      if (isExcessive(least, most))
        return `${Math.round(least)} → ${Math.round(most)} ms at ${size / 2} → ${size}`;
    }
    before = after;
  }
  return "";
}

export function isExcessive(before: number, after: number): boolean {
  return after > LEAST_MS && after > MAX_FACTOR * Math.max(before, LEAST_MS / 4);
}
