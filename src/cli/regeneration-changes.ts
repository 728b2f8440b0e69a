import { readFileSync } from "node:fs";
import { join } from "node:path";
import { countChanges, groupChanges, nameList } from "../diff/format.js";
import type { Change } from "../diff/index.js";
import type { GenerateResult } from "../generate.js";
import { LOCK_PATH } from "../render/lock.js";
import { version } from "../version.js";
import { MANIFEST_PATH } from "../write/paths.js";
import type { CommandOptions } from "./options.js";
import { pathKind } from "./terminal.js";

/** Reads the lock of the last generation; undefined when there is none. */
export function readPreviousLock(folder: string | undefined): string | undefined {
  const path = folder === undefined ? undefined : join(folder, LOCK_PATH);
  return path !== undefined && pathKind(path) === "file" ? readFileSync(path, "utf8") : undefined;
}

/** Changes of a regeneration, and a sentence about parts that could not be compared. */
interface RegenerationChanges {
  readonly changes: readonly Change[];
  readonly note?: string;
}

/**
 * Compares the tools before and after a generation. Loads the comparison only when the lock
 * changes.
 * @param before text of the previous lock
 * @returns the changes; empty without a previous lock
 */
export async function compareWithPreviousLock(
  before: string | undefined,
  { written, files }: GenerateResult,
): Promise<RegenerationChanges> {
  const text = written?.updated.includes(LOCK_PATH)
    ? files?.find(({ path }) => path === LOCK_PATH)?.content
    : undefined;
  if (before === undefined || text === undefined) return { changes: [] };
  const { compareLocks, readLock, uncomparedParts } = await import("../diff/index.js");
  const [old, young] = [readLock(before), readLock(text)];
  if (typeof old !== "object" || typeof young !== "object") return { changes: [] };
  const note = uncomparedParts(old, young);
  return { changes: compareLocks(old, young), ...(note !== undefined && { note }) };
}

/** Formats the number of changes, and one line per breaking change. */
export function formatToolChanges(changes: readonly Change[]): readonly string[] {
  if (changes.length === 0) return [];
  const breaking = groupChanges(changes.filter((change) => change.class === "breaking")).flatMap(
    ({ tools, messages }) =>
      messages.map((message) => `  ! ${nameList(tools, MAX_NAMES)}: ${message}`),
  );
  const unselected = changes.filter(({ kind }) => kind === "operations-unselected");
  return [
    `Changes for agents: ${countChanges(changes)}.`,
    ...breaking,
    ...unselected.map(({ message }) => `  ${message.replaceAll("`", "")}`),
  ];
}

/** Reads the version of mcp-gen that generated a folder; undefined for a new folder. */
export function readPreviousVersion(folder: string | undefined): string | undefined {
  const path = folder === undefined ? undefined : join(folder, MANIFEST_PATH);
  const text = path !== undefined && pathKind(path) === "file" ? readFileSync(path, "utf8") : "";
  return /"generator": "mcp-gen ([\w.+-]+)"/.exec(text)?.[1];
}

/**
 * Reports another version of mcp-gen after a run with changes, and what to do after a failed check.
 * @param before version that generated the folder
 * @returns one line, or none
 */
export function formatVersionChange(
  before: string | undefined,
  { check, dryRun }: CommandOptions,
): readonly string[] {
  const isOther = before !== undefined && before !== version;
  if (check && isOther)
    return [
      `mcp-gen ${before} generated it, and this is ${version}: check with that version, or regenerate with this one.`,
    ];
  if (check) return ["To update it, run the command without --check, and commit the result."];
  return isOther && !dryRun ? [`Upgraded from mcp-gen ${before} to ${version}.`] : [];
}

/** File with all environment variables of a server, most of them in comments. */
const ENV_EXAMPLE = ".env.example";
const MAX_NAMES = 3;

/** Reads the variable names of the last generation; empty when there was none. */
export function readPreviousVariables(folder: string | undefined): readonly string[] {
  const path = folder === undefined ? undefined : join(folder, ENV_EXAMPLE);
  return path !== undefined && pathKind(path) === "file"
    ? variableNames(readFileSync(path, "utf8"))
    : [];
}

/**
 * Reports removed environment variables. A new title of the API renames all of them, and a deployed
 * server would then have no credentials.
 * @returns one line, or none
 */
export function formatVariableChanges(
  before: readonly string[],
  { plan, written, files }: GenerateResult,
): readonly string[] {
  const text = written?.updated.includes(ENV_EXAMPLE)
    ? files?.find(({ path }) => path === ENV_EXAMPLE)?.content
    : undefined;
  if (text === undefined) return [];
  const now = variableNames(text);
  // Every server reads these variables. The example lists them only where they have an effect.
  const always = ["TOOLSETS", "READ_ONLY", "MODE"].map((name) => `${plan?.api.envPrefix}_${name}`);
  const removed = before.filter((name) => !now.includes(name) && !always.includes(name));
  const added = now.filter((name) => !before.includes(name));
  const renamed = removed.flatMap((name) => {
    const successor = added.find((next) => isRenamed(name, next, plan?.api.envPrefix ?? ""));
    return successor === undefined ? [] : [{ name, successor }];
  });
  const gone = removed.filter((name) => !renamed.some((tool) => tool.name === name));
  const changes = [
    ...(renamed.length > 0
      ? [`renamed: ${joinNames(renamed.map((tool) => `${tool.name} → ${tool.successor}`))}`]
      : []),
    ...(gone.length > 0 ? [`removed: ${joinNames(gone)}`] : []),
  ];
  return changes.length === 0
    ? []
    : [`Environment variables ${changes.join("; ")} (see ${ENV_EXAMPLE}).`];
}

/** Tests whether two variables differ in the prefix of the API only. */
function isRenamed(before: string, after: string, prefix: string): boolean {
  return after.startsWith(`${prefix}_`) && before.endsWith(after.slice(prefix.length));
}

function variableNames(text: string): readonly string[] {
  return [...text.matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name as string);
}

function joinNames(names: readonly string[]): string {
  return names.length <= MAX_NAMES + 1
    ? names.join(", ")
    : `${names.slice(0, MAX_NAMES).join(", ")} and ${names.length - MAX_NAMES} more`;
}
