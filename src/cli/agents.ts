import { readFileSync } from "node:fs";
import { join } from "node:path";
import { countChanges } from "../diff/format/count.js";
import type { Change } from "../diff/index.js";
import type { GenerateResult } from "../generate.js";
import { kindOf } from "./kind-of.js";
import { LOCK_PATH } from "../render/lock/path.js";

/** The text of the lock of the last generation; undefined when there is none. */
export function lastLock(folder: string | undefined): string | undefined {
  const path = folder === undefined ? undefined : join(folder, LOCK_PATH);
  return path !== undefined && kindOf(path) === "file" ? readFileSync(path, "utf8") : undefined;
}

/**
 * What a generation changes, or would change, for those who use the tools.
 * @param before the text of the lock before
 * @returns nothing when there is nothing to compare with; the comparison is loaded only when the
 *   lock changes
 */
export async function changesForAgents(
  before: string | undefined,
  { written, files }: GenerateResult,
): Promise<readonly Change[]> {
  const text = written?.updated.includes(LOCK_PATH)
    ? files?.find(({ path }) => path === LOCK_PATH)?.content
    : undefined;
  if (before === undefined || text === undefined) return [];
  const { compareLocks, readLock } = await import("../diff/index.js");
  const [old, young] = [readLock(before), readLock(text)];
  return typeof old === "object" && typeof young === "object" ? compareLocks(old, young) : [];
}

/** What breaks, in a line each; how many changes there are besides. */
export function agentLines(changes: readonly Change[]): readonly string[] {
  if (changes.length === 0) return [];
  const breaking = changes
    .filter((change) => change.class === "breaking")
    .map(({ tool, message }) => `  ! ${tool}: ${message}`);
  return [`For agents: ${countChanges(changes)}.`, ...breaking];
}
