import type { AnyTool } from "../../tools/definitions.js";
import { bestOf, producerScores } from "./producers.js";
import { type Clause, parseQuery } from "./query.js";
import { rankClause, toolTerms } from "./rank-clause.js";
import { IndexBuilder, type TermIndex, type TermMatches } from "./term-index.js";
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

/** Builds the index. It reads each tool once and keeps none, so that they can be garbage-collected. */
export function createSearch(tools: Iterable<AnyTool>): ToolSearch {
  const builder = new IndexBuilder();
  const facts: ToolFacts[] = [];
  for (const tool of tools) {
    const read = readTool(tool);
    builder.add(read.texts);
    facts.push(read.facts);
  }
  const index = builder.build();
  const terms = memoized((tool) => toolTerms(facts[tool]!, index));
  const raiseProducers = producerScores(facts);
  return {
    find(query, { limit, accepts }) {
      const isAccepted = (tool: number): boolean => accepts(facts[tool]!);
      const match = rememberMatches(index);
      const rankings = parseQuery(query).map((clause): Ranking => {
        const own = rankClause(clause, index, terms, match);
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

/** A function of the positions of tools, called once for each. */
function memoized<T>(derive: (tool: number) => T): (tool: number) => T {
  const known: T[] = [];
  return (tool) => (known[tool] ??= derive(tool));
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
