import { isConnective, singularize } from "../names/grammar.js";
import { displayWord, toSentenceCase } from "../names/titles.js";
import { joinWithAnd } from "../text/sentences.js";
import { MAX_DESCRIPTION_LENGTH } from "./tool.js";
import type { PlannedTask } from "../tool-context.js";

const MAX_NAMED_SIBLINGS = 2;

/**
 * Tools whose descriptions are the same say what tells them apart, so that a model need not guess:
 * an input that only one needs, else the words in which their names differ.
 */
export function distinguishSameDescriptions(tasks: readonly PlannedTask[]): readonly PlannedTask[] {
  const alike = new Map<string, PlannedTask[]>();
  for (const task of tasks) {
    const key = textKey(task.tool.definition.description);
    const group = alike.get(key);
    if (group) group.push(task);
    else alike.set(key, [task]);
  }
  return tasks.map((task) => {
    const { description } = task.tool.definition;
    const group = alike.get(textKey(description)) as readonly PlannedTask[];
    const others =
      group.length === 1
        ? []
        : group.filter(
            (other) => other !== task && other.tool.definition.description === description,
          );
    return others.length === 0 ? task : addDifferences(task, others);
  });
}

/** Length and beginning, which differ nearly always: cheaper to look up than a page of text. */
export const textKey = (text: string): string => `${text.length} ${text.slice(0, 80)}`;

function addDifferences(task: PlannedTask, others: readonly PlannedTask[]): PlannedTask {
  const { definition } = task.tool;
  const sentences = others
    .slice(0, MAX_NAMED_SIBLINGS)
    .flatMap((other) => difference(task, other) ?? []);
  const description = [definition.description, ...sentences].join(" ");
  if (description.length > MAX_DESCRIPTION_LENGTH) return task;
  return { ...task, tool: { ...task.tool, definition: { ...definition, description } } };
}

/**
 * `With account use delete_account_by_account.`, `For persons use find_persons.`; undefined when
 * nothing tells them apart.
 */
function difference(task: PlannedTask, other: PlannedTask): string | undefined {
  const { name } = other.tool.definition;
  const [mine, theirs] = [requiredOf(task), requiredOf(other)];
  const more = [...theirs].filter((input) => !mine.has(input));
  if (more.length > 0) return `With ${joinWithAnd(more.slice(0, 2))} use ${name}.`;
  const less = [...mine].filter((input) => !theirs.has(input));
  if (less.length > 0) return `Without ${joinWithAnd(less.slice(0, 2))} use ${name}.`;
  const words = distinctNameWords(other, task);
  return words.length > 0 ? `For ${words.map(displayWord).join(" ")} use ${name}.` : undefined;
}

function requiredOf({ tool }: PlannedTask): ReadonlySet<string> {
  return new Set(tool.inputs.filter(({ required }) => required).map(({ name }) => name));
}

/** Words of the first one's name that the other's has not. */
function distinctNameWords(one: PlannedTask, other: PlannedTask): string[] {
  const said = new Set(other.tool.definition.name.split("_").map(singularize));
  const words = one.tool.definition.name
    .split("_")
    .filter((word) => !said.has(singularize(word)) && word !== "in" && word !== "by");
  return isConnective(words[0]) || words.every((word) => UNINFORMATIVE_WORD.test(word))
    ? []
    : words;
}

/** How it is asked, and which of several: `post_pad` says nothing that `create_pad` does not. */
const UNINFORMATIVE_WORD = /^(?:get|post|put|patch|list|create|update|body|\d+)$/;

/**
 * A title that all operations of a path share (`Manage users who may log in`, for those who read
 * and those who delete one) is true of none of them: their names in words are. Elsewhere, the same
 * title stands for the same done to other things, and stays.
 * @param prefix of the names, which no title repeats
 */
export function replaceSharedTitles(
  tasks: readonly PlannedTask[],
  prefix: string,
): readonly PlannedTask[] {
  const keyOf = ({ tool: { definition, operations } }: PlannedTask): string =>
    `${operations[0]?.path} ${definition.title}`;
  const counts = new Map<string, number>();
  for (const task of tasks) counts.set(keyOf(task), (counts.get(keyOf(task)) ?? 0) + 1);
  if (counts.size === tasks.length) return tasks;
  return tasks.map((task) => {
    const { definition } = task.tool;
    if (counts.get(keyOf(task)) === 1) return task;
    const title = toSentenceCase(
      definition.name.slice(definition.name.startsWith(prefix) ? prefix.length : 0).split("_"),
    );
    return { ...task, tool: { ...task.tool, definition: { ...definition, title } } };
  });
}
