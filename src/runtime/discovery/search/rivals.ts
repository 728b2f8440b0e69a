/** APIs between which the words of a task do not decide. */
import type { Clause } from "./query.js";
import { bestOf } from "./producers.js";
import type { ApiTools, MatchTerm } from "./rank-by-api.js";
import type { ToolTerms } from "./rank-clause.js";
import type { ToolFacts } from "./tool-facts.js";
import { weights } from "./weights.js";

/** APIs that a query may mean, and their first tools in turn. */
export interface Rivals {
  readonly apis: readonly string[];
  readonly tools: readonly number[];
}

export const noRivals: Rivals = { apis: [], tools: [] };

/** Most rivals, and the tools of each that begin the answer. */
const maxRivals = 3;
const rivalTools = 3;

interface SearchedTools {
  readonly facts: readonly (ToolFacts & ToolTerms)[];
  readonly match: MatchTerm;
  isAccepted(tool: number): boolean;
}

/**
 * Finds the APIs that a query of one step means about as likely as that of the best tool: their
 * best tools have about its score, or each of them has a tool whose name says exactly what the
 * clause does.
 */
export function rivalsOf(
  clause: Clause,
  scores: Float64Array,
  apis: readonly ApiTools[],
  { facts, match, isAccepted }: SearchedTools,
): Rivals {
  const scoreOf = ([tool = -1]: readonly number[]): number => scores[tool] ?? 0;
  const [first, ...others] = apis
    .map(({ positions }) => bestOf(scores, rivalTools, isAccepted, positions))
    .filter((list) => list.length > 0)
    .sort((a, b) => scoreOf(b) - scoreOf(a));
  if (!first) return noRivals;
  const isExact = (list: readonly number[]): boolean =>
    list.some((tool) => saysExactly(facts[tool]!, clause, match));
  const isFirstExact = isExact(first);
  const rivals = others.filter(
    (list) => scoreOf(list) >= scoreOf(first) * weights.rival || (isFirstExact && isExact(list)),
  );
  const lists = [first, ...rivals].slice(0, maxRivals);
  const names = lists.flatMap(([tool]) => facts[tool!]!.api ?? []);
  if (names.length < 2) return noRivals;
  const turns = Array.from({ length: rivalTools }, (_, turn) => turn);
  return {
    apis: names,
    tools: turns.flatMap((turn) => lists.flatMap((list) => list[turn] ?? [])),
  };
}

/** True if the name of a tool has every word of a clause that matters, and no other. */
function saysExactly(
  { objectTerms, actTerms }: ToolTerms,
  { terms, act }: Clause,
  match: MatchTerm,
): boolean {
  const said = new Set<number>();
  for (const [term, weight] of terms) {
    const isAct = term === act;
    const own = isAct ? actTerms.filter((_, i) => i % 2 === 0) : objectTerms;
    const close = match(term, isAct).matches.filter((one) => one.weight >= weights.sameFamily);
    const found = close.filter((one) => own.includes(one.term));
    if (found.length === 0 && weight > weights.vague) return false;
    for (const one of found) said.add(one.term);
  }
  return objectTerms.every((term) => said.has(term));
}
