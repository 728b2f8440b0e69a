import type { Subject } from "../kind.js";
import type { Collection } from "../tasks/collections.js";
import { type Claim, type Grant, settle } from "./collisions.js";
import { deriveName } from "./derive/index.js";
import { findName } from "./find-name.js";
import { fitName, MAX_NAME } from "./fit.js";
import { isCutOff } from "./function-words.js";
import { withoutRepeats } from "./repeats.js";
import { isReservedFile } from "./reserved.js";

/** A tool name and how it came about. */
export interface ToolName {
  readonly name: string;
  readonly from: "operationId" | "path" | "curation";
  readonly clash?: "qualified" | "hashed";
}

/**
 * Names every operation of an API, selected or not, so that selecting differently renames nothing.
 * Names match `^[a-z][a-z0-9_]{0,47}$`, are unique, and are safe as file names.
 * @param collections whose lists may become `find_…` tools: no operation behind them gets that name
 */
export function nameTools(
  subjects: readonly Subject[],
  namespace: string | undefined,
  collections: readonly Collection[] = [],
): ReadonlyMap<Subject, ToolName> {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  const room = MAX_NAME - prefix.length;
  const merging = new Map(
    collections
      .filter(({ get, searches }) => get || searches.length > 0)
      .map(({ list, words }) => [list, words]),
  );
  const claims = subjects.map((subject): Claim => {
    const { words, extra, hidden, from } = deriveName(subject);
    const base = legal(fitted(words, room, extra), prefix, room);
    const collection = merging.get(subject);
    return {
      subject,
      words,
      from,
      base,
      ...(hidden && { hidden }),
      ...(collection && { alsoOf: (name: string) => findName(name.split("_"), collection) }),
    };
  });
  const grants = settle(claims, room);
  return new Map(
    claims.map((claim) => [claim.subject, toolName(prefix, claim, grants.get(claim) as Grant)]),
  );
}

function toolName(prefix: string, { from }: Claim, { name, clash }: Grant): ToolName {
  return { name: prefix + name, from, ...(clash && { clash }) };
}

/** Words that are given up can leave the same ones side by side, and a link at the end. */
function fitted(words: readonly string[], room: number, extra?: ReadonlySet<number>): string {
  const name = fitName(words, room, extra);
  const left = name.split("_");
  if (left.length >= words.length) return name;
  const kept = [...withoutRepeats(left)];
  while (kept.length > 2 && isCutOff(kept.at(-1))) kept.pop();
  return kept.join("_");
}

/**
 * A name that starts with a digit, is empty or is a device name gets a word that changes nothing.
 */
function legal(name: string, prefix: string, room: number): string {
  const started = /^[a-z]/.test(name) || prefix !== "" ? name : fitName(["call", name], room);
  return isReservedFile(prefix + started) ? `${started}_tool` : started;
}
