/** Tools that an agent can call with the values that it has. */
import { inputOf, mappedInputs } from "../request/parameter-source.js";
import type { JsonSchema, ToolDefinition } from "../types.js";

/** The part of a tool that decides whether it can be called. */
export type CallableTool = Pick<ToolDefinition, "name" | "inputSchema"> &
  Partial<Pick<ToolDefinition, "producers" | "operations" | "annotations">>;

/** Maximum number of tools that lead to a value one after the other. */
const MAX_CHAIN = 4;

/** Finds an offered tool by its name. */
export type FindTool = (name: string) => CallableTool | undefined;

/**
 * Lists the producers of an input that can be called with the inputs of a call. Every other value
 * that they require must have a producer that can be called as well, or be one of a few.
 * @param given names of the inputs that the agent has values for
 */
export function callableProducers(
  tool: CallableTool,
  input: string,
  given: readonly string[],
  find: FindTool,
): readonly string[] {
  const known = new Set(given.filter((name) => name !== input));
  return producersOf(tool, input).filter((name) =>
    isCallable(name, known, find, new Set([tool.name])),
  );
}

/** True if a tool is offered and all of its required inputs can be had. */
export function isCallable(
  name: string,
  given: ReadonlySet<string>,
  find: FindTool,
  callers: ReadonlySet<string>,
): boolean {
  const isExcluded = callers.has(name) || callers.size > MAX_CHAIN;
  const tool = isExcluded ? undefined : find(name);
  if (!tool) return false;
  const visited = new Set([...callers, name]);
  const { required = [], properties = {} } = tool.inputSchema as {
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, JsonSchema>>;
  };
  const canHave = (input: string): boolean =>
    given.has(input) ||
    (!isId(tool, input) && !isPathInput(tool, input)) ||
    isChoice(properties[input]) ||
    producersOf(tool, input).some((producer) => isCallable(producer, given, find, visited));
  const conditions = tool.operations?.map(({ whenProvided }) => whenProvided) ?? [[]];
  return required.every(canHave) && conditions.some((inputs) => inputs.every(canHave));
}

/**
 * Counts the IDs that a tool takes and a caller has no values for, in the operation that needs the
 * fewest. An optional ID counts: many documents leave out `required`.
 */
export function countUnknownIds(tool: CallableTool, given: ReadonlySet<string>): number {
  const counts = (tool.operations ?? []).map(
    ({ request }) =>
      mappedInputs(request).filter((input) => isId(tool, input) && !given.has(input)).length,
  );
  return counts.length > 0 ? Math.min(...counts) : 0;
}

/** True for an input that takes an ID. An agent cannot make one up, as it can a date or a text. */
function isId(tool: CallableTool, input: string): boolean {
  return producersOf(tool, input).length > 0 || /(?:^|_)(?:id|uuid|guid)s?$|I[dD]s?$/.test(input);
}

function isPathInput({ operations = [] }: CallableTool, input: string): boolean {
  return operations.some(({ request }) =>
    Object.values(request.pathParams ?? {}).some((source) => inputOf(source) === input),
  );
}

/** True for a value that the agent can choose without asking: one of a few, or one with a default. */
function isChoice(schema: JsonSchema | undefined): boolean {
  if (!schema) return false;
  return (
    "enum" in schema || "const" in schema || "default" in schema || schema["type"] === "boolean"
  );
}

function producersOf({ producers = {} }: CallableTool, input: string): readonly string[] {
  return Object.hasOwn(producers, input) ? (producers[input] ?? []) : [];
}
