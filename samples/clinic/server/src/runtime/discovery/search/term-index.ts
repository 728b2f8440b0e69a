import { tokenize } from "./terms.js";
import { type FieldTexts, searchFields } from "./tool-facts.js";
import { synonymsOf } from "./vocabulary.js";
import { fieldWeights, weights } from "./weights.js";

/** A term of the index that matches a term of a query. */
interface Match {
  readonly term: number;
  /** 1 for the term itself. */
  readonly weight: number;
  /** Rarity: the inverse document frequency, at most that of the term of the query. */
  readonly idf: number;
}

/** Matches of a term of a query. */
export interface TermMatches {
  readonly matches: readonly Match[];
  /** Scores of the best match by tool; 0 for tools without one. */
  readonly scores: Float64Array;
  /** Tools with a score. */
  readonly tools: readonly number[];
}

/** Tools that have a term, and the weights of the term in these tools. */
interface Postings {
  readonly tools: number[];
  readonly weights: number[];
}

const saturation = 1.2;
const lengthNormalization = 0.5;

/** Texts longer than this are rarely repeated, and not remembered while the index is built. */
const maxRememberedText = 120;

/** Index of the terms of tools by BM25F, whose fields share one saturation. */
export class TermIndex {
  readonly #ids = new Map<string, number>();
  readonly #postings: Postings[] = [];
  readonly #idf: number[] = [];
  readonly #matches = new Map<string, readonly Match[]>();
  #texts = new Map<string, readonly number[]>();
  #size = 0;
  /** Weights of the terms of the tool that is added. */
  readonly #added = new Map<number, number>();

  /** Terms of a text, as numbers. */
  termsOf(text: string): readonly number[] {
    const known = this.#texts.get(text);
    if (known) return known;
    const terms = tokenize(text).map((term) => this.#idOf(term));
    if (text.length <= maxRememberedText) this.#texts.set(text, terms);
    return terms;
  }

  /** Adds the next tool. */
  add(texts: FieldTexts): void {
    const added = this.#added;
    for (const field of searchFields) {
      const lists = texts[field].map((text) => this.termsOf(text));
      let count = 0;
      for (const terms of lists) count += terms.length;
      if (count === 0) continue;
      const [weight, length] = fieldWeights[field];
      const share = weight / (1 - lengthNormalization + (lengthNormalization * count) / length);
      for (const terms of lists)
        for (const term of terms) added.set(term, (added.get(term) ?? 0) + share);
    }
    for (const [term, weight] of added) {
      const postings = this.#postings[term]!;
      postings.tools.push(this.#size);
      postings.weights.push(weight / (saturation + weight));
    }
    added.clear();
    this.#size++;
  }

  /** Ends the adding of tools. */
  finish(): void {
    this.#texts = new Map();
    for (const { tools } of this.#postings)
      this.#idf.push(Math.log(1 + (this.#size - tools.length + 0.5) / (tools.length + 0.5)));
  }

  /** Number of terms. */
  get termCount(): number {
    return this.#postings.length;
  }

  /** Inverse document frequency of a term. */
  idf(term: number): number {
    return this.#idf[term]!;
  }

  /**
   * Matches of a term of a query: the term and its synonyms. If no tool has any of them, terms that
   * are spelled alike.
   * @param isVerb whether the term is the verb of its clause
   */
  match(term: string, isVerb: boolean): TermMatches {
    const matches = this.#matchesOf(term, isVerb);
    const scores = new Float64Array(this.#size);
    const found: number[] = [];
    for (const { term: match, weight, idf } of matches) {
      const { tools, weights: list } = this.#postings[match]!;
      for (let i = 0; i < tools.length; i++) {
        const tool = tools[i]!;
        const score = weight * idf * list[i]!;
        if (scores[tool] === 0) found.push(tool);
        if (score > scores[tool]!) scores[tool] = score;
      }
    }
    return { matches, scores, tools: found };
  }

  #matchesOf(term: string, isVerb: boolean): readonly Match[] {
    const key = isVerb ? `${term}!` : term;
    const known = this.#matches.get(key);
    if (known) return known;
    const found = this.#findMatches(term, isVerb);
    if (this.#matches.size < maxRemembered) this.#matches.set(key, found);
    return found;
  }

  #findMatches(term: string, isVerb: boolean): readonly Match[] {
    const own = this.#ids.get(term);
    const matches: Match[] =
      own === undefined ? [] : [{ term: own, weight: 1, idf: this.idf(own) }];
    const maxIdf = own === undefined ? Infinity : Math.max(this.idf(own), 1);
    for (const synonym of synonymsOf(term)) {
      const id = this.#ids.get(synonym);
      if (id === undefined || (!isVerb && commonVerbs.has(synonym))) continue;
      matches.push({ term: id, weight: weights.synonym, idf: Math.min(this.idf(id), maxIdf) });
    }
    return matches.length > 0 ? matches : this.#similarTerms(term);
  }

  #similarTerms(term: string): readonly Match[] {
    if (term.length < 4) return [];
    return [...this.#ids].flatMap(([other, id]) => {
      const weight = other.startsWith(term)
        ? weights.prefix
        : term.length > 4 && isMisspelled(term, other)
          ? weights.misspelled
          : 0;
      return weight > 0 ? [{ term: id, weight, idf: this.idf(id) }] : [];
    });
  }

  #idOf(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    const id = this.#postings.length;
    this.#ids.set(term, id);
    this.#postings.push({ tools: [], weights: [] });
    return id;
  }
}

/** Verbs that most tools have, and so stand for nothing but the verb of a clause. */
const commonVerbs: ReadonlySet<string> = new Set(
  tokenize(
    "list find search show view add create insert make set update edit change delete remove",
  ),
);

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
