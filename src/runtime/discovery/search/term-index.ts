import { termsOfWord, tokenize, wordsOf } from "./terms.js";
import { type FieldTexts, type SearchField, searchFields } from "./tool-facts.js";
import { alternativesOf } from "./vocabulary.js";
import { fieldWeights, weights } from "./weights.js";

const saturation = 1.2;
const lengthNormalization = 0.5;

/** Weights of terms in tools are whole numbers of this fraction. */
const weightUnit = 1_000;

/** Texts longer than this are rarely repeated. */
const maxKnownText = 120;

/** Terms of a tool as data: lists of a weight and the numbers of the terms that have it. */
export type StoredPostings = readonly (readonly number[])[];

/** Collects the terms of tools by BM25F, whose fields share one saturation. */
export class IndexBuilder {
  readonly #ids = new Map<string, number>();
  /** Terms of words and short texts, most of which are repeated. */
  readonly #known = new Map<string, readonly number[]>();
  /** Terms of the field that is added. Reused, because new arrays would cost more than all else. */
  readonly #found: number[] = [];
  /** Weight of each term in the tool that is added, and the terms that it has. */
  readonly #sums: number[] = [];
  readonly #added: number[] = [];
  /** Terms of all tools, each followed by its weight, and the places where the tools end. */
  readonly #postings: number[] = [];
  readonly #ends: number[] = [];

  /** @param terms terms of the tools that are added with numbers */
  constructor(terms: readonly string[] = []) {
    for (const term of terms) this.#idOf(term);
  }

  /** Terms of a text, as numbers. */
  termsOf(text: string): readonly number[] {
    const isShort = text.length <= maxKnownText;
    const known = isShort ? this.#known.get(text) : undefined;
    if (known) return known;
    const terms: number[] = [];
    for (const word of wordsOf(text)) {
      const own = word === text ? this.#readWord(word) : this.termsOf(word);
      for (const term of own) terms.push(term);
    }
    if (isShort) this.#known.set(text, terms);
    return terms;
  }

  /** Adds the next tool. */
  add(texts: FieldTexts): void {
    for (const field of searchFields) this.#addField(field, texts[field]);
    for (const term of this.#added) {
      const weight = this.#sums[term]!;
      this.#postings.push(term, Math.ceil((weightUnit * weight) / (saturation + weight)));
      this.#sums[term] = 0;
    }
    this.#added.length = 0;
    this.#ends.push(this.#postings.length);
  }

  /** Adds the next tool by its postings. */
  addPostings(postings: StoredPostings): void {
    for (const list of postings)
      for (let i = 1; i < list.length; i++) this.#postings.push(list[i]!, list[0]!);
    this.#ends.push(this.#postings.length);
  }

  /** The terms, and the postings of each tool, as the constructor and `addPostings` take them. */
  store(): { readonly terms: readonly string[]; readonly postings: readonly StoredPostings[] } {
    const postings = this.#ends.map((end, tool) => {
      const byWeight = new Map<number, number[]>();
      for (let i = tool === 0 ? 0 : this.#ends[tool - 1]!; i < end; i += 2) {
        const [term, weight] = this.#postings.slice(i, i + 2) as [number, number];
        byWeight.set(weight, [...(byWeight.get(weight) ?? [weight]), term]);
      }
      return [...byWeight.values()];
    });
    return { terms: [...this.#ids.keys()], postings };
  }

  /**
   * The index of some of the tools, which have the positions of this list in it.
   * @param positions positions of the tools in the order of their addition
   */
  build(positions: readonly number[]): TermIndex {
    const postings = this.#postings;
    const starts = new Uint32Array(this.#ids.size + 1);
    const ranges = positions.map((tool) => [this.#ends[tool - 1] ?? 0, this.#ends[tool]!] as const);
    for (const [start, end] of ranges)
      for (let i = start; i < end; i += 2) starts[postings[i]! + 1]!++;
    for (let term = 0; term < this.#ids.size; term++) starts[term + 1]! += starts[term]!;
    const next = starts.slice();
    const tools = new Uint32Array(starts.at(-1)!);
    const list = new Uint16Array(starts.at(-1)!);
    for (const [tool, [start, end]] of ranges.entries())
      for (let i = start; i < end; i += 2) {
        const place = next[postings[i]!]!++;
        tools[place] = tool;
        list[place] = postings[i + 1]!;
      }
    return new TermIndex(this.#ids, { starts, tools, weights: list }, positions.length);
  }

  #addField(field: SearchField, texts: readonly string[]): void {
    const found = this.#found;
    let count = 0;
    for (const text of texts) for (const term of this.termsOf(text)) found[count++] = term;
    if (count === 0) return;
    const [weight, length] = fieldWeights[field];
    const share = weight / (1 - lengthNormalization + (lengthNormalization * count) / length);
    const sums = this.#sums;
    for (let i = 0; i < count; i++) {
      const term = found[i]!;
      if (sums[term] === 0) this.#added.push(term);
      sums[term]! += share;
    }
  }

  #readWord(word: string): readonly number[] {
    return termsOfWord(word).map((term) => this.#idOf(term));
  }

  #idOf(term: string): number {
    const id = this.#ids.get(term) ?? this.#ids.size;
    if (id === this.#ids.size) {
      this.#ids.set(term, id);
      this.#sums.push(0);
    }
    return id;
  }
}

/** Tools that have each term, and the weights of the terms in them, by term. */
interface Postings {
  /** Number of postings before those of a term. */
  readonly starts: Uint32Array;
  readonly tools: Uint32Array;
  readonly weights: Uint16Array;
}

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

/** Index of the terms of tools. */
export class TermIndex {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #postings: Postings;
  /** Number of tools. */
  readonly size: number;
  readonly #idf: Float64Array;
  readonly #matches = new Map<string, readonly Match[]>();

  constructor(ids: ReadonlyMap<string, number>, postings: Postings, size: number) {
    this.#ids = ids;
    this.#postings = postings;
    this.size = size;
    this.#idf = new Float64Array(ids.size);
    for (let term = 0; term < ids.size; term++) {
      const count = postings.starts[term + 1]! - postings.starts[term]!;
      this.#idf[term] = Math.log(1 + (size - count + 0.5) / (count + 0.5));
    }
  }

  /** The number of a term; undefined if no tool of this index has it. */
  #idOf(term: string): number | undefined {
    const id = this.#ids.get(term);
    return id !== undefined && this.#has(id) ? id : undefined;
  }

  #has(id: number): boolean {
    const { starts } = this.#postings;
    return starts[id + 1]! > starts[id]!;
  }

  get termCount(): number {
    return this.#ids.size;
  }

  /** Number of tools that have a term itself. */
  count(term: string): number {
    const id = this.#ids.get(term);
    const { starts } = this.#postings;
    return id === undefined ? 0 : starts[id + 1]! - starts[id]!;
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
    const { starts, tools, weights: list } = this.#postings;
    const scores = new Float64Array(this.size);
    const found: number[] = [];
    for (const { term: match, weight, idf } of matches) {
      const factor = (weight * idf) / weightUnit;
      for (let i = starts[match]!; i < starts[match + 1]!; i++) {
        const tool = tools[i]!;
        const score = factor * list[i]!;
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
    const own = this.#idOf(term);
    const family = isVerb ? verbFamilies.find((verbs) => verbs.has(term)) : undefined;
    if (family) return this.#familyMatches(term, family);
    const matches: Match[] =
      own === undefined ? [] : [{ term: own, weight: 1, idf: this.idf(own) }];
    const maxIdf = own === undefined ? Infinity : Math.max(this.idf(own), 0.7);
    for (const [other, weight] of alternativesOf(term)) {
      const id = this.#idOf(other);
      if (id === undefined || (!isVerb && commonVerbs.has(other))) continue;
      matches.push({ term: id, weight, idf: Math.min(this.idf(id), maxIdf) });
    }
    return matches.length > 0 ? matches : this.#similarTerms(term);
  }

  /** Matches of a verb that names of tools use like others of its family, and so are as rare. */
  #familyMatches(term: string, family: ReadonlySet<string>): readonly Match[] {
    const all = [...family].map((verb) => ({ verb, id: this.#idOf(verb) }));
    const known = all.filter(({ id }) => id !== undefined) as { verb: string; id: number }[];
    const idf = Math.min(...known.map(({ id }) => this.idf(id)));
    const matches = known.map(({ verb, id }) => ({
      term: id,
      weight: verb === term ? 1 : weights.sameFamily,
      idf,
    }));
    for (const [other, weight] of alternativesOf(term)) {
      const id = this.#idOf(other);
      if (id === undefined || family.has(other)) continue;
      matches.push({ term: id, weight, idf: Math.min(this.idf(id), Math.max(idf, 1)) });
    }
    return matches;
  }

  #similarTerms(term: string): readonly Match[] {
    if (term.length < 4) return [];
    return [...this.#ids].flatMap(([other, id]) => {
      if (!this.#has(id)) return [];
      const weight = other.startsWith(term)
        ? weights.prefix
        : term.length > 4 && isMisspelled(term, other)
          ? weights.misspelled
          : 0;
      return weight > 0 ? [{ term: id, weight, idf: this.idf(id) }] : [];
    });
  }
}

/** Verbs that are interchangeable in names of tools. */
const verbFamilies: readonly ReadonlySet<string>[] = [
  "list find search show view",
  "add create insert make new",
  "set update edit change modify",
  "delete remove",
].map((verbs) => new Set(tokenize(verbs)));

/** Verbs that most tools have. They match only the verb of a clause. */
const commonVerbs: ReadonlySet<string> = new Set(verbFamilies.flatMap((verbs) => [...verbs]));

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
