import type { CustomTool, PlannedTool, ToolListing, ToolPlan } from "../plan/types.js";

/** A tool of the list: a generated one, or one of the project's own code. */
export interface ListedTool {
  /** The definition that clients see. */
  readonly listing: ToolListing;
  /** Absent for a tool that replaces no generated one. */
  readonly generated?: PlannedTool;
  readonly custom?: CustomTool;
}

/** The tools that the server lists: generated ones in their order, then custom ones. */
export function listedTools({
  tools,
  customTools = [],
}: Pick<ToolPlan, "tools" | "customTools">): readonly ListedTool[] {
  const custom = new Map(customTools.map((tool) => [tool.listing.name, tool]));
  const generated = tools.map((tool): ListedTool => {
    const listing = tool.edited ?? tool.definition;
    const replacement = custom.get(listing.name);
    custom.delete(listing.name);
    if (!replacement) return { listing, generated: tool };
    return { listing: replacement.listing, generated: tool, custom: replacement };
  });
  const added = [...custom.values()].map((tool) => ({ listing: tool.listing, custom: tool }));
  return [...generated, ...added];
}
