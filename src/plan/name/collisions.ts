import type { Subject } from "../kind.js";
import { fitName, fitSuffixed } from "./fit.js";
import { shortHash } from "./hash.js";
import { singular } from "./inflect.js";
import { wordsOf } from "./words.js";

/** An operation that wants a name. */
export interface Claim {
  readonly subject: Subject;
  /** What its operation alone would call it. */
  readonly base: string;
  /** All words it had before they were made to fit. */
  readonly words: readonly string[];
}

/** A claim that was settled. */
export interface Grant {
  readonly name: string;
  /** Set when another operation has the base name. */
  readonly clash?: "qualified" | "hashed";
}

/**
 * Gives every claim its own name. An operation's name depends on others only where two want the same one; then
 * 1. it goes to the operation whose operationId, as written, is that name (in snake, camel, Pascal or kebab case: at most
 *    one operation has each, so a new operation cannot take it away), else to the one that is not deprecated, else to
 *    the first in the document;
 * 2. the others add the last word that did not fit, or words of their own path (`list_users_v2`, `get_user_by_name`),
 *    or a hash of method and path.
 */
export function settle(claims: readonly Claim[], max: number): ReadonlyMap<Claim, Grant> {
  const ranked = claims.map((claim, order) => ({ claim, order, rank: rankOf(claim) })).sort((a, b) => a.rank - b.rank || a.order - b.order);
  const taken = new Set<string>();
  const grants = new Map<Claim, Grant>();
  const winners = new Map<string, Claim>();
  for (const { claim } of ranked) {
    if (winners.has(claim.base)) continue;
    winners.set(claim.base, claim);
    taken.add(claim.base);
    grants.set(claim, { name: claim.base });
  }
  for (const { claim } of ranked) {
    if (grants.has(claim)) continue;
    const grant = qualify(claim, winners.get(claim.base) as Claim, taken, max);
    taken.add(grant.name);
    grants.set(claim, grant);
  }
  return grants;
}

function rankOf({ subject, base }: Claim): number {
  const id = subject.operation.operationId;
  const spellings = [base, base.replace(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase()), base.replaceAll("_", "-")];
  const rank = id === undefined ? 9 : spellings.findIndex((spelling) => spelling === id || spelling.replace(/^[a-z]/, (c) => c.toUpperCase()) === id);
  return (subject.operation.deprecated ? 10 : 0) + (rank < 0 ? 9 : rank);
}

function qualify(claim: Claim, winner: Claim, taken: ReadonlySet<string>, max: number): Grant {
  for (const suffix of qualifiers(claim, winner)) {
    const name = fitSuffixed(claim.base, suffix, max);
    if (!taken.has(name)) return { name, clash: "qualified" };
  }
  const { method, path } = claim.subject.operation;
  for (let salt = ""; ; salt += "#") {
    const name = fitSuffixed(claim.base, shortHash(`${method} ${path}${salt}`), max);
    if (!taken.has(name)) return { name, clash: "hashed" };
  }
}

/**
 * What the operation has that the one with the name has not: the last of its own words, words of its path (the nearest,
 * then all of them), its last parameter, its body.
 */
function qualifiers({ subject, base, words }: Claim, winner: Claim): string[] {
  const said = new Set([...base.split("_"), ...staticWords(winner.subject.operation.path).flat()].map(singular));
  const isNew = (phrase: readonly string[]): boolean => phrase.some((word) => !said.has(singular(word)));
  const segments = staticWords(subject.operation.path).filter(isNew);
  const last = words.slice(-1).filter((word) => /^[a-z]{3,}$/.test(word) && !base.split("_").includes(word));
  const found = [last, ...segments.toReversed(), segments.flat(), ...byParameter(subject, winner.subject), bodyWords(subject, winner.subject)];
  return found.map((phrase) => fitName(phrase, 24)).filter((suffix) => suffix !== "");
}

function staticWords(path: string): (readonly string[])[] {
  return path.split("/").filter((segment) => segment !== "" && !segment.includes("{")).map((segment) => wordsOf(segment.slice(0, 100)));
}

function byParameter(subject: Subject, winner: Subject): string[][] {
  const theirs = new Set(paramsOf(winner).map((words) => words.join(" ")));
  return paramsOf(subject).filter((words) => !theirs.has(words.join(" "))).reverse().map((words) => ["by", ...(words.length > 0 ? words : ["id"])]);
}

function paramsOf({ operation }: Subject): (readonly string[])[] {
  return [...operation.path.matchAll(/\{([^{}]*)\}/g)].map((match) => wordsOf(match[1] as string));
}

const bodyWords = (subject: Subject, winner: Subject): string[] => (subject.operation.body && !winner.operation.body ? ["with", "body"] : []);
