// Plain BM25 over path, summary and description of operations: the baseline without a generator. It
// has the tokenizer, the stop words and the stems of `search_tools`, but no synonyms.
import { tokenize } from "../../dist/runtime/discovery/search/terms.js";

/**
 * Okapi BM25 with its usual parameters.
 * @param documents `{id, text}`
 * @returns a function from a query to the IDs of documents with a word of it, best first
 */
export function bm25(documents, { k = 1.2, b = 0.75 } = {}) {
  const all = documents.map(({ id, text }) => ({ id, words: tokenize(text) }));
  const average = all.reduce((sum, one) => sum + one.words.length, 0) / all.length;
  const having = new Map();
  for (const one of all)
    for (const word of new Set(one.words)) having.set(word, (having.get(word) ?? 0) + 1);
  const weight = (word) =>
    Math.log(1 + (all.length - (having.get(word) ?? 0) + 0.5) / ((having.get(word) ?? 0) + 0.5));
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
    const wanted = [...new Set(tokenize(query))];
    return all
      .map((one, i) => ({ id: one.id, i, score: score(one, wanted) }))
      .filter((one) => one.score > 0)
      .sort((x, y) => y.score - x.score || x.i - y.i)
      .map(({ id }) => id);
  };
}
