import type { ToolEffect } from "../../types.js";
import { extractQuotes, normalizePhrases, properNames, replaceValues } from "./phrases.js";
import { tokenize } from "./terms.js";
import { effectsOfVerb } from "./vocabulary.js";
import { weights } from "./weights.js";

/** A part of a query that asks for one thing. */
export interface Clause {
  /** Stems with their weights. */
  readonly terms: ReadonlyMap<string, number>;
  /** Stem of the verb that it begins with. */
  readonly act?: string;
  /** Effects that the verb asks for. */
  readonly effects?: ReadonlySet<ToolEffect>;
  /** True if it is about things of the user: `my orders`. */
  readonly isOwn: boolean;
  /** True if it names a thing whose ID must be looked up. */
  readonly hasName: boolean;
}

/** Characters of a query that are read, and clauses that are searched. */
const maxLength = 6_000;
const maxClauses = 24;

/** Reads a query as clauses: sentences, and parts of them that begin with a verb. */
export function parseQuery(query: string): readonly Clause[] {
  const { text, quotes } = extractQuotes(query.slice(0, maxLength));
  const texts = [...new Set(splitClauses(normalizePhrases(text)))];
  const clauses = texts.map((part) => ({ part, clause: readClause(part, quotes) }));
  const usable = clauses.filter(({ clause }) => clause.terms.size > 0).slice(0, maxClauses);
  return usable.map(({ part, clause }, position) => {
    const context = new Map<string, number>();
    for (const { clause: other } of usable) addContext(context, other, weights.context);
    if (pronouns.test(part) || !hasObject(clause))
      for (const [distance, { clause: other }] of usable.slice(0, position).reverse().entries())
        addContext(context, other, weights.referredContext * weights.distance ** distance);
    return { ...clause, terms: new Map([...context, ...clause.terms]) };
  });
}

/** True if a clause has a word besides its verb and names. */
const hasObject = ({ terms, act }: Clause): boolean =>
  [...terms].some(([term, weight]) => term !== act && weight === 1);

/** Adds the terms of another clause, without its verb. */
function addContext(context: Map<string, number>, { terms, act }: Clause, share: number): void {
  for (const [term, weight] of terms)
    if (term !== act) context.set(term, Math.max(context.get(term) ?? 0, weight * share));
}

const pronouns = /\b(?:it|its|them|they|this|that|those|these|him|her)\b/i;

const sentenceEnd = /(?<=[.!?;:])\s+|[\n\r]+|\s(?:and then|then|after that|afterwards|before)\s/i;

/** Splits at the ends of sentences, and at commas and conjunctions that a verb follows. */
function splitClauses(text: string): readonly string[] {
  const parts = text.split(sentenceEnd).flatMap((sentence) => {
    const clauses: string[] = [];
    for (const part of sentence.split(/,\s*(?:and\s+)?|\s+(?:and|but|or)\s+/i)) {
      const previous = clauses.at(-1);
      if (previous === undefined || startsWithVerb(part)) clauses.push(part);
      else clauses[clauses.length - 1] = `${previous}, ${part}`;
    }
    return clauses;
  });
  return parts.filter((part) => /[\p{L}\p{N}]/u.test(part));
}

/** True for a verb with something after it. */
function startsWithVerb(part: string): boolean {
  return /\s/.test(part.trim()) && effectsOfVerb(firstWord(part)) !== undefined;
}

/** Words before the first that says what is asked for. */
const courtesy = new RegExp(
  `^(?:(?:${[
    "please|kindly|hey|hi|hello|ok|okay|so|also|now|then|and|just|first|second|third|next|finally",
    "lastly|afterwards|after that|can|could|would|will|should|must|you|we|i|i'd|i'm|i've|our|us",
    "let us|let's|let me|help me|help|want|wants|like|need|needs|have|to|am|trying|going|using",
    "how do|how can|how to",
  ].join("|")})[\\s,]+)+`,
);

const withoutCourtesy = (part: string): string => part.trim().toLowerCase().replace(courtesy, "");

function firstWord(part: string): string {
  const word = /^[\p{L}']+/u.exec(withoutCourtesy(part))?.[0] ?? "";
  return word === "put" ? "add" : word;
}

/** Words that announce the name of something new. */
const namingWords = /\b(?:called|named|titled|labell?ed|name|title|says|saying)\s*$/i;

function readClause(part: string, quotes: readonly string[]): Clause {
  const verb = firstWord(part);
  // A single word, such as `order`, may be a noun.
  const effects = /\S\s+\S/.test(part) ? effectsOfVerb(verb) : undefined;
  const [act] = effects ? tokenize(verb).filter((term) => !vagueTerms.has(term)) : [];
  const quoted = [...part.matchAll(/\u00a7(\d+)\u00a7/g)];
  const names = properNames(part);
  const texts = quoted.map(([, number]) => quotes[Number(number)] ?? "");
  const terms = termsOf(part, names, texts);
  if (act !== undefined && terms.size > 1) terms.set(act, weights.verb);
  return {
    terms,
    ...(effects && { effects }),
    ...(act !== undefined && { act }),
    isOwn: isAboutOwnThings(part),
    hasName:
      names.length > 0 || quoted.some(({ index }) => !namingWords.test(part.slice(0, index))),
  };
}

/** Words of time, number, place and manner, and pronouns: most say nothing about a tool. */
const vagueTerms: ReadonlySet<string> = new Set(
  tokenize(
    `who when where while during until till since ago after before again back up down out off over
    only both also still yet already soon later now today tomorrow tonight yesterday morning
    afternoon evening noon night week weekly month year day hour minute monday tuesday wednesday
    thursday friday saturday sunday next last past few lot many much three two four five six ten
    half first second third anyone someone everyone anybody somebody everybody nobody anything
    something everything nothing nobody left right really quick quickly easy easily new old own same
    too like way thing stuff between under above below around within inside outside along across
    together per via using use used there please everything all`,
  ),
);

function termsOf(
  part: string,
  names: readonly string[],
  quoted: readonly string[],
): Map<string, number> {
  const terms = new Map<string, number>(
    tokenize(replaceValues(part)).map((term) => [term, vagueTerms.has(term) ? weights.vague : 1]),
  );
  for (const term of names.flatMap(tokenize)) terms.set(term, weights.properName);
  for (const term of quoted.flatMap((text) => tokenize(text).slice(0, maxQuotedTerms)))
    if (!terms.has(term)) terms.set(term, weights.quoted);
  return terms;
}

const maxQuotedTerms = 6;

/** True for `my orders`, but not for `give me the orders`. */
function isAboutOwnThings(part: string): boolean {
  const body = withoutCourtesy(part).replace(/\b(?:give|tell|show|send|get) me\b/, "");
  return /\b(?:my|mine|myself|i|me)\b/.test(body);
}
