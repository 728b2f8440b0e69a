/** Sources of the values that a read needs: the call that starts work, or its response. */
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { singularizeLast } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import type { OperationBinding, RequestMapping } from "../../runtime/types.js";
import { requestParameters, sourceInput } from "../bound-parameters.js";
import { withoutNames } from "../path-readers.js";
import { entityOfSchema } from "../producers/resources.js";
import { allFields } from "../schemas/flat-object.js";
import { type AnySchema, refName, resolveSchema, type Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import { isNamedAs } from "./find-handle.js";
import { identityOf } from "./identity.js";
import { JOB_NOUNS, PLAIN_NOUNS } from "./words.js";

/** A value that a read needs. */
export interface Need {
  /** Name in the request. */
  readonly name: string;
  readonly input: string;
  /** Path before it, without names of parameters; undefined for a value outside the path. */
  readonly place: string | undefined;
  /** Words of the segment before it, in the singular. */
  readonly collection: readonly string[];
}

/** The values of a read that the call has, and those that its response has. */
export interface Sources {
  readonly inputs: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Weight of the way in which the read is found. */
  readonly weight: number;
}

/** Values that a read needs, in the order of its path. Undefined if it needs one that has no name. */
export function needsOf(
  tool: PlannedTool,
  { request, whenProvided }: OperationBinding,
): readonly Need[] | undefined {
  const { required = [] } = tool.definition.inputSchema as { readonly required?: string[] };
  const needed = new Set([...required, ...whenProvided]);
  const ofPath = pathNeeds(request);
  const known = new Set(ofPath.map(({ input }) => input));
  const others = requestParameters(request).flatMap(({ location, wireName = "", source }) => {
    const input = sourceInput(source);
    const isOther = location !== "path" && input !== undefined && needed.has(input);
    return isOther ? [{ name: wireName, input, place: undefined, collection: [] }] : [];
  });
  const found = new Set([...known, ...others.map(({ input }) => input)]);
  return [...needed].every((input) => found.has(input)) ? [...ofPath, ...others] : undefined;
}

function pathNeeds({ path, pathParams = {} }: RequestMapping): readonly Need[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].flatMap(({ 1: name = "", index }) => {
    const source = pathParams[name];
    const input = source === undefined ? undefined : sourceInput(source);
    const before = path.slice(0, index);
    const segment = before.replace(BY_ID, "/").replace(/\/$/, "").split("/").at(-1) ?? "";
    const collection = segment.includes("{") ? [] : singularizeLast(splitWords(segment));
    return input === undefined ? [] : [{ name, input, place: withoutNames(before), collection }];
  });
}

/** A segment that only says that an ID comes next. */
const BY_ID = /\/(?:by[-_]?)?id\/$/i;

/** The call that starts work. */
export interface StartingCall {
  readonly request: RequestMapping;
  /** Schema of its response. */
  readonly schema: JsonSchema | undefined;
}

/** The response of a read, and what it is one of. */
export interface ReadOfState {
  readonly needs: readonly Need[];
  readonly request: RequestMapping;
  readonly schema: JsonSchema | undefined;
}

/** Finds the values that a read needs; undefined if neither the call nor its response has one. */
export function sourcesOf(
  call: StartingCall,
  read: ReadOfState,
  schemas: Schemas,
): Sources | undefined {
  const inputs: Record<string, string> = {};
  const fields: Record<string, readonly string[]> = {};
  const last = read.needs.findLast(({ place }) => place !== undefined) ?? read.needs.at(-1);
  let weight = read.needs.length === 0 ? PLACE_WEIGHT : 0;
  for (const need of read.needs) {
    const isId = need === last;
    const own = givenBy(call.request, need);
    const returned =
      isId || own === undefined ? returnedBy(call, read, need, isId, schemas) : undefined;
    if (returned && (own === undefined || returned.weight >= 3)) {
      fields[need.input] = returned.path;
      if (isId) ({ weight } = returned);
    } else if (own === undefined) return undefined;
    else {
      inputs[need.input] = own;
      if (isId) weight = PLACE_WEIGHT;
    }
  }
  return { inputs, fields, weight };
}

/** Weight of a read that needs only what the call has. */
export const PLACE_WEIGHT = 2;

/** Names that say only that they identify something. */
const PLAIN_ID = /^_?(?:id|uuid|uid|guid|name|key|code|slug|pk|version|type)$/i;

/** Names of parameters that tell no thing. */
const ANY_NAME = /^(?:id|uuid|uid|guid|name|key|code|slug|pk|token|version|type)$/i;

/** Input of the call with a value: at the same place of its path, or under the same name. */
function givenBy(request: RequestMapping, { name, place }: Need): string | undefined {
  const atPlace =
    place === undefined ? undefined : pathNeeds(request).find((one) => one.place === place);
  if (atPlace) return atPlace.input;
  const paths = [name, ...pathNeeds(request).map((one) => one.name)];
  const isOnly = place !== undefined && paths.length === 2 && paths[0] === paths[1];
  if (ANY_NAME.test(name) && !isOnly) return undefined;
  const same = requestParameters(request).find(({ wireName = "" }) => isNamedAs(wireName, name));
  return same && sourceInput(same.source);
}

interface Returned {
  readonly path: readonly string[];
  readonly weight: number;
}

/** Field of the response with a value. */
function returnedBy(
  { request, schema }: StartingCall,
  read: ReadOfState,
  need: Need,
  isId: boolean,
  schemas: Schemas,
): Returned | undefined {
  if (!schema) return undefined;
  const isChild = isChildOf(read.request, request);
  if (isScalar(schema, schemas)) {
    const isJob = JOB_NOUNS.has(identityOf(need.name).entity.split("_").at(-1) ?? "");
    return isId && (isChild || isJob) ? { path: [], weight: 2 } : undefined;
  }
  const all = scalarFields(schema, schemas);
  const named = all.find(
    ({ path }) => !PLAIN_ID.test(need.name) && isNamedAs(path.at(-1)!, need.name),
  );
  if (named) return { path: named.path, weight: 3 };
  if (!isId) return undefined;
  const nouns = nounsOf(read, need);
  const own = all.find(({ path }) => isIdOf(path, nouns) && isSameKind(path.at(-1)!, need.name));
  if (own) return { path: own.path, weight: 3 };
  const short = all.find(({ path }) => {
    const { entity, idWord } = identityOf(path.at(-1)!);
    return (
      idWord !== "" &&
      PLAIN_WORDS.has(entity) &&
      nouns.some((noun) => noun.endsWith(`_${entity}`) || entity === noun)
    );
  });
  if (short) return { path: short.path, weight: 2.5 };
  const id = all.find(({ path }) => ID.test(path.at(-1)!) && path.length <= 2);
  if (id && (isChild || isSameSchema(schema, read.schema, schemas)))
    return { path: id.path, weight: 3 };
  return isChild && all.length === 1 ? { path: all[0]!.path, weight: 2 } : undefined;
}

const ID = /^_?(?:id|uuid|guid|uid|identifier|token|handle)$/i;

const PLAIN_WORDS: ReadonlySet<string> = new Set([...PLAIN_NOUNS, "request", "run", "execution"]);

/** Nouns of the thing that a value identifies. */
function nounsOf({ schema }: ReadOfState, { name, collection }: Need): readonly string[] {
  const ofSchema = schema === undefined ? undefined : refName(schema);
  const { entity } = identityOf(name);
  const nouns = [
    entity,
    collection.join("_"),
    ofSchema === undefined ? "" : entityOfSchema(ofSchema),
  ];
  return nouns.filter((noun) => noun !== "" && !ANY_NAME.test(noun));
}

/** `job_id`, or the `id` of `job`. */
function isIdOf(path: readonly string[], nouns: readonly string[]): boolean {
  const { entity, idWord } = identityOf(path.at(-1)!);
  const name = /^(.+?)[_-]?name$/i.exec(path.at(-1)!)?.[1];
  if (name !== undefined && nouns.includes(splitWords(name).join("_"))) return true;
  if (idWord === "") return false;
  const thing = entity === "" ? singularizeLast(splitWords(path.at(-2) ?? "")).join("_") : entity;
  return nouns.includes(thing);
}

/** False for the ID of a thing that is read by its name or its version. */
function isSameKind(field: string, name: string): boolean {
  const [own, wanted] = [field, name].map((one) => splitWords(one).at(-1) ?? "");
  return own === wanted || !/^(?:name|version|number)$/.test(wanted!);
}

/** Fields with a single value, also those of objects inside the response. */
function scalarFields(
  schema: AnySchema,
  schemas: Schemas,
  before: readonly string[] = [],
): readonly { readonly path: readonly string[] }[] {
  const fields = [...allFields(schema, schemas)];
  const own = fields.flatMap(([name, field]) =>
    isScalar(field, schemas) ? [{ path: [...before, name] }] : [],
  );
  if (before.length >= 2) return own;
  const inner = fields.flatMap(([name, field]) => scalarFields(field, schemas, [...before, name]));
  return [...own, ...inner];
}

function isScalar(schema: AnySchema, schemas: Schemas): boolean {
  if (!isObject(schema)) return false;
  const types = typesOf(resolveSchema(schemas, schema as JsonSchema));
  return types.some((type) => ["string", "integer", "number"].includes(type));
}

/** True for a read right below the path of the write, or below its collection: `/exports/{}`. */
export function isChildOf(read: RequestMapping, { path }: RequestMapping): boolean {
  const own = withoutNames(path).replace(/\/$/, "");
  const key = withoutNames(read.path)
    .replace(/\/(?:by[-_]?)?id\/\{\}/i, "/{}")
    .replace(/\/$/, "")
    .replace(/\/(?:status|state|progress|info|details?)$/, "");
  const parent = own.replace(/\/[^/{}]*$/, "");
  return key === `${own}/{}` || (key === `${parent}/{}` && parent !== "");
}

/** True for two responses of one schema, or with nearly the same fields. */
function isSameSchema(one: JsonSchema, other: JsonSchema | undefined, schemas: Schemas): boolean {
  if (!other) return false;
  if (one === other || (refName(one) !== undefined && refName(one) === refName(other))) return true;
  const [own, others] = [one, other].map((schema) => [...allFields(schema, schemas).keys()]);
  const shared = own!.filter((name) => others!.includes(name)).length;
  return shared >= MIN_SHARED && shared >= MIN_SHARE * Math.max(own!.length, others!.length);
}

/** Least number of fields, and least share, by which two responses are of one thing. */
const MIN_SHARED = 4;
const MIN_SHARE = 0.75;
