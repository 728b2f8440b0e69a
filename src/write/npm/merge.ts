import { isObject } from "../../json.js";
import { parsed } from "../../npm.js";
import { byCodeUnit } from "../paths.js";
import { type Base, type Member, membersOf } from "./members.js";

/** A package.json with what its owner added. */
export interface MergedPackage {
  readonly text: string;
  /** What was added. */
  readonly kept: readonly Member[];
  /**
   * Entries that were generated and that the owner changed or took out: they are as generated in
   * `text`.
   */
  readonly edits: readonly Member[];
}

/**
 * Carries what an owner added to a package.json over into the one that is generated now.
 * @param owner as it is on disk
 * @returns undefined when one of the texts is no package.json
 */
export function mergePackage(
  owner: string,
  generated: string,
  base: Base,
): MergedPackage | undefined {
  const [theirs, ours] = [membersOf(owner), membersOf(generated)];
  if (!theirs || !ours) return undefined;
  const kept: Member[] = [];
  const edits: Member[] = [];
  let isSame = true;
  for (const [key, member] of theirs) {
    const now = ours.get(key);
    const isTheirs = !base.said(key, member.value);
    if (!now && isTheirs) kept.push(member);
    if (now && JSON.stringify(now.value) === JSON.stringify(member.value)) continue;
    if (now && isTheirs) edits.push(member);
    isSame &&= !now && isTheirs;
  }
  for (const [key, member] of ours) {
    if (theirs.has(key)) continue;
    isSame = false;
    if (base.had(key)) edits.push(member);
  }
  return { text: isSame ? owner : withMembers(generated, kept), kept, edits };
}

/** A package.json with more entries; those of dependencies in npm's order. */
function withMembers(generated: string, more: readonly Member[]): string {
  const manifest = new Map(Object.entries(parsed(generated) ?? {}));
  for (const {
    path: [key, inner],
    value,
  } of more)
    manifest.set(
      key,
      inner === undefined ? value : withEntry(key, manifest.get(key), inner, value),
    );
  return `${JSON.stringify(Object.fromEntries(manifest), null, 2)}\n`;
}

function withEntry(key: string, group: unknown, name: string, value: unknown): object {
  const entries = [...(isObject(group) ? Object.entries(group) : []), [name, value] as const];
  return Object.fromEntries(
    /dependencies$/i.test(key) ? entries.sort(([a], [b]) => byCodeUnit(a, b)) : entries,
  );
}
