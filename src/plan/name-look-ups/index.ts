/** Lookups of the IDs of names: inputs that take an ID, each with a list of the things with it. */
import { isObject, type JsonSchema, omitUndefined, typesOf } from "../../json.js";
import { splitWords } from "../../language/words.js";
import type { IdLookUp, OperationBinding, TextLimits } from "../../runtime/types.js";
import {
  type BoundParameter,
  describeInputs,
  inputProperties,
  requestParameters,
  sourceInput,
} from "../bound-parameters.js";
import type { PlanOptions } from "../options.js";
import { parsePathTemplate } from "../operations/path.js";
import { collectionAddress, parseIdentityName, positionOf } from "../producers/resources.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import { idNameOf, relationOf } from "../schemas/relation.js";
import { appendSentences, joinWithOr } from "../text/sentences.js";
import type { PlannedInput, PlannedTool } from "../types.js";
import { idField, thingOf } from "./item-fields.js";
import { type NamedList, namedList } from "./lists.js";

type ListsByTool = ReadonlyMap<string, NamedList>;

/** A lookup with its list. */
interface PlannedLookUp {
  readonly lookUp: IdLookUp;
  readonly list: NamedList;
}

/**
 * Adds to operations the lookups of IDs for inputs that the caller may give a name, and to the
 * lists of things the fields with their names.
 */
export function addNameLookUps(
  tools: readonly PlannedTool[],
  { configuration }: PlanOptions,
  schemas: Schemas,
): readonly PlannedTool[] {
  if (configuration?.content.server?.lookUpNames === false) return tools;
  const lists = new Map(
    tools.flatMap((tool) => {
      const list = namedList(tool, schemas);
      return list ? [[tool.definition.name, list] as const] : [];
    }),
  );
  if (lists.size === 0) return tools;
  const used = new Set<NamedList>();
  const isStrict = configuration?.content.server?.strictInputs === true;
  const connected = tools.map((tool) => addLookUps(tool, lists, schemas, used, isStrict));
  return connected.map((tool) => {
    const list = lists.get(tool.definition.name);
    return list && used.has(list) ? addItemNames(tool, list) : tool;
  });
}

function addItemNames(
  tool: PlannedTool,
  { tool: original, operation, names }: NamedList,
): PlannedTool {
  const position = original.definition.operations.indexOf(operation);
  const operations = tool.definition.operations.map((one, i) =>
    i === position ? { ...one, itemNames: names } : one,
  );
  return { ...tool, definition: { ...tool.definition, operations } };
}

/** @param used lists of lookups, to which those of this tool are added */
function addLookUps(
  tool: PlannedTool,
  lists: ListsByTool,
  schemas: Schemas,
  used: Set<NamedList>,
  isStrict: boolean,
): PlannedTool {
  if (tool.workflow) return tool;
  const labels = new Map<string, string>();
  const off = new Set<string>();
  const operations = tool.definition.operations.map((operation): OperationBinding => {
    const lookUps = requestParameters(operation.request).flatMap((parameter) => {
      const found = planLookUp(tool, operation, parameter, lists, schemas, isStrict);
      const input = sourceInput(parameter.source);
      if (!found || input === undefined) return [];
      if (isTurnedOff(tool, input)) {
        off.add(input);
        return [];
      }
      used.add(found.list);
      labels.set(input, labelOf(found));
      return [[input, found.lookUp] as const];
    });
    return lookUps.length === 0
      ? operation
      : { ...operation, lookUps: Object.fromEntries(lookUps) };
  });
  const withOff = off.size === 0 ? tool : { ...tool, namesTurnedOff: [...off] };
  const connected = { ...withOff, definition: { ...tool.definition, operations } };
  return labels.size === 0
    ? withOff
    : allowNames(describeLookUps(promoteProducers(connected, labels), labels));
}

const isTurnedOff = ({ takesNames, inputs }: PlannedTool, name: string): boolean =>
  takesNames === false || inputs.find((one) => one.name === name)?.takesName === false;

/** Names the possible producers of inputs whose names are looked up, because their lists match. */
function promoteProducers(tool: PlannedTool, labels: ReadonlyMap<string, string>): PlannedTool {
  const inputs = tool.inputs.map(({ possibleProducers, ...input }) =>
    possibleProducers && labels.has(input.name)
      ? { ...input, producers: possibleProducers }
      : input,
  );
  return { ...tool, inputs };
}

/** Lets names pass in inputs that take IDs of a form that names may lack. */
function allowNames(tool: PlannedTool): PlannedTool {
  const { definition } = tool;
  const names = definition.operations.flatMap(({ lookUps = {} }) =>
    Object.keys(lookUps).filter((name) => lookUps[name]!.idForm !== undefined),
  );
  if (names.length === 0) return tool;
  const properties = { ...inputProperties(definition) };
  for (const name of names) properties[name] = withText(properties[name] ?? {});
  const inputSchema = { ...definition.inputSchema, properties };
  return { ...tool, definition: { ...definition, inputSchema } };
}

/** A schema that any text satisfies, too. The ID of a relation is one of its alternatives. */
function withText(schema: JsonSchema): JsonSchema {
  const { description, title, examples, deprecated, format, ...form } = schema;
  const about = omitUndefined({ description, title, examples, deprecated });
  if (schema.type === "string" && !limitsOf(schema)) return { ...form, ...about };
  const alternatives = schema.anyOf?.filter(isObject) ?? [];
  const at = alternatives.findIndex(allowsText);
  if (at < 0) return { anyOf: [omitUndefined({ ...form, format }), { type: "string" }], ...about };
  const wide = withText(alternatives[at]!);
  return {
    ...schema,
    anyOf: alternatives.toSpliced(at, 1, ...[wide.anyOf ?? wide].flat().filter(isObject)),
  };
}

/** Keywords of an ID that a name can violate. Undefined without one. */
function limitsOf(schema: JsonSchema): TextLimits | undefined {
  const { pattern, minLength = 0, maxLength = Infinity, anyOf = [] } = schema;
  const part = anyOf.filter(isObject).find(allowsText);
  if (part) return limitsOf(part);
  if (pattern === undefined && minLength <= SHORT_NAME && maxLength >= LONG_NAME) return undefined;
  return omitUndefined({ pattern, minLength: schema.minLength, maxLength: schema.maxLength });
}

/** Lengths that most names have. */
const SHORT_NAME = 3;
const LONG_NAME = 60;

const allowsText = ({ type, anyOf = [] }: JsonSchema): boolean =>
  typesOf({ type }).includes("string") || anyOf.some((part) => isObject(part) && allowsText(part));

/** Words of the field with the name. */
function labelOf({ lookUp, list }: PlannedLookUp): string {
  const [name = "name"] = namesBeside(list, lookUp.idField);
  return splitWords(name).join(" ");
}

const namesBeside = ({ names }: NamedList, id: string): readonly string[] =>
  names.fields.filter((field) => field !== id);

/** The sentence that names the tools with the ID. */
const SOURCE = /\bGet it from [a-z][^.]{0,300}(?=\.)/;

/**
 * `Get it from find_pets.` → `Get it from find_pets, or pass its name.` A tool that may destroy
 * does not act on a name.
 */
function describeLookUps(tool: PlannedTool, labels: ReadonlyMap<string, string>): PlannedTool {
  const { readOnlyHint, destructiveHint } = tool.definition.annotations;
  if (destructiveHint && !readOnlyHint) return tool;
  const descriptions = tool.inputs.flatMap(({ name, description, required, producers = [] }) => {
    const label = labels.get(name);
    if (label === undefined) return [];
    const isNamed = SOURCE.test(description);
    if (!isNamed && !required && producers.length > 0) {
      const source = `Get it from ${joinWithOr(producers)}, or pass its ${label}.`;
      return [[name, appendSentences(description, source)] as const];
    }
    if (!isNamed) return [];
    // `Name or ID of the image` says so already.
    const words = description.toLowerCase();
    if (words.includes(`${label} or `) || words.includes(` or ${label}`)) return [];
    return [[name, description.replace(SOURCE, `$&, or pass its ${label}`)] as const];
  });
  return describeInputs(tool, new Map(descriptions));
}

/** Plans the lookup of one value of a request, in the first list that has it. */
function planLookUp(
  tool: PlannedTool,
  operation: OperationBinding,
  { location, wireName, source }: BoundParameter,
  lists: ListsByTool,
  schemas: Schemas,
  isStrict: boolean,
): PlannedLookUp | undefined {
  const name = sourceInput(source);
  const input = tool.inputs.find((one) => one.name === name);
  if (!input || wireName === undefined || location === "header" || location === "cookie")
    return undefined;
  const producers = producersOf(tool, operation, input).filter((one) => lists.has(one));
  if (producers.length === 0 || operation.resolve?.[input.name]) return undefined;
  const relation = relationOf(input.type, schemas);
  const form = relation ? formOfSchema(relation.id) : idFormOf(tool, input, schemas);
  // A strict server takes values as documented only.
  if (form === undefined || (isStrict && form !== "text")) return undefined;
  const limits = isStrict
    ? undefined
    : limitsOf(inputProperties(tool.definition)[input.name] ?? {});
  const { description } = input;
  const type = relation?.id ?? input.type;
  const idName = relation ? idNameOf(relation) : wireName;
  for (const producer of producers) {
    const list = lists.get(producer);
    if (!list || !listsThing(list, operation, { location, wireName: idName, source })) continue;
    const { noun } = list.address;
    const idInput = {
      input: relation ? idName : input.name,
      wireName: idName,
      type,
      description,
      noun,
    };
    const id = idField(idInput, list.fields, schemas);
    if (id === undefined || namesBeside(list, id).length === 0) continue;
    if (isReference(id, noun)) continue;
    const inputs = sharedInputs(operation, input.name, list);
    if (!inputs) continue;
    const idForm = form === "text" ? limits : form;
    const lookUp = {
      tool: producer,
      idField: id,
      ...(Object.keys(inputs).length > 0 && { inputs }),
      ...(idForm && { idForm }),
    };
    return { list, lookUp };
  }
  return undefined;
}

/**
 * True if a list has the things that a value identifies: it is the collection before the value in
 * the path, or a list of what the value is named after. A producer of an ID alone may list others.
 */
function listsThing(
  { address, isPlural }: NamedList,
  { request }: OperationBinding,
  { location, wireName = "" }: BoundParameter,
): boolean {
  const parts = parsePathTemplate(request.path);
  const position = location === "path" ? positionOf(wireName, parts) : -1;
  const own = position > 0 ? collectionAddress(parts, position) : undefined;
  if (own?.key === address.key) return true;
  // The integrations of a service are not those of something else.
  if (own?.noun === address.noun && own.parents.length > 0 && !address.isWhole) return false;
  return isPlural && !address.isPartial && thingOf(wireName) === address.noun;
}

/**
 * True if a field of a thing identifies another one: the `featureName` of an event. Abbreviations
 * of the thing are its own (`org_id` of an organization).
 */
function isReference(field: string, noun: string): boolean {
  const thing = thingOf(field);
  return thing !== "" && !noun.startsWith(thing) && !thing.includes(noun);
}

/** Form of the IDs that an input takes. Undefined where its values are no IDs. */
function idFormOf(
  tool: PlannedTool,
  { name, type }: PlannedInput,
  schemas: Schemas,
): "text" | "integer" | "uuid" | undefined {
  const own = inputProperties(tool.definition)[name] ?? {};
  const forms = [own, resolveSchema(schemas, type)].map(formOfSchema);
  const [form] = forms;
  return forms.some((one) => one !== form) ? undefined : form;
}

function formOfSchema(schema: JsonSchema): "text" | "integer" | "uuid" | undefined {
  const types = typesOf(schema).filter((one) => one !== "null");
  const { enum: values, format = "" } = schema;
  const isFree = values === undefined && schema.const === undefined;
  if (!isFree || schema.anyOf || schema.oneOf || types.length > 1) return undefined;
  // Documents also declare integers as `number`.
  if (types[0] === "integer" || types[0] === "number") return "integer";
  if (types[0] !== undefined && types[0] !== "string") return undefined;
  if (format === "uuid") return "uuid";
  return CHECKED_FORMAT.test(format) ? undefined : "text";
}

/** Formats that the server checks, so that it refuses names. */
const CHECKED_FORMAT = /^(?:date|date-time|time|email|uri|ipv4|ipv6|byte|binary)$/;

/** Tools with the ID of an input. A tool that gets and lists is its own. */
function producersOf(
  { definition }: PlannedTool,
  { response, whenProvided }: OperationBinding,
  { name, producers, possibleProducers }: PlannedInput,
): readonly string[] {
  const isOwn = response.item !== undefined && whenProvided.includes(name);
  const found = producers ?? possibleProducers ?? [];
  return isOwn ? [definition.name, ...found] : found;
}

/**
 * Inputs of a list that the call has a value for, by input of the list: parameters of the same part
 * of the path, or of the same name. Undefined if the call lacks one.
 */
function sharedInputs(
  operation: OperationBinding,
  looked: string,
  { operation: list, requiredInputs, defaultedInputs }: NamedList,
): Readonly<Record<string, string>> | undefined {
  const given = requestParameters(operation.request).filter(
    ({ source }) => sourceInput(source) !== looked,
  );
  const entries = [...requiredInputs, ...defaultedInputs].map((input) => {
    const parameter = requestParameters(list.request).find(
      ({ source }) => sourceInput(source) === input,
    );
    const match = parameter && given.find((one) => isSame(one, operation, parameter, list));
    return [input, match && sourceInput(match.source)] as const;
  });
  const isLacking = entries.some(
    ([input, from]) => from === undefined && !defaultedInputs.includes(input),
  );
  if (isLacking) return undefined;
  return omitUndefined(Object.fromEntries(entries)) as Readonly<Record<string, string>>;
}

/** True if two parameters of different requests have the same meaning. */
function isSame(
  one: BoundParameter,
  { request: first }: OperationBinding,
  other: BoundParameter,
  { request: second }: OperationBinding,
): boolean {
  const [name, otherName] = [one.wireName ?? "", other.wireName ?? ""];
  const isInPaths = one.location === "path" && other.location === "path";
  if (isInPaths && before(first.path, name) === before(second.path, otherName)) return true;
  return (
    name === otherName &&
    parseIdentityName(name).entity !== "" &&
    sourceInput(one.source) !== undefined
  );
}

/** Path before a parameter, without names of parameters. */
const before = (path: string, parameter: string): string =>
  (path.split(`{${parameter}}`)[0] ?? "").replaceAll(/\{[^{}]*\}/g, "{}");
