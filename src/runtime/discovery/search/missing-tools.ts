import type { Clause } from "./query.js";
import { bestOf } from "./producers.js";
import type { ToolTerms } from "./rank-clause.js";
import type { TermMatches } from "./term-index.js";
import type { ToolFacts } from "./tool-facts.js";
import { weights } from "./weights.js";

/** Tools that a search has ranked for a query. */
interface RankedTools {
  readonly clauses: readonly Clause[];
  /** Scores of all tools by clause. */
  readonly scores: readonly Float64Array[];
  /** Positions of the tools that are found. */
  readonly ranked: readonly number[];
  /** Most tools of the answer. */
  readonly limit: number;
}

interface SearchableTools {
  readonly facts: readonly (ToolFacts & ToolTerms)[];
  match(term: string, isVerb: boolean): TermMatches;
  isAccepted(tool: number): boolean;
}

/** Most share of the answer. */
const maxShare = 0.4;

/**
 * Positions of tools that a task may need besides the best ones, which may all serve one of its
 * words: the best tool for the things of each other word, one that searches for the names in the
 * query, and the producers of these and of the best tool.
 */
export function missingTools(found: RankedTools, tools: SearchableTools): readonly number[] {
  const { ranked, limit } = found;
  const further = [...toolsForThings(found, tools), ...toolForNames(found, tools)];
  const producers = [...ranked.slice(0, 1), ...further].flatMap((tool) =>
    missingProducers(tool, ranked, tools),
  );
  const missing = new Set([...further, ...producers]);
  return [...missing]
    .filter((tool) => !ranked.includes(tool))
    .slice(0, Math.floor(maxShare * limit));
}

/** The best tool for each word of the query that is a thing, unless a found one is for it. */
function toolsForThings(
  { clauses, scores, ranked }: RankedTools,
  { facts, match, isAccepted }: SearchableTools,
): readonly number[] {
  return clauses.flatMap(({ terms, act }, clause) =>
    [...terms].flatMap(([term, weight]) => {
      if (weight < weights.thing || term === act) return [];
      const { matches, scores: termScores } = match(term, false);
      const known = new Set(matches.map((one) => one.term));
      const isForThing = (tool: number): boolean =>
        termScores[tool]! > 0 && facts[tool]!.headTerms.some((one) => known.has(one));
      if (ranked.some(isForThing)) return [];
      return bestOf(scores[clause]!, 1, (tool) => isForThing(tool) && isAccepted(tool));
    }),
  );
}

/** The best tool that searches by text, for a query with a name, unless one is found. */
function toolForNames(
  { clauses, scores, ranked }: RankedTools,
  { facts, isAccepted }: SearchableTools,
): readonly number[] {
  const searches = (tool: number): boolean =>
    facts[tool]!.isTextSearch && facts[tool]!.effect === "reads";
  if (!clauses.some(({ hasName }) => hasName) || ranked.some(searches)) return [];
  const totals = Float64Array.from(facts, (_, tool) =>
    scores.reduce((sum, one) => sum + one[tool]!, Number.EPSILON),
  );
  return bestOf(totals, 1, (tool) => searches(tool) && isAccepted(tool));
}

/** The first producer of each required input of a tool that no found tool gives. */
function missingProducers(
  tool: number,
  ranked: readonly number[],
  { facts, isAccepted }: SearchableTools,
): readonly number[] {
  return facts[tool]!.producers.flatMap((names) => {
    const producers = names.map((name) => facts.findIndex((one) => one.name === name));
    if (producers.some((producer) => ranked.includes(producer))) return [];
    return producers.filter((producer) => producer >= 0 && isAccepted(producer)).slice(0, 1);
  });
}
