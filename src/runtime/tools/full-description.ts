import type { AnyTool } from "./definitions.js";

/** Whole description of a tool, which `tools/list` has shortened. */
export const fullDescriptionOf = (tool: AnyTool): string =>
  ("fullDescription" in tool ? tool.fullDescription : undefined) ?? tool.description;
