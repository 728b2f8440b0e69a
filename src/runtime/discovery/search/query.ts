import type { ToolEffect } from "../../types.js";
import { extractQuotes, normalizePhrases, properNames, replaceValues } from "./phrases.js";
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
  const parts = text.split(sentenceEnd).flatMap((sentence) => {
    const clauses: string[] = [];
    for (const part of sentence.split(/,\s*(?:and\s+)?|(?<!\s)\s+(?:and|but|or)\s+/i)) {
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

/** Words that announce the name of something new. */
const namingWords = /\b(?:called|named|titled|labell?ed|name|title|says|saying)\s*$/i;

function readClause(part: string, quotes: readonly string[]): Clause {
  const verb = firstWord(part);
  // A single word, such as `order`, may be a noun.
  const effects = /\S\s+\S/.test(part) ? effectsOfVerb(verb) : undefined;
  const isRequest = effects !== undefined || isImperative(part);
  const [act] = isRequest ? tokenize(verb).filter((term) => !isVague(term)) : [];
  const quoted = [...part.matchAll(/\u00a7(\d+)\u00a7/g)];
  const names = properNames(part).filter((name) => !tokenize(name).every(isVague));
  const texts = quoted.map(([, number]) => quotes[Number(number)] ?? "");
  const terms = termsOf(part, texts);
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
    together per via using use used there please everything all`,
  ),
);

const isVague = (term: string): boolean => vagueTerms.has(term);

function termsOf(part: string, quoted: readonly string[]): Map<string, number> {
  const terms = new Map<string, number>(
    tokenize(replaceValues(part)).map((term) => [term, isVague(term) ? weights.vague : 1]),
  );
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

/** First words of requests, by the effects that they ask for. A word may have several. */
const verbs: Readonly<Record<ToolEffect, string>> = {
  reads: `
    get find show list display view look see search check tell read fetch retrieve return what which
    who whose when where why how count preview compare download export summarize inspect is are was
    were did does has have describe explain browse watch analyze report track monitor verify validate
    lookup review identify determine collect gather print calculate estimate scan open know pull
    figure discover recommend suggest resolve translate detect filter sort check poll query dump
    hear listen try test ensure confirm`,
  adds: `
    add create make new insert provision draft compose hire onboard append prepend register upload
    post leave write save record book schedule generate build set setup put open invite attach link
    connect import copy duplicate clone fork reserve bring give grant share submit publish buy order
    subscribe follow star like bookmark pin store comment reply react enroll enrol label assign
    prepare arrange organize plan log note enter issue allocate establish define introduce request
    answer respond rate vote sign file deposit raise report mount associate enqueue queue tag
    bind nominate propose spin launch snapshot backup top include flag mirror allow let apply
    authorize place`,
  changes: `
    sort file organize grade rescue toggle fix correct amend tweak customize unfreeze freeze complete
    update edit change modify rename move replace adjust alter set configure mark assign close
    resolve approve reject accept decline acknowledge enable disable activate deactivate suspend
    block mute unmute snooze pause resume turn increase decrease raise lower resize scale upgrade
    downgrade switch transfer merge archive unarchive lock unlock promote extend renew restore
    recover point convert reset reschedule postpone delay format label hide unhide ban drain
    finalize finish confirm void rotate bump cap limit restrict prevent protect forbid
    allow let permit reassign relocate swap split combine attach mount unmount map reorder
    prioritize escalate demote refresh regenerate rebuild reinstall recreate silence keep
    push shift shorten lengthen grow shrink expand reduce double halve cut dismiss waive refund
    redirect route forward make paint color tidy save pay settle verify sync hand install force
    wake flip reopen revert rollback undo unblock unban patch apply`,
  removes: `
    remove detach disconnect unassign unlink unsubscribe unfollow unstar unpin unshare revoke
    withdraw kick exclude evict uninstall cancel stop end unban lift undo leave take strip unmount
    expel dismiss fire offboard deregister untag unmap retract pull disallow drop clean cleanup
    clear reject`,
  destroys: `
    delete erase destroy purge wipe empty clear drop discard trash flush prune free kill terminate
    clean cleanup forget void deprovision`,
  starts: `
    start run execute trigger launch restart reboot rerun retry play stop pause cancel abort kill
    end dispatch deploy build begin render sync scan skip boot rebuild process transcode
    synchronize refresh recalculate invoke call perform import export resume shut power page`,
  sends: `
    send notify email message post tell ask inform announce remind invite forward deliver broadcast
    push bill share mail text call ping alert warn answer reply respond thank page resend
    write charge`,
};

const effectsByVerb = new Map<string, Set<ToolEffect>>();
for (const [effect, list] of Object.entries(verbs) as [ToolEffect, string][])
  for (const verb of list.trim().split(/\s+/)) {
    const stem = stemOf(verb);
    effectsByVerb.set(stem, (effectsByVerb.get(stem) ?? new Set()).add(effect));
  }

/** Effects that the first word of a request means; undefined if it is not a verb. */
function effectsOfVerb(word: string): ReadonlySet<ToolEffect> | undefined {
  return effectsByVerb.get(stemOf(word));
}
