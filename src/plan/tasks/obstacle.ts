import { annotate } from "../annotations.js";
import type { Subject } from "../kind.js";
import { sameJson } from "../schema/values.js";
import type { ToolContext } from "../tool.js";
import { labelOf } from "./words.js";

/** Why operations cannot be one tool, and which of them is at fault, when it is one. */
export interface Obstacle {
  readonly why: string;
  readonly subject?: Subject;
}

/** What no merge may do: use other credentials for one of them, or hide a write behind a read. */
export function obstacleAmong(
  subjects: readonly Subject[],
  { security }: ToolContext,
): Obstacle | undefined {
  const [first, ...rest] = subjects as readonly [Subject, ...Subject[]];
  for (const subject of rest) {
    const two = `${labelOf(first)} and ${labelOf(subject)}`;
    if (!sameJson(security.ownOf(subject.operation), security.ownOf(first.operation)))
      return { why: `${two} need different credentials`, subject };
    if (reads(subject) !== reads(first))
      return {
        why: `${labelOf(reads(first) ? first : subject)} only reads and ${labelOf(reads(first) ? subject : first)} writes; hosts ask before they write`,
        subject,
      };
    if (deletes(subject) !== deletes(first))
      return {
        why: `${labelOf(deletes(first) ? first : subject)} deletes and ${labelOf(deletes(first) ? subject : first)} does not`,
        subject,
      };
    if (isJson(subject) !== isJson(first))
      return {
        why: `${labelOf(isJson(first) ? first : subject)} answers with JSON and ${labelOf(isJson(first) ? subject : first)} with something else`,
        subject,
      };
  }
  return undefined;
}

/** Changes nothing. */
export const reads = (subject: Subject): boolean => annotate(subject, "").readOnlyHint;
const deletes = ({ operation }: Subject): boolean => operation.method === "DELETE";
/** An answer without content goes with both. */
const isJson = ({ json, success }: Subject): boolean =>
  json.length > 0 || success.every(({ contents }) => contents.length === 0);
