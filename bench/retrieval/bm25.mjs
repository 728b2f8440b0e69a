// Plain BM25 over path and description of the raw document: the baseline without a generator.
const fillers = new Set(
  (
    "a an the of to in on at by for from with is are was were be been it its this that these those and or not as i me my you your he she his her we our they their " +
    "what which who whom when where why how do does did has have had can will would please give tell"
  ).split(" "),
);

/** Words in lower case, without stop words and plural s. */
export function words(text) {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
    .filter((word) => !fillers.has(word))
    .map((word) => word.replace(/s$/, ""));
}

/**
 * Okapi BM25 with its usual parameters.
 * @param documents `{id, text}`
 * @returns a function from a query to ids, best first
 */
export function bm25(documents, { k = 1.2, b = 0.75 } = {}) {
  const all = documents.map(({ id, text }) => ({ id, words: words(text) }));
  const average = all.reduce((sum, one) => sum + one.words.length, 0) / all.length;
  const having = new Map();
  for (const one of all)
    for (const word of new Set(one.words)) having.set(word, (having.get(word) ?? 0) + 1);
  const weight = (word) =>
    Math.log(1 + (all.length - having.get(word) + 0.5) / (having.get(word) + 0.5));
  const score = (one, query) =>
    query.reduce((sum, word) => {
      const times = one.words.filter((other) => other === word).length;
      return times === 0
        ? sum
        : sum +
            (weight(word) * times * (k + 1)) /
              (times + k * (1 - b + (b * one.words.length) / average));
    }, 0);
  return (query) => {
    const wanted = words(query);
    return all
      .map((one, i) => ({ id: one.id, i, score: score(one, wanted) }))
      .sort((x, y) => y.score - x.score || x.i - y.i)
      .map(({ id }) => id);
  };
}
