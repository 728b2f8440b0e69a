import { chooseFrequentReads } from "../../runtime/discovery/frequent-reads.js";
import type { PlannedTool } from "../types.js";

type Definition = PlannedTool["definition"];

/** Choices by the first of the tools: several parts of a run ask for those of the same tools. */
const choices = new WeakMap<
  Definition,
  { readonly tools: readonly Definition[]; readonly names: readonly string[] }
>();

/** Names of the tools with which most work starts (`chooseFrequentReads`). */
export function frequentReadsOf(tools: readonly Definition[]): readonly string[] {
  const [first] = tools;
  if (first === undefined) return [];
  const known = choices.get(first);
  if (known?.tools.length === tools.length && known.tools.every((tool, i) => tool === tools[i]))
    return known.names;
  const names = chooseFrequentReads(tools);
  choices.set(first, { tools, names });
  return names;
}
