/** The server's part of its instructions: the toolsets, and the use of the discovery tools. */
import { estimateTokens } from "../data/tokens.js";
import type { StoredTool } from "../tools/definitions.js";
import { callAdvice, type DiscoveryNames } from "./names.js";

/** Tokens of the sentence about toolsets. */
const maxTokens = 250;

/** Verbs of each toolset, the most detailed first. The first that fits is used. */
const details = [5, 3, 0] as const;

/** Toolsets that are named at most. */
const maxToolsets = 60;

/**
 * Names the toolsets with the verbs of their tools, most frequent first: `Toolsets: pets (find,
 * create), owners (find).` Hosts that defer tools show models only names and instructions.
 * @param namespace prefix of the tools' names, without the underscore
 * @returns an empty text for fewer than two toolsets
 */
export function describeToolsets(
  tools: readonly Pick<StoredTool, "name" | "toolset">[],
  namespace: string | undefined,
): string {
  const verbs = verbsByToolset(tools, namespace === undefined ? "" : `${namespace}_`);
  if (verbs.size < 2) return "";
  const texts = details.map((count) => toolsetsText(verbs, count));
  return texts.find((text) => estimateTokens(text) <= maxTokens) ?? texts.at(-1)!;
}

function toolsetsText(verbs: ReadonlyMap<string, readonly string[]>, count: number): string {
  const names = [...verbs].slice(0, maxToolsets).map(([toolset, all]) => {
    const shown = all.slice(0, count);
    return shown.length === 0 ? toolset : `${toolset} (${shown.join(", ")})`;
  });
  const rest = verbs.size > maxToolsets ? ` and ${verbs.size - maxToolsets} more` : "";
  return `Toolsets: ${names.join(", ")}${rest}.`;
}

/** First words of the names of each toolset's tools, most frequent first. */
function verbsByToolset(
  tools: readonly Pick<StoredTool, "name" | "toolset">[],
  prefix: string,
): ReadonlyMap<string, readonly string[]> {
  const counts = new Map<string, Map<string, number>>();
  for (const { name, toolset } of tools) {
    if (toolset === undefined) continue;
    const own = counts.get(toolset) ?? new Map<string, number>();
    const [verb = ""] = (name.startsWith(prefix) ? name.slice(prefix.length) : name).split("_");
    counts.set(toolset, own.set(verb, (own.get(verb) ?? 0) + 1));
  }
  return new Map(
    [...counts].map(([toolset, own]) => [
      toolset,
      [...own].sort(([, a], [, b]) => b - a).map(([verb]) => verb),
    ]),
  );
}

/**
 * Describes the use of the discovery tools.
 * @param listed number of other tools in the list
 */
export function discoveryInstructions(
  names: DiscoveryNames,
  toolCount: number,
  listed: number,
): string {
  const { search, describe } = names;
  const counts =
    listed === 0
      ? `This server has ${toolCount} tools, which are not in the list: find them`
      : `This server has ${toolCount} tools, of which ${listed} are in the list. Find the others`;
  return (
    `${counts} with ${search} (one query may name several steps), ${callAdvice(names)}, and read ` +
    `more about their inputs with ${describe} where needed.`
  );
}
