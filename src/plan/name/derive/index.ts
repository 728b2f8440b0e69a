import type { Subject } from "../../kind.js";
import { pathInId } from "../operation-id/clean.js";
import { parseOperationId } from "../operation-id/index.js";
import { pathParts } from "../path.js";
import { keptPositions } from "../repeats.js";
import { fromOperationId } from "./from-id.js";
import { fromPath } from "./from-path.js";

/** The words of a name before it is made to fit. */
export interface Wording {
  readonly words: readonly string[];
  /** Positions of words that only qualify, given up first when the name is too long. */
  readonly extra?: ReadonlySet<number>;
}

/** A name in words, and where it comes from. */
export interface DerivedName extends Wording {
  /** Words that would stand behind the verb, for when the name without them is another's. */
  readonly hidden?: readonly string[];
  readonly from: "operationId" | "path";
}

/**
 * Names one operation by itself, from its operationId when that is good, else from its path. Looks
 * at no other operation.
 */
export function deriveName(subject: Subject): DerivedName {
  const id = subject.operation.operationId;
  const path = id === undefined ? undefined : pathInId(id, subject.operation.path);
  if (path !== undefined)
    return { ...once(fromPath({ ...subject, parts: pathParts(path) })), from: "operationId" };
  const parsed = id === undefined ? undefined : parseOperationId(id, subject);
  if (!parsed) return { ...once(fromPath(subject)), from: "path" };
  return {
    ...once(fromOperationId(parsed, subject)),
    ...(parsed.hidden && { hidden: parsed.hidden }),
    from: "operationId",
  };
}

/** What a name says twice, it says once. */
function once(wording: Wording): Wording {
  const { words, extra } = wording;
  const kept = keptPositions(words);
  return kept
    ? {
        words: kept.map((i) => words[i] as string),
        extra: new Set(kept.flatMap((from, to) => (extra?.has(from) ? [to] : []))),
      }
    : wording;
}
