import { namedApis } from "./api-names.js";
import { rankClause, type ToolTerms } from "./rank-clause.js";
import type { Clause } from "./query.js";
import type { TermIndex, TermMatches } from "./term-index.js";
import type { ToolFacts } from "./tool-facts.js";
import { weights } from "./weights.js";

/** The tools of one API, with an index of their own. */
export interface ApiTools {
  /** Positions among all tools, in the order of the index. */
  readonly positions: readonly number[];
  readonly facts: readonly (ToolFacts & ToolTerms)[];
  readonly index: TermIndex;
}

/**
 * Scores the tools of several APIs for a clause. Among the tools of one API the rarity of terms is
 * that of this API, so that other APIs do not change their order. The best ones of the APIs compare
 * by the rarity among all tools, and by the words that an API uses more often than the others.
 * @param joint scores of all tools by the index of all
 */
export function rankByApi(
  clause: Clause,
  joint: Float64Array,
  apis: readonly ApiTools[],
  match: (term: string, isVerb: boolean) => TermMatches,
): Float64Array {
  const scores = new Float64Array(joint.length);
  const shares = apiShares(clause, joint.length, apis, match);
  const named = namedApis(
    clause,
    apis.map(({ facts }) => facts[0]?.api ?? ""),
  );
  const smallest = apis.reduce(
    (least, { positions }) => Math.min(least, positions.length),
    Infinity,
  );
  for (const [api, { positions, facts, index }] of apis.entries()) {
    const own = rankClause(clause, index, facts, (term, isVerb) => index.match(term, isVerb));
    const best = own.reduce((most, score) => Math.max(most, score), 0);
    if (best === 0) continue;
    const jointBest = positions.reduce((most, tool) => Math.max(most, joint[tool]!), 0);
    const share = shares[api]! * (named.size === 0 || named.has(api) ? 1 : weights.unnamedApi);
    const factor = (share * (smallest / positions.length) ** weights.apiSize * jointBest) / best;
    for (const [i, tool] of positions.entries()) scores[tool] = own[i]! * factor;
  }
  return scores;
}

/** Shares of the APIs by how much more often their tools have the words of a clause: at most 1. */
function apiShares(
  { terms, act }: Clause,
  count: number,
  apis: readonly ApiTools[],
  match: (term: string, isVerb: boolean) => TermMatches,
): readonly number[] {
  const evidence = apis.map(() => 0);
  let total = 0;
  for (const [term, weight] of terms) {
    const { tools, scores } = match(term, term === act);
    if (tools.length === 0) continue;
    total += weight;
    const expected = tools.length / count;
    for (const [api, { positions }] of apis.entries()) {
      const found = positions.filter((tool) => scores[tool]! > 0).length;
      const share = (found + smoothing * expected) / (positions.length + smoothing);
      evidence[api]! += weight * Math.log(share / expected);
    }
  }
  const most = Math.max(...evidence);
  return evidence.map((one) => Math.exp((weights.api * (one - most)) / Math.max(total, 1)));
}

/** Tools with the average share of a word that each API is assumed to have besides its own. */
const smoothing = 50;
