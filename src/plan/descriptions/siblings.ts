import type { Response } from "../../model/types.js";
import type { ClassifiedOperation } from "../classified-operation.js";
import { isConnective, singularize } from "../names/grammar.js";
import { displayWord, toSentenceCase } from "../names/titles.js";
import { isJsonMediaType } from "../outputs/payload.js";
import { joinWithAnd, splitSentence } from "../text/sentences.js";
import type { PlannedTool } from "../types.js";
import { MAX_DESCRIPTION_LENGTH } from "./tool.js";

const MAX_NAMED_SIBLINGS = 2;

/** A planned tool with further data of its planning. */
interface ToolTask {
  readonly tool: PlannedTool;
}

/**
 * Adds a sentence to tools with equal descriptions that tells them apart: an input that only one
 * requires, else the words in which their names differ.
 */
export function distinguishSameDescriptions<Task extends ToolTask>(
  tasks: readonly Task[],
): readonly Task[] {
  const groups = new Map<string, Task[]>();
  for (const task of tasks) {
    const key = textKey(task.tool.definition.description);
    const group = groups.get(key);
    if (group) group.push(task);
    else groups.set(key, [task]);
  }
  return tasks.map((task) => {
    const { description } = task.tool.definition;
    const group = groups.get(textKey(description)) as readonly Task[];
    const others = group.filter(
      (member) => member !== task && member.tool.definition.description === description,
    );
    return others.length === 0 ? task : addDifferences(task, others);
  });
}

/** Length and beginning of a text, a cheap lookup key. */
export const textKey = (text: string): string => `${text.length} ${text.slice(0, 80)}`;

function addDifferences<Task extends ToolTask>(task: Task, others: readonly Task[]): Task {
  const { definition } = task.tool;
  const sentences = others
    .slice(0, MAX_NAMED_SIBLINGS)
    .flatMap((candidate) => difference(task, candidate) ?? []);
  const description = [definition.description, ...sentences].join(" ");
  if (description.length > MAX_DESCRIPTION_LENGTH) return task;
  return { ...task, tool: { ...task.tool, definition: { ...definition, description } } };
}

/**
 * `With account use delete_account_by_account.`, `For persons use find_persons.`; undefined when
 * nothing tells the tools apart.
 */
function difference(task: ToolTask, other: ToolTask): string | undefined {
  const { name } = other.tool.definition;
  const [required, otherRequired] = [requiredOf(task), requiredOf(other)];
  const additional = [...otherRequired].filter((input) => !required.has(input));
  if (additional.length > 0) return `With ${joinWithAnd(additional.slice(0, 2))} use ${name}.`;
  const missing = [...required].filter((input) => !otherRequired.has(input));
  if (missing.length > 0) return `Without ${joinWithAnd(missing.slice(0, 2))} use ${name}.`;
  const words = distinctNameWords(other, task);
  return words.length > 0 ? `For ${words.map(displayWord).join(" ")} use ${name}.` : undefined;
}

function requiredOf({ tool }: ToolTask): ReadonlySet<string> {
  return new Set(tool.inputs.filter(({ required }) => required).map(({ name }) => name));
}

/** Words of the first tool's name that the other's name lacks. */
function distinctNameWords(task: ToolTask, other: ToolTask): string[] {
  const otherStems = new Set(other.tool.definition.name.split("_").map(singularize));
  const words = task.tool.definition.name
    .split("_")
    .filter((word) => !otherStems.has(singularize(word)) && word !== "in" && word !== "by");
  return isConnective(words[0]) || words.every((word) => UNINFORMATIVE_WORD.test(word))
    ? []
    : words;
}

/** Words that do not distinguish: `post_pad` means the same as `create_pad`. */
const UNINFORMATIVE_WORD = /^(?:get|post|put|patch|list|create|update|body|\d+)$/;

/**
 * Replaces a title that several operations of one path share (`Manage users who may log in`) by the
 * name in words. Equal titles on different paths stay.
 * @param prefix prefix of all names, left out of titles
 */
export function replaceSharedTitles<Task extends ToolTask>(
  tasks: readonly Task[],
  prefix: string,
): readonly Task[] {
  const keyOf = ({ tool: { definition, operations } }: ToolTask): string =>
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

/**
 * Removes sentences that only repeat the tool's name (`Start a container.`) from a description that
 * consists of them, but for sentences about the result and errors. Without such a sentence, the description
 * says what is known about the result.
 */
export function dropRepeatedName(
  tool: PlannedTool,
  { successResponses }: ClassifiedOperation,
): PlannedTool {
  const { name, description } = tool.definition;
  const rest = withoutRepeats(description, name);
  if (rest !== "" && !/^(?:Returns|Error codes:) /.test(rest)) return tool;
  if (rest === description || splitSentence(rest)[0].length > MAX_FIRST_SENTENCE) return tool;
  const shown = rest === "" ? resultSentence(successResponses) : rest;
  return { ...tool, definition: { ...tool.definition, description: shown } };
}

/** Longest sentence that begins a description, in characters. A repeat beats a longer one. */
const MAX_FIRST_SENTENCE = 120;

function withoutRepeats(description: string, name: string): string {
  const stems = new Set(name.split("_").map(singularize));
  let remaining = description;
  while (remaining !== "") {
    const [first, rest] = splitSentence(remaining);
    if (!consistsOf(first, stems)) return remaining;
    remaining = rest;
  }
  return remaining;
}

/** Tests whether a sentence has no words but these and fillers. */
function consistsOf(sentence: string, stems: ReadonlySet<string>): boolean {
  const words = sentence.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.every((word) => FILLERS.has(word) || stems.has(singularize(word)));
}

const FILLERS = new Set("a an the of for to in by with and or given this that its all".split(" "));

/** `Returns no data.`, `Returns text/csv.`; says so if the document does not tell. */
function resultSentence(responses: readonly Response[]): string {
  if (responses.length > 0 && responses.every(({ status }) => NO_CONTENT.has(status)))
    return "Returns no data.";
  const types = responses.flatMap(({ contents }) => contents.map(({ mediaType }) => mediaType));
  const type = types.find((mediaType) => MEDIA_TYPE.test(mediaType) && !isJsonMediaType(mediaType));
  return type === undefined ? "The API does not document the result." : `Returns ${type}.`;
}

/** Statuses of responses without content (RFC 9110, sections 15.3.5 and 15.3.6). */
const NO_CONTENT = new Set(["204", "205"]);
const MEDIA_TYPE = /^[\w.-]+\/[\w.+-]+$/;
