import { singular } from "../name/inflect.js";
import { spell } from "../name/title.js";
import { isLink } from "../name/function-words.js";
import type { TaskTool } from "../tasks/index.js";
import { listed } from "./sentences.js";
import { MAX_DESCRIPTION } from "./tool.js";

const MOST_NAMED = 2;

/**
 * Tools whose descriptions are the same say what tells them apart, so that a model need not guess:
 * an input that only one needs, else the words in which their names differ.
 */
export function withSiblings(tasks: readonly TaskTool[]): readonly TaskTool[] {
  const alike = new Map<string, TaskTool[]>();
  for (const task of tasks) {
    const key = digest(task.tool.definition.description);
    const group = alike.get(key);
    if (group) group.push(task);
    else alike.set(key, [task]);
  }
  return tasks.map((task) => {
    const { description } = task.tool.definition;
    const group = alike.get(digest(description)) as readonly TaskTool[];
    const others =
      group.length === 1
        ? []
        : group.filter(
            (other) => other !== task && other.tool.definition.description === description,
          );
    return others.length === 0 ? task : told(task, others);
  });
}

/** Length and beginning, which differ nearly always: cheaper to look up than a page of text. */
export const digest = (text: string): string => `${text.length} ${text.slice(0, 80)}`;

function told(task: TaskTool, others: readonly TaskTool[]): TaskTool {
  const { definition } = task.tool;
  const sentences = others.slice(0, MOST_NAMED).flatMap((other) => difference(task, other) ?? []);
  const description = [definition.description, ...sentences].join(" ");
  if (description.length > MAX_DESCRIPTION) return task;
  return { ...task, tool: { ...task.tool, definition: { ...definition, description } } };
}

/**
 * `With account use delete_account_by_account.`, `For persons use find_persons.`; undefined when
 * nothing tells them apart.
 */
function difference(task: TaskTool, other: TaskTool): string | undefined {
  const { name } = other.tool.definition;
  const [mine, theirs] = [requiredOf(task), requiredOf(other)];
  const more = [...theirs].filter((input) => !mine.has(input));
  if (more.length > 0) return `With ${listed(more.slice(0, 2))} use ${name}.`;
  const less = [...mine].filter((input) => !theirs.has(input));
  if (less.length > 0) return `Without ${listed(less.slice(0, 2))} use ${name}.`;
  const words = wordsApart(other, task);
  return words.length > 0 ? `For ${words.map(spell).join(" ")} use ${name}.` : undefined;
}

function requiredOf({ tool }: TaskTool): ReadonlySet<string> {
  return new Set(tool.inputs.filter(({ required }) => required).map(({ name }) => name));
}

/** Words of the first one's name that the other's has not. */
function wordsApart(one: TaskTool, other: TaskTool): string[] {
  const said = new Set(other.tool.definition.name.split("_").map(singular));
  const words = one.tool.definition.name
    .split("_")
    .filter((word) => !said.has(singular(word)) && word !== "in" && word !== "by");
  return isLink(words[0]) || words.every((word) => MANNER.test(word)) ? [] : words;
}

/** How it is asked, and which of several: `post_pad` says nothing that `create_pad` does not. */
const MANNER = /^(?:get|post|put|patch|list|create|update|body|\d+)$/;
