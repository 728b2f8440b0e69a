/** The removal of what a creation creates: `POST /pets` and `DELETE /pets/{petId}`. */
import type { OperationBinding } from "../runtime/types.js";
import { operationsByPath, type ToolOperation, withoutNames } from "./path-readers.js";
import type { PlannedTool } from "./types.js";

/** Adds to each creation the tool that removes the created thing by its path alone. */
export function addReverts(tools: readonly PlannedTool[]): readonly PlannedTool[] {
  const removals = operationsByPath(tools, removesThing);
  if (removals.size === 0) return tools;
  return tools.map((tool) => {
    const { definition, workflow } = tool;
    if (definition.annotations.readOnlyHint || workflow) return tool;
    const found = definition.operations.map((binding) => revertOf(binding, removals));
    if (found.every((revert) => revert === undefined)) return tool;
    const operations = definition.operations.map((binding, i) => {
      const revert = found[i];
      return revert ? { ...binding, revert } : binding;
    });
    return { ...tool, definition: { ...definition, operations } };
  });
}

const removesThing = ({ binding: { request } }: ToolOperation): boolean =>
  request.method === "DELETE" && request.path.endsWith("}");

function revertOf(
  { request, readBack }: OperationBinding,
  removals: ReadonlyMap<string, ToolOperation>,
): string | undefined {
  if (request.method !== "POST" || !readBack?.created) return undefined;
  return removals.get(`${withoutNames(request.path)}/{}`)?.tool.definition.name;
}
