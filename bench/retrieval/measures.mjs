// Measures of a ranking for tasks that need several operations.

/**
 * @param ranked for each task, the operations that each result stands for, best result first
 * @param tasks `{gold}`
 */
export function measures(ranked, tasks) {
  const mean = (value) =>
    tasks.reduce((sum, task, i) => sum + value(ranked[i], task.gold), 0) / tasks.length;
  return {
    "recall@5": mean((results, gold) => covered(results.slice(0, 5), gold)),
    "recall@10": mean((results, gold) => covered(results.slice(0, 10), gold)),
    MRR: mean(reciprocalRank),
    "all in the first 10": mean((results, gold) =>
      covered(results.slice(0, 10), gold) === 1 ? 1 : 0,
    ),
  };
}

/** The share of the gold operations that the results stand for. */
export function covered(results, gold) {
  const found = new Set(results.flat());
  return gold.filter((one) => found.has(one)).length / gold.length;
}

function reciprocalRank(results, gold) {
  const first = results.findIndex((operations) => operations.some((one) => gold.includes(one)));
  return first < 0 ? 0 : 1 / (first + 1);
}
