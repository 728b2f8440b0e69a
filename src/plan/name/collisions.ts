import type { Subject } from "../kind.js";
import { fitSuffixed } from "./fit.js";
import { shortHash } from "./hash.js";
import { otherNames } from "./qualifiers.js";

/** An operation that wants a name. */
export interface Claim {
  readonly subject: Subject;
  /** What its operation alone would call it. */
  readonly base: string;
  /** All words it had before they were made to fit. */
  readonly words: readonly string[];
  /** More words that it could have, behind the verb. */
  readonly hidden?: readonly string[];
  readonly from: "operationId" | "path";
  /** What the tool may be called instead of a name it got: kept free of others. */
  readonly alsoOf?: (name: string) => string | undefined;
}

/** A claim that was settled. */
export interface Grant {
  readonly name: string;
  /** Set when another operation has the base name. */
  readonly clash?: "qualified" | "hashed";
}

/**
 * Gives every claim its own name. An operation's name depends on others only where two want the
 * same one; then
 * 1. it goes to the one that is not deprecated, else to the first in the document, so that one
 *    which is added behind takes no name away;
 * 2. the others have another name of their own (`otherNames`), at worst a hash of method and path.
 */
export function settle(claims: readonly Claim[], max: number): ReadonlyMap<Claim, Grant> {
  const isDeprecated = ({ subject }: Claim): boolean => subject.operation.deprecated;
  const ranked = [
    ...claims.filter((claim) => !isDeprecated(claim)),
    ...claims.filter(isDeprecated),
  ];
  const holders = new Map<string, Claim>();
  const grants = new Map<Claim, Grant>();
  for (const claim of ranked) {
    const holder = holders.get(claim.base);
    const grant: Grant =
      holder === undefined ? { name: claim.base } : qualify(claim, holder, holders, max);
    holders.set(grant.name, claim);
    const also = claim.alsoOf?.(grant.name);
    if (also !== undefined && !holders.has(also)) holders.set(also, claim);
    grants.set(claim, grant);
  }
  return grants;
}

function qualify(
  claim: Claim,
  holder: Claim,
  taken: ReadonlyMap<string, Claim>,
  max: number,
): Grant {
  for (const name of otherNames(claim, holder, max))
    if (name !== "" && !taken.has(name)) return { name, clash: "qualified" };
  const { method, path } = claim.subject.operation;
  for (let salt = ""; ; salt += "#") {
    const name = fitSuffixed(claim.base, shortHash(`${method} ${path}${salt}`), max);
    if (!taken.has(name)) return { name, clash: "hashed" };
  }
}
