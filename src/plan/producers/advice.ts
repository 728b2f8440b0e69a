import type { JsonSchema } from "../../json.js";
import { describeInputs } from "../input-properties.js";
import { displayWord } from "../names/titles.js";
import { resolveSchema, type Schemas, typesOf } from "../schemas/refs.js";
import { joinWithAnd, joinWithOr, toSentence } from "../text/sentences.js";
import type { PlannedRequest, PlannedTask } from "../tool-context.js";
import type { PlannedTool } from "../types.js";
import { createProducerFinder } from "./find-producers.js";
import { type IdRequirement, parseIdentityName, resourceOf } from "./identity.js";

/** An input that takes an ID, with the required identity. */
interface IdInput {
  readonly input: string;
  readonly requirement: IdRequirement;
}

/**
 * Adds the sources of required IDs to every tool: to the description of the input, and to the
 * advice for a 404.
 */
export function addProducerAdvice(
  tasks: readonly PlannedTask[],
  schemas: Schemas,
): readonly PlannedTool[] {
  const producerTools = tasks.map(({ tool, requests }) => ({
    name: tool.definition.name,
    operations: requests.map(({ classified }) => classified),
  }));
  const producersOf = createProducerFinder(producerTools, schemas);
  return tasks.map(({ tool, requests }) => {
    const sources = new Map<string, readonly string[]>();
    const path: string[] = [];
    let resource = "";
    for (const { input, requirement } of requests.flatMap((request) =>
      idInputs(request, schemas),
    )) {
      if (requirement.in === "path" && !path.includes(input)) path.push(input);
      if (requirement.in === "path") resource = resourceOf(requirement);
      if (!sources.has(input)) sources.set(input, producersOf(requirement, tool.definition.name));
    }
    return addAdvice(tool, path, resource, sources);
  });
}

/** Last words of IDs that an agent cannot guess. */
const OPAQUE_ID_WORD = /^(id|uuid|guid|sid|uid|urn|arn)$/;

function idInputs({ classified, inputs }: PlannedRequest, schemas: Schemas): readonly IdInput[] {
  const required = new Map(
    inputs.inputs.flatMap((input) => (input.required ? [[input.name, input] as const] : [])),
  );
  return inputs.sources.flatMap(([{ in: location, wireName }, source]) => {
    const input = typeof source === "string" ? source : "from" in source ? source.from : undefined;
    const planned = input === undefined ? undefined : required.get(input);
    if (input === undefined || !planned || !isFreeValue(planned.type, schemas)) return [];
    const identity = parseIdentityName(wireName);
    if (location !== "path" && (!OPAQUE_ID_WORD.test(identity.idWord) || identity.entity === ""))
      return [];
    const { operation } = classified;
    const requirement = {
      operation,
      classified,
      wireName,
      in: location,
      text: planned.description,
    };
    return [{ input, requirement }];
  });
}

/** False for values that the schema lists: an enum, a boolean. */
function isFreeValue(schema: JsonSchema, schemas: Schemas): boolean {
  const target = resolveSchema(schemas, schema);
  return !target.enum && target.const === undefined && !typesOf(target).includes("boolean");
}

/**
 * Adds the advice of one tool.
 * @param path inputs that are path parameters
 * @param resource resource that the last of them identifies
 */
function addAdvice(
  tool: PlannedTool,
  path: readonly string[],
  resource: string,
  sources: ReadonlyMap<string, readonly string[]>,
): PlannedTool {
  const { definition } = tool;
  const isFind = definition.operations.length > 1;
  const gets = isFind
    ? definition.operations.filter(({ response }) => response.item !== undefined)
    : [];
  const ownIds = new Set(gets.flatMap(({ whenProvided }) => whenProvided));
  const sentences = new Map<string, string>();
  for (const [input, producers] of sources) {
    if (producers.length === 0 || ownIds.has(input)) continue;
    sentences.set(input, `Get it from ${joinWithOr(producers)}.`);
  }
  const notFound = isFind
    ? findToolAdvice(definition.name, path, ownIds, sources)
    : notFoundAdvice(path, resource, sources);
  if (sentences.size === 0 && notFound === undefined) return tool;
  const described = addSentences(addProducers(tool, ownIds, sources), sentences);
  return {
    ...described,
    definition: {
      ...described.definition,
      ...(notFound !== undefined && { onError: { "404": notFound, ...definition.onError } }),
    },
  };
}

/** Adds producers to inputs. An ID by which a tool finds its own items has none. */
function addProducers(
  tool: PlannedTool,
  ownIds: ReadonlySet<string>,
  sources: ReadonlyMap<string, readonly string[]>,
): PlannedTool {
  const namesOf = (input: string): readonly string[] =>
    ownIds.has(input) ? [] : (sources.get(input) ?? []);
  return {
    ...tool,
    inputs: tool.inputs.map((input) =>
      namesOf(input.name).length === 0 ? input : { ...input, producers: namesOf(input.name) },
    ),
  };
}

function addSentences(tool: PlannedTool, sentences: ReadonlyMap<string, string>): PlannedTool {
  const descriptions = tool.inputs.flatMap(({ name, description }) => {
    const sentence = sentences.get(name);
    return sentence === undefined
      ? []
      : [[name, `${toSentence(description)} ${sentence}`] as const];
  });
  return describeInputs(tool, new Map(descriptions));
}

/**
 * `No pet with pet_id {pet_id}. Get a valid pet_id from find_pets.` The runtime replaces the
 * braces.
 */
function notFoundAdvice(
  path: readonly string[],
  resource: string,
  sources: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const sourced = path.filter((input) => (sources.get(input) ?? []).length > 0);
  const last = path.at(-1);
  if (last === undefined || sourced.length === 0) return undefined;
  const noun = resource === "" ? "item" : resource.split("_").map(displayWord).join(" ");
  const problem =
    path.length === 1
      ? `No ${noun} with ${last} {${last}}.`
      : `Nothing with ${joinWithAnd(path.map((input) => `${input} {${input}}`))}.`;
  return [problem, ...sourced.map((input) => adviceFor(input, sources))].join(" ");
}

function adviceFor(input: string, sources: ReadonlyMap<string, readonly string[]>): string {
  return `Get a valid ${input} from ${joinWithOr(sources.get(input) ?? [])}.`;
}

/** Advice of a `find_…` tool, which is the source of its own IDs. */
function findToolAdvice(
  name: string,
  path: readonly string[],
  ownIds: ReadonlySet<string>,
  sources: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const ids = path.filter((input) => ownIds.has(input));
  const others = path.filter(
    (input) => !ownIds.has(input) && (sources.get(input) ?? []).length > 0,
  );
  if (ids.length === 0 && others.length === 0) return undefined;
  const parts = [
    ...(ids.length > 0 ? [`Call ${name} without ${joinWithAnd(ids)} to get a valid one.`] : []),
    ...others.map((input) => adviceFor(input, sources)),
  ];
  return `Nothing was found. ${parts.join(" ")}`;
}
