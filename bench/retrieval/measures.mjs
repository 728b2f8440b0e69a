// Measures of rankings for tasks of one or several steps. A step is the list of operations that are
// accepted for it; a result is the list of operations that a tool stands for.

/** Means over tasks. `results` has the ranked results of each task. */
export function measures(results, tasks) {
  const mean = (value) =>
    tasks.reduce((sum, { steps }, i) => sum + value(results[i], steps), 0) / tasks.length;
  return {
    "top-1": mean((ranked, steps) => isFoundWithin(ranked, steps, 1)),
    "top-3": mean((ranked, steps) => isFoundWithin(ranked, steps, 3)),
    MRR: mean(reciprocalRank),
    "recall@10": mean((ranked, steps) => coverage(ranked.slice(0, 10), steps)),
    "all in 10": mean((ranked, steps) => (coverage(ranked.slice(0, 10), steps) === 1 ? 1 : 0)),
    "in the answer": mean(coverage),
  };
}

/** Share of the steps that a result serves. */
export function coverage(results, steps) {
  const found = new Set(results.flat());
  return steps.filter((step) => step.some((one) => found.has(one))).length / steps.length;
}

/** The middle value of a list of numbers. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const servesAny = (steps) => (operations) =>
  steps.some((step) => step.some((one) => operations.includes(one)));

function isFoundWithin(ranked, steps, count) {
  return ranked.slice(0, count).some(servesAny(steps)) ? 1 : 0;
}

/** 1 divided by the rank of the first result that serves a step; 0 without one. */
export function reciprocalRank(ranked, steps) {
  const first = ranked.findIndex(servesAny(steps));
  return first < 0 ? 0 : 1 / (first + 1);
}
