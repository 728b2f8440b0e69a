import type { ToolEffect } from "../../types.js";
import type { Clause } from "./query.js";
import type { TermIndex, TermMatches } from "./term-index.js";
import type { ToolFacts } from "./tool-facts.js";
import { weights } from "./weights.js";

/** Terms of a tool that the ranking compares with a clause. */
export interface ToolTerms {
  readonly effect: ToolEffect;
  readonly isOwn: boolean;
  /** Terms of the name, and their weights. */
  readonly name: readonly (readonly [term: number, weight: number])[];
  /** Terms for what the tool does, and their weights. */
  readonly acts: readonly (readonly [term: number, weight: number])[];
}

/** Derives the compared terms of a tool. */
export function toolTerms(facts: ToolFacts, index: TermIndex): ToolTerms {
  const { name, effect, isOwn, acts, choices } = facts;
  const nameTerms = new Map<number, number>();
  const [main = "", qualifier = ""] = name.split(/_(?:for|of|by|in|with|to)_(.*)/s);
  const [verb = "", ...objects] = main.split("_");
  weigh(nameTerms, qualifier.split("_"), weights.qualifier, index);
  weigh(nameTerms, [verb], objects.length > 0 ? weights.nameVerb : 1, index);
  weigh(nameTerms, objects, 1, index);
  const actTerms = new Map<number, number>();
  weigh(actTerms, choices, weights.enumAct, index);
  weigh(actTerms, acts, 1, index);
  return { effect, isOwn, name: [...nameTerms], acts: [...actTerms] };
}

function weigh(
  terms: Map<number, number>,
  words: readonly string[],
  weight: number,
  index: TermIndex,
): void {
  for (const word of words) for (const term of index.termsOf(word)) terms.set(term, weight);
}

/** Scores all tools for a clause. A tool without a term of the clause has 0. */
export function rankClause(
  clause: Clause,
  index: TermIndex,
  termsOfTool: (tool: number) => ToolTerms,
  match: (term: string, isVerb: boolean) => TermMatches,
): Float64Array {
  const { scores, covered, nameMatches } = matchTerms(clause, index, match);
  const actMatches = new Map<number, number>();
  if (clause.act !== undefined)
    for (const { term, weight } of match(clause.act, true).matches) actMatches.set(term, weight);
  for (let position = 0; position < scores.length; position++) {
    const score = scores[position]!;
    if (score === 0) continue;
    const tool = termsOfTool(position);
    scores[position] =
      score *
      covered[position]! ** weights.coverage *
      (1 + weights.name * nameSimilarity(tool, nameMatches, index)) *
      (1 + weights.act * actSimilarity(tool, actMatches)) *
      effectFactor(tool.effect, clause.effects) *
      (clause.isOwn && tool.isOwn ? 1 + weights.own : 1);
  }
  return scores;
}

interface ClauseMatches {
  readonly scores: Float64Array;
  /** Share of the clause that each tool matches, by the rarity of the terms. */
  readonly covered: Float64Array;
  /** Weights of the terms of the index that the clause matches. */
  readonly nameMatches: Float64Array;
}

function matchTerms(
  { terms, act }: Clause,
  index: TermIndex,
  match: (term: string, isVerb: boolean) => TermMatches,
): ClauseMatches {
  const scores = new Float64Array(index.size);
  const covered = new Float64Array(index.size);
  const nameMatches = new Float64Array(index.termCount);
  let total = 0;
  for (const [term, weight] of terms) {
    const { matches, scores: termScores, tools } = match(term, term === act);
    let rarity = 0;
    for (const { term: matched, weight: closeness, idf } of matches) {
      rarity = Math.max(rarity, weight * closeness * idf);
      nameMatches[matched] = Math.max(nameMatches[matched]!, weight * closeness);
    }
    total += rarity;
    for (const tool of tools) {
      scores[tool]! += weight * termScores[tool]!;
      covered[tool]! += rarity;
    }
  }
  if (total > 0) for (let tool = 0; tool < index.size; tool++) covered[tool]! /= total;
  return { scores, covered, nameMatches };
}

/** Share of a tool's name that the clause matches, by the rarity of the terms. */
function nameSimilarity({ name }: ToolTerms, matches: Float64Array, index: TermIndex): number {
  let total = 0;
  let matched = 0;
  for (const [term, weight] of name) {
    const idf = index.idf(term);
    total += weight * idf;
    matched += Math.min(weight, matches[term]!) * idf;
  }
  return total > 0 ? Math.min(1, matched / total) : 0;
}

function actSimilarity({ acts }: ToolTerms, matches: ReadonlyMap<number, number>): number {
  if (matches.size === 0) return 0;
  let best = 0;
  for (const [term, weight] of acts) best = Math.max(best, weight * (matches.get(term) ?? 0));
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
