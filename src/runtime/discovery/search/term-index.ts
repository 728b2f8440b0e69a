import { synonymsOf } from "./synonyms.js";
import { tokenize } from "./terms.js";
import { searchFields, type SearchField } from "./tool-text.js";
import { fieldWeights, weights } from "./weights.js";

/** A term of the index that matches a term of a query. */
export interface Match {
  readonly term: string;
  /** 1 for the term itself. */
  readonly weight: number;
  /** Rarity: the inverse document frequency, at most that of the term of the query. */
  readonly idf: number;
}

interface Postings {
  /** Positions of the tools that have the term. */
  readonly tools: number[];
  /** Weights of the term in these tools. */
  readonly weights: number[];
  idf: number;
}

const saturation = 1.2;
const lengthNormalization = 0.5;

/** Index of the terms of tools by BM25F, whose fields share one saturation. */
export class TermIndex {
  readonly #postings = new Map<string, Postings>();
  readonly #matches = new Map<string, readonly Match[]>();
  readonly #size: number;

  constructor(texts: readonly Readonly<Record<SearchField, string>>[]) {
    this.#size = texts.length;
    for (const [tool, text] of texts.entries()) this.#add(tool, text);
    for (const postings of this.#postings.values()) {
      const { tools, weights: list } = postings;
      postings.idf = Math.log(1 + (texts.length - tools.length + 0.5) / (tools.length + 0.5));
      for (let i = 0; i < list.length; i++) list[i]! /= saturation + list[i]!;
    }
  }

  /** Inverse document frequency of a term; 0 for a term that no tool has. */
  idf(term: string): number {
    return this.#postings.get(term)?.idf ?? 0;
  }

  /** The term and its synonyms. If no tool has any of them: terms that are spelled alike. */
  matches(term: string): readonly Match[] {
    const known = this.#matches.get(term);
    if (known) return known;
    const found = this.#findMatches(term);
    if (this.#matches.size < maxRemembered) this.#matches.set(term, found);
    return found;
  }

  /** Scores of all tools for a term: the best of its matches. */
  scores(term: string): Float64Array {
    const scores = new Float64Array(this.#size);
    for (const { term: match, weight, idf } of this.matches(term)) {
      const { tools, weights: list } = this.#postings.get(match)!;
      for (let i = 0; i < tools.length; i++) {
        const score = weight * idf * list[i]!;
        if (score > scores[tools[i]!]!) scores[tools[i]!] = score;
      }
    }
    return scores;
  }

  #findMatches(term: string): readonly Match[] {
    const own = this.#postings.get(term);
    const matches: Match[] = own ? [{ term, weight: 1, idf: own.idf }] : [];
    const maxIdf = own ? Math.max(own.idf, 1) : Infinity;
    for (const synonym of synonymsOf(term))
      if (this.#postings.has(synonym))
        matches.push({
          term: synonym,
          weight: weights.synonym,
          idf: Math.min(this.idf(synonym), maxIdf),
        });
    return matches.length > 0 ? matches : this.#similarTerms(term);
  }

  #similarTerms(term: string): readonly Match[] {
    if (term.length < 4) return [];
    return [...this.#postings.keys()].flatMap((other) => {
      const weight = other.startsWith(term)
        ? weights.prefix
        : term.length > 4 && isMisspelled(term, other)
          ? weights.misspelled
          : 0;
      return weight > 0 ? [{ term: other, weight, idf: this.idf(other) }] : [];
    });
  }

  #add(tool: number, text: Readonly<Record<SearchField, string>>): void {
    const total = new Map<string, number>();
    for (const field of searchFields) {
      if (text[field] === "") continue;
      const terms = tokenize(text[field]);
      const [weight, length] = fieldWeights[field];
      const share =
        weight / (1 - lengthNormalization + (lengthNormalization * terms.length) / length);
      for (const term of terms) total.set(term, (total.get(term) ?? 0) + share);
    }
    for (const [term, weight] of total) {
      const postings = this.#postings.get(term);
      if (postings) {
        postings.tools.push(tool);
        postings.weights.push(weight);
      } else this.#postings.set(term, { tools: [tool], weights: [weight], idf: 0 });
    }
  }
}

/** Terms whose matches are remembered. They come from clients. */
const maxRemembered = 5_000;

/** True if two words differ by one letter, or by two letters that are swapped. */
function isMisspelled(word: string, other: string): boolean {
  if (word[0] !== other[0] || Math.abs(word.length - other.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === other[start]) start++;
  const [rest, otherRest] = [word.slice(start), other.slice(start)];
  if (rest.length !== otherRest.length)
    return rest.slice(1) === otherRest || otherRest.slice(1) === rest;
  const isSwapped = rest[0] === otherRest[1] && rest[1] === otherRest[0];
  return (
    rest.slice(1) === otherRest.slice(1) || (isSwapped && rest.slice(2) === otherRest.slice(2))
  );
}
