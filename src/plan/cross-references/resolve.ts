import { describeInputs } from "../bound-parameters.js";
import { singularize } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import { mapWrittenText, writtenTexts } from "../text/parts.js";
import { printPurpose } from "../descriptions/print.js";
import { operationKey } from "../operations/identity.js";
import { splitSentence } from "../text/sentences.js";
import type { PlannedTask } from "../tool-context.js";
import type { PlannedTool } from "../types.js";
import { type CrossReferences, hasToolMark, TOOL_MARK } from "../text/tool-marks.js";

/** Tools that the texts of a tool name as sources, by input. */
type NamedSources = ReadonlyMap<string, readonly string[]>;

/** A task whose texts name tools. */
export interface LinkedTask extends PlannedTask {
  readonly namedSources: NamedSources;
}

const NO_SOURCES: NamedSources = new Map();

/**
 * Replaces marks by names of tools, and adds the sources that the texts name. A sentence that would
 * name its own tool is left out, and so is an alternative that the text names.
 */
export function resolveReferences(
  tasks: readonly PlannedTask[],
  { operationOf }: CrossReferences,
): readonly LinkedTask[] {
  const byOperation = new Map(
    tasks.flatMap(({ tool }) =>
      tool.definition.hidden
        ? []
        : tool.operations.map((ref) => [operationKey(ref), tool] as const),
    ),
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
  const { text, definition } = tool;
  const marked = tool.inputs.filter((input) => hasToolMark(input.description));
  const written = writtenTexts(text).join(" ");
  if (marked.length === 0 && !hasToolMark(written)) return { tool, namedSources: NO_SOURCES };
  const namedSources = new Map([
    ...sourcesByNoun(tool, readersIn(written, toolOf)),
    ...marked.map(
      ({ name, description }) => [name, sourcesFor(name, readersIn(description, toolOf))] as const,
    ),
  ]);
  const described = describeInputs(
    tool,
    new Map(marked.map((input) => [input.name, putNames(input.description, toolOf)])),
  );
  const named = new Set(toolsIn(written, toolOf).map(nameOf));
  const resolved = mapWrittenText(text, (one) => resolveText(one, definition.name, toolOf));
  const purpose =
    resolved.purpose === "" ? putNames(printPurpose(text.purpose), toolOf) : resolved.purpose;
  const alternatives = text.alternatives.filter((one) => !named.has(one.tool));
  return { tool: { ...described, text: { ...resolved, purpose, alternatives } }, namedSources };
}

const nameOf = (tool: PlannedTool | undefined): string => tool?.definition.name ?? "another tool";

const putNames = (text: string, toolOf: ToolOf): string =>
  text.replace(TOOL_MARK, (_, index: string) => nameOf(toolOf(index)));

/** Marked tools. */
const toolsIn = (text: string, toolOf: ToolOf): readonly PlannedTool[] =>
  [...text.matchAll(TOOL_MARK)].flatMap(([, index = ""]) => toolOf(index) ?? []);

/** Marked tools that only read. */
const readersIn = (text: string, toolOf: ToolOf): readonly PlannedTool[] =>
  toolsIn(text, toolOf).filter(({ definition }) => definition.annotations.readOnlyHint);

/** Names of the tools that can be called without the value that they provide. */
const sourcesFor = (input: string, readers: readonly PlannedTool[]): readonly string[] =>
  readers
    .filter(({ inputs }) => !inputs.some(({ name, required }) => required && name === input))
    .map(nameOf);

/** Names tools in a text. Sentences that name the tool itself are left out. */
function resolveText(text: string, own: string, toolOf: ToolOf): string {
  if (!hasToolMark(text)) return text;
  const sentences: string[] = [];
  for (let rest = text; rest !== "";) {
    const [sentence, after] = splitSentence(rest);
    rest = after;
    if (!toolsIn(sentence, toolOf).map(nameOf).includes(own))
      sentences.push(putNames(sentence, toolOf));
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
