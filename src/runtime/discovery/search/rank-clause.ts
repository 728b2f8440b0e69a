import type { ToolEffect } from "../../types.js";
import type { Clause } from "./query.js";
import type { Match, TermIndex } from "./term-index.js";
import type { ToolTraits } from "./tool-traits.js";
import { weights } from "./weights.js";

/** Scores all tools for a clause. A tool without a term of the clause has 0. */
export function rankClause(
  clause: Clause,
  index: TermIndex,
  traits: readonly ToolTraits[],
): Float64Array {
  const { scores, covered, nameMatches } = matchTerms(clause, index, traits.length);
  const acts = clause.act === undefined ? [] : index.matches(clause.act);
  for (let tool = 0; tool < scores.length; tool++) {
    const score = scores[tool]!;
    if (score === 0) continue;
    const one = traits[tool]!;
    scores[tool] =
      score *
      covered[tool]! ** weights.coverage *
      (1 + weights.name * nameSimilarity(one, nameMatches, index)) *
      (1 + weights.act * actSimilarity(one, acts)) *
      effectFactor(one.effect, clause.effects) *
      (clause.isOwn && one.isOwn ? 1 + weights.own : 1);
  }
  return scores;
}

interface TermMatches {
  readonly scores: Float64Array;
  /** Share of the clause that each tool matches, by the rarity of the terms. */
  readonly covered: Float64Array;
  /** Terms of the index that the clause matches, with their weights. */
  readonly nameMatches: ReadonlyMap<string, number>;
}

function matchTerms({ terms }: Clause, index: TermIndex, count: number): TermMatches {
  const scores = new Float64Array(count);
  const covered = new Float64Array(count);
  const nameMatches = new Map<string, number>();
  let total = 0;
  for (const [term, weight] of terms) {
    const matches = index.matches(term);
    const rarity = weight * Math.max(0, ...matches.map((match) => match.weight * match.idf));
    total += rarity;
    for (const match of matches) {
      const known = nameMatches.get(match.term) ?? 0;
      nameMatches.set(match.term, Math.max(known, weight * match.weight));
    }
    const termScores = index.scores(term);
    for (let tool = 0; tool < count; tool++) {
      const score = termScores[tool]!;
      if (score === 0) continue;
      scores[tool]! += weight * score;
      covered[tool]! += rarity;
    }
  }
  if (total > 0) for (let tool = 0; tool < count; tool++) covered[tool]! /= total;
  return { scores, covered, nameMatches };
}

/** Share of a tool's name that the clause matches, by the rarity of the terms. */
function nameSimilarity(
  { nameTerms }: ToolTraits,
  matches: ReadonlyMap<string, number>,
  index: TermIndex,
): number {
  let total = 0;
  let matched = 0;
  for (const [term, weight] of nameTerms) {
    const idf = index.idf(term);
    total += weight * idf;
    matched += Math.min(weight, matches.get(term) ?? 0) * idf;
  }
  return total > 0 ? Math.min(1, matched / total) : 0;
}

function actSimilarity({ acts }: ToolTraits, matches: readonly Match[]): number {
  let best = 0;
  for (const { term, weight } of matches) best = Math.max(best, weight * (acts.get(term) ?? 0));
  return best;
}

const isRemoval = (effect: ToolEffect): boolean => effect === "removes" || effect === "destroys";

/** Share of a tool's score by its effect and those that the verb asks for. */
function effectFactor(effect: ToolEffect, asked: Clause["effects"]): number {
  const { reading, removing, similar, unasked } = weights.otherEffect;
  if (!asked) return effect === "reads" ? 1 : unasked;
  if (asked.has(effect)) return 1;
  const removals = [...asked].filter(isRemoval).length;
  if (isRemoval(effect) && removals > 0) return 1;
  if (effect === "reads" || (asked.has("reads") && asked.size === 1)) return reading;
  return isRemoval(effect) || removals === asked.size ? removing : similar;
}
