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

/** Finds the matches of a term of a query. */
export type MatchTerm = (term: string, isVerb: boolean) => TermMatches;

/**
 * Scores the tools of several APIs for a clause. Among the tools of one API the rarity of terms is
 * that of this API, so that other APIs do not change their order. A tool counts as much as it is
 * likely to be the one of its API, and its API to be meant.
 * @param joint scores of all tools by the index of all
 */
export function rankByApi(
  clause: Clause,
  joint: Float64Array,
  apis: readonly ApiTools[],
  match: MatchTerm,
): Float64Array {
  const scores = new Float64Array(joint.length);
  const named = namedApis(
    clause,
    apis.map(({ facts }) => facts[0]?.api ?? ""),
  );
  const owns = apis.map(({ index, facts }) =>
    rankClause(clause, index, facts, (term, isVerb) => index.match(term, isVerb)),
  );
  const evidence = apiEvidence(clause, joint, apis, owns, match);
  const most = Math.max(...evidence);
  const { apiSpread, steepness } = weights;
  for (const [api, { positions }] of apis.entries()) {
    const own = owns[api]!;
    const sum = own.reduce((total, score) => total + score ** apiSpread, 0);
    if (sum === 0) continue;
    const share = named.size === 0 || named.has(api) ? 1 : weights.unnamedApi;
    const likelihood = Math.exp((evidence[api]! - most) / steepness);
    const factor = (share * likelihood) / sum ** (1 / apiSpread);
    for (const [i, tool] of positions.entries()) scores[tool] = own[i]! * factor;
  }
  return scores;
}

/**
 * Evidence that each API is meant, as a logit: the score of its best tool by the rarity among all
 * tools, how much more often its tools have the words of the clause, in their names and anywhere,
 * than those of all APIs, and how many of the words its best tool has. The size of an API does not
 * matter.
 */
function apiEvidence(
  clause: Clause,
  joint: Float64Array,
  apis: readonly ApiTools[],
  owns: readonly Float64Array[],
  match: MatchTerm,
): readonly number[] {
  const sums = apis.map(() => 0);
  let total = 0;
  const bestTools = apis.map(({ positions }, api) => positions[indexOfMost(owns[api]!)]!);
  for (const [term, weight] of clause.terms) {
    const found = match(term, term === clause.act);
    if (found.tools.length === 0) continue;
    total += weight;
    const names = relativeShares(apis, (api) => countNames(api, found));
    const words = relativeShares(apis, ({ index }) => index.count(term));
    for (const api of apis.keys())
      sums[api]! +=
        weight *
        (weights.api.names * names[api]! +
          weights.api.words * words[api]! +
          (found.scores[bestTools[api]!]! > 0 ? weights.api.covered : 0));
  }
  return apis.map(({ positions }, api) => {
    const score = positions.reduce((most, tool) => Math.max(most, joint[tool]!), 0);
    return sums[api]! / Math.max(total, 1) + weights.api.best * Math.log(Math.max(score, 1e-3));
  });
}

function indexOfMost(scores: Float64Array): number {
  return scores.reduce((most, score, i) => (score > scores[most]! ? i : most), 0);
}

/** Number of tools whose names and paths have a term, by term of the index. */
const nameCounts = new WeakMap<ApiTools, ReadonlyMap<number, number>>();

/** Number of tools whose names and paths match a term; those of a synonym count less. */
function countNames(api: ApiTools, { matches }: TermMatches): number {
  let counts = nameCounts.get(api);
  if (!counts) nameCounts.set(api, (counts = readNames(api)));
  return matches.reduce((sum, { term, weight }) => sum + weight * (counts.get(term) ?? 0), 0);
}

function readNames({ facts }: ApiTools): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { objectTerms, pathTerms } of facts)
    for (const term of new Set([...objectTerms, ...pathTerms]))
      counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** Logarithms of how much more often the tools of each API have a word than those of all. */
function relativeShares(
  apis: readonly ApiTools[],
  countOf: (api: ApiTools) => number,
): readonly number[] {
  const counts = apis.map(countOf);
  const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
  const expected = (sum(counts) + leastCount) / sum(apis.map(({ positions }) => positions.length));
  return apis.map(({ positions: { length } }, api) =>
    Math.log((counts[api]! + smoothing * expected) / (length + smoothing) / expected),
  );
}

/** Tools with the average share of a word that each API is assumed to have besides its own. */
const smoothing = 50;

/** Added to the number of tools that have a word, which may be 0. */
const leastCount = 0.1;
