import type { AnyTool } from "../../tools/hooks.js";
import { bestOf, producerScores } from "./producers.js";
import { type Clause, parseQuery } from "./query.js";
import { rankClause } from "./rank-clause.js";
import { TermIndex } from "./term-index.js";
import { toolText } from "./tool-text.js";
import { toolTraits } from "./tool-traits.js";
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

/** Builds the index. A thousand tools take about a tenth of a second. */
export function createSearch(tools: readonly AnyTool[]): ToolSearch {
  const index = new TermIndex(tools.map(toolText));
  const traits = tools.map(toolTraits);
  const raiseProducers = producerScores(tools);
  const hits = tools.map(({ name, toolset }): SearchHit => ({
    name,
    ...(toolset !== undefined && { toolset }),
  }));
  return {
    find(query, { limit, accepts }) {
      const isAccepted = (tool: number): boolean => accepts(hits[tool]!);
      const rankings = parseQuery(query).map((clause): Ranking => {
        const own = rankClause(clause, index, traits);
        const scores = raiseProducers(own, clause.hasName);
        const tools = bestOf(scores, limit, isAccepted);
        const [best] = bestOf(own, 1);
        return {
          scores,
          tools,
          isWeak: best === undefined || matchedShare(clause, best, index) < minShare,
        };
      });
      return {
        hits: interleave(rankings, limit).map((tool) => hits[tool]!),
        isWeak: rankings.every(({ isWeak }) => isWeak),
      };
    },
  };
}

interface Ranking {
  readonly scores: Float64Array;
  readonly tools: readonly number[];
  readonly isWeak: boolean;
}

/** Share of the words of a clause below which a match is weak. */
const minShare = 0.4;

function matchedShare({ terms }: Clause, tool: number, index: TermIndex): number {
  const entries = [...terms];
  const sum = (list: typeof entries): number =>
    list.reduce((total, [, weight]) => total + weight, 0);
  return sum(entries.filter(([term]) => index.scores(term)[tool]! > 0)) / sum(entries);
}

/** Exponent by which the best scores of clauses are made equal. */
const normalization = 0.7;

/**
 * Merges the rankings of clauses. Each tool that a clause contributes lowers its further ones, so
 * that no step of a task crowds out the others.
 */
function interleave(rankings: readonly Ranking[], limit: number): readonly number[] {
  const queues = rankings
    .filter(({ tools }) => tools.length > 0)
    .map(({ scores, tools }) => ({ scores, tools, share: scores[tools[0]!]! ** -normalization }));
  const picked = new Set<number>();
  while (picked.size < limit) {
    const [best] = queues
      .flatMap((queue) => {
        const tool = queue.tools.find((one) => !picked.has(one));
        return tool === undefined
          ? []
          : [{ queue, tool, score: queue.scores[tool]! * queue.share }];
      })
      .sort((a, b) => b.score - a.score);
    if (!best) break;
    picked.add(best.tool);
    best.queue.share *= weights.sameClause;
  }
  return [...picked];
}
