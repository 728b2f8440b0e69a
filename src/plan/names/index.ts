/** Unique names for all operations of an API. */
import { quoteText } from "../../diagnostics/text.js";
import type { ClassifiedOperation } from "../operations/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { deriveName, type DerivedName, findToolName, removeRepeats } from "./derive-name.js";
import { withFullerObject, withStatedObject, withWholeObject } from "./untold-object.js";
import { withoutPathParameter, withoutUntoldQualifier } from "./untold-qualifier.js";
import {
  appendSuffix,
  isReservedFileName,
  MAX_NAME_LENGTH,
  shortenName,
  shortHash,
} from "./format-name.js";
import { alternativeNames } from "./qualifiers.js";
import { splitWords } from "../../language/words.js";
import { ownThings } from "./own-things.js";
import { numberedOperationIds } from "./shared-parts.js";
import type { NameCandidate } from "./candidate.js";

/** A tool name and its origin. */
export interface ToolName {
  readonly name: string;
  readonly source: "operationId" | "path" | "configuration";
  /** Set when another operation has the name `base`. */
  readonly collision?: { readonly kind: "qualified" | "hashed"; readonly base: string };
  /** Name reserved for a merged tool of this operation. */
  readonly mergedName?: string;
}

/** Names of tools by their main operation. */
export type ToolNames = ReadonlyMap<ClassifiedOperation, ToolName>;

/** Operations on one collection path that may become one `find_…` tool. */
interface MergeableCollection {
  readonly list?: ClassifiedOperation;
  readonly get?: ClassifiedOperation;
  readonly searches: readonly ClassifiedOperation[];
  /** Words of the last segment of the path. */
  readonly words: readonly string[];
}

/**
 * Names every operation of an API, whether selected or not, so that a wider selection renames
 * nothing. Names match `^[a-z][a-z0-9_]{0,47}$`, are unique, and are safe as file names.
 * @param collections candidates for `find_…` tools, whose names are reserved
 * @param duplicates operations that another operation replaces; they take no name from it
 */
export function nameTools(
  classifiedOperations: readonly ClassifiedOperation[],
  namespace: string | undefined,
  collections: readonly MergeableCollection[] = [],
  duplicates: ReadonlyMap<ClassifiedOperation, ClassifiedOperation> = new Map(),
): ToolNames {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  const maxLength = MAX_NAME_LENGTH - prefix.length;
  const merging = new Map(
    collections
      .filter(({ get, searches }) => get || searches.length > 0)
      .map(({ list, words }) => [list, words]),
  );
  const numbered = numberedOperationIds(classifiedOperations.map(({ operation }) => operation));
  const candidates = deriveNames(classifiedOperations).map(([classified, name]): NameCandidate => {
    const { words, optionalPositions, omittedGroup, source } = name;
    const base = toLegalName(
      shortenWithoutRepeats(words, maxLength, optionalPositions),
      prefix,
      maxLength,
    );
    const collection = merging.get(classified);
    const { operationId = "" } = classified.operation;
    const isNumbered = numbered.has(operationId);
    return {
      classified,
      words,
      source,
      base,
      yields: duplicates.has(classified) || isNumbered,
      operationId: isNumbered ? "" : operationId,
      ...(omittedGroup && { omittedGroup }),
      ...(collection && {
        mergedNameOf: (name: string) => findToolName(name.split("_"), collection),
      }),
    };
  });
  const assignedNames = assignUniqueNames(candidates, maxLength);
  return new Map(
    candidates.map((candidate) => [
      candidate.classified,
      toToolName(prefix, candidate, assignedNames.get(candidate) as AssignedName),
    ]),
  );
}

/** Names of operations, each without a qualifier that no text has if no other name is then the same. */
function deriveNames(
  operations: readonly ClassifiedOperation[],
): readonly (readonly [ClassifiedOperation, DerivedName])[] {
  const derived = operations.map((classified) => {
    const name = deriveName(classified);
    const short =
      withoutPathParameter(name.words, classified) ??
      withStatedObject(name.words, classified) ??
      withWholeObject(name.words, classified) ??
      withFullerObject(name.words, classified) ??
      withoutUntoldQualifier(name.words, classified);
    const words = ownThings(name.words, classified);
    return {
      classified,
      name: words === name.words ? name : { words, source: name.source },
      short: short && ownThings(short, classified),
    };
  });
  const count = new Map<string, number>();
  for (const { name, short } of derived)
    for (const words of short ? [name.words, short] : [name.words])
      count.set(words.join("_"), (count.get(words.join("_")) ?? 0) + 1);
  return derived.map(({ classified, name, short }) => [
    classified,
    short && count.get(short.join("_")) === 1 ? { source: name.source, words: short } : name,
  ]);
}

function toToolName(
  prefix: string,
  { source, base }: NameCandidate,
  { name, collision: kind, mergedName }: AssignedName,
): ToolName {
  return {
    name: prefix + name,
    source,
    ...(kind && { collision: { kind, base: prefix + base } }),
    ...(mergedName !== undefined && { mergedName: prefix + mergedName }),
  };
}

/**
 * Gives the names of excluded operations to those that have them with a qualifier: without `GET
 * /v1/pets`, `list_pets_v2` is `list_pets`. No other name changes. An excluded operation whose name
 * is given to another one has none.
 */
export function releaseNames(
  names: ToolNames,
  isExcluded: (classified: ClassifiedOperation) => boolean,
): ToolNames {
  const remaining = [...names].filter(([classified]) => !isExcluded(classified));
  if (remaining.length === names.size) return names;
  const taken = new Set(
    remaining.flatMap(([, { name, mergedName }]) => [name, ...(mergedName ? [mergedName] : [])]),
  );
  const released = new Map<ClassifiedOperation, ToolName>();
  for (const [classified, { collision, mergedName: _, ...name }] of remaining) {
    if (!collision || taken.has(collision.base)) continue;
    taken.add(collision.base);
    released.set(classified, { ...name, name: collision.base });
  }
  const given = new Set([...released.values()].map(({ name }) => name));
  return new Map([...[...names].filter(([, { name }]) => !given.has(name)), ...released]);
}

/** Removes adjacent equal words, which shortening can leave. */
function shortenWithoutRepeats(
  words: readonly string[],
  maxLength: number,
  optionalPositions?: ReadonlySet<number>,
): string {
  const name = shortenName(words, maxLength, optionalPositions);
  const remaining = name.split("_");
  if (remaining.length >= words.length) return name;
  return removeRepeats(remaining).join("_");
}

/** Makes a name legal that starts with a digit, is empty or is a device name. */
function toLegalName(name: string, prefix: string, maxLength: number): string {
  const letterFirst =
    /^[a-z]/.test(name) || prefix !== "" ? name : shortenName(["call", name], maxLength);
  return isReservedFileName(prefix + letterFirst) ? `${letterFirst}_tool` : letterFirst;
}

/** Reports names that differ from what their operationIds suggest. */
export function reportNames(
  classifiedOperations: readonly ClassifiedOperation[],
  names: ToolNames,
  diagnostics: DiagnosticCollector,
): void {
  for (const classified of classifiedOperations) {
    const { operationId, location } = classified.operation;
    const assigned = names.get(classified) as ToolName;
    if (
      operationId !== undefined &&
      assigned.source === "path" &&
      splitWords(operationId).join("").length < 2
    ) {
      diagnostics.add(
        "plan-operation-id-ignored",
        `The operationId ${quoteText(operationId, 60)} ${nameProblem(operationId)}. ` +
          `The tool is named after its path: ${assigned.name}.`,
        location,
      );
    }
    if (assigned.collision === undefined) continue;
    diagnostics.add(
      "plan-name-clash",
      `Another operation has the same tool name. This one is named ${assigned.name}.`,
      location,
      "Give the operation a distinct operationId.",
    );
  }
}

/** The name of one operation. */
interface AssignedName {
  readonly name: string;
  /** Set when another operation has the base name. */
  readonly collision?: "qualified" | "hashed";
  /** Reserved name of the merged tool. */
  readonly mergedName?: string;
}

/**
 * Assigns a unique name to every operation. A name depends on other operations only when two of
 * them have the same base name:
 * 1. The operation that is neither deprecated nor replaced by another one keeps it, else the first
 * one in the document. An operation that is added later takes no name away, but can bring back a
 * qualifier that no text has.
 * 2. The others get the first free name of `alternativeNames`, at worst with a hash of method
 *    and path.
 */
function assignUniqueNames(
  candidates: readonly NameCandidate[],
  maxLength: number,
): ReadonlyMap<NameCandidate, AssignedName> {
  const isSecondary = ({ classified: { operation }, yields }: NameCandidate): boolean =>
    operation.deprecated || yields === true || ALTERNATIVE.test(operation.operationId ?? "");
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

/** `create_project_alt1`: another path to the same thing. */
const ALTERNATIVE = /[_-]alt\d{1,2}$/;

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

/** Explains why an operationId gives no name. */
function nameProblem(operationId: string): string {
  return /[a-z]/i.test(operationId) ? "is too short for a name" : "has no ASCII letters";
}
