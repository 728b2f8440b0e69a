import { callTool } from "./call-tool.js";
import { describeTools } from "./describe-tools.js";
import type { DiscoveryNames } from "./names.js";
import { searchTools } from "./search-tools.js";
import type { DiscoveryTool, Known } from "./types.js";

export { discoveryNames, type DiscoveryNames } from "./names.js";
export type { DiscoveryTool, ForwardingTool, Known, OwnTool } from "./types.js";

/** Three tools that stand for very many: one finds them, one describes them, one calls them. */
export function discoveryTools(
  known: Known,
  names: DiscoveryNames,
  maxCharacters: number,
): readonly DiscoveryTool[] {
  return [
    searchTools(known, names),
    describeTools(known, names, maxCharacters),
    callTool(known, names),
  ];
}

/** What a model is told about a server that lists three tools only. */
export function discoveryInstructions(
  { search, describe, call }: DiscoveryNames,
  tools: number,
): string {
  return `This server has ${tools} tools, which are not in the list: find them with ${search}, read their inputs with ${describe}, and call them with ${call}.`;
}
