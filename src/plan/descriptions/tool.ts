/** Descriptions of tools, and the sentences that tell equal ones apart. */
import { groupBy } from "../../groups.js";
import { sequence } from "../../language/patterns.js";
import type { Operation } from "../../model/types.js";
import type { OperationEffects } from "../operations/types.js";
import { IRREVERSIBLE, REPLACES_ALL } from "../effects/phrases.js";
import { displayWord, toSentenceCase } from "../names/format-name.js";
import { isConnective, isPlural, pluralize, singularize } from "../../language/grammar.js";
import { joinWithAnd, toSentence, truncateText } from "../text/sentences.js";
import type { PlannedTool } from "../types.js";
import { writeOpening } from "./opening.js";
import { cleanProse } from "./prose.js";
import { restatesName } from "./repetition.js";

/** Maximum length. Hosts truncate descriptions at 1,024 characters. */
export const MAX_DESCRIPTION_LENGTH = 1000;

const REPLACES_ALL_SENTENCE = "Replaces all of it; omitted fields are lost.";
const IRREVERSIBLE_SENTENCE = "Cannot be undone.";

/** Sentences at the end of a description that a configured description keeps. */
export const KEPT_SENTENCES = new RegExp(
  `(?:${REPLACES_ALL_SENTENCE})?(?: ?${IRREVERSIBLE_SENTENCE})?(?: ?Deprecated\\.)?$`,
);

/** Facts from which a tool is described. */
interface ToolDescriptionSource {
  readonly name: string;
  /** Side effects that the document states. */
  readonly effects?: Pick<OperationEffects, "isIrreversible" | "replacesAll"> | undefined;
  /** Plain text. The title is made from it too. */
  readonly summary: string;
  readonly description?: string | undefined;
  /** `Returns …`, when the output has a schema. */
  readonly returns?: string | undefined;
  readonly deprecated: boolean;
  /** Resources above it in its path, used when the document has no text: `channel`. */
  readonly parents?: readonly string[];
  /** It deletes all items of a collection. */
  readonly ofAll?: boolean;
}

/**
 * Describes a tool: its purpose, the rest of the document's text, the result, and side effects. The
 * document's language is kept. The middle part is shortened first.
 */
export function describeTool(source: ToolDescriptionSource): string {
  const description = cleanProse(source.description ?? "");
  const summary = restatesName(source.summary, source.name) ? "" : source.summary;
  const { first, rest } =
    summary === "" && (description === "" || restatesName(description, source.name))
      ? { first: describeFromName(source), rest: "" }
      : writeOpening(source.name, summary, description);
  const tail = [
    source.returns,
    sideEffects(source, `${first} ${rest}`),
    source.deprecated ? "Deprecated." : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(" ");
  const available = MAX_DESCRIPTION_LENGTH - first.length - tail.length - 2;
  const middle = rest === "" ? "" : truncateText(toSentence(capitalizeSentence(rest)), available);
  return [first, middle, tail].filter((part) => part !== "").join(" ");
}

/** `get hives.` → Get hives. Identifiers stay: `iPhone`, `user_id`. */
export const capitalizeSentence = (text: string): string =>
  /^[a-z]{2,}(?=[ .,])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/**
 * Description from names alone: `create_message` of `/channels/{id}/messages` → Create a message of
 * the given channel.
 */
function describeFromName({ name, parents = [], ofAll }: ToolDescriptionSource): string {
  const [verb = "", ...words] = name.split("_");
  const noun = ofAll ? ["all", ...words] : words;
  const last = noun.at(-1) ?? "";
  const isSingular =
    SINGLE_OBJECT_VERBS.has(verb) &&
    noun.length > 0 &&
    !isPlural(last) &&
    pluralize(last) !== last &&
    !noun.some((word) => isConnective(word) || NO_ARTICLE.has(word));
  const article = SUPERLATIVE.test(noun[0] ?? "")
    ? "the"
    : /^(?!uni|use|usa|eu|one)[aeiou]/.test(noun[0] ?? "")
      ? "an"
      : "a";
  const phrase = toSentenceCase(isSingular ? [verb, article, ...noun] : [verb, ...noun]);
  const nameStems = new Set(noun.map(singularize));
  const parentWords = parents.filter((word) => !nameStems.has(singularize(word)));
  return `${phrase}${parentWords.length > 0 ? ` of the given ${joinWithAnd(parentWords)}` : ""}.`;
}

/** Adjectives of which there is one: `the latest reading`. */
const SUPERLATIVE = /^(?:earliest|final|first|initial|last|latest|newest|next|oldest|previous)$/;
const SINGLE_OBJECT_VERBS = new Set(
  "get create update delete replace add remove fetch edit check send".split(" "),
);
const NO_ARTICLE = new Set(
  "my me current own self original all default each info information status".split(" "),
);

/** Side effects that the document states, unless the description shows them already. */
function sideEffects({ effects }: ToolDescriptionSource, shown: string): string | undefined {
  const text = shown.slice(0, MAX_SHOWN_LENGTH).toLowerCase();
  const sentences = [
    effects?.replacesAll === true && !REPLACES_ALL.test(text) ? REPLACES_ALL_SENTENCE : "",
    effects?.isIrreversible === true && !IRREVERSIBLE.test(text) ? IRREVERSIBLE_SENTENCE : "",
  ].filter((sentence) => sentence !== "");
  return sentences.length > 0 ? sentences.join(" ") : undefined;
}

/** Text after it may be shortened. */
const MAX_SHOWN_LENGTH = 600;

/** Sentence about a call that, according to the document, cannot do what its name says. */
export function callLimitSentence(
  name: string,
  {
    method,
    requiresUnsendableBody,
    description = "",
  }: Pick<Operation, "method" | "requiresUnsendableBody" | "description">,
  sent: readonly { readonly in: string }[],
): string | undefined {
  if (requiresUnsendableBody)
    return `The API requires a request body, which a ${method} request cannot carry.`;
  const isUpdate = /^(?:PUT|PATCH)$/.test(method) && /^(?:update|edit|modify)_/.test(name);
  const chosen = sent.filter(({ in: location }) => location !== "path" && location !== "header");
  if (isUpdate && chosen.length === 0) return "The API's documentation names no fields to update.";
  return chosen.length < demandedParameters(description)
    ? "The API's documentation does not declare the parameters that it demands."
    : undefined;
}

const NUMBERS = ["", "one", "two", "three", "four"];
const DEMAND = sequence(
  /\b(?:exactly|at least) (one|two|three|four|[1-4]) of (?:these|the following|the) /i,
  /(?:query |optional )?(?:parameters|fields|filters)\b/,
);

/** Number of parameters that a text demands: 2 for `exactly two of these parameters`. */
function demandedParameters(text: string): number {
  const [, number = ""] = DEMAND.exec(text) ?? [];
  return Number(number) || Math.max(0, NUMBERS.indexOf(number.toLowerCase()));
}

const MAX_NAMED_SIBLINGS = 2;

/** A planned tool with further data of its planning. */
interface ToolTask {
  readonly tool: PlannedTool;
}

/**
 * Adds a sentence to tools with equal descriptions that distinguishes them: an input that only one
 * requires, else the words in which their names differ.
 */
export function distinguishSameDescriptions<Task extends ToolTask>(
  tasks: readonly Task[],
): readonly Task[] {
  const groups = groupBy(tasks, ({ tool }) => textKey(tool.definition.description));
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
 * `With account use delete_account_by_account.`, `For persons use find_persons.`; undefined if
 * nothing distinguishes the tools.
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
  const isManner = words.every((word) => word.endsWith("ly"));
  return isManner || isConnective(words[0]) || words.every((word) => UNINFORMATIVE_WORD.test(word))
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
