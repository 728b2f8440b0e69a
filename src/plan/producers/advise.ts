import { ended, listed } from "../describe/sentences.js";
import { spell } from "../name/title.js";
import type { Schemas } from "../schema/refs.js";
import type { TaskTool } from "../tasks/index.js";
import type { PlannedRequest } from "../tool.js";
import { withDescriptions } from "../tool-inputs.js";
import type { PlannedTool } from "../types.js";
import { identityNeeded, identityOf } from "./entity.js";
import { type Need, type Producer, producerIndex } from "./index.js";

/** An input that wants an ID, and what it is an ID of. */
interface WantedInput {
  readonly input: string;
  readonly need: Need;
}

/**
 * Says in every tool where the IDs that it needs come from: in the description of the input, and as
 * advice for a 404.
 */
export function withProducers(
  tasks: readonly TaskTool[],
  schemas: Schemas,
): readonly PlannedTool[] {
  const producersOf = producerIndex(
    tasks.map(({ tool, requests }) => ({
      name: tool.definition.name,
      subjects: requests.map(({ subject }) => subject),
    })),
    schemas,
  );
  return tasks.map(({ tool, requests }) => {
    const sources = new Map<string, readonly Producer[]>();
    const path: string[] = [];
    let thing = "";
    for (const { input, need } of requests.flatMap(wantedInputs)) {
      if (need.place === "path" && !path.includes(input)) path.push(input);
      if (need.place === "path") thing = identityNeeded(need).entity;
      if (!sources.has(input)) sources.set(input, producersOf(need, tool.definition.name));
    }
    return advised(tool, path, thing, sources);
  });
}

/** Values of an ID that an agent can hardly make up, by the last word of their names. */
const OPAQUE = /^(id|uuid|guid|sid|uid|urn|arn)$/;

function wantedInputs({ subject, inputs }: PlannedRequest): readonly WantedInput[] {
  const required = new Set(
    inputs.inputs.filter((input) => input.required).map((input) => input.name),
  );
  return inputs.wires.flatMap(([{ place, wireName }, wire]) => {
    const input = typeof wire === "string" ? wire : "from" in wire ? wire.from : undefined;
    if (input === undefined || !required.has(input)) return [];
    const identity = identityOf(wireName);
    if (place !== "path" && (!OPAQUE.test(identity.idWord) || identity.entity === "")) return [];
    return [{ input, need: { operation: subject.operation, subject, wireName, place } }];
  });
}

/** @param thing what the last of the path's inputs identifies */
function advised(
  tool: PlannedTool,
  path: readonly string[],
  thing: string,
  sources: ReadonlyMap<string, readonly Producer[]>,
): PlannedTool {
  const { definition } = tool;
  const isFind = definition.requests.length > 1;
  const own = isFind
    ? new Set(
        definition.requests
          .filter(({ read }) => read.item !== undefined)
          .flatMap(({ given }) => given),
      )
    : new Set<string>();
  const sentences = new Map(
    [...sources].flatMap(([input, producers]) =>
      producers.length === 0 || own.has(input)
        ? []
        : [[input, `Get it from ${choice(producers)}.`] as const],
    ),
  );
  const notFound = isFind
    ? findAdvice(definition.name, path, own, sources)
    : singleAdvice(path, thing, sources);
  if (sentences.size === 0 && notFound === undefined) return tool;
  const told = withSentences(withSources(tool, own, sources), sentences);
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
function withSources(
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

function withSentences(tool: PlannedTool, sentences: ReadonlyMap<string, string>): PlannedTool {
  const told = tool.inputs.flatMap(({ name, description }) => {
    const sentence = sentences.get(name);
    return sentence === undefined ? [] : [[name, `${ended(description)} ${sentence}`] as const];
  });
  return withDescriptions(tool, new Map(told));
}

/** `find_pets`, `find_pets or list_visits`. */
function choice(producers: readonly Producer[]): string {
  return listed(producers.map(({ tool }) => tool)).replace(/ and ([^,]*)$/, " or $1");
}

/**
 * `No pet with pet_id {pet_id}. Get a valid pet_id from find_pets.`; the braces are filled in when
 * it is said.
 */
function singleAdvice(
  path: readonly string[],
  thing: string,
  sources: ReadonlyMap<string, readonly Producer[]>,
): string | undefined {
  const known = path.filter((input) => (sources.get(input) ?? []).length > 0);
  const last = path.at(-1);
  if (last === undefined || known.length === 0) return undefined;
  const what =
    path.length === 1
      ? `No ${thing === "" ? "item" : thing.split("_").map(spell).join(" ")} with ${last} {${last}}.`
      : `Nothing with ${listed(path.map((input) => `${input} {${input}}`))}.`;
  return `${what} ${known.map((input) => `Get a valid ${input} from ${choice(sources.get(input) ?? [])}.`).join(" ")}`;
}

/** A `find_…` tool is its own source of IDs. */
function findAdvice(
  name: string,
  path: readonly string[],
  own: ReadonlySet<string>,
  sources: ReadonlyMap<string, readonly Producer[]>,
): string | undefined {
  const ids = path.filter((input) => own.has(input));
  const others = path.filter((input) => !own.has(input) && (sources.get(input) ?? []).length > 0);
  if (ids.length === 0 && others.length === 0) return undefined;
  const parts = [
    ...(ids.length > 0 ? [`Call ${name} without ${listed(ids)} to get a valid one.`] : []),
    ...others.map((input) => `Get a valid ${input} from ${choice(sources.get(input) ?? [])}.`),
  ];
  return `Nothing was found. ${parts.join(" ")}`;
}
