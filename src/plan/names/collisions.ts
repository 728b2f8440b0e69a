import { appendSuffix, shortHash } from "./name-length.js";
import { alternativeNames } from "./qualifiers.js";
import type { ClassifiedOperation } from "../classified-operation.js";

/** An operation with the name that it gets when no other operation has it. */
export interface NameCandidate {
  readonly classified: ClassifiedOperation;
  /** Name derived from the operation alone. */
  readonly base: string;
  /** All words of the name before it was shortened. */
  readonly words: readonly string[];
  /** Groups of the operationId that the name leaves out. They can follow the verb. */
  readonly omittedGroup?: readonly string[];
  readonly source: "operationId" | "path";
  /** True for an operation that another one stands for. */
  readonly yields?: boolean;
  /**
   * Name of the merged tool that this operation may lead (`find_pets`). It is reserved together
   * with the operation's name.
   */
  readonly mergedNameOf?: (name: string) => string | undefined;
}

/** The name of one operation. */
export interface AssignedName {
  readonly name: string;
  /** Set when another operation has the base name. */
  readonly collision?: "qualified" | "hashed";
  /** Reserved name of the merged tool. */
  readonly mergedName?: string;
}

/**
 * Assigns a unique name to every operation. A name depends on other operations only when two of
 * them have the same base name:
 * 1. The operation that is not deprecated, nor stands behind another, keeps it, else the first one in the document. An
 *    operation that is added later takes no name away.
 * 2. The others get the first free name of `alternativeNames`, at worst with a hash of method
 *    and path.
 */
export function assignUniqueNames(
  candidates: readonly NameCandidate[],
  maxLength: number,
): ReadonlyMap<NameCandidate, AssignedName> {
  const isSecondary = ({ classified, yields }: NameCandidate): boolean =>
    classified.operation.deprecated || yields === true;
  const ranked = [
    ...candidates.filter((candidate) => !isSecondary(candidate)),
    ...candidates.filter(isSecondary),
  ];
  const holders = new Map<string, NameCandidate>();
  const assignedNames = new Map<NameCandidate, AssignedName>();
  for (const candidate of ranked) {
    const holder = holders.get(candidate.base);
    const assigned: AssignedName =
      holder === undefined
        ? { name: candidate.base }
        : alternativeName(candidate, holder, holders, maxLength);
    holders.set(assigned.name, candidate);
    const mergedName = candidate.mergedNameOf?.(assigned.name);
    const isReserved = mergedName !== undefined && !holders.has(mergedName);
    if (isReserved) holders.set(mergedName, candidate);
    assignedNames.set(candidate, { ...assigned, ...(isReserved && { mergedName }) });
  }
  return assignedNames;
}

function alternativeName(
  candidate: NameCandidate,
  holder: NameCandidate,
  taken: ReadonlyMap<string, NameCandidate>,
  maxLength: number,
): AssignedName {
  for (const name of alternativeNames(candidate, holder, maxLength))
    if (name !== "" && !taken.has(name)) return { name, collision: "qualified" };
  const { method, path } = candidate.classified.operation;
  for (let salt = ""; ; salt += "#") {
    const name = appendSuffix(candidate.base, shortHash(`${method} ${path}${salt}`), maxLength);
    if (!taken.has(name)) return { name, collision: "hashed" };
  }
}
