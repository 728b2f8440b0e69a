/** Examples of two steps for the descriptions of `run_steps` and `run_reads`, from the server's tools. */
import { isObject } from "../data/values.js";
import { singularize } from "../language/inflection.js";
import { type AnyTool, deserializeTool, type StoredTool } from "./definitions.js";

/** Tools that are searched, so that the start of a large server stays short. */
const MAX_SEARCHED = 400;

/** Objects within a result in which the ID of a created thing is searched. */
const MAX_ID_DEPTH = 2;

/** A tool, and the words of its name without the namespace. */
interface StepCandidate {
  readonly tool: AnyTool;
  readonly verb: string;
  readonly noun: string;
}

/**
 * Returns the steps that create a thing and then change it by its ID, as JSON; undefined if the
 * schemas of the tools do not show where the ID is.
 * @param tools the tools that can be steps
 */
export function stepsExample(
  tools: readonly StoredTool[],
  namespace: string | undefined,
): string | undefined {
  const named = tools
    .filter(({ annotations }) => !annotations.readOnlyHint)
    .slice(0, MAX_SEARCHED)
    .map((tool) => nameTool(deserializeTool(tool), namespace));
  for (const created of named) {
    if (!/^(?:create|add|new|open|start)$/.test(created.verb)) continue;
    for (const changed of named) {
      const example = exampleOf(created, changed);
      if (example !== undefined) return example;
    }
  }
  return undefined;
}

/**
 * Returns the steps that list things and then read one by its ID, as JSON; undefined if the schemas
 * of the tools do not show where the ID is.
 * @param tools the tools that can be steps
 */
export function readsExample(
  tools: readonly StoredTool[],
  namespace: string | undefined,
): string | undefined {
  const searched = tools.slice(0, MAX_SEARCHED).map(deserializeTool);
  const byName = new Map(searched.map((tool) => [tool.name, tool]));
  for (const tool of searched) {
    const [input, ...others] = idInputsOf(tool);
    if (input === undefined || others.length > 0) continue;
    const lists = tool.producers![input]!.flatMap((name) => byName.get(name) ?? []);
    const noun = nounOf(tool, namespace);
    const list = lists.find(
      (one) =>
        one !== tool &&
        requiredOf(one).length === 0 &&
        (input !== "id" || isListOf(nounOf(one, namespace), noun)),
    );
    const path = list && pathOfItemId(list.outputSchema, idFieldOf(input, noun));
    if (path === undefined) continue;
    const rest = requiredOf(tool).length > 1 ? ", …" : "";
    return (
      `[{"tool": "${list!.name}"}, ` +
      `{"tool": "${tool.name}", "arguments": {"${input}": "{{1.${path}}}"${rest}}}]`
    );
  }
  return undefined;
}

/** True for the list of the things: the items of `find_projects` have boards, whose `id` is another. */
const isListOf = (list: string, noun: string): boolean =>
  singularize(list.split("_").at(-1) ?? "") === noun.split("_").at(-1);

const nounOf = (tool: AnyTool, namespace: string | undefined): string =>
  nameTool(tool, namespace).noun;

/** Path to the field in the first item of a result's only list of objects. */
function pathOfItemId(schema: unknown, field: IdField): string | undefined {
  if (!isObject(schema) || !isObject(schema.properties)) return undefined;
  const paths = Object.entries(schema.properties).flatMap(([name, value]) => {
    if (!isObject(value) || !isObject(value.items) || !/^[\w$-]+$/.test(name)) return [];
    const path = pathOfId(value.items, field);
    return path === undefined ? [] : [`${name}[0].${path}`];
  });
  return paths.length === 1 ? paths[0] : undefined;
}

function nameTool(tool: AnyTool, namespace: string | undefined): StepCandidate {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  const own = tool.name.startsWith(prefix) ? tool.name.slice(prefix.length) : tool.name;
  const [verb = "", ...noun] = own.split("_");
  return { tool, verb, noun: noun.join("_") };
}

/** The steps of a creation and a change of the same noun, which needs no other ID. */
function exampleOf(created: StepCandidate, changed: StepCandidate): string | undefined {
  if (created.noun !== changed.noun || created.tool === changed.tool || created.noun === "")
    return undefined;
  const [input, ...others] = idInputsOf(changed.tool);
  if (input === undefined || others.length > 0) return undefined;
  const path = pathOfId(created.tool.outputSchema, idFieldOf(input, created.noun));
  if (path === undefined) return undefined;
  const rest = requiredOf(changed.tool).length > 1 ? ", …" : "";
  const first = requiredOf(created.tool).length > 0 ? `, "arguments": {…}` : "";
  return (
    `[{"tool": "${created.tool.name}"${first}}, ` +
    `{"tool": "${changed.tool.name}", "arguments": {"${input}": "{{1.${path}}}"${rest}}}]`
  );
}

/** Required inputs that the results of other tools have. */
const idInputsOf = (tool: AnyTool): readonly string[] =>
  requiredOf(tool).filter((input) => tool.producers?.[input] !== undefined);

const requiredOf = ({ inputSchema }: AnyTool): readonly string[] =>
  Array.isArray(inputSchema.required) ? (inputSchema.required as readonly string[]) : [];

interface IdField {
  /** Name of the input, as {@link comparable}. */
  readonly name: string;
  /** The thing that has it, where the name says so. Its own `id` is the same. */
  readonly noun?: string;
}

/** The field that an input takes: `choreId` is `chore_id` anywhere, or `id` of a chore. */
function idFieldOf(input: string, noun: string): IdField {
  const [name, thing] = [comparable(input), comparable(noun)];
  return name === `${thing}id` ? { name, noun: thing } : { name };
}

const comparable = (name: string): string => name.toLowerCase().replace(/[_-]/g, "");

/** Objects around the result itself. */
const ENVELOPE = /^(?:data|result|response|item|object|resource|entity|record|payload)$/;

/** Path to the field in a result: at its top, else in the only object that has it. */
function pathOfId(schema: unknown, field: IdField, depth = MAX_ID_DEPTH): string | undefined {
  if (!isObject(schema) || !isObject(schema.properties)) return undefined;
  const names = Object.keys(schema.properties);
  const own =
    names.find((name) => comparable(name) === field.name) ??
    names.find((name) => name === "id" && field.noun !== undefined);
  if (own !== undefined || depth === 1) return own;
  const inner = Object.entries(schema.properties).flatMap(([name, value]) => {
    // `id` of another object than the thing is another ID.
    const isThing = ENVELOPE.test(name) || comparable(name) === field.noun;
    const path = pathOfId(value, isThing ? field : { name: field.name }, depth - 1);
    return path === undefined || !/^[\w$-]+$/.test(name) ? [] : [`${name}.${path}`];
  });
  return inner.length === 1 ? inner[0] : undefined;
}
