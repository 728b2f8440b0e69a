import type { AnyTool } from "../../tools/definitions.js";
import { bestOf, producerScores } from "./producers.js";
import { type Clause, parseQuery } from "./query.js";
import { rankClause, toolTerms, type ToolTerms } from "./rank-clause.js";
import {
  IndexBuilder,
  type StoredPostings,
  type TermIndex,
  type TermMatches,
} from "./term-index.js";
import { readTool, type ToolFacts } from "./tool-facts.js";
import { weights } from "./weights.js";

/**
 * Full-text search over tools. The first search loads this module. It imports no other part of the
 * runtime, so that servers that list their tools do not load it.
 */
interface ToolSearch {
  find(query: string, options: SearchOptions): SearchResult;
}

interface SearchResult {
  /** The best matches, best first. */
  readonly hits: readonly SearchHit[];
  /** True if no match has most of the words of its step. */
  readonly isWeak: boolean;
}

type SearchHit = Pick<AnyTool, "name" | "toolset">;

interface SearchOptions {
  readonly limit: number;
  accepts(tool: SearchHit): boolean;
}

/** An index as data, which `bundle.mjs` makes, so that the first search need not read the tools. */
export interface StoredIndex {
  readonly terms: readonly string[];
  readonly tools: readonly IndexedTool[];
}

/** A tool of a stored index. */
export interface IndexedTool extends SearchedTool {
  readonly postings: StoredPostings;
}

/** Facts that the search keeps of a tool. */
type SearchedTool = ToolFacts & ToolTerms;

/** Reads tools into an index as data. */
export function storeIndex(tools: Iterable<AnyTool>): StoredIndex {
  const builder = new IndexBuilder();
  const facts = Array.from(tools, (tool) => addTool(builder, tool));
  const { terms, postings } = builder.store();
  return { terms, tools: facts.map((one, i) => ({ ...one, postings: postings[i]! })) };
}

function addTool(builder: IndexBuilder, tool: AnyTool): SearchedTool {
  const { texts, words, facts } = readTool(tool);
  builder.add(texts);
  return { ...facts, ...toolTerms(words, (word) => builder.termsOf(word)) };
}

/**
 * Builds the index. It reads each tool once and keeps none, so that they can be garbage-collected.
 * @param tools tools, those of a stored index among them
 * @param terms terms of the stored index
 */
export function createSearch(
  tools: Iterable<AnyTool | IndexedTool>,
  terms: readonly string[] = [],
): ToolSearch {
  const builder = new IndexBuilder(terms);
  const facts: SearchedTool[] = [];
  for (const tool of tools)
    if ("postings" in tool) {
      const { postings, ...rest } = tool;
      builder.addPostings(postings);
      facts.push(rest);
    } else facts.push(addTool(builder, tool));
  return searchOf(builder.build(), facts);
}

function searchOf(index: TermIndex, facts: readonly SearchedTool[]): ToolSearch {
  const raiseProducers = producerScores(facts);
  return {
    find(query, { limit, accepts }) {
      const isAccepted = (tool: number): boolean => accepts(facts[tool]!);
      const match = rememberMatches(index);
      const rankings = parseQuery(query).map((clause): Ranking => {
        const own = rankClause(clause, index, facts, match);
        const scores = raiseProducers(own, clause.hasName);
        const [best] = bestOf(own, 1);
        return {
          scores,
          weight: clause.effects ? 1 : weights.narrative,
          tools: bestOf(scores, limit * 2, isAccepted),
          isWeak: best === undefined || matchedShare(clause, best, match) < minShare,
        };
      });
      return {
        hits: interleave(rankings, limit, facts).map((tool) => facts[tool]!),
        isWeak: rankings.every(({ isWeak }) => isWeak),
      };
    },
  };
}

type MatchTerm = (term: string, isVerb: boolean) => TermMatches;

/** Matches of terms, each found once: the clauses of a query share most of theirs. */
function rememberMatches(index: TermIndex): MatchTerm {
  const known = new Map<string, TermMatches>();
  return (term, isVerb) => {
    const key = isVerb ? `${term}!` : term;
    const found = known.get(key) ?? index.match(term, isVerb);
    known.set(key, found);
    return found;
  };
}

interface Ranking {
  readonly scores: Float64Array;
  /** Share of a clause without a verb, which tells more than it asks for. */
  readonly weight: number;
  readonly tools: readonly number[];
  readonly isWeak: boolean;
}

/** Share of the words of a clause below which a match is weak. */
const minShare = 0.4;

function matchedShare({ terms, act }: Clause, tool: number, match: MatchTerm): number {
  let total = 0;
  let matched = 0;
  for (const [term, weight] of terms) {
    total += weight;
    if (match(term, term === act).scores[tool]! > 0) matched += weight;
  }
  return matched / total;
}

/**
 * Merges the rankings of clauses. Each tool that a clause contributes lowers its further ones, so
 * that no step of a task crowds out the others. So do more than two tools for one kind of thing.
 */
function interleave(
  rankings: readonly Ranking[],
  limit: number,
  facts: readonly ToolFacts[],
): readonly number[] {
  const queues = rankings
    .filter(({ tools }) => tools.length > 0)
    .map(({ scores, tools, weight }) => ({
      candidates: tools.map((tool) => ({
        tool,
        score: scores[tool]!,
        object: objectOf(facts[tool]!),
      })),
      share: weight * scores[tools[0]!]! ** -weights.normalization,
    }));
  const picked = new Set<number>();
  const counts = new Map<string, number>();
  while (picked.size < limit) {
    const [best] = queues
      .flatMap((queue) =>
        queue.candidates
          .filter(({ tool }) => !picked.has(tool))
          .map(({ tool, score, object }) => {
            const others = Math.max(0, (counts.get(object) ?? 0) - 1);
            return {
              queue,
              tool,
              object,
              score: score * queue.share * weights.sameObject ** others,
            };
          }),
      )
      .sort((a, b) => b.score - a.score);
    if (!best) break;
    picked.add(best.tool);
    counts.set(best.object, (counts.get(best.object) ?? 0) + 1);
    best.queue.share *= weights.sameClause;
  }
  return [...picked];
}

/** The kind of thing that a tool is about: its name without the verb and the qualifier. */
const objectOf = ({ name }: ToolFacts): string =>
  name
    .replace(/^[^_]*_/, "")
    .replace(/_(?:for|of|by|in|with|to)_.*$/s, "")
    .replace(/s$/, "");
