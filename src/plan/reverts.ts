/** The removal of what a creation creates: `POST /pets` and `DELETE /pets/{petId}`. */
import type { OperationBinding } from "../runtime/types.js";
import { needsPathOnly, withoutNames } from "./path-readers.js";
import type { PlannedTool } from "./types.js";

/** Adds to each creation the tool that removes the created thing by its path alone. */
export function addReverts(tools: readonly PlannedTool[]): readonly PlannedTool[] {
  const removals = removalsByPath(tools);
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

/** Tools that remove one thing, by its path without names of parameters. */
function removalsByPath(tools: readonly PlannedTool[]): ReadonlyMap<string, string> {
  const found = tools.flatMap((tool) =>
    tool.definition.operations.flatMap((binding) =>
      !tool.workflow && removesThing(binding) && needsPathOnly(tool, binding)
        ? [[withoutNames(binding.request.path), tool.definition.name] as const]
        : [],
    ),
  );
  return new Map(found);
}

const removesThing = ({ request: { method, path } }: OperationBinding): boolean =>
  method === "DELETE" && path.endsWith("}");

function revertOf(
  { request, readBack }: OperationBinding,
  removals: ReadonlyMap<string, string>,
): string | undefined {
  if (request.method !== "POST" || !readBack?.created) return undefined;
  return removals.get(`${withoutNames(request.path)}/{}`);
}
