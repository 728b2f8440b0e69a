import type { ClassifiedOperation } from "../classify.js";
import { appendSuffix, shortHash } from "./name-length.js";
import { alternativeNames } from "./qualifiers.js";

/** An operation that wants a name. */
export interface NameCandidate {
  readonly classified: ClassifiedOperation;
  /** What its operation alone would call it. */
  readonly base: string;
  /** All words it had before they were made to fit. */
  readonly words: readonly string[];
  /** More words that it could have, behind the verb. */
  readonly omittedGroup?: readonly string[];
  readonly source: "operationId" | "path";
  /** What the tool may be called instead of a name it got: kept free of others. */
  readonly mergedNameOf?: (name: string) => string | undefined;
}

/** A claim that was settled. */
export interface AssignedName {
  readonly name: string;
  /** Set when another operation has the base name. */
  readonly collision?: "qualified" | "hashed";
}

/**
 * Gives every claim its own name. An operation's name depends on others only where two want the
 * same one; then
 * 1. it goes to the one that is not deprecated, else to the first in the document, so that one
 *    which is added behind takes no name away;
 * 2. the others have another name of their own (`otherNames`), at worst a hash of method and path.
 */
export function assignUniqueNames(
  claims: readonly NameCandidate[],
  max: number,
): ReadonlyMap<NameCandidate, AssignedName> {
  const isDeprecated = ({ classified: subject }: NameCandidate): boolean =>
    subject.operation.deprecated;
  const ranked = [
    ...claims.filter((claim) => !isDeprecated(claim)),
    ...claims.filter(isDeprecated),
  ];
  const holders = new Map<string, NameCandidate>();
  const grants = new Map<NameCandidate, AssignedName>();
  for (const claim of ranked) {
    const holder = holders.get(claim.base);
    const grant: AssignedName =
      holder === undefined ? { name: claim.base } : alternativeName(claim, holder, holders, max);
    holders.set(grant.name, claim);
    const also = claim.mergedNameOf?.(grant.name);
    if (also !== undefined && !holders.has(also)) holders.set(also, claim);
    grants.set(claim, grant);
  }
  return grants;
}

function alternativeName(
  claim: NameCandidate,
  holder: NameCandidate,
  taken: ReadonlyMap<string, NameCandidate>,
  max: number,
): AssignedName {
  for (const name of alternativeNames(claim, holder, max))
    if (name !== "" && !taken.has(name)) return { name, collision: "qualified" };
  const { method, path } = claim.classified.operation;
  for (let salt = ""; ; salt += "#") {
    const name = appendSuffix(claim.base, shortHash(`${method} ${path}${salt}`), max);
    if (!taken.has(name)) return { name, collision: "hashed" };
  }
}
