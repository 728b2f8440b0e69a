import { MAX_DESCRIPTION_LENGTH } from "../descriptions/tool.js";
import { describeInputs } from "../bound-parameters.js";
import { singularize } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import { operationKey } from "../operations/identity.js";
import { splitSentence } from "../text/sentences.js";
import type { PlannedTask } from "../state.js";
import type { PlannedTool } from "../types.js";
import type { CrossReferences } from "./link.js";
import { hasToolMark, TOOL_MARK } from "../text/tool-marks.js";

/** Tools that the texts of a tool name as sources, by input. */
type NamedSources = ReadonlyMap<string, readonly string[]>;

/** A task whose texts name tools. */
export interface LinkedTask extends PlannedTask {
  readonly namedSources: NamedSources;
}

const NO_SOURCES: NamedSources = new Map();

/**
 * Replaces marks by names of tools, and adds the sources that the texts name. A sentence of a
 * description that would name its own tool is left out.
 */
export function resolveReferences(
  tasks: readonly PlannedTask[],
  { operationOf }: CrossReferences,
): readonly LinkedTask[] {
  const byOperation = new Map(
    tasks.flatMap(({ tool }) => tool.operations.map((ref) => [operationKey(ref), tool] as const)),
  );
  const toolOf = (index: string): PlannedTool | undefined => {
    const operation = operationOf(Number(index));
    return operation && byOperation.get(operationKey(operation));
  };
  return tasks.map((task) => ({ ...task, ...resolveTool(task.tool, toolOf) }));
}

type ToolOf = (index: string) => PlannedTool | undefined;

function resolveTool(
  tool: PlannedTool,
  toolOf: ToolOf,
): { readonly tool: PlannedTool; readonly namedSources: NamedSources } {
  const { description } = tool.definition;
  const marked = tool.inputs.filter((input) => hasToolMark(input.description));
  if (marked.length === 0 && !hasToolMark(description)) return { tool, namedSources: NO_SOURCES };
  const namedSources = new Map([
    ...sourcesByNoun(tool, readersIn(description, toolOf)),
    ...marked.map(
      ({ name, description: text }) => [name, sourcesFor(name, readersIn(text, toolOf))] as const,
    ),
  ]);
  const described = describeInputs(
    tool,
    new Map(marked.map((input) => [input.name, putNames(input.description, toolOf)])),
  );
  const { definition } = described;
  const text = resolveDescription(description, tool.definition.name, toolOf);
  return { tool: { ...described, definition: { ...definition, description: text } }, namedSources };
}

const nameOf = (tool: PlannedTool | undefined): string => tool?.definition.name ?? "another tool";

const putNames = (text: string, toolOf: ToolOf): string =>
  text.replace(TOOL_MARK, (_, index: string) => nameOf(toolOf(index)));

/** Marked tools that only read. */
function readersIn(text: string, toolOf: ToolOf): readonly PlannedTool[] {
  const tools = [...text.matchAll(TOOL_MARK)].flatMap(([, index = ""]) => toolOf(index) ?? []);
  return tools.filter(({ definition }) => definition.annotations.readOnlyHint);
}

/** Names of the tools that can be called without the value that they provide. */
const sourcesFor = (input: string, readers: readonly PlannedTool[]): readonly string[] =>
  readers
    .filter(({ inputs }) => !inputs.some(({ name, required }) => required && name === input))
    .map(nameOf);

/**
 * Names tools in a description. Sentences that name the tool itself or repeat the reference to
 * another one go, and so do those that make the description too long.
 */
function resolveDescription(description: string, own: string, toolOf: ToolOf): string {
  const sentences: string[] = [];
  const named = new Set<string>();
  let available = MAX_DESCRIPTION_LENGTH - description.length;
  for (let rest = description; rest !== "";) {
    const [sentence, after] = splitSentence(rest);
    rest = after;
    const names = [...sentence.matchAll(TOOL_MARK)].map(([, index = ""]) => nameOf(toolOf(index)));
    const resolved = putNames(sentence, toolOf);
    const growth = resolved.length - sentence.length;
    const isRepeated = named.has(
      /^(?:For one of them|To change only some of it,) use (\w+)\.$/.exec(resolved)?.[1] ?? "",
    );
    if (names.includes(own) || isRepeated || growth > available) continue;
    available -= growth;
    for (const name of names) named.add(name);
    sentences.push(resolved);
  }
  return sentences.join(" ");
}

/** Sources of the inputs that take what a tool lists: `image` from `find_images`. */
function sourcesByNoun(tool: PlannedTool, readers: readonly PlannedTool[]): NamedSources {
  const lists = readers.filter((reader) => /^(?:find|list|search)$/.test(wordsOf(reader)[0] ?? ""));
  const sources = new Map<string, readonly string[]>();
  for (const { name } of tool.inputs) {
    const entity = stems(splitWords(name).filter((word) => !ID_WORD.test(word)));
    const found = lists.filter((reader) => stems(wordsOf(reader).slice(1)) === entity);
    if (entity !== "" && found.length > 0) sources.set(name, sourcesFor(name, found));
  }
  return sources;
}

const wordsOf = (tool: PlannedTool): readonly string[] => nameOf(tool).split("_");
const ID_WORD = /^(?:ids?|uuid|guid|gid|uid|key|slug|code|name|or)$/;
const stems = (words: readonly string[]): string => words.map(singularize).join(" ");
