import type { ToolEffect } from "../../types.js";
import { normalizePhrases } from "./phrases.js";
import { tokenize } from "./terms.js";
import { effectsOfVerb } from "./verbs.js";
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
  const context = new Set(usable.flatMap(({ clause }) => [...clause.terms.keys()]));
  return usable.map(({ part, clause }) => {
    const weight = pronouns.test(part) ? weights.referredContext : weights.context;
    const others = [...context].filter((term) => !clause.terms.has(term));
    const added = others.map((term) => [term, weight] as const);
    return { ...clause, terms: new Map([...clause.terms, ...added]) };
  });
}

const pronouns = /\b(?:it|its|them|they|this|that|those|these|him|her)\b/i;

interface QuotedText {
  /** The text with the number of a quoted text, between section signs, in its place. */
  readonly text: string;
  readonly quotes: readonly string[];
}

/** Takes quoted texts out of a query: they are names and values, which describe no tool. */
function extractQuotes(query: string): QuotedText {
  const quotes: string[] = [];
  const text = query.replace(
    /"([^"\n]{1,200})"|\u201c([^\u201d\n]{1,200})\u201d|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}\p{N}])/gu,
    (_, ...groups: unknown[]) => {
      quotes.push(groups.slice(0, 3).find((group) => typeof group === "string") as string);
      return ` \u00a7${quotes.length - 1}\u00a7 `;
    },
  );
  return { text, quotes };
}

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
  const [act] = effects ? tokenize(verb) : [];
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

function termsOf(
  part: string,
  names: readonly string[],
  quoted: readonly string[],
): Map<string, number> {
  const terms = new Map<string, number>(tokenize(replaceValues(part)).map((term) => [term, 1]));
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

/** Names in capitals inside a sentence, and those after a number sign: `Ada`, `#general`. */
function properNames(text: string): readonly string[] {
  const capitalized = text.matchAll(
    /(?<=[\p{Ll}\p{N},:] )\p{Lu}[\p{L}'\u2019-]+(?:(?: of| the| and| de| in|) \p{Lu}[\p{L}'\u2019-]+)*/gu,
  );
  const tagged = text.matchAll(/(?<=^|\s)#\p{L}[\p{L}\p{N}_-]*/gu);
  return [...capitalized, ...tagged]
    .map(([name]) => name)
    .filter((name) => !/^\p{Lu}{2,}$/u.test(name));
}

/** Replaces values by the words for their kind. */
function replaceValues(text: string): string {
  return text
    .replace(/\u00a7\d+\u00a7/g, " ")
    .replace(/[\w.+-]+@[\w-]+\.[\w.-]+/g, " email ")
    .replace(/https?:\/\/\S+/g, " url ")
    .replace(/(?<![\p{L}\p{N}])[#$\u20ac]?[\d.,:/-]*\d[\d.,:/-]*%?(?![\p{L}\p{N}])/gu, " ");
}
