import { createCallTool } from "./call-tool.js";
import { createDescribeTools } from "./describe-tools.js";
import { createSearchTools } from "./search-tools.js";
import type { DiscoveryNames, DiscoveryTool, ToolLookup } from "./types.js";

export type { DiscoveryTool, ForwardingTool, ToolLookup, BuiltInTool } from "./types.js";

/** Three tools that stand for very many: one finds them, one describes them, one calls them. */
export function createDiscoveryTools(
  known: ToolLookup,
  names: DiscoveryNames,
  maxCharacters: number,
): readonly DiscoveryTool[] {
  return [
    createSearchTools(known, names),
    createDescribeTools(known, names, maxCharacters),
    createCallTool(known, names),
  ];
}

/** What a model is told about a server that lists three tools only. */
export function discoveryInstructions(
  { search, describe, call }: DiscoveryNames,
  tools: number,
): string {
  return `This server has ${tools} tools, which are not in the list: find them with ${search}, read their inputs with ${describe}, and call them with ${call}.`;
}

export { type DiscoveryNames } from "./types.js";

/**
 * Names with the API's prefix that no tool of the API has.
 * @param taken whether a tool has a name already
 */
export function discoveryNames(
  namespace: string | undefined,
  taken: (name: string) => boolean,
): DiscoveryNames {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  const free = (verb: string, noun: string): string => {
    for (let n = 1; ; n++) {
      const name =
        prefix +
        (n === 1
          ? `${verb}_${noun}`
          : n === 2
            ? `${verb}_api_${noun}`
            : `${verb}_api_${noun}_${n - 1}`);
      if (!taken(name)) return name;
    }
  };
  return {
    search: free("search", "tools"),
    describe: free("describe", "tools"),
    call: free("call", "tool"),
  };
}
