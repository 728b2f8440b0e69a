/** Other tools that help after a failure: sources of valid inputs, and readers of what a write changes. */
import { isPossibleWrite } from "../client/failures.js";
import { pluralize } from "../language/inflection.js";
import { inputOf, mappedInputs } from "../request/parameter-source.js";
import type { ApiCall, CallableTool, FindTool } from "../request/types.js";
import type { JsonSchema } from "../types.js";
import { presentInputs } from "./next-tools.js";

/** Maximum number of tools that are named for one input. */
const MAX_PRODUCERS = 2;

/**
 * Advises to get a value for an input from up to two offered tools. A tool that creates what it
 * returns is not called for an ID only.
 */
function producerAdvice(call: ApiCall, input: string): string | undefined {
  const { tool, findTool } = call;
  const producers = callableProducers(tool, input, presentInputs(call), findTool);
  const reading = producers.filter((name) => findTool(name)?.annotations?.readOnlyHint !== false);
  const names = (reading.length > 0 ? reading : producers).slice(0, MAX_PRODUCERS).join(" or ");
  if (names === "") return undefined;
  if (reading.length > 0) return `Get a valid ${input} from ${names}`;
  return `Use the ${input} that ${names} returned, which creates a new one with every call`;
}

/**
 * Advises how to get valid values for inputs: from other tools, or from the tool itself, where it
 * lists what it otherwise finds by this input. Inputs without a source are left out.
 * @param purpose why the tool itself is called without the input, as the end of a sentence
 */
export function sourcesOfInputs(
  call: ApiCall,
  inputs: readonly string[],
  purpose = "to get a valid one",
): readonly string[] {
  return inputs.flatMap((input) => {
    const producers = producerAdvice(call, input);
    if (producers !== undefined) return [producers];
    const { name } = call.tool;
    const isGiven = call.input[input] !== undefined;
    return isGiven && call.servesWithout?.(input)
      ? [`Call ${name} without ${input} ${purpose}`]
      : [];
  });
}

/** Advice before a write is repeated that may have taken effect. */
export function verificationAdvice(call: ApiCall): string {
  const tool = findReader(call);
  if (tool === undefined) return "find out from another tool or the user whether it took effect";
  return `call ${tool} to see whether it took effect`;
}

/**
 * Finds a tool that reads what a write changes, and that can be called with its input: the one that
 * gets the thing itself, else by name the one that takes the fewest IDs that the call does not
 * have.
 */
export function findReader(call: ApiCall): string | undefined {
  if (!isPossibleWrite(call)) return undefined;
  const { tool, api, findTool } = call;
  const given = new Set(presentInputs(call));
  const ofThing = readerOfThing(call, given);
  if (ofThing !== undefined) return ofThing;
  const readers = readersByName(tool.name, api.namespace)
    .flatMap((name) =>
      isCallable(name, given, findTool, new Set([tool.name])) ? [findTool(name)!] : [],
    )
    .filter(({ annotations }) => annotations?.destructiveHint !== true);
  const [best] = readers.toSorted(
    (one, other) => countUnknownIds(one, given) - countUnknownIds(other, given),
  );
  return best?.name;
}

/** The tool that gets the thing of a write, if the call has the inputs of it and it is offered. */
function readerOfThing(
  { tool, mapping, findTool }: ApiCall,
  given: ReadonlySet<string>,
): string | undefined {
  // The tool of a workflow has steps in place of operations.
  const operations = "operations" in tool ? tool.operations : [];
  const { readBack } =
    operations.find(
      ({ request }) => request.path === mapping.path && request.method === mapping.method,
    ) ?? {};
  if (!readBack || readBack.listed || !findTool(readBack.tool)) return undefined;
  const { created, inputs } = readBack;
  const hasId = !created || Object.hasOwn(inputs, created.input);
  return hasId && Object.values(inputs).every((input) => given.has(input))
    ? readBack.tool
    : undefined;
}

const LIST_VERBS = ["find", "list", "search"];
const GET_VERBS = ["get", "fetch", "read", "retrieve", "show"];

/**
 * Names of tools that show the effect of another one: `find_visits` for `book_visit`,
 * `get_pet_photo` for `upload_pet_photo`.
 * @param namespace first word of every tool's name
 */
export function readersByName(tool: string, namespace: string | undefined): readonly string[] {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  const noun = tool.slice(prefix.length).split("_").slice(1).join("_");
  if (noun === "" || !tool.startsWith(prefix)) return [];
  const lists = [noun, pluralOf(noun)].flatMap((one) => [one, `all_${one}`, `${one}_all`]);
  const names = [
    ...LIST_VERBS.flatMap((verb) => lists.map((list) => `${verb}_${list}`)),
    ...GET_VERBS.flatMap((verb) => [`${verb}_${noun}`, `${verb}_${noun}_by_id`]),
  ];
  return names.map((name) => prefix + name).filter((name) => name !== tool);
}

/** `pet_photo` → pet_photos. */
const pluralOf = (noun: string): string => noun.replace(/[^_]+$/, pluralize);

/** Maximum length of a chain of tools that leads to a value. */
const MAX_CHAIN = 4;

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
function isCallable(
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
function countUnknownIds(tool: CallableTool, given: ReadonlySet<string>): number {
  const counts = (tool.operations ?? []).map(
    ({ request }) =>
      mappedInputs(request).filter((input) => isId(tool, input) && !given.has(input)).length,
  );
  return counts.length > 0 ? Math.min(...counts) : 0;
}

/** True for an input that takes an ID. An agent cannot invent one, unlike a date or a text. */
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
