import { sentenceCase } from "../name/title.js";
import type { TaskTool } from "../tasks/index.js";
import { isForeign } from "./language.js";

/**
 * Titles of one language that several tools share say less than their names, which no two share: `List all attachments` of a bill and of a
 * budget. Such tools are titled by their names.
 * @param prefix of the names, which no title repeats
 */
export function withOwnTitles(tasks: readonly TaskTool[], prefix: string): readonly TaskTool[] {
  const counts = new Map<string, number>();
  for (const { tool } of tasks) counts.set(tool.definition.title, (counts.get(tool.definition.title) ?? 0) + 1);
  if (counts.size === tasks.length) return tasks;
  return tasks.map((task) => {
    const { definition } = task.tool;
    if (counts.get(definition.title) === 1 || isForeign(definition.title)) return task;
    const title = sentenceCase(definition.name.slice(definition.name.startsWith(prefix) ? prefix.length : 0).split("_"));
    return { ...task, tool: { ...task.tool, definition: { ...definition, title } } };
  });
}
