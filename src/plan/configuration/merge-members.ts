/** The operations of a `merge` rule: a list, or an object whose keys a call chooses from. */
import type { MergeEntry, ToolConfig } from "../../configuration/types.js";

/** An operation of a merge. */
export interface MergeMember {
  /** Reference to the operation, and the place of it in the rule. */
  readonly operation: string;
  readonly path: readonly (string | number)[];
  /** Value of the input that chooses the operation. Absent in a list. */
  readonly value?: string;
  /** Key of the entry: its position or its value. */
  readonly key: string | number;
  /** New names of its inputs. */
  readonly names: Readonly<Record<string, string>>;
}

/** Default name of the input that chooses the operation. */
const DEFAULT_CHOICE = "action";

export function mergeMembers({ merge }: ToolConfig): readonly MergeMember[] {
  if (merge === undefined) return [];
  if (isList(merge)) return merge.map((entry, i) => memberOf(entry, i));
  return Object.entries(merge).map(([value, entry]) => ({ ...memberOf(entry, value), value }));
}

/** The input that chooses the operation; undefined for a list. */
export function choiceInput({ merge, choose = DEFAULT_CHOICE }: ToolConfig): string | undefined {
  return merge === undefined || isList(merge) ? undefined : choose;
}

function memberOf(entry: MergeEntry, key: string | number): MergeMember {
  if (typeof entry === "string") return { operation: entry, path: ["merge", key], key, names: {} };
  const { operation, inputs = {} } = entry;
  const names = Object.entries(inputs).map(([input, { name }]) => [input, name] as const);
  return {
    operation,
    path: ["merge", key, "operation"],
    key,
    names: Object.fromEntries(names),
  };
}

const isList = (merge: NonNullable<ToolConfig["merge"]>): merge is readonly MergeEntry[] =>
  Array.isArray(merge);
