/** Lists that a rule returns with a thing: `includeLists: {comments: list_comments}`. */
import { quoteText, suggestionFor } from "../diagnostics/text.js";
import { isSameJson, type JsonSchema } from "../json.js";
import type { IncludedList, OperationBinding } from "../runtime/types.js";
import { inputProperties } from "./bound-parameters.js";
import { printPurpose } from "./descriptions/print.js";
import type { DiagnosticCollector } from "./diagnostics.js";
import { matchingInput } from "./path-readers.js";
import { joinWithAnd } from "./text/sentences.js";
import type { ListsRule, PlannedInput, PlannedTool } from "./types.js";

/** A list of parts: its name, the end of its path, and its tool. */
export interface PartList {
  readonly name: string;
  readonly list: IncludedList;
  /** Sentence about the content of the list and the inputs that it needs. */
  readonly explanation?: string;
  /** Inputs that the thing lacks. */
  readonly needs?: readonly NeededInput[];
}

interface NeededInput {
  readonly input: PlannedInput;
  readonly schema: JsonSchema;
}

/**
 * Finds the lists of a rule, and the operation that gets the thing. A mistake is an error.
 * @param others all tools, by which the rule may name a list
 */
export function configuredLists(
  tool: PlannedTool,
  { lists, locationOf }: ListsRule,
  others: readonly PlannedTool[],
  diagnostics: DiagnosticCollector,
): { readonly thing: OperationBinding; readonly parts: readonly PartList[] } | undefined {
  const thing = tool.workflow ? undefined : tool.definition.operations.find(returnsThing);
  const reject = (reason: string, hint: string, ...path: readonly string[]): void =>
    diagnostics.add("config-merge", reason, locationOf(...path), hint);
  if (!thing || !tool.definition.annotations.readOnlyHint)
    return void reject(
      `${tool.definition.name} does not get a thing to which lists can be added.`,
      "Only a tool that reads one object takes includeLists with names.",
    );
  const parts: PartList[] = [];
  for (const [name, text] of Object.entries(lists)) {
    const found = findTool(text, others);
    const part = found ? planPart(name, found, tool, thing, parts) : unknownTool(text, others);
    if ("reason" in part) return void reject(part.reason, part.hint, name);
    parts.push(part);
  }
  return { thing, parts };
}

const returnsThing = ({ request, response }: OperationBinding): boolean =>
  !request.isRaw && response.wrap === undefined && response.items === undefined;

/** Finds a tool by its name, its operationId or `METHOD /path`. */
function findTool(text: string, tools: readonly PlannedTool[]): PlannedTool | undefined {
  return (
    tools.find(({ definition }) => definition.name === text) ??
    tools.find(({ operations }) =>
      operations.some(
        ({ operationId, method, path }) => operationId === text || `${method} ${path}` === text,
      ),
    )
  );
}

/** A mistake in a rule. */
interface Mistake {
  readonly reason: string;
  readonly hint: string;
}

function unknownTool(text: string, tools: readonly PlannedTool[]): Mistake {
  const known = tools.flatMap(({ definition, operations }) => [
    definition.name,
    ...operations.flatMap(({ operationId }) => operationId ?? []),
  ]);
  return {
    reason: `No tool is called ${quoteText(text)}${suggestionFor(text, known) || "."}`,
    hint: "Name a tool, or an operation that has one. A tool with `hidden: true` is not listed.",
  };
}

/** Plans the call of a list: values of the thing, and inputs that the thing lacks. */
function planPart(
  name: string,
  via: PlannedTool,
  tool: PlannedTool,
  thing: OperationBinding,
  others: readonly PartList[],
): PartList | Mistake {
  const { definition } = via;
  const list = definition.operations[0];
  if (via === tool || via.workflow || !list || !definition.annotations.readOnlyHint)
    return {
      reason: `${definition.name} cannot be included: ${mistakeOf(via, tool)}.`,
      hint: "Name a tool that only reads. For operations that write, use `merge` with keys.",
    };
  const { required = [] } = definition.inputSchema as { readonly required?: readonly string[] };
  const names = [...new Set([...required, ...list.whenProvided])];
  const pairs = names.map((input) => [input, matchingInput(input, list, thing, tool)] as const);
  const needs = pairs.flatMap(([input, match]) => (match === undefined ? need(via, input) : []));
  const taken = needs.find(({ input }) => isTaken(input, tool, others));
  if (taken)
    return {
      reason:
        `${quoteText(taken.input.name)} of ${definition.name} is another value than that of ` +
        `${tool.definition.name} or of another list.`,
      hint: `Give it another name: ${definition.name}: {inputs: {${taken.input.name}: {name: …}}}.`,
    };
  const own = needs.map(({ input }) => input.name);
  return {
    name,
    list: {
      tool: definition.name,
      inputs: Object.fromEntries(pairs.map(([input, match]) => [input, match ?? input])),
      ...(own.length > 0 && { required: own }),
    },
    explanation: explanationOf(name, via, own),
    needs,
  };
}

function mistakeOf(via: PlannedTool, tool: PlannedTool): string {
  if (via === tool) return "it is the tool itself";
  return via.workflow ? "it is a workflow" : "it writes";
}

function need({ inputs, definition }: PlannedTool, name: string): readonly NeededInput[] {
  const input = inputs.find((one) => one.name === name);
  return input ? [{ input, schema: inputProperties(definition)[name] ?? {} }] : [];
}

/** True if an input has the name of another one with another meaning. */
function isTaken(
  { name, type }: PlannedInput,
  { inputs }: PlannedTool,
  others: readonly PartList[],
): boolean {
  if (name === "include" || inputs.some((one) => one.name === name)) return true;
  const same = others.flatMap(({ needs = [] }) => needs).find(({ input }) => input.name === name);
  return same !== undefined && !isSameJson(same.input.type, type);
}

function explanationOf(name: string, { text }: PlannedTool, needs: readonly string[]): string {
  const purpose = printPurpose(text.purpose).replace(/\.$/, "");
  const needed = needs.length > 0 ? `needs ${joinWithAnd(needs)}` : "";
  const facts = [purpose, needed].filter(Boolean).join("; ");
  return facts === "" ? "" : `${name}: ${facts}.`;
}
