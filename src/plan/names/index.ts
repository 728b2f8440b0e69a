import { quoteText } from "../../diagnostics/text.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { ClassifiedOperation } from "../classify.js";
import type { Collection } from "../collections.js";
import { type AssignedName, assignUniqueNames, type NameCandidate } from "./collisions.js";
import { deriveName, findToolName, removeRepeats } from "./derive-name.js";
import { isDanglingWord } from "./grammar.js";
import { isReservedFileName } from "./identifiers.js";
import { MAX_NAME_LENGTH, shortenName } from "./name-length.js";
import { splitWords } from "./words.js";

/** A tool name and how it came about. */
export interface ToolName {
  readonly name: string;
  readonly source: "operationId" | "path" | "curation";
  readonly collision?: "qualified" | "hashed";
}

/**
 * Names every operation of an API, selected or not, so that selecting differently renames nothing.
 * Names match `^[a-z][a-z0-9_]{0,47}$`, are unique, and are safe as file names.
 * @param collections whose lists may become `find_…` tools: no operation behind them gets that name
 */
export function nameTools(
  subjects: readonly ClassifiedOperation[],
  namespace: string | undefined,
  collections: readonly Collection[] = [],
): ReadonlyMap<ClassifiedOperation, ToolName> {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  const room = MAX_NAME_LENGTH - prefix.length;
  const merging = new Map(
    collections
      .filter(({ get, searches }) => get || searches.length > 0)
      .map(({ list, words }) => [list, words]),
  );
  const claims = subjects.map((subject): NameCandidate => {
    const {
      words,
      optionalPositions: extra,
      omittedGroup: hidden,
      source: from,
    } = deriveName(subject);
    const base = toLegalName(shortenWithoutRepeats(words, room, extra), prefix, room);
    const collection = merging.get(subject);
    return {
      classified: subject,
      words,
      source: from,
      base,
      ...(hidden && { omittedGroup: hidden }),
      ...(collection && {
        mergedNameOf: (name: string) => findToolName(name.split("_"), collection),
      }),
    };
  });
  const grants = assignUniqueNames(claims, room);
  return new Map(
    claims.map((claim) => [
      claim.classified,
      toolName(prefix, claim, grants.get(claim) as AssignedName),
    ]),
  );
}

function toolName(
  prefix: string,
  { source: from }: NameCandidate,
  { name, collision: clash }: AssignedName,
): ToolName {
  return { name: prefix + name, source: from, ...(clash && { collision: clash }) };
}

/** Words that are given up can leave the same ones side by side, and a link at the end. */
function shortenWithoutRepeats(
  words: readonly string[],
  room: number,
  extra?: ReadonlySet<number>,
): string {
  const name = shortenName(words, room, extra);
  const left = name.split("_");
  if (left.length >= words.length) return name;
  const kept = [...removeRepeats(left)];
  while (kept.length > 2 && isDanglingWord(kept.at(-1))) kept.pop();
  return kept.join("_");
}

/**
 * A name that starts with a digit, is empty or is a device name gets a word that changes nothing.
 */
function toLegalName(name: string, prefix: string, room: number): string {
  const started = /^[a-z]/.test(name) || prefix !== "" ? name : shortenName(["call", name], room);
  return isReservedFileName(prefix + started) ? `${started}_tool` : started;
}

/** Says which names are not what their operationIds ask for. */
export function reportNames(
  subjects: readonly ClassifiedOperation[],
  names: ReadonlyMap<ClassifiedOperation, ToolName>,
  diagnostics: DiagnosticCollector,
): void {
  for (const subject of subjects) {
    const { operationId, location: place } = subject.operation;
    const named = names.get(subject) as ToolName;
    if (
      operationId !== undefined &&
      named.source === "path" &&
      splitWords(operationId).join("").length < 2
    ) {
      diagnostics.add(
        "plan-operation-id-ignored",
        `The operationId ${quoteText(operationId, 60)} gives no name in ASCII letters; the tool is called ${named.name} by its path.`,
        place,
      );
    }
    if (named.collision === undefined) continue;
    diagnostics.add(
      "plan-name-clash",
      `Another operation has the same name; this one is called ${named.name}.`,
      place,
      "Give the operation an operationId of its own.",
    );
  }
}
