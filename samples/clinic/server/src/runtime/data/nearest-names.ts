/**
 * Finds up to three known names that a mistaken name most likely means, nearest first. Case, `-`
 * and `_` are ignored. Of equally near names, those of the same length go first.
 */
export function nearestNames(
  name: string,
  knownNames: Iterable<string>,
  max = 3,
): readonly string[] {
  if (name.length > 100) return [];
  const normalized = normalize(name);
  const limit = Math.max(1, Math.floor(normalized.length / 3));
  const lengthDifference = (candidate: string): number => Math.abs(candidate.length - name.length);
  return [...knownNames]
    .map((candidate) => ({ candidate, far: editDistance(normalized, normalize(candidate), limit) }))
    .filter(({ far: edits }) => edits <= limit && edits < normalized.length)
    .sort(
      (a, b) =>
        a.far - b.far ||
        lengthDifference(a.candidate) - lengthDifference(b.candidate) ||
        (a.candidate < b.candidate ? -1 : 1),
    )
    .slice(0, max)
    .map(({ candidate }) => candidate);
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[-_\s.]/g, "");
}

/** Counts the edits (insert, delete, replace, swap neighbors) between two texts, up to `limit`. */
function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return Infinity;
  let above: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped =
        j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
          ? above[j - 2]! + 1
          : Infinity;
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1, swapped));
    }
    [above, row] = [row, next];
  }
  return row[to.length]!;
}
