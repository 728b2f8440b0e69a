import type { LinkedTask } from "../cross-references/resolve.js";
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { describeInputs } from "../bound-parameters.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { idNameOf, relationOf } from "../schemas/relation.js";
import { appendSentences, joinWithOr } from "../text/sentences.js";
import type { PlannedRequest } from "../tool-context.js";
import type { PlannedInput, PlannedTool } from "../types.js";
import { singularize } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import { createProducerFinder } from "./find-producers.js";
import { type IdRequirement, parseIdentityName } from "./resources.js";

/** Maximum number of sources of an input. */
const MAX_SOURCES = 3;

/** An input that takes an ID, with the required identity. */
interface IdInput {
  readonly input: string;
  readonly requirement: IdRequirement;
  /** Most calls leave it out: a field of a body, or a filter of the query, which names its source. */
  readonly optional?: "field" | "filter" | undefined;
  /** True for a name that the caller may choose, because the request may create the thing. */
  readonly isChosen?: boolean;
}

/** Adds the sources of required IDs to every tool and to the descriptions of its inputs. */
export function addProducerAdvice(
  tasks: readonly LinkedTask[],
  schemas: Schemas,
): readonly PlannedTool[] {
  const visible = tasks.filter(({ tool }) => !tool.definition.hidden);
  const producerTools = visible.map(({ tool, requests }) => ({
    name: tool.definition.name,
    operations: requests.map(({ classified }) => classified),
  }));
  const producersOf = createProducerFinder(producerTools, schemas);
  return tasks.map(({ tool, requests, namedSources }) => {
    const sources = new Map<string, readonly string[]>();
    const optional = new Map<string, OptionalKind>();
    const chosen = new Set<string>();
    for (const { input, requirement, optional: kind, isChosen } of requests.flatMap((request) =>
      idInputs(request, schemas),
    )) {
      if (sources.has(input)) continue;
      sources.set(input, producersOf(requirement, tool.definition.name));
      if (kind) optional.set(input, kind);
      if (isChosen) chosen.add(input);
    }
    for (const [input, named] of namedSources)
      sources.set(
        input,
        [...new Set([...named, ...(sources.get(input) ?? [])])].slice(0, MAX_SOURCES),
      );
    return addSources(tool, { sources, optional, chosen });
  });
}

type OptionalKind = NonNullable<IdInput["optional"]>;

const OPTIONAL_KINDS: Readonly<Record<string, OptionalKind>> = { body: "field", query: "filter" };

/** Last words of IDs that an agent cannot guess. */
const OPAQUE_ID_WORD = /^(id|uuid|guid|sid|uid|urn|arn)$/;

/** `ID of the ticket to close`: the text calls the value an ID. */
const STATED_ID = /^(?:the |an? )?(?:unique )?(?:id|identifier|uuid|guid)s? of (?:the|an?) /i;

function idInputs({ classified, inputs }: PlannedRequest, schemas: Schemas): readonly IdInput[] {
  const inputByName = new Map(inputs.inputs.map((input) => [input.name, input]));
  return inputs.sources.flatMap(([{ in: location, wireName }, source]) => {
    const input = typeof source === "string" ? source : "from" in source ? source.from : undefined;
    const planned = input === undefined ? undefined : inputByName.get(input);
    if (input === undefined || !planned || !isFreeValue(planned.type, schemas)) return [];
    const relation = relationOf(planned.type, schemas);
    if (relation && location !== "path")
      return [
        {
          input,
          requirement: requirementOf(classified, location, idNameOf(relation), ""),
        },
      ];
    const { entity, idWord } = parseIdentityName(wireName);
    const isId =
      (OPAQUE_ID_WORD.test(idWord) && entity !== "") ||
      STATED_ID.test(planned.description) ||
      (idWord === "" && namesOwnId(planned, schemas));
    const optional = planned.required ? undefined : OPTIONAL_KINDS[location];
    if (location !== "path" && !(isId && (planned.required || optional))) return [];
    const { description } = planned;
    const requirement = requirementOf(classified, location, wireName, description);
    const isChosen = !isId && !idWord && namesNewThing(classified, wireName);
    return [{ input, requirement, optional, isChosen }];
  });
}

/**
 * True for the last parameter of a PUT, which may create what it names, and of a POST that creates
 * it (`POST /users/{name}`), but for `…_identifier`.
 */
const namesNewThing = ({ operation, effects }: ClassifiedOperation, wireName: string): boolean =>
  (/^put$/i.test(operation.method) || createsThing(operation.method, effects)) &&
  operation.path.endsWith(`{${wireName}}`) &&
  !/identifier$/i.test(wireName);

const createsThing = (method: string, { mainAction }: ClassifiedOperation["effects"]): boolean =>
  /^post$/i.test(method) && mainAction?.verb === "create";

const requirementOf = (
  classified: ClassifiedOperation,
  location: IdRequirement["in"],
  wireName: string,
  text: string,
): IdRequirement => ({
  operation: classified.operation,
  classified,
  wireName,
  in: location,
  text,
});

/** An ID at the start of a text: `Channel ID of the message`, `List of user IDs`. */
const NAMED_ID = /^(?:[^\s.]+ ){0,7}`?(?:IDs?|ids?|[Ii]dentifiers?)\b[^.]*/;

/** Tests whether the text of an input names an ID of the resource after which the input is named. */
function namesOwnId({ name, type, description }: PlannedInput, schemas: Schemas): boolean {
  const noun = singularize(splitWords(name).at(-1) ?? "");
  const [statement = ""] = NAMED_ID.exec(description) ?? [];
  return letters(statement).includes(noun) && isText(type, schemas);
}

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}]/gu, "");

/** True for texts, numbers and lists of them. */
function isText(type: JsonSchema, schemas: Schemas): boolean {
  const schema = resolveSchema(schemas, type);
  const { items } = schema;
  const types = typesOf(isObject(items) ? resolveSchema(schemas, items) : schema);
  return types.every((one) => one === "string" || one === "integer");
}

/** False for values that the schema lists: an enum, a boolean. */
function isFreeValue(schema: JsonSchema, schemas: Schemas): boolean {
  const target = resolveSchema(schemas, schema);
  return !target.enum && target.const === undefined && !typesOf(target).includes("boolean");
}

/** Sources of the inputs of one tool, with the inputs that are optional, and chosen by the caller. */
interface InputSources {
  readonly sources: ReadonlyMap<string, readonly string[]>;
  readonly optional: ReadonlyMap<string, OptionalKind>;
  readonly chosen: ReadonlySet<string>;
}

/** Adds the sources of one tool. A tool that finds items by their ID is the source of its own. */
function addSources(tool: PlannedTool, { sources, optional, chosen }: InputSources): PlannedTool {
  const { definition } = tool;
  const isFind = definition.operations.length > 1;
  const gets = isFind
    ? definition.operations.filter(({ response }) => response.item !== undefined)
    : [];
  const ownIds = new Set(gets.flatMap(({ whenProvided }) => whenProvided));
  const sentences = new Map<string, string>();
  const textOf = new Map(tool.inputs.map(({ name, description }) => [name, description]));
  for (const [input, producers] of sources) {
    if (producers.length === 0 || ownIds.has(input) || optional.get(input) === "field") continue;
    if (producers.some((name) => textOf.get(input)?.includes(name))) continue;
    const named = optional.has(input) ? producers.slice(0, 1) : producers;
    const names = joinWithOr(named);
    const sentence = chosen.has(input)
      ? `${names} lists those that exist.`
      : `Get it from ${names}.`;
    sentences.set(input, sentence);
  }
  return addSentences(addProducers(tool, ownIds, { sources, optional, chosen }), sentences);
}

/**
 * Adds producers to inputs. An ID by which a tool finds its own items has none, and those of a name
 * that the caller chooses are only possible.
 */
function addProducers(
  tool: PlannedTool,
  ownIds: ReadonlySet<string>,
  { sources, optional, chosen }: InputSources,
): PlannedTool {
  const namesOf = (input: string): readonly string[] =>
    ownIds.has(input) ? [] : (sources.get(input) ?? []);
  return {
    ...tool,
    inputs: tool.inputs.map((input) => {
      const producers = namesOf(input.name);
      if (producers.length === 0) return input;
      return optional.has(input.name) || chosen.has(input.name)
        ? { ...input, possibleProducers: producers }
        : { ...input, producers };
    }),
  };
}

function addSentences(tool: PlannedTool, sentences: ReadonlyMap<string, string>): PlannedTool {
  const descriptions = tool.inputs.flatMap(({ name, description }) => {
    const sentence = sentences.get(name);
    return sentence === undefined ? [] : [[name, appendSentences(description, sentence)] as const];
  });
  return describeInputs(tool, new Map(descriptions));
}
