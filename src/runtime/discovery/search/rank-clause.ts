import type { ToolEffect } from "../../types.js";
import { objectOf } from "./producers.js";
import type { Clause } from "./query.js";
import type { TermIndex, TermMatches } from "./term-index.js";
import type { ToolFacts, ToolWords } from "./tool-facts.js";
import { weights } from "./weights.js";

/** Terms of a tool that the ranking compares with a clause, each followed by its weight. */
export interface ToolTerms {
  /** Those of the name. */
  readonly nameTerms: readonly number[];
  /** Terms for the action of the tool. */
  readonly actTerms: readonly number[];
  /** Terms for the kind of thing of the tool: those of the last word of its object. */
  readonly headTerms: readonly number[];
}

/** Derives the compared terms of a tool. */
export function toolTerms(
  { name, acts, choices }: ToolWords,
  termsOf: (word: string) => readonly number[],
): ToolTerms {
  const weigh = (groups: readonly (readonly [readonly string[], number])[]): number[] => {
    const terms = new Map<number, number>();
    for (const [words, weight] of groups)
      for (const word of words) for (const term of termsOf(word)) terms.set(term, weight);
    return [...terms].flat();
  };
  const [verb = "", ...objects] = name.split("_");
  return {
    nameTerms: weigh([
      [[verb], objects.length > 0 ? weights.nameVerb : 1],
      [objects, 1],
    ]),
    actTerms: weigh([
      [choices, weights.enumAct],
      [acts, 1],
    ]),
    headTerms: name.includes("_") ? termsOf(/[^_]*$/.exec(objectOf({ name }))![0]) : [],
  };
}

/** Scores all tools for a clause. A tool without a term of the clause has 0. */
export function rankClause(
  clause: Clause,
  index: TermIndex,
  tools: readonly (ToolFacts & ToolTerms)[],
  match: (term: string, isVerb: boolean) => TermMatches,
): Float64Array {
  const { scores, covered, nameMatches } = matchTerms(clause, index, match);
  const actMatches = new Map<number, number>();
  if (clause.act !== undefined)
    for (const { term, weight } of match(clause.act, true).matches) actMatches.set(term, weight);
  const heads = matchesOf(clause.objects.head, match);
  const contexts = matchesOf(clause.objects.context, match);
  for (let position = 0; position < scores.length; position++) {
    const score = scores[position]!;
    if (score === 0) continue;
    const tool = tools[position]!;
    scores[position] =
      score *
      covered[position]! ** weights.coverage *
      (1 + weights.name * nameSimilarity(tool, nameMatches, index)) *
      (1 + weights.act * actSimilarity(tool, actMatches)) *
      effectFactor(tool.effect, clause.effects) *
      objectFactor(tool, heads, contexts, clause.objects.isPlural) *
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
function nameSimilarity({ nameTerms }: ToolTerms, matches: Float64Array, index: TermIndex): number {
  let total = 0;
  let matched = 0;
  for (let i = 0; i < nameTerms.length; i += 2) {
    const term = nameTerms[i]!;
    const weight = nameTerms[i + 1]!;
    const idf = index.idf(term);
    total += weight * idf;
    matched += Math.min(weight, matches[term]!) * idf;
  }
  return total > 0 ? Math.min(1, matched / total) : 0;
}

function actSimilarity({ actTerms }: ToolTerms, matches: ReadonlyMap<number, number>): number {
  if (matches.size === 0) return 0;
  let best = 0;
  for (let i = 0; i < actTerms.length; i += 2)
    best = Math.max(best, actTerms[i + 1]! * (matches.get(actTerms[i]!) ?? 0));
  return best;
}

/** The best weight of each term of the index that stems match. */
function matchesOf(
  stems: ReadonlySet<string>,
  match: (term: string, isVerb: boolean) => TermMatches,
): ReadonlyMap<number, number> {
  const weightsByTerm = new Map<number, number>();
  for (const stem of stems)
    for (const { term, weight } of match(stem, false).matches)
      weightsByTerm.set(term, Math.max(weight, weightsByTerm.get(term) ?? 0));
  return weightsByTerm;
}

/** Gain or loss of a tool by the kind of its thing: that of the clause, or one of its context. */
function objectFactor(
  { headTerms, name, isTextSearch }: ToolTerms & ToolFacts,
  heads: ReadonlyMap<number, number>,
  contexts: ReadonlyMap<number, number>,
  isPlural: boolean,
): number {
  if (heads.size === 0) return 1;
  const best = (matches: ReadonlyMap<number, number>): number =>
    headTerms.reduce((most, term) => Math.max(most, matches.get(term) ?? 0), 0);
  const head = best(heads);
  if (head > 0) {
    const many = isPlural && /^(?:find|list|search)_/.test(name) ? weights.plural : 0;
    return 1 + weights.head * head + many;
  }
  return isTextSearch ? 1 : 1 - weights.specifier * best(contexts);
}

const isRemoval = (effect: ToolEffect): boolean => effect === "removes" || effect === "destroys";

/** Share of a tool's score by its effect and those that the verb asks for. */
function effectFactor(effect: ToolEffect, asked: Clause["effects"]): number {
  const { reading, removing, similar } = weights.otherEffect;
  if (!asked || asked.has(effect)) return 1;
  const removals = [...asked].filter(isRemoval).length;
  if (isRemoval(effect) && removals > 0) return 1;
  if (effect === "reads" || (asked.has("reads") && asked.size === 1)) return reading;
  return isRemoval(effect) || removals === asked.size ? removing : similar;
}
