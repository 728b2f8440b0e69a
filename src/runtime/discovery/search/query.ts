import { VERBS } from "../../language/verbs.js";
import type { ToolEffect } from "../../types.js";
import { type ClauseObjects, objectsOf } from "./head-noun.js";
import {
  extractQuotes,
  namesPerson,
  normalizePhrases,
  properNames,
  replaceValues,
} from "./phrases.js";
import { stemOf, tokenize } from "./terms.js";
import { weights } from "./weights.js";

/** A part of a query with a single request. */
export interface Clause {
  /** Stems with their weights. */
  readonly terms: ReadonlyMap<string, number>;
  /** Stem of the verb that it begins with. */
  readonly act?: string;
  /** Effects that the verb requests. */
  readonly effects?: ReadonlySet<ToolEffect>;
  readonly objects: ClauseObjects;
  /** True if it begins with a word of a question. */
  readonly isQuestion: boolean;
  /** True if it is about the user's own resources: `my orders`. */
  readonly isOwn: boolean;
  /** True if it names a resource whose ID must be looked up. */
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
      for (const { clause: other } of usable.slice(0, position))
        addContext(context, other, weights.referredContext);
    limitContext(context, clause);
    return { ...clause, terms: new Map([...context, ...clause.terms]) };
  });
}

/** True if a clause has words other than its verb and vague ones. */
const hasObject = ({ terms, act }: Clause): boolean =>
  [...terms].some(([term, weight]) => term !== act && weight === 1);

/** Adds the terms of another clause, without its verb. */
function addContext(context: Map<string, number>, { terms, act }: Clause, share: number): void {
  for (const [term, weight] of terms)
    if (term !== act) context.set(term, Math.max(context.get(term) ?? 0, weight * share));
}

/** Lowers the weights of a context, so that those of many clauses do not outweigh the own words. */
function limitContext(context: Map<string, number>, { terms }: Clause): void {
  const others = [...context].filter(([term]) => !terms.has(term));
  const sum = (entries: Iterable<readonly [string, number]>): number =>
    [...entries].reduce((total, [, weight]) => total + weight, 0);
  const share = (weights.maxContext * sum(terms)) / sum(others);
  if (share < 1) for (const [term, weight] of others) context.set(term, weight * share);
}

const pronouns = /\b(?:it|its|them|they|this|that|those|these|him|her)\b/i;

const sentenceEnd = /(?<=[.!?;:])\s+|[\n\r]+|\s(?:and then|then|after that|afterwards|before)\s/i;

/** Splits at the ends of sentences, and at commas and conjunctions that a verb follows. */
function splitClauses(text: string): readonly string[] {
  return text
    .replace(verbBeforeSlash, (found, verb: string) => (isVerb(verb) ? `${verb}, ` : found))
    .split(sentenceEnd)
    .flatMap(splitSentence)
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
}

/** `create/update a pet` */
const verbBeforeSlash = /\b([a-z]{3,12})\/(?=[a-z])/gi;

function splitSentence(sentence: string): readonly string[] {
  const clauses: string[] = [];
  let verbs: string[] = [];
  const append = (part: string): void => {
    const previous = clauses.pop();
    clauses.push(previous === undefined ? part : `${previous}, ${part}`);
  };
  for (const part of sentence.split(/,\s*(?:and\s+)?|(?<!\s)\s+(?:and|but|or)\s+/i)) {
    const body = withoutCourtesy(part);
    if (startsWithVerb(part)) {
      // `create, list and delete items` asks for three things of items.
      const object = body.replace(/^\S+/, "");
      clauses.push(...verbs.map((verb) => verb + object), part);
      verbs = [];
    } else if (isVerb(body)) verbs.push(body);
    else {
      for (const verb of verbs) append(verb);
      verbs = [];
      append(part);
    }
  }
  for (const verb of verbs) append(verb);
  return clauses;
}

/** True for a single word that may be a verb. */
const isVerb = (text: string): boolean =>
  /^[\p{L}']+$/u.test(text) && effectsOfVerb(text.toLowerCase()) !== undefined;

/** True for a verb with something after it. */
function startsWithVerb(part: string): boolean {
  return (
    /\s/.test(part.trim()) && (effectsOfVerb(firstWord(part)) !== undefined || isImperative(part))
  );
}

/** A word and the start of an object, such as `boost the post`. */
const imperative = new RegExp(
  "^(?!all|both|half|of|is)[a-z]{3,} (?:the|an?|my|our|your|his|her|its|their|this|that|these|" +
    "those|it|them|him|everyone|everybody|\u00a7)(?!\\p{L})",
  "u",
);

/** True if a part begins with a verb, also one that is not known. */
const isImperative = (part: string): boolean =>
  imperative.test(withoutCourtesy(part)) &&
  tokenize(firstWord(part)).some((term) => !isVague(term));

/** Words before the actual request. */
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

const relations =
  "of|that|which|who|whose|where|with|in|from|for|on|by|at|due|similar|without|like|since|we|i|you";

/** Things that a person wants to see: all of a kind, or many with something after them. */
const wantedThings = new RegExp(
  "^(?:(?:all|every|any|the (?:latest|last|newest|most|top)) \\p{L}|" +
    `people (?:${relations})\\b|(\\p{L}{3,} )?\\p{L}{3,}(?!s)\\p{L}s (?:${relations})\\b)`,
  "iu",
);

/** A request that begins with things asks to see them. A verb before things asks for something else. */
function effectsOfNoun(part: string): ReadonlySet<ToolEffect> | undefined {
  const [, first = ""] = wantedThings.exec(withoutCourtesy(part)) ?? ["", "-"];
  return first === "-" || effectsOfVerb(first.trim()) !== undefined ? undefined : onlyReads;
}

const nounsOrVerbs = "link|list|copy|report|record|log|view|count|comment|order|note|charge|plan";

/** `link where …`, `list of …`, `the note that …`: a noun. In `note that …` it is a verb. */
const namedThing = new RegExp(
  `^(?:(?:an? |the )(?:${nounsOrVerbs}) that|(?:an? |the )?(?:${nounsOrVerbs}) (?:where|of|which|whose))\\b`,
  "u",
);

const effectsOfNamedThing = (part: string): ReadonlySet<ToolEffect> | undefined =>
  namedThing.test(withoutCourtesy(part)) ? onlyReads : undefined;

/** Wishes that something should not happen, which a setting, a rule or a removal fulfils. */
const negation = /^(?:do not|don't|never|no more|no \p{L}+s|nobody|no one)\b/u;

const onlyWrites: ReadonlySet<ToolEffect> = new Set(["adds", "changes", "removes"]);

const onlyReads: ReadonlySet<ToolEffect> = new Set(["reads"]);

/** Words that announce the name of something new. */
const namingWords = /\b(?:called|named|titled|labell?ed|name|title|says|saying)\s*$/i;

function readClause(part: string, quotes: readonly string[]): Clause {
  const verb = firstWord(part);
  const nounEffects =
    effectsOfNoun(part) ??
    effectsOfNamedThing(part) ??
    (negation.test(withoutCourtesy(part)) ? onlyWrites : undefined);
  // A single word, such as `order`, may be a noun.
  const effects = nounEffects ?? (/\S\s+\S/.test(part) ? effectsOfVerb(verb) : undefined);
  const hasVerb = nounEffects === undefined && (effects !== undefined || isImperative(part));
  const [act] = hasVerb ? tokenize(verb).filter((term) => !isVague(term)) : [];
  const quoted = [...part.matchAll(/\u00a7(\d+)\u00a7/g)];
  const names = properNames(part).filter((name) => !tokenize(name).every(isVague));
  const texts = quoted.map(([, number]) => quotes[Number(number)] ?? "");
  const terms = termsOf(part, texts);
  if (act !== undefined && terms.size > 1) terms.set(act, weights.verb);
  if (act !== undefined && repetition.test(part)) addRepetition(terms, verb, effects);
  const body = withoutCourtesy(replaceValues(part));
  return {
    terms,
    objects: objectsOf(hasVerb ? body.replace(/^\S+/, "") : body, isVague),
    ...(effects && { effects }),
    ...(act !== undefined && { act }),
    isQuestion: question.test(body),
    isOwn: isAboutOwnThings(part),
    hasName:
      names.length > 0 || quoted.some(({ index }) => !namingWords.test(part.slice(0, index))),
  };
}

const question =
  /^(?:who|what|which|where|when|why|how|is|are|do|does|did|has|have|was|were)(?!['\p{L}])/u;

const determiners = "the|an?|my|our|your|his|her|their";

const repetition = /\b(?:again|once more|anew|another time)\b/i;

/** Adds the verbs for doing something once more: `redeliver` and `resend` for `deliver it again`. */
function addRepetition(
  terms: Map<string, number>,
  verb: string,
  effects: ReadonlySet<ToolEffect> | undefined,
): void {
  terms.set(stemOf(`re${verb}`), 1);
  if (effects?.has("sends")) terms.set(stemOf("resend"), 1);
}

/** Words of time, number, place and manner, and pronouns, most of which do not describe a tool. */
const vagueTerms: ReadonlySet<string> = new Set(
  tokenize(
    `who when where while during until till since ago after before again back up down out off over
    only both also still yet already soon later now today tomorrow tonight yesterday morning
    afternoon evening noon night week weekly month year day hour minute monday tuesday wednesday
    thursday friday saturday sunday next last past few lot many much three two four five six ten
    half first second third anyone someone everyone anybody somebody everybody nobody anything
    something everything nothing nobody left right really quick quickly easy easily new old own same
    too like way thing stuff between under above below around within inside outside along across
    together per via using use used there please everything all another other never once far bit
    else put go going went gone come came comes coming gets getting got away rest instead even ever`,
  ),
);

const isVague = (term: string): boolean => vagueTerms.has(term);

function termsOf(part: string, quoted: readonly string[]): Map<string, number> {
  const text = replaceValues(part);
  const weigh = (words: string, weight: number): (readonly [string, number])[] =>
    tokenize(words).map((term) => [term, isVague(term) ? weights.vague : weight]);
  const main = text.slice(0, subordinateStart(text));
  const terms = new Map<string, number>([...weigh(text, weights.subordinate), ...weigh(main, 1)]);
  if (nextThing.test(text)) terms.set("next", 1);
  if (namesPerson(part) && !terms.has("person")) terms.set("person", weights.person);
  for (const term of quoted.flatMap((text) => tokenize(text).slice(0, maxQuotedTerms)))
    if (!terms.has(term)) terms.set(term, weights.quoted);
  return terms;
}

/**
 * The start of a subordinate clause with its own subject, which is the reason for the request or
 * what a message says: `text a customer that the order is ready`.
 */
const subordinate = new RegExp(
  `\\b(?:that (?:${determiners}|it|people)|` +
    "(?:because|since|when|whenever|while|so that|as soon as|if|until) " +
    `(?:${determiners}|it|he|she|they|we|i|you|somebody|someone|anybody|anyone|people))\\b`,
  "i",
);

/** Characters of the shortest request before a subordinate clause. */
const minMain = 8;

/** Position of the subordinate clause of a part, else its end. */
const subordinateStart = (text: string): number => {
  const found = text.slice(minMain).search(subordinate);
  return found < 0 ? text.length : minMain + found;
};

/** The next of things other than times. */
const nextThing =
  /\bnext (?!(?:week|month|year|day|hour|minute|time|night|quarter|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b)\p{L}/iu;

const maxQuotedTerms = 6;

/** True for `my orders`, but not for `give me the orders`. */
function isAboutOwnThings(part: string): boolean {
  const body = withoutCourtesy(part).replace(/\b(?:give|tell|show|send|get) me\b/, "");
  return /\b(?:my|mine|myself|i|me)\b/.test(body);
}

/**
 * Effects that first words of requests ask for, besides those of the table of verbs. A person who
 * says "cancel" may want to remove or to stop something.
 */
const furtherEffects: Readonly<Record<ToolEffect, string>> = {
  reads: `
    tell what which who whose when where why how are was were did does has have watch report track
    verify review collect gather print scan open know pull figure resolve sort dump hear listen
    try test ensure confirm`,
  adds: `
    new compose hire onboard leave write build set setup open attach connect bring give publish
    reply enrol assign prepare arrange organize note enter introduce respond rate sign file raise
    mount queue bind nominate propose spin launch backup top include flag mirror allow let apply
    authorize`,
  changes: `
    file organize grade rescue correct tweak replace turn raise lower scale point reset delay
    format label drain void cap limit prevent forbid allow let permit mount unmount escalate
    rebuild reinstall recreate keep push shift shorten lengthen grow shrink double halve cut
    dismiss refund redirect route forward make paint color tidy save pay hand force wake flip
    revert rollback`,
  removes: `
    revoke evict uninstall cancel stop end unban lift undo take strip unmount expel fire offboard
    retract pull disallow drop clean cleanup clear reject`,
  destroys: `
    free`,
  starts: `
    pause cancel abort kill end render sync skip boot rebuild synchronize refresh import export
    resume shut power page`,
  sends: `
    post tell ask inform announce invite share call warn answer respond thank write`,
};

const effectsByVerb = new Map<string, Set<ToolEffect>>();
function addEffect(verb: string, effect: ToolEffect): void {
  const stem = stemOf(verb);
  effectsByVerb.set(stem, (effectsByVerb.get(stem) ?? new Set()).add(effect));
}
for (const [verb, { effect }] of VERBS) if (effect !== undefined) addEffect(verb, effect);
for (const [effect, list] of Object.entries(furtherEffects) as [ToolEffect, string][])
  for (const verb of list.trim().split(/\s+/)) addEffect(verb, effect);

/** Effects that the first word of a request means; undefined if it is not a verb. */
function effectsOfVerb(word: string): ReadonlySet<ToolEffect> | undefined {
  return effectsByVerb.get(stemOf(word));
}
