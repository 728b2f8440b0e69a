import type { AnyTool } from "../../tools/hooks.js";
import { bestOf, producerScores } from "./producers.js";
import { parseQuery } from "./query.js";
import { rankClause } from "./rank-clause.js";
import { TermIndex } from "./term-index.js";
import { toolText } from "./tool-text.js";
import { toolTraits } from "./tool-traits.js";
import { weights } from "./weights.js";

/**
 * Full-text search over tools. The first search loads this module. It imports no other part of the
 * runtime, so that servers that list their tools do not load it.
 */
export interface ToolSearch {
  /** The best matches, best first. */
  find(query: string, options: SearchOptions): readonly SearchHit[];
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
      const rankings = parseQuery(query).map((clause): Ranking => {
        const scores = raiseProducers(rankClause(clause, index, traits), clause.hasName);
        const isAccepted = (tool: number): boolean => accepts(hits[tool]!);
        return { scores, tools: bestOf(scores, hits.length).filter(isAccepted).slice(0, limit) };
      });
      return interleave(rankings, limit).map((tool) => hits[tool]!);
    },
  };
}

interface Ranking {
  readonly scores: Float64Array;
  readonly tools: readonly number[];
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
