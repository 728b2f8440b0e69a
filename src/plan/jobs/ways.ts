/** Ways from a write to a read: values of the call that starts work, or of its response. */
import type { JsonSchema } from "../../json.js";
import { pluralize, singularizeLast } from "../../language/grammar.js";
import { memoize } from "../../language/patterns.js";
import { splitWords } from "../../language/words.js";
import type { OperationBinding, RequestMapping } from "../../runtime/types.js";
import { requestParameters, sourceInput } from "../bound-parameters.js";
import { withoutNames } from "../path-readers.js";
import { entityOfSchema } from "../producers/resources.js";
import { allFields } from "../schemas/flat-object.js";
import { refName, type Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import { identityOf } from "./identity.js";
import {
  normalizedName,
  responseFields,
  type ResponseField,
  type ResponseFields,
} from "./response-fields.js";
import { type Sign, signsOf } from "./signs.js";
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
export interface Way {
  readonly inputs: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Signs of the way in which the read is found. */
  readonly signs: readonly Sign[];
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

/** Values of paths by request, because each write is compared with all reads. */
const knownNeeds = new WeakMap<RequestMapping, readonly Need[]>();

function pathNeeds(request: RequestMapping): readonly Need[] {
  const needs = knownNeeds.get(request) ?? readPathNeeds(request);
  knownNeeds.set(request, needs);
  return needs;
}

function readPathNeeds({ path, pathParams = {} }: RequestMapping): readonly Need[] {
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

/** A call, with what all reads are compared with. */
interface Call extends StartingCall {
  /** Path without names of parameters. */
  readonly place: string;
  /** Inputs by place in the path, and by `normalizedName` of the value. */
  readonly byPlace: ReadonlyMap<string, string>;
  readonly byName: ReadonlyMap<string, string | undefined>;
  /** Names of values of the path, in the same form. */
  readonly given: ReadonlySet<string>;
  /** Fields of the response; undefined without a schema. */
  readonly response: ResponseFields | undefined;
}

/** The response of a read, what it is one of, and what all calls are compared with. */
export interface ReadOfState {
  readonly needs: readonly Need[];
  readonly request: RequestMapping;
  readonly schema: JsonSchema | undefined;
  /** Schema of the thing that it reads, without an envelope around it. */
  readonly thing: JsonSchema | undefined;
  /** Path without names of parameters. */
  readonly place: string;
  /** The same, without a word for the state at its end. */
  readonly key: string;
  /** The need that tells one thing from others; undefined for a read without needs. */
  readonly last: Need | undefined;
  readonly others: readonly Need[];
  /** Nouns of the thing that the last need identifies. */
  readonly idNouns: readonly string[];
  /** True if the last need is the ID of a job, by its name or by its collection. */
  readonly hasJobId: boolean;
}

export function readOfState(
  needs: readonly Need[],
  request: RequestMapping,
  key: string,
  schema: JsonSchema | undefined,
  schemas: Schemas,
): ReadOfState {
  const thing = schema && responseFields(schema, schemas).thing;
  const last =
    needs.find(({ name, place }) => place === undefined && isOwnId(name)) ??
    needs.findLast(({ place }) => place !== undefined) ??
    needs.findLast(({ name }) => !HEADER.test(name));
  const { entity } = identityOf(last?.name ?? "");
  const nouns = [entity.split("_").at(-1), last?.collection.at(-1)];
  return {
    needs,
    request,
    schema,
    thing,
    place: withoutNames(request.path),
    key: last !== undefined && last.place === undefined ? `${key}?` : key,
    last,
    others: needs.filter((one) => one !== last),
    idNouns: last ? nounsOf(thing, last) : [],
    hasJobId: nouns.some((noun) => JOB_NOUNS.has(noun ?? "")),
  };
}

/** Headers such as `x-tenant-id`. */
const HEADER = /^x-/i;

/** True for an ID in the query. */
const isOwnId = (name: string): boolean => !HEADER.test(name) && identityOf(name).idWord !== "";

/** Creates a function that finds the ways from a call to a read: by IDs, and by what the call has. */
export function createWayFinder(
  { request, schema }: StartingCall,
  schemas: Schemas,
): (read: ReadOfState) => readonly Way[] {
  const parameters = requestParameters(request).toReversed();
  const needs = pathNeeds(request).toReversed();
  const call = {
    request,
    schema,
    place: withoutNames(request.path),
    byPlace: new Map(needs.map(({ place = "", input }) => [place, input])),
    byName: new Map(
      parameters.map(({ wireName = "", source }) => [
        normalizedName(wireName),
        sourceInput(source),
      ]),
    ),
    given: new Set(
      needs.flatMap(({ name }) => (ANY_NAME.test(name) ? [] : [normalizedName(name)])),
    ),
    response: schema && responseFields(schema, schemas),
  };
  return (read) => waysTo(call, read, schemas);
}

function waysTo(call: Call, read: ReadOfState, schemas: Schemas): readonly Way[] {
  const { last, others } = read;
  const inputs: Record<string, string> = {};
  const fields: Record<string, readonly string[]> = {};
  for (const need of others) {
    const own = givenBy(call, need);
    const returned = own === undefined ? parentReturnedBy(call, need) : undefined;
    if (own !== undefined) inputs[need.input] = own;
    else if (returned) fields[need.input] = returned;
    else return [];
  }
  if (!last) return [{ inputs, fields, signs: ["place", "alone"] }];
  const own = givenBy(call, last);
  const byId = idsFor(call, read, last, schemas).map(({ path, signs }) => ({
    inputs,
    fields: { ...fields, [last.input]: path },
    signs,
  }));
  if (own === undefined || (isAnyName(read.place) && byId.length > 0)) return byId;
  const isPlace = pathNeeds(call.request).some(({ input }) => input === own);
  const isNew = !isPlace && isChildOf(read.request, call.request);
  const signs = signsOf({ place: isPlace, ownId: isNew, child: isNew, onlyId: !isPlace && !isNew });
  return [...byId, { inputs: { ...inputs, [last.input]: own }, fields, signs }];
}

/** Names that say only that they identify something. */
const PLAIN_ID = /^_?(?:id|uuid|uid|guid|name|key|code|slug|pk|version|type)$/i;

/** Names of parameters that tell no thing. */
const ANY_NAME = /^(?:id|uuid|uid|guid|name|key|code|slug|pk|token|version|type)$/i;

/** Input of the call with a value: at the same place of its path, or under the same name. */
function givenBy({ request, byPlace, byName }: Call, { name, place }: Need): string | undefined {
  const atPlace = place === undefined ? undefined : byPlace.get(place);
  if (atPlace !== undefined) return atPlace;
  if (ANY_NAME.test(name)) {
    const [only, ...others] = pathNeeds(request);
    if (place === undefined || only?.name !== name || others.length > 0) return undefined;
  }
  return byName.get(normalizedName(name));
}

/** Field of the response with a value before the last one, under its name. */
const parentReturnedBy = ({ response }: Call, { name }: Need): readonly string[] | undefined =>
  response && !response.isScalar && !PLAIN_ID.test(name)
    ? response.byName.get(normalizedName(name))?.path
    : undefined;

/** An ID in the response, with signs that the read takes it. */
interface Returned {
  readonly path: readonly string[];
  readonly signs: readonly Sign[];
}

/** Fields of the response that may be the ID of the read: the first of each kind. */
function idsFor(
  { request, schema, place, response, given }: Call,
  read: ReadOfState,
  need: Need,
  schemas: Schemas,
): readonly Returned[] {
  // The same path reads the thing of the call, except by an ID beside the path, or any name.
  const isOwn = read.place === place && need.place !== undefined && !isAnyName(place);
  if (!schema || !response || isOwn) return [];
  const isChild = isChildOf(read.request, request);
  if (response.isScalar)
    return isChild || read.hasJobId
      ? [{ path: [], signs: signsOf({ onlyId: true, child: isChild }) }]
      : [];
  const isOfSchema =
    isOfThing(read, need) &&
    (read.idNouns.includes(entityOfSchema(refName(response.thing) ?? "")) ||
      isSameSchema(response.thing, read.thing, schemas));
  const found = (field: ResponseField | undefined, sign: Sign): readonly Returned[] =>
    field
      ? [
          {
            path: field.path,
            signs: [
              sign,
              ...signsOf({
                handle: field.isHandle && (sign !== "ownId" || isOfSchema),
                child: isChild,
                otherId: field.isOfOther,
              }),
            ],
          },
        ]
      : [];
  const isNew = ({ name }: ResponseField): boolean => !given.has(normalizedName(name));
  const named = PLAIN_ID.test(need.name)
    ? undefined
    : response.byName.get(normalizedName(need.name));
  if (named && isNew(named)) return found(named, "namedId");
  const fields = [false, true].flatMap((isOfOther) =>
    response.things.filter((one) => one.isOfOther === isOfOther),
  );
  const ofNoun =
    fields.find(
      (one) =>
        isNew(one) &&
        one.nouns.some((noun) => read.idNouns.includes(noun)) &&
        isSameKind(one.name, need.name),
    ) ?? fields.find((one) => isNew(one) && isShortFor(one, read.idNouns));
  const plain =
    response.plain[0] ??
    (isChild || isOfSchema ? childName(response, need) : undefined) ??
    (isOfSchema ? response.byName.get("name") : undefined);
  const [single, ...rest] = response.all;
  const { only } = response;
  const isOnly = single !== undefined && rest.length === 0 && isChild && !OUTCOME.test(single.name);
  return [
    ...found(ofNoun, "nounId"),
    ...(isOfSchema || isChild ? found(plain, "ownId") : []),
    ...((ofNoun ?? plain)
      ? []
      : found(
          only && isNew(only) && (isOfCall(only, request) || (isChild && only.isHandle))
            ? only
            : isOnly
              ? single
              : undefined,
          "onlyId",
        )),
  ];
}

/** True for the ID of the thing that is read, and not of one above it: `/actors/{id}/runs/last`. */
const isOfThing = ({ key }: ReadOfState, { place }: Need): boolean =>
  place === undefined || key === `${place}{}`;

/** Name of a new thing that is read by its name: `name` for `{collection_name}`. */
const childName = ({ byName }: ResponseFields, { name }: Need): ResponseField | undefined =>
  isKind(name)
    ? undefined
    : (byName.get(normalizedName(name)) ?? (/name$/i.test(name) ? byName.get("name") : undefined));

/** True for a value that says what a thing is, or which of its forms. */
const isKind = (name: string): boolean => /^(?:type|kind|version)$/i.test(name);

/** True for `/v1/{name}`, which can read anything. */
export const isAnyName = (place: string): boolean => /^(?:\/v\d\w*)?\/\{\}$/.test(place);

/** A field that says how a call went: it identifies nothing. */
const OUTCOME =
  /^(?:code|count|details?|error|message|msg|ok|reason|result|state|status|success|total)$/i;

/** True for `id`, and for the `prompt_id` of `POST /prompt/run`, which the call does not have. */
function isOfCall({ name }: ResponseField, { path }: RequestMapping): boolean {
  const { entity } = identityOf(name);
  const segments = path.split("/").filter((one) => one !== "" && !one.includes("{"));
  return (
    entity === "" ||
    segments.some((one) => singularizeLast(splitWords(one)).join("_").endsWith(entity))
  );
}

/** `job_id` for an `import_job`. */
function isShortFor({ name }: ResponseField, nouns: readonly string[]): boolean {
  const { entity, idWord } = identityOf(name);
  return (
    idWord !== "" &&
    PLAIN_WORDS.has(entity) &&
    nouns.some((noun) => noun.endsWith(`_${entity}`) || entity === noun)
  );
}

const PLAIN_WORDS: ReadonlySet<string> = new Set([...PLAIN_NOUNS, "request", "run", "execution"]);

/** Nouns of the thing that a value identifies. */
function nounsOf(schema: JsonSchema | undefined, { name, collection }: Need): readonly string[] {
  const ofSchema = schema === undefined ? undefined : refName(schema);
  const { entity } = identityOf(name);
  const nouns = [
    entity,
    collection.join("_"),
    ofSchema === undefined ? "" : entityOfSchema(ofSchema),
  ];
  return nouns.filter((noun) => noun !== "" && noun !== "status" && !ANY_NAME.test(noun));
}

/** False for the ID of a thing that is read by its name or its version. */
function isSameKind(field: string, name: string): boolean {
  const [own, wanted] = [field, name].map((one) => splitWords(one).at(-1) ?? "");
  return own === wanted || !/^(?:name|version|number)$/.test(wanted!);
}

/**
 * True for a read right below the path of the write or below its collection (`/exports/{}`), and
 * for one of a collection of the same name: `/scans/{}` of `/sites/{}/scans`.
 */
export function isChildOf(read: RequestMapping, { path }: RequestMapping): boolean {
  const own = withoutNames(path).replace(/\/$/, "");
  const key = thingPlaceOf(read.path);
  const parent = own.replace(/\/[^/{}]*$/, "");
  const last = own.split("/").at(-1)!;
  const isOfCollection = !last.includes("{") && key.endsWith(`/${last}/{}`);
  const isBelow = key.startsWith(`${own}/`) && JOBS_BELOW.test(key.slice(own.length));
  return (
    key === `${own}/{}` ||
    (key === own && !read.path.endsWith("}")) ||
    isBelow ||
    (key === `${parent}/{}` && parent !== "") ||
    key === `${parent}/${pluralize(last)}/{}` ||
    isOfCollection ||
    isTwin(key, own)
  );
}

/** `/tasks/{}` */
const JOBS_BELOW = /^\/(?:job|task|operation|execution|run|import|export)s?\/\{\}$/i;

/** Path of a read without words for an ID and for a state. */
const thingPlaceOf = memoize((path) =>
  withoutNames(path)
    .replace(/\/(?:by[-_]?)?id\/\{\}/i, "/{}")
    .replace(/\/$/, "")
    .replace(/\/(?:status|state|progress|info|details?)$/, "")
    .replace(/\/(?:status|state|progress)(?=\/\{\}$)/, ""),
);

/** True for `/get-import-task/{}` of `/start-import-task`: two calls named by verb and object. */
function isTwin(key: string, own: string): boolean {
  const [read, write] = [key.replace(/\/\{\}$/, ""), own];
  const cut = read.lastIndexOf("/");
  if (key === read || read.slice(0, cut) !== write.slice(0, write.lastIndexOf("/"))) return false;
  const [[verb = "", ...object], [, ...started]] = [read, write].map((path) =>
    splitWords(path.split("/").at(-1) ?? ""),
  ) as [string[], string[]];
  return (
    /^(?:get|describe|read|show)$/.test(verb) &&
    object.length > 0 &&
    object.join("_") === started.join("_")
  );
}

/** True for two responses of one schema, or with nearly the same fields. */
function isSameSchema(one: JsonSchema, other: JsonSchema | undefined, schemas: Schemas): boolean {
  if (!other) return false;
  if (one === other || (refName(one) !== undefined && refName(one) === refName(other))) return true;
  const [own, others] = [one, other].map((schema) => allFields(schema, schemas));
  const shared = [...own!.keys()].filter((name) => others!.has(name)).length;
  const ofThing = [...own!.keys()].filter((name) => others!.has(name) && !OF_ANYTHING.test(name));
  if (ofThing.length >= 2 && shared === own!.size) return true;
  return shared >= MIN_SHARED && shared >= MIN_SHARE * Math.max(own!.size, others!.size);
}

/** Fields that things of all kinds have. */
const OF_ANYTHING =
  /^(?:id|name|type|kind|properties|attributes|tags|metadata|location|system_?data|links?)$/i;

/** Least number of fields, and least share, by which two responses are of one thing. */
const MIN_SHARED = 4;
const MIN_SHARE = 0.75;
