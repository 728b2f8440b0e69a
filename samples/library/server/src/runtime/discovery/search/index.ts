import MiniSearch from "minisearch";
import type { AnyTool } from "../../hooks.js";
import { documentOf, fields, weights } from "./document.js";
import { related } from "./related.js";
import { wordsOf } from "./words.js";

/**
 * Full-text search over tools. Loaded when the first search comes, and importing nothing else of the runtime, so that servers that
 * list their tools pay nothing for it.
 */
export interface ToolSearch {
  /** The tools that fit best, best first. */
  find(query: string, options: FindOptions): readonly AnyTool[];
}

export interface FindOptions {
  readonly limit: number;
  accepts(tool: AnyTool): boolean;
}

/** A word that only begins as one that is looked for counts less than the word itself; one with a slip of the keyboard still less. */
const likeness = { prefix: 0.3, fuzzy: 0.15 };
/** A word that means about the same. */
const relatedWeight = 0.4;
/** What a tool gets of the score of the tools that need its results: they can hardly be called without it. */
const passedOn = 0.5;

/** Indexes the tools; a thousand take some tens of milliseconds. */
export function createSearch(tools: readonly AnyTool[]): ToolSearch {
  const index = new MiniSearch<ReturnType<typeof documentOf>>({ fields: [...fields], tokenize: wordsOf, processTerm: (word) => word });
  index.addAll(tools.map((tool, id) => ({ id, ...documentOf(tool) })));
  const idOf = new Map(tools.map(({ name }, id) => [name, id]));
  return {
    find(query, { limit, accepts }) {
      const scores = scoresOf(index, query);
      for (const [id, score] of [...scores]) {
        for (const names of Object.values(tools[id]?.producers ?? {})) {
          const [producer] = names.flatMap((name) => idOf.get(name) ?? []);
          if (producer !== undefined) scores.set(producer, Math.max(scores.get(producer) ?? 0, score * passedOn));
        }
      }
      return [...scores]
        .sort(([a, x], [b, y]) => y - x || a - b)
        .flatMap(([id]) => tools[id] ?? [])
        .filter(accepts)
        .slice(0, limit);
    },
  };
}

function scoresOf(index: MiniSearch, query: string): Map<number, number> {
  const words = [...new Set(wordsOf(query))].slice(0, 64);
  const others = [...new Set(words.flatMap(related))].filter((word) => !words.includes(word));
  const found = index.search(
    { combineWith: "OR", queries: [...words, ...others] },
    { tokenize: (word) => [word], boost: weights, prefix: (word) => word.length > 3, fuzzy: (word) => (word.length > 4 ? 0.2 : false), weights: likeness, boostTerm: (word) => (words.includes(word) ? 1 : relatedWeight) },
  );
  return new Map(found.map(({ id, score }) => [id as number, score]));
}
