import { singular } from "../name/inflect.js";
import { spell } from "../name/title.js";
import type { TaskTool } from "../tasks/index.js";
import { listed } from "./sentences.js";
import { MAX_DESCRIPTION } from "./tool.js";

const MOST_NAMED = 2;

/**
 * Tools whose descriptions are the same say what tells them apart, so that a model need not guess (DESIGN, section 5.7):
 * an input that only one needs, else the words in which their names differ.
 */
export function withSiblings(tasks: readonly TaskTool[]): readonly TaskTool[] {
  const same = new Map<string, TaskTool[]>();
  for (const task of tasks) {
    const { description } = task.tool.definition;
    const group = same.get(description);
    if (group) group.push(task);
    else same.set(description, [task]);
  }
  if (same.size === tasks.length) return tasks;
  return tasks.map((task) => {
    const group = same.get(task.tool.definition.description) as readonly TaskTool[];
    return group.length === 1 ? task : told(task, group.filter((other) => other !== task));
  });
}

function told(task: TaskTool, others: readonly TaskTool[]): TaskTool {
  const { definition } = task.tool;
  const sentences = others.slice(0, MOST_NAMED).map((other) => difference(task, other));
  const description = [definition.description, ...sentences].join(" ");
  if (description.length > MAX_DESCRIPTION) return task;
  return { ...task, tool: { ...task.tool, definition: { ...definition, description } } };
}

/** `With account use delete_account_by_account.`, `For persons use find_persons.` */
function difference(task: TaskTool, other: TaskTool): string {
  const { name } = other.tool.definition;
  const [mine, theirs] = [requiredOf(task), requiredOf(other)];
  const more = [...theirs].filter((input) => !mine.has(input));
  if (more.length > 0) return `With ${listed(more.slice(0, 2))} use ${name}.`;
  const less = [...mine].filter((input) => !theirs.has(input));
  if (less.length > 0) return `Without ${listed(less.slice(0, 2))} use ${name}.`;
  const words = wordsApart(other, task);
  return words.length > 0 ? `For ${words.map(spell).join(" ")} use ${name}.` : `Not ${name}, which is about something else.`;
}

function requiredOf({ tool }: TaskTool): ReadonlySet<string> {
  return new Set(tool.inputs.filter(({ required }) => required).map(({ name }) => name));
}

/** Words of the first one's name that the other's has not. */
function wordsApart(one: TaskTool, other: TaskTool): string[] {
  const said = new Set(other.tool.definition.name.split("_").map(singular));
  return one.tool.definition.name.split("_").filter((word) => !said.has(singular(word)) && word !== "in" && word !== "by");
}
