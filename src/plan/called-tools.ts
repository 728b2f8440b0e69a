/** Hints of tools that call other tools: they cover what these return. */
import type { OperationBinding } from "../runtime/types.js";
import type { PlannedTool } from "./types.js";

/**
 * Marks the tools as open to texts of third parties that call such a tool: to read a thing back, to
 * follow work, to look up a name, or to add a list.
 * @param hidden tools that only others call
 * @param isConfigured true if the configuration states the hint of a tool
 */
export function coverCalledTools(
  tools: readonly PlannedTool[],
  hidden: readonly PlannedTool[],
  isConfigured: (name: string) => boolean,
): readonly PlannedTool[] {
  const open = new Set(
    [...tools, ...hidden].flatMap(({ definition }) =>
      definition.annotations.openWorldHint ? [definition.name] : [],
    ),
  );
  return tools.map((tool) => {
    const { definition } = tool;
    const { annotations, name } = definition;
    const called = definition.operations.flatMap(calledTools);
    if (annotations.openWorldHint || isConfigured(name) || !called.some((one) => open.has(one)))
      return tool;
    return {
      ...tool,
      definition: { ...definition, annotations: { ...annotations, openWorldHint: true } },
    };
  });
}

function calledTools({
  readBack,
  shows,
  job,
  lookUps = {},
  resolve = {},
  included,
}: OperationBinding): readonly string[] {
  const resolved = Object.values(resolve).map(({ lookupTool }) => lookupTool);
  const lists = [...Object.values(lookUps), ...Object.values(included?.lists ?? {})];
  const things = [readBack, shows, job?.follow].filter((one) => one !== undefined);
  return [...[...lists, ...things].map(({ tool }) => tool), ...resolved];
}
