import MiniSearch from "minisearch";
import type { AnyTool } from "../../hooks.js";
import { documentOf, fields, type ToolDocument, weights } from "./document.js";
import { passOn } from "./pass-on.js";
import { related } from "./related.js";
import { wordsOf } from "./words.js";

/**
 * Full-text search over tools. Loaded when the first search comes, and importing nothing else of
 * the runtime, so that servers that list their tools pay nothing for it.
 */
export interface ToolSearch {
  /** The tools that fit best, best first. */
  find(query: string, options: FindOptions): readonly Hit[];
}

/** As much of a tool as is kept here. */
export type Hit = Pick<AnyTool, "name" | "toolset">;

export interface FindOptions {
  readonly limit: number;
  accepts(tool: Hit): boolean;
}

/**
 * What a word counts that is not the word itself: its beginning, one with a slip of the keyboard,
 * one that means about the same.
 */
const likeness = { prefix: 0.5, fuzzy: 0.4, related: 0.3 };
/** Words of a query that are looked up; a task of this length has said what it is about. */
const mostWords = 64;

/** Indexes the tools; a thousand take some hundred milliseconds. */
export function createSearch(tools: readonly AnyTool[]): ToolSearch {
  const index = new WordIndex(tools);
  const spread = passOn(tools);
  const hits = tools.map(({ name, toolset }): Hit => ({
    name,
    ...(toolset !== undefined && { toolset }),
  }));
  return {
    find(query, { limit, accepts }) {
      return [...spread(index.scores(query))]
        .sort(([a, x], [b, y]) => y - x || a - b)
        .flatMap(([id]) => hits[id] ?? [])
        .filter(accepts)
        .slice(0, limit);
    },
  };
}

/** Which tools have which words, and how much that says. */
class WordIndex {
  readonly #known = new Set<string>();
  readonly #index: MiniSearch<ToolDocument>;

  readonly #names: readonly ReadonlySet<string>[];

  constructor(tools: readonly AnyTool[]) {
    this.#names = tools.map(({ name }) => new Set(wordsOf(name)));
    this.#index = new MiniSearch<ToolDocument>({
      fields: [...fields],
      tokenize: (text) => this.#learn(text),
      processTerm: (word) => word,
    });
    this.#index.addAll(tools.map((tool, id) => ({ id, ...documentOf(tool) })));
  }

  /**
   * The score of each tool (by its place) that has a word of the query: the more of them, the
   * better.
   */
  scores(query: string): Map<number, number> {
    const words = [...new Set(wordsOf(query))].slice(0, mostWords);
    const found = new Map<number, { score: number; words: number }>();
    for (const word of words) {
      for (const [id, score] of this.#matches(word)) {
        const before = found.get(id) ?? { score: 0, words: 0 };
        found.set(id, { score: before.score + score, words: before.words + 1 });
      }
    }
    return new Map(
      [...found].map(([id, { score, words: matched }]) => [
        id,
        score * Math.sqrt(matched / words.length) * (1 + this.#sameness(id, words) ** 2),
      ]),
    );
  }

  /**
   * How nearly a tool's name says what is asked for, and no more: 1 when it has just these words, 0
   * when it has none of them.
   */
  #sameness(id: number, words: readonly string[]): number {
    const name = this.#names[id] ?? new Set();
    const both = words.filter(
      (word) => name.has(word) || related(word).some((other) => name.has(other)),
    ).length;
    return (2 * both) / (name.size + words.length);
  }

  #learn(text: string): string[] {
    const words = wordsOf(text);
    for (const word of words) this.#known.add(word);
    return words;
  }

  /** Tools with a word, or with one that means about the same. */
  #matches(word: string): Map<number, number> {
    const best = new Map<number, number>();
    const add = (id: number, score: number): void =>
      void best.set(id, Math.max(score, best.get(id) ?? 0));
    for (const { id, score } of this.#lookUp(word)) add(id as number, score);
    for (const other of related(word))
      for (const { id, score } of this.#known.has(other) ? this.#lookUp(other) : [])
        add(id as number, score * likeness.related);
    return best;
  }

  /**
   * A word that no tool has may be the beginning of one, or mistyped. One that some have is meant
   * as it is.
   */
  #lookUp(word: string): readonly { readonly id: unknown; readonly score: number }[] {
    const isKnown = this.#known.has(word);
    return this.#index.search(word, {
      tokenize: (one) => [one],
      boost: weights,
      weights: likeness,
      prefix: !isKnown && word.length > 2,
      fuzzy: isKnown ? false : allowedSlips(word),
    });
  }
}

/** How many letters may be wrong; two that changed places are two. */
function allowedSlips(word: string): number | false {
  if (word.length < 5) return false;
  return word.length > 5 ? 2 : 1;
}
