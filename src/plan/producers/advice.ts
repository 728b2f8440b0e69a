import { describeInputs } from "../input-properties.js";
import { displayWord } from "../names/titles.js";
import type { Schemas } from "../schemas/refs.js";
import { joinWithAnd, toSentence } from "../text/sentences.js";
import type { PlannedRequest, PlannedTask } from "../tool-context.js";
import type { PlannedTool } from "../types.js";
import { createProducerFinder, type Producer } from "./find-producers.js";
import { type IdRequirement, parseIdentityName, requiredIdentity } from "./identity.js";

/** An input that wants an ID, and what it is an ID of. */
interface IdInput {
  readonly input: string;
  readonly need: IdRequirement;
}

/**
 * Says in every tool where the IDs that it needs come from: in the description of the input, and as
 * advice for a 404.
 */
export function addProducerAdvice(
  tasks: readonly PlannedTask[],
  schemas: Schemas,
): readonly PlannedTool[] {
  const producersOf = createProducerFinder(
    tasks.map(({ tool, requests }) => ({
      name: tool.definition.name,
      operations: requests.map(({ classified: subject }) => subject),
    })),
    schemas,
  );
  return tasks.map(({ tool, requests }) => {
    const sources = new Map<string, readonly Producer[]>();
    const path: string[] = [];
    let thing = "";
    for (const { input, need } of requests.flatMap(idInputs)) {
      if (need.place === "path" && !path.includes(input)) path.push(input);
      if (need.place === "path") thing = requiredIdentity(need).entity;
      if (!sources.has(input)) sources.set(input, producersOf(need, tool.definition.name));
    }
    return addAdvice(tool, path, thing, sources);
  });
}

/** Values of an ID that an agent can hardly make up, by the last word of their names. */
const OPAQUE_ID_WORD = /^(id|uuid|guid|sid|uid|urn|arn)$/;

function idInputs({ classified: subject, inputs }: PlannedRequest): readonly IdInput[] {
  const required = new Set(
    inputs.inputs.filter((input) => input.required).map((input) => input.name),
  );
  return inputs.sources.flatMap(([{ in: place, wireName }, wire]) => {
    const input = typeof wire === "string" ? wire : "from" in wire ? wire.from : undefined;
    if (input === undefined || !required.has(input)) return [];
    const identity = parseIdentityName(wireName);
    if (place !== "path" && (!OPAQUE_ID_WORD.test(identity.idWord) || identity.entity === ""))
      return [];
    return [{ input, need: { operation: subject.operation, subject, wireName, place } }];
  });
}

/** @param thing what the last of the path's inputs identifies */
function addAdvice(
  tool: PlannedTool,
  path: readonly string[],
  thing: string,
  sources: ReadonlyMap<string, readonly Producer[]>,
): PlannedTool {
  const { definition } = tool;
  const isFind = definition.operations.length > 1;
  const own = isFind
    ? new Set(
        definition.operations
          .filter(({ response }) => response.item !== undefined)
          .flatMap(({ whenProvided }) => whenProvided),
      )
    : new Set<string>();
  const sentences = new Map(
    [...sources].flatMap(([input, producers]) =>
      producers.length === 0 || own.has(input)
        ? []
        : [[input, `Get it from ${joinWithOr(producers)}.`] as const],
    ),
  );
  const notFound = isFind
    ? findToolAdvice(definition.name, path, own, sources)
    : notFoundAdvice(path, thing, sources);
  if (sentences.size === 0 && notFound === undefined) return tool;
  const told = addSentences(addProducers(tool, own, sources), sentences);
  return {
    ...told,
    definition: {
      ...told.definition,
      ...(notFound !== undefined && { onError: { "404": notFound, ...definition.onError } }),
    },
  };
}

/**
 * Inputs with the tools that they come from; the ID by which a tool finds what it finds is its own.
 */
function addProducers(
  tool: PlannedTool,
  own: ReadonlySet<string>,
  sources: ReadonlyMap<string, readonly Producer[]>,
): PlannedTool {
  const namesOf = (input: string): readonly string[] =>
    own.has(input) ? [] : (sources.get(input) ?? []).map((producer) => producer.tool);
  return {
    ...tool,
    inputs: tool.inputs.map((input) =>
      namesOf(input.name).length === 0 ? input : { ...input, producers: namesOf(input.name) },
    ),
  };
}

function addSentences(tool: PlannedTool, sentences: ReadonlyMap<string, string>): PlannedTool {
  const told = tool.inputs.flatMap(({ name, description }) => {
    const sentence = sentences.get(name);
    return sentence === undefined
      ? []
      : [[name, `${toSentence(description)} ${sentence}`] as const];
  });
  return describeInputs(tool, new Map(told));
}

/** `find_pets`, `find_pets or list_visits`. */
function joinWithOr(producers: readonly Producer[]): string {
  return joinWithAnd(producers.map(({ tool }) => tool)).replace(/ and ([^,]*)$/, " or $1");
}

/**
 * `No pet with pet_id {pet_id}. Get a valid pet_id from find_pets.`; the braces are filled in when
 * it is said.
 */
function notFoundAdvice(
  path: readonly string[],
  thing: string,
  sources: ReadonlyMap<string, readonly Producer[]>,
): string | undefined {
  const known = path.filter((input) => (sources.get(input) ?? []).length > 0);
  const last = path.at(-1);
  if (last === undefined || known.length === 0) return undefined;
  const what =
    path.length === 1
      ? `No ${thing === "" ? "item" : thing.split("_").map(displayWord).join(" ")} with ${last} {${last}}.`
      : `Nothing with ${joinWithAnd(path.map((input) => `${input} {${input}}`))}.`;
  return `${what} ${known.map((input) => `Get a valid ${input} from ${joinWithOr(sources.get(input) ?? [])}.`).join(" ")}`;
}

/** A `find_…` tool is its own source of IDs. */
function findToolAdvice(
  name: string,
  path: readonly string[],
  own: ReadonlySet<string>,
  sources: ReadonlyMap<string, readonly Producer[]>,
): string | undefined {
  const ids = path.filter((input) => own.has(input));
  const others = path.filter((input) => !own.has(input) && (sources.get(input) ?? []).length > 0);
  if (ids.length === 0 && others.length === 0) return undefined;
  const parts = [
    ...(ids.length > 0 ? [`Call ${name} without ${joinWithAnd(ids)} to get a valid one.`] : []),
    ...others.map((input) => `Get a valid ${input} from ${joinWithOr(sources.get(input) ?? [])}.`),
  ];
  return `Nothing was found. ${parts.join(" ")}`;
}
