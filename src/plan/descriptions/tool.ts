/** Texts of tools, and the alternatives that tell equal ones apart. */
import { containsContentWords } from "./content-words.js";
import { groupBy } from "../../groups.js";
import { omitUndefined } from "../../json.js";
import type { Operation, Response } from "../../model/types.js";
import type { OperationEffects } from "../operations/types.js";
import { displayWord, toSentenceCase } from "../names/format-name.js";
import { isConnective, isPlural, pluralize, singularize } from "../../language/grammar.js";
import { SINGLE_OBJECT_VERBS } from "../../language/lexicon.js";
import { joinWithAnd, splitSentence } from "../text/sentences.js";
import type { PlannedTool } from "../types.js";
import { toImperativeSentence, writeOpening } from "./opening.js";
import type { Alternative, StatedEffect, ToolText } from "../text/parts.js";
import { printText } from "./print.js";
import { cleanProse } from "./prose.js";
import { restatesName, withoutOutcome } from "./repetition.js";
import { purposeOfResponse } from "./response-text.js";

/** Facts from which a tool is described. */
interface ToolTextSource extends Partial<
  Pick<ToolText, "steps" | "limits" | "result" | "errors" | "details">
> {
  readonly name: string;
  /** Side effects that the document states. */
  readonly effects?: Pick<OperationEffects, StatedEffect> | undefined;
  /** Plain text. The title is made from it too. */
  readonly summary: string;
  readonly description?: string | undefined;
  readonly deprecated: boolean;
  /** Resources above it in its path, used when the document has no text: `channel`. */
  readonly parents?: readonly string[];
  /** It deletes all items of a collection. */
  readonly ofAll?: boolean;
  /** Success responses, whose text is used when the document has no other. */
  readonly responses?: readonly Response[];
}

/** Writes the text of a tool: its purpose, and the rest of the document's text. */
export function writeToolText(source: ToolTextSource): ToolText {
  const text = withoutOutcome(cleanProse(source.description ?? ""));
  const summary = summaryOf(source);
  // `getInfo` below `Information about the account`
  const isName = summary !== "" && /^\w+$/.test(text) && restatesName(text, source.name);
  const { note, description } = splitNote(isName ? "" : text);
  const { first, rest } =
    summary === "" && (description === "" || restatesName(description, source.name))
      ? { first: purposeWithoutText(source), rest: "" }
      : writeOpening(source.name, summary, description);
  const { steps, limits = [], result = [], errors, details = [] } = source;
  return {
    purpose: first,
    details: [...[rest, note].filter(Boolean).map((one) => ({ text: one })), ...details],
    ...omitUndefined({ steps, errors }),
    limits,
    result,
    effects: STATED_EFFECTS.filter((effect) => source.effects?.[effect] === true),
    isDeprecated: source.deprecated,
    alternatives: [],
  };
}

/** Splits a note about who may call off the start of a text: `Required role: admin. Adds a pet.` */
function splitNote(text: string): { readonly note: string; readonly description: string } {
  const [first, rest] = splitSentence(text);
  return NOTE_ABOUT_CALLERS.test(first)
    ? { note: first, description: rest }
    : { note: "", description: text };
}

const NOTE_ABOUT_CALLERS =
  /^(?:required )?(?:access|auth(?:entication|orization)?|permissions?|privileges?|roles?|scopes?)(?: required)?: /i;

/** Purpose from the text about the response, else from the name. */
function purposeWithoutText(source: ToolTextSource): string {
  const fallback = describeFromName(source);
  return purposeOfResponse(source.name, source.responses ?? [], fallback) ?? fallback;
}

/**
 * Summary of the document; empty if it is the name in other words. A verb without an object
 * (`Disable`, `Get by project`) gets that of the name.
 */
function summaryOf(source: ToolTextSource): string {
  const summary = withoutOutcome(source.summary);
  const [, verb, by = ""] = VERB_WITHOUT_OBJECT.exec(summary) ?? [];
  if (restatesName(summary, source.name)) return "";
  // `Comment by ID` of `get_comment` names the thing.
  const isNoun = by !== "" && source.name.split("_").lastIndexOf(verb?.toLowerCase() ?? "") > 0;
  if (verb === undefined || isNoun || !source.name.includes("_")) return summary;
  const [stated] = (toImperativeSentence(source.description ?? "") ?? "").toLowerCase().split(" ");
  if (by === "" && stated === verb.toLowerCase()) return "";
  const fallback = describeFromName({ ...source, parents: [] });
  return containsContentWords(source.name.replaceAll("_", " "), by)
    ? fallback
    : `${fallback.slice(0, -1)}${by}.`;
}

const VERB_WITHOUT_OBJECT = /^([A-Za-z]+)( by [\w -]{1,40})?\.?$/;

const STATED_EFFECTS = ["replacesAll", "isIrreversible"] as const;

/**
 * Description from names alone: `create_message` of `/channels/{id}/messages` → Create a message of
 * the given channel.
 */
function describeFromName({ name, parents = [], ofAll }: ToolTextSource): string {
  const [verb = "", ...words] = name.split("_");
  const noun = ofAll ? ["all", ...words] : words;
  const last = noun.at(-1) ?? "";
  const isSingular =
    SINGLE_OBJECT_VERBS.has(verb) &&
    noun.length > 0 &&
    !isPlural(last) &&
    pluralize(last) !== last &&
    !noun.some((word) => isConnective(word) || NO_ARTICLE.has(word));
  const article =
    SUPERLATIVE.test(noun[0] ?? "") || TOTAL.test(last)
      ? "the"
      : /^(?!uni|use|usa|eu|one)[aeiou]|^(?:[fhlmnrsx][^aeiou]{1,3})$/.test(noun[0] ?? "")
        ? "an"
        : "a";
  const phrase = toSentenceCase(isSingular ? [verb, article, ...noun] : [verb, ...noun]);
  const nameStems = new Set(noun.map(singularize));
  const parentWords = parents.filter((words) =>
    words.split(" ").some((word) => !nameStems.has(singularize(word))),
  );
  return `${phrase}${parentWords.length > 0 ? ` of the given ${joinWithAnd(parentWords)}` : ""}.`;
}

/** Adjectives of which there is one: `the latest reading`. */
const SUPERLATIVE = /^(?:earliest|final|first|initial|last|latest|newest|next|oldest|previous)$/;
const TOTAL = /^(?:count|number|size|sum|total)$/;
const NO_ARTICLE = new Set(
  "my me current own self original all default each info information status".split(" "),
);

/** Sentence about a call that, according to the document, cannot do what its name says. */
export function callLimitSentence(
  name: string,
  {
    method,
    path,
    requiresUnsendableBody,
  }: Pick<Operation, "method" | "path" | "requiresUnsendableBody">,
  sent: readonly { readonly in: string }[],
): string | undefined {
  if (requiresUnsendableBody)
    return `The API requires a request body, which a ${method} request cannot carry.`;
  const isUpdate = /^(?:PUT|PATCH)$/.test(method) && /^(?:update|edit|modify)_/.test(name);
  const chosen = sent.filter(({ in: location }) => location !== "path" && location !== "header");
  // `/ratings/{item}/{rating}` has the value in its path.
  const hasValueInPath = /\}\/\{[^{}]*\}$/.test(path);
  if (isUpdate && chosen.length === 0 && !hasValueInPath)
    return "The API's documentation names no fields to update.";
  return undefined;
}

const MAX_NAMED_SIBLINGS = 2;

/** A planned tool with further data of its planning. */
interface ToolTask {
  readonly tool: PlannedTool;
}

/**
 * Adds an alternative to tools with equal texts, which distinguishes them: an input that only one
 * requires, else the words in which their names differ.
 */
export function distinguishSameDescriptions<Task extends ToolTask>(
  tasks: readonly Task[],
): readonly Task[] {
  const texts = new Map(tasks.map((task) => [task, printText(task.tool.text)]));
  const groups = groupBy(tasks, (task) => texts.get(task) as string);
  return tasks.map((task) => {
    const group = groups.get(texts.get(task) as string) as readonly Task[];
    const others = group.filter((member) => member !== task);
    return others.length === 0 ? task : addDifferences(task, others);
  });
}

function addDifferences<Task extends ToolTask>(task: Task, others: readonly Task[]): Task {
  const differences = others
    .slice(0, MAX_NAMED_SIBLINGS)
    .flatMap((candidate) => difference(task, candidate) ?? []);
  const { text } = task.tool;
  const conditions = differences.map(({ when }) => JSON.stringify(when));
  const distinct = differences.filter((_, i) => conditions.indexOf(conditions[i] ?? "") === i);
  const alternatives = [...text.alternatives, ...distinct];
  return { ...task, tool: { ...task.tool, text: { ...text, alternatives } } };
}

/**
 * `With account use delete_account_by_account.`, `For persons use find_persons.`; undefined if
 * nothing distinguishes the tools.
 */
function difference(task: ToolTask, other: ToolTask): Alternative | undefined {
  const { name: tool } = other.tool.definition;
  const [required, otherRequired] = [requiredOf(task), requiredOf(other)];
  const additional = [...otherRequired].filter((input) => !required.has(input));
  if (additional.length > 0)
    return { tool, when: { word: "With", inputs: additional.slice(0, 2) } };
  const missing = [...required].filter((input) => !otherRequired.has(input));
  if (missing.length > 0) return { tool, when: { word: "Without", inputs: missing.slice(0, 2) } };
  const words = distinctNameWords(other, task);
  return words.length > 0 ? { tool, when: `For ${words.map(displayWord).join(" ")}` } : undefined;
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
  const [verb = ""] = task.tool.definition.name.split("_");
  const own = words.length > 1 && words[0] === verb ? words.slice(1) : words;
  const nouns = own.slice(0, own.findLastIndex((word) => !isConnective(word)) + 1);
  const isManner = nouns.every((word) => word.endsWith("ly"));
  return isManner || isConnective(nouns[0]) || nouns.every((word) => UNINFORMATIVE_WORD.test(word))
    ? []
    : nouns;
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
