import type { ToolEffect } from "../../types.js";
import { objectOf } from "./producers.js";
import type { Clause } from "./query.js";
import type { TermIndex, TermMatches } from "./term-index.js";
import type { ToolFacts, ToolWords } from "./tool-facts.js";
import { weights } from "./weights.js";

/** Terms of a tool that the ranking compares with a clause. */
export interface ToolTerms {
  /** Those of the name without its verb. */
  readonly objectTerms: readonly number[];
  /** Number of words of the name. */
  readonly nameLength: number;
  readonly pathTerms: readonly number[];
  /** Those of the first sentence of the description. */
  readonly summaryTerms: readonly number[];
  /** Terms for the action of the tool, each followed by its weight. */
  readonly actTerms: readonly number[];
  /** Terms for the kind of thing of the tool: those of the last word of its object. */
  readonly headTerms: readonly number[];
}

/** Derives the compared terms of a tool. */
export function toolTerms(
  { name, path, summary, acts, choices }: ToolWords,
  termsOf: (word: string) => readonly number[],
): ToolTerms {
  const actTerms = new Map<number, number>();
  for (const word of choices) for (const term of termsOf(word)) actTerms.set(term, weights.enumAct);
  for (const word of acts) for (const term of termsOf(word)) actTerms.set(term, 1);
  const words = name.split("_");
  const distinct = (texts: readonly string[]): number[] => [...new Set(texts.flatMap(termsOf))];
  return {
    objectTerms: distinct(words.length > 1 ? words.slice(1) : words),
    nameLength: words.length,
    pathTerms: distinct([path]),
    summaryTerms: distinct([summary]),
    actTerms: [...actTerms].flat(),
    headTerms: words.length > 1 ? termsOf(/[^_]*$/.exec(objectOf({ name }))![0]) : [],
  };
}

/**
 * Scores all tools for a clause: a linear model of a few facts, whose result is an exponent. A tool
 * without a term of the clause has 0.
 */
export function rankClause(
  clause: Clause,
  index: TermIndex,
  tools: readonly (ToolFacts & ToolTerms)[],
  match: (term: string, isVerb: boolean) => TermMatches,
): Float64Array {
  const { scores, covered, strong, best, rarities, total } = matchTerms(clause, index, match);
  const actMatches = new Map<number, number>();
  if (clause.act !== undefined)
    for (const { term, weight } of match(clause.act, true).matches) actMatches.set(term, weight);
  const heads = matchesOf(clause.objects.head, match);
  const contexts = matchesOf(clause.objects.context, match);
  const { rank } = weights;
  for (let position = 0; position < scores.length; position++) {
    const score = scores[position]!;
    if (score === 0) continue;
    const tool = tools[position]!;
    const name = compareText(tool.objectTerms, best, rarities);
    const path = compareText(tool.pathTerms, best, rarities);
    const summary = compareText(tool.summaryTerms, best, rarities);
    const sum =
      rank.covered * (covered[position]! / total) +
      rank.strong * (strong[position]! / total) +
      rank.path * (path.covered / total) +
      rank.summary * (summary.covered / total) +
      rank.unasked.name * Math.log1p(name.unasked) +
      rank.unasked.summary * Math.log1p(summary.unasked) +
      rank.nameLength * tool.nameLength +
      rank.act * actSimilarity(tool, actMatches) +
      effectShare(tool.effect, clause) +
      objectShare(tool, heads, contexts, clause.objects.isPlural) +
      (clause.isOwn && tool.isOwn ? rank.own : 0);
    scores[position] = (score * Math.exp(sum)) ** (1 / weights.steepness);
  }
  return scores;
}

/** The term of a clause that a term of the index matches best. */
interface BestMatch {
  /** Position in the clause. */
  readonly term: number;
  readonly score: number;
}

interface ClauseMatches {
  /** Scores of the tools by BM25F. */
  readonly scores: Float64Array;
  /** Rarity of the terms of the clause that each tool has, and the same by where it has them. */
  readonly covered: Float64Array;
  readonly strong: Float64Array;
  /** The best match of the clause, by term of the index. */
  readonly best: ReadonlyMap<number, BestMatch>;
  /** Room for one number by term of the clause. */
  readonly rarities: Float64Array;
  /** Rarity of all terms of the clause. */
  readonly total: number;
}

function matchTerms(
  { terms, act }: Clause,
  index: TermIndex,
  match: (term: string, isVerb: boolean) => TermMatches,
): ClauseMatches {
  const scores = new Float64Array(index.size);
  const covered = new Float64Array(index.size);
  const strong = new Float64Array(index.size);
  const best = new Map<number, BestMatch>();
  let total = 0;
  for (const [position, [term, weight]] of [...terms].entries()) {
    const { matches, scores: termScores, tools } = match(term, term === act);
    let rarity = 0;
    for (const { term: matched, weight: closeness, idf } of matches) {
      const score = weight * closeness * idf;
      rarity = Math.max(rarity, score);
      if (score > (best.get(matched)?.score ?? -1)) best.set(matched, { term: position, score });
    }
    total += rarity;
    for (const tool of tools) {
      const score = weight * termScores[tool]!;
      scores[tool]! += score;
      covered[tool]! += rarity;
      strong[tool]! += Math.min(rarity, score * weights.strongTerm);
    }
  }
  return { scores, covered, strong, best, rarities: new Float64Array(terms.size), total };
}

/** Rarity of the terms of a clause that a text of a tool has, and its number of other terms. */
function compareText(
  text: readonly number[],
  best: ReadonlyMap<number, BestMatch>,
  rarities: Float64Array,
): { readonly covered: number; readonly unasked: number } {
  rarities.fill(0);
  let unasked = 0;
  for (const one of text) {
    const found = best.get(one);
    if (found) rarities[found.term] = Math.max(rarities[found.term]!, found.score);
    else unasked++;
  }
  let covered = 0;
  for (const rarity of rarities) covered += rarity;
  return { covered, unasked };
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
function objectShare(
  { headTerms, name }: ToolTerms & ToolFacts,
  heads: ReadonlyMap<number, number>,
  contexts: ReadonlyMap<number, number>,
  isPlural: boolean,
): number {
  const best = (matches: ReadonlyMap<number, number>): number =>
    headTerms.reduce((most, term) => Math.max(most, matches.get(term) ?? 0), 0);
  const head = best(heads);
  if (head === 0) return weights.rank.specifier * best(contexts);
  const many = isPlural && /^(?:find|list|search)_/.test(name) ? weights.rank.plural : 0;
  return weights.rank.head * head + many;
}

const isRemoval = (effect: ToolEffect): boolean => effect === "removes" || effect === "destroys";

/** Gain or loss of a tool by its effect and those that the clause asks for. */
function effectShare(effect: ToolEffect, { effects: asked, isQuestion }: Clause): number {
  const { adds, changing, otherEffect } = weights.rank;
  const own = (effect === "adds" ? adds : 0) + (isQuestion && effect !== "reads" ? changing : 0);
  if (!asked || asked.has(effect)) return own;
  if (effect === "reads") return own + otherEffect.reads;
  if (asked.has("reads") && asked.size === 1) return own + otherEffect.changes;
  const removals = [...asked].filter(isRemoval).length;
  if (isRemoval(effect)) return own + (removals === 0 ? otherEffect.removes : 0);
  return own + (removals === asked.size ? otherEffect.keeps : 0);
}
