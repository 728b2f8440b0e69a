import { sentenceCase } from "../name/title.js";
import type { TaskTool } from "../tasks/index.js";

/**
 * A title that all operations of a path share (`Manage users who may log in`, for those who read
 * and those who delete one) is true of none of them: their names in words are. Elsewhere, the same
 * title stands for the same done to other things, and stays.
 * @param prefix of the names, which no title repeats
 */
export function withOwnTitles(tasks: readonly TaskTool[], prefix: string): readonly TaskTool[] {
  const keyOf = ({ tool: { definition, operations } }: TaskTool): string =>
    `${operations[0]?.path} ${definition.title}`;
  const counts = new Map<string, number>();
  for (const task of tasks) counts.set(keyOf(task), (counts.get(keyOf(task)) ?? 0) + 1);
  if (counts.size === tasks.length) return tasks;
  return tasks.map((task) => {
    const { definition } = task.tool;
    if (counts.get(keyOf(task)) === 1) return task;
    const title = sentenceCase(
      definition.name.slice(definition.name.startsWith(prefix) ? prefix.length : 0).split("_"),
    );
    return { ...task, tool: { ...task.tool, definition: { ...definition, title } } };
  });
}
