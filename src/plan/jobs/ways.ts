/** Ways from a write to a read: values of the call that starts work, or of its response. */
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { isPlural, singularizeLast } from "../../language/grammar.js";
import { anyOfPatterns, memoize } from "../../language/patterns.js";
import { splitWords } from "../../language/words.js";
import type { OperationBinding, RequestMapping } from "../../runtime/types.js";
import { requestParameters, sourceInput } from "../bound-parameters.js";
import { withoutNames } from "../path-readers.js";
import { entityOfSchema } from "../producers/resources.js";
import { allFields, listItems } from "../schemas/flat-object.js";
import {
  memoizeBySchema,
  type AnySchema,
  refName,
  resolveSchema,
  type Schemas,
} from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import { identityOf } from "./identity.js";
import { type Sign, signsOf } from "./signs.js";
import { pathKey } from "./state-readers.js";
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

export function pathNeeds(request: RequestMapping): readonly Need[] {
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
  /** `normalizedName` of the values of the body. */
  readonly bodyNames: ReadonlySet<string>;
  /** Fields of the response; undefined without a schema. */
  readonly response: ResponseFields | undefined;
}

/** The response of a read, what it is one of, and what all calls are compared with. */
export interface ReadOfState {
  readonly needs: readonly Need[];
  readonly request: RequestMapping;
  readonly schema: JsonSchema | undefined;
  /** Path without names of parameters. */
  readonly place: string;
  /** The need that tells one thing from others; undefined for a read without needs. */
  readonly last: Need | undefined;
  readonly others: readonly Need[];
  /** Nouns of the thing that the last need identifies. */
  readonly idNouns: readonly string[];
  /** True if the last need is the ID of a job by its name. */
  readonly hasJobId: boolean;
}

export function readOfState(
  needs: readonly Need[],
  request: RequestMapping,
  schema: JsonSchema | undefined,
): ReadOfState {
  const last = needs.findLast(({ place }) => place !== undefined) ?? needs.at(-1);
  return {
    needs,
    request,
    schema,
    place: withoutNames(request.path),
    last,
    others: needs.filter((one) => one !== last),
    idNouns: last ? nounsOf(isAtEnd(last, request.path) ? schema : undefined, last) : [],
    hasJobId: JOB_NOUNS.has(
      identityOf(last?.name ?? "")
        .entity.split("_")
        .at(-1) ?? "",
    ),
  };
}

/**
 * Creates a function that finds the ways from a call to a read: by the ID of the response, and by
 * what the call has.
 */
export function createWayFinder(
  call: StartingCall,
  schemas: Schemas,
): (read: ReadOfState) => readonly Way[] {
  const parameters = requestParameters(call.request).toReversed();
  const whole = {
    ...call,
    place: withoutNames(call.request.path),
    byPlace: new Map(
      pathNeeds(call.request)
        .toReversed()
        .map(({ place = "", input }) => [place, input]),
    ),
    byName: new Map(
      parameters.map(({ wireName = "", source }) => [
        normalizedName(wireName),
        sourceInput(source),
      ]),
    ),
    bodyNames: new Set(
      parameters.flatMap(({ location, wireName = "" }) =>
        location === "body" ? [normalizedName(wireName)] : [],
      ),
    ),
    response: call.schema && fieldsOfResponse(call.schema, schemas),
  };
  return (read) => waysTo(whole, read, schemas);
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
  const own = last && givenBy(call, last);
  const returned =
    last && read.place !== call.place ? returnedBy(call, read, last, schemas) : undefined;
  const ways: Way[] = [];
  if (last && returned)
    ways.push({
      inputs,
      fields: { ...fields, [last.input]: returned.path },
      signs: returned.signs,
    });
  if (!last || own !== undefined)
    ways.push({
      inputs: last && own !== undefined ? { ...inputs, [last.input]: own } : inputs,
      fields,
      signs: signsOf({ place: true, alone: read.needs.length === 0 }),
    });
  return ways;
}

/** Names that say only that they identify something. */
const PLAIN_ID = /^_?(?:id|uuid|uid|guid|gid|sid|name|key|code|slug|pk|version|type)$/i;

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
    ? response.all.byName.get(normalizedName(name))
    : undefined;

interface Returned {
  readonly path: readonly string[];
  readonly signs: readonly Sign[];
}

/** Field of the response with the last value that a read needs. */
function returnedBy(
  { request, schema, response, bodyNames }: Call,
  read: ReadOfState,
  need: Need,
  schemas: Schemas,
): Returned | undefined {
  if (!schema || !response) return undefined;
  const { idNouns: nouns, hasJobId } = read;
  const isChild = isChildOf(read.request, request);
  const isOfOther = !isChild && isAtEnd(need, read.request.path);
  const found = (path: readonly string[] | undefined, sign: Sign): Returned | undefined =>
    path && {
      path,
      signs: [
        sign,
        ...signsOf({
          handle: isHandle(path, schema, schemas),
          child: isChild,
          onlyHandle: isOfOther && isOnlyHandle(path, need, schema, schemas),
          toldHandle: isOfOther && sign === "namedId" && isToldHandle(path, schema, schemas),
        }),
      ],
    };
  if (response.isScalar && hasJobId && !isChild) return { path: [], signs: ["otherId", "handle"] };
  if (response.isScalar) return isChild ? found([], "otherId") : undefined;
  const fields = isChild ? response.all : response.own;
  const name = nameOfNeed(need);
  const isOwnName = !PLAIN_ID.test(need.name);
  const isHandleName = isOfOther && !hasOwnId(schema, [], schemas);
  const named = isOwnName || isHandleName ? fields.byName.get(name) : undefined;
  // The response repeats what the caller sent: `ref` of a deployment.
  const isSent =
    bodyNames.has(normalizedName(need.name)) ||
    (!hasJobId && pathNeeds(request).some((one) => isNamedAs(one.name, need.name)));
  if (named && !isChild && isSent) return undefined;
  if (named) return found(named, "namedId");
  const one = listItems(schema, schemas) ?? schema;
  const entity = isObject(one) ? entityOfSchema(refName(one as JsonSchema) ?? "") : "";
  const id = isChild
    ? fields.paths.find(
        (path) =>
          path.length <= 3 &&
          (ID.test(nameOf(path)) || (nameOf(path) === need.name && !isKind(need.name))),
      )
    : fields.id;
  // The thing itself comes before the things in it, which may name it too.
  if (id?.length === 1 && nouns.includes(entity)) return found(id, "ownId");
  const own =
    fields.things.find(
      (one) =>
        one.nouns.some((noun) => nouns.includes(noun)) &&
        isSameKind(one.path, need.name, fields.id !== undefined),
    ) ??
    fields.plainThings.find(({ nouns: [entity] }) =>
      nouns.some((noun) => noun.endsWith(`_${entity}`) || entity === noun),
    );
  if (own) return found(own.path, "namedId");
  if (id && (isChild || nouns.includes(entity))) return found(id, "ownId");
  if (id && isSameSchema(one as JsonSchema, read.schema, schemas)) return found(id, "ownId");
  const [first] = fields.paths;
  if (isChild && first && fields.paths.length === 1 && !OUTCOME.test(nameOf(first)))
    return found(first, "otherId");
  const isHandleOf = isChild && fields.onlyId && isHandle(fields.onlyId, schema, schemas);
  if (isHandleOf) return found(fields.onlyId, "otherId");
  const isJobRead = hasJobId || JOB_NOUNS.has(need.collection.at(-1) ?? "");
  const { onlyId } = fields;
  return isJobRead && onlyId && isOfCall(nameOf(onlyId), request)
    ? found(onlyId, "otherId")
    : undefined;
}

/**
 * Name that a field with the value has, as `normalizedName` has it. A plain one is named by the
 * segment before it: `token` for `/token/{uuid}`.
 */
function nameOfNeed({ name, collection }: Need): string {
  if (!PLAIN_ID.test(name)) return normalizedName(name);
  const segment = collection.join("");
  return HANDLES.test(segment) ? segment : "";
}

/** Segments before an ID that are the name of a handle as well. */
const HANDLES = /^(?:job|task|operation|token|ticket|handle)$/;

/** True for an ID in a response that has none of its own, by the name that the read gives it. */
function isOnlyHandle(
  path: readonly string[],
  need: Need,
  schema: JsonSchema,
  schemas: Schemas,
): boolean {
  const name = nameOf(path);
  const isId = /^(?:u?u?id|guid|sid)$/.test(identityOf(name).idWord) || PLAIN_ID.test(need.name);
  return (
    isId &&
    path.length === 1 &&
    !PLAIN_ID.test(name) &&
    nameOfNeed(need) === normalizedName(name) &&
    !hasOwnId(schema, [], schemas)
  );
}

/** Descriptions of IDs by which the work is followed: "Token used to check task progress". */
const TOLD_HANDLE = new RegExp(
  anyOfPatterns(
    /\b(?:check|track|poll|query|monitor|follow|watch)(?:ing|s)? .{0,40}\b(?:status|progress|state|completion|result)/,
    /\b(?:fetch|retrieve|get|obtain)(?:ing|s)? .{0,40}\b(?:status|progress|completion|results?|solution)\b/,
    /\b(?:async(?:hronous)?|background|long[- ]running)\b/,
  ),
  "i",
);

/** Maximum number of characters of a description that are read. */
const MAX_DESCRIPTION = 300;

/** True for an ID whose description says that it tells how the work stands. */
function isToldHandle(path: readonly string[], schema: JsonSchema, schemas: Schemas): boolean {
  if (PLAIN_ID.test(nameOf(path))) return false;
  const field = fieldAt(path, schema, schemas);
  const target = isObject(field) ? resolveSchema(schemas, field as JsonSchema) : {};
  const { description } = { ...target, ...(field as JsonSchema) };
  return TOLD_HANDLE.test(`${description ?? ""}`.slice(0, MAX_DESCRIPTION));
}

/** True for a value that says what a thing is, or which of its forms. */
const isKind = (name: string): boolean => /^(?:type|kind|version)$/i.test(name);

/** True for `id`, and for the `prompt_id` of `POST /prompt/run`, which the call does not have. */
function isOfCall(name: string, request: RequestMapping): boolean {
  const { path } = request;
  const { entity } = identityOf(name);
  if (pathNeeds(request).some((one) => isNamedAs(one.name, name))) return false;
  const segments = path.split("/").filter((one) => one !== "" && !one.includes("{"));
  return (
    entity === "" ||
    segments.some((one) => singularizeLast(splitWords(one)).join("_").endsWith(entity))
  );
}

/** `id`, `prompt_id` */
const ANY_ID = /(?:^|[_a-z])(?:Id|ID|UUID|Uuid|uuid|_id)$|^id$/;

const nameOf = (path: readonly string[]): string => path.at(-1) ?? "";

/** True for an object with an ID of its own. */
function hasOwnId(schema: AnySchema, path: readonly string[], schemas: Schemas): boolean {
  const holder = fieldAt(path, schema, schemas);
  return [...allFields(holder, schemas).keys()].some((name) => /^_?(?:id|uuid|guid)$/i.test(name));
}

/** The field at a path of a response, which may lead through lists. */
const fieldAt = (path: readonly string[], schema: AnySchema, schemas: Schemas): AnySchema =>
  path.reduce<AnySchema>(
    (one, name) =>
      name === LAST ? (listItems(one, schemas) ?? {}) : (allFields(one, schemas).get(name) ?? {}),
    schema,
  );

/**
 * True for the ID of another thing in a thing: `snapshot_id` of a disk. A job of a thing inside the
 * response may be one of long ago.
 */
function isOfPast(path: readonly string[], schema: JsonSchema, schemas: Schemas): boolean {
  const { entity, idWord } = identityOf(nameOf(path));
  const holder = singularizeLast(splitWords(path.at(-2) ?? "")).join("_");
  if (entity === "" && idWord !== "" && path.length > 1 && path.at(-2) !== LAST)
    return !PLAIN_NOUNS.has(holder) && hasOwnId(schema, path.slice(0, -2), schemas);
  if (entity === "" || idWord === "" || (path.length === 1 && PLAIN_NOUNS.has(entity)))
    return false;
  return hasOwnId(schema, path.slice(0, -1), schemas);
}

/** True for the ID of a job: `task_id`, the `id` of `operation`, or that of a schema `Task`. */
function isHandle(path: readonly string[], schema: JsonSchema, schemas: Schemas): boolean {
  const isOfJob = (entity: string): boolean => JOB_NOUNS.has(entity.split("_").at(-1) ?? "");
  const { entity } = identityOf(nameOf(path));
  const isInThing = hasOwnId(schema, path.slice(0, -1), schemas);
  if (entity !== "") return isInThing ? PLAIN_NOUNS.has(entity) : isOfJob(entity);
  const holder = path.slice(0, -1).findLast((one) => one !== LAST);
  if (holder !== undefined) return isOfJob(singularizeLast(splitWords(holder)).join("_"));
  const name = refName(schema);
  return name !== undefined && isOfJob(entityOfSchema(name));
}

/** A field that says how a call went: it identifies nothing. */
const OUTCOME =
  /^(?:code|count|details?|error|message|msg|ok|reason|result|state|status|success|total)$/i;

const ID = /^_?(?:id|uuid|guid|uid|identifier|token|handle)$/i;

/** Nouns of work of any kind. */
export const PLAIN_WORDS: ReadonlySet<string> = new Set([
  ...PLAIN_NOUNS,
  "request",
  "run",
  "execution",
]);

/** True for the ID of what a read returns, and not of a thing above it: `/projects/{id}/pipelines`. */
const isAtEnd = ({ name, place }: Need, path: string): boolean =>
  place === undefined || ABOUT_THING.test(path.split(`{${name}}`).at(-1) ?? "");

/** The rest of a path behind an ID, if it names no part of the thing. */
const ABOUT_THING =
  /^(?:\/(?:json|info|details?|status|state|progress|results?|last_?operation))?\/?$/i;

/** Nouns of the thing that a value identifies. */
export function nounsOf(
  schema: JsonSchema | undefined,
  { name, collection }: Need,
): readonly string[] {
  const ofSchema = schema === undefined ? undefined : refName(schema);
  const { entity } = identityOf(name);
  const nouns = [
    entity,
    collection.join("_"),
    ofSchema === undefined ? "" : entityOfSchema(ofSchema),
  ];
  return nouns.filter((noun) => noun !== "" && noun !== "status" && !ANY_NAME.test(noun));
}

/** Nouns of the things that a field identifies: `job` of `job_id`, and of the `id` of `job`. */
export function identifiedNouns(path: readonly string[]): readonly string[] {
  const { entity, idWord } = identityOf(nameOf(path));
  const name = /^(.+?)[_-]?name$/i.exec(nameOf(path))?.[1];
  const named = name === undefined ? [] : [splitWords(name).join("_")];
  if (idWord === "") return named;
  const holder = path.slice(0, -1).findLast((one) => one !== LAST) ?? "";
  return [...named, entity === "" ? singularizeLast(splitWords(holder)).join("_") : entity];
}

/** False for the ID of a thing that is read by its name or its version, and for a name beside an ID. */
function isSameKind(path: readonly string[], name: string, hasId: boolean): boolean {
  const [own, wanted] = [nameOf(path), name].map((one) => splitWords(one).at(-1) ?? "");
  if (own === wanted) return true;
  return !/^(?:name|version|number)$/.test(wanted!) && !(hasId && own!.endsWith("name"));
}

/** A field, and nouns of the things that it identifies. */
interface IdField {
  readonly path: readonly string[];
  readonly nouns: readonly string[];
}

/** Fields, with what each write asks about them for all reads. */
interface Fields {
  readonly paths: readonly (readonly string[])[];
  /** The first of each name, by its `normalizedName`. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
  readonly things: readonly IdField[];
  /** IDs of a plain noun, such as `request_id`. */
  readonly plainThings: readonly IdField[];
  /** The first ID without a noun. */
  readonly id: readonly string[] | undefined;
  /** The only ID of any name. */
  readonly onlyId: readonly string[] | undefined;
}

/** Fields of a response: all, and those that do not identify another thing. */
interface ResponseFields {
  readonly isScalar: boolean;
  readonly all: Fields;
  readonly own: Fields;
}

const fieldsOfResponse = memoizeBySchema((schema, schemas): ResponseFields => {
  const all = scalarFields(schema, schemas);
  return {
    isScalar: isScalar(schema, schemas),
    all: indexFields(all),
    own: indexFields(all.filter((path) => !isOfPast(path, schema, schemas))),
  };
});

function indexFields(paths: Fields["paths"]): Fields {
  const byName = new Map(
    paths.toReversed().map((path) => [normalizedName(nameOf(path)), path] as const),
  );
  const things = paths.map((path) => ({ path, nouns: identifiedNouns(path) }));
  const plainThings = paths.flatMap((path) => {
    const { entity, idWord } = identityOf(nameOf(path));
    return idWord !== "" && PLAIN_WORDS.has(entity) ? [{ path, nouns: [entity] }] : [];
  });
  const ids = paths.filter((path) => path.length <= 2 && ANY_ID.test(nameOf(path)));
  return {
    paths,
    byName,
    things: things.filter(({ nouns }) => nouns.length > 0),
    plainThings,
    id: paths.find((path) => path.length <= 3 && ID.test(nameOf(path))),
    onlyId: ids.length === 1 ? ids[0] : undefined,
  };
}

/** Paths of fields with a single value, also those of objects inside the response, and of lists of them. */
function scalarFields(
  schema: AnySchema,
  schemas: Schemas,
  before: readonly string[] = [],
): readonly (readonly string[])[] {
  const items = listItems(schema, schemas);
  if (items !== undefined)
    return before.length >= 2 ? [] : scalarFields(items, schemas, [...before, LAST]);
  const fields = [...allFields(schema, schemas)];
  const own = fields.flatMap(([name, field]) =>
    isScalar(field, schemas) ? [[...before, name]] : [],
  );
  if (before.length >= 2) return own;
  const inner = fields.flatMap(([name, field]) =>
    NOT_DONE.test(name) ? [] : scalarFields(field, schemas, [...before, name]),
  );
  return [...own, ...inner];
}

/** Fields with what a call did not do. */
const NOT_DONE = /^(?:errors?|fail(?:ed|ures?)|rejected|skipped)$/i;

/** Position of the last item, because the steps of one work are listed in their order. */
const LAST = "-1";

function isScalar(schema: AnySchema, schemas: Schemas): boolean {
  if (!isObject(schema)) return false;
  const types = typesOf(resolveSchema(schemas, schema as JsonSchema));
  return types.some((type) => ["string", "integer", "number"].includes(type));
}

/**
 * True for a read right below the path of the write or below its collection (`/exports/{}`), and
 * for one of a collection of the same name: `/scans/{}` of `/sites/{}/scans`.
 */
export function isChildOf(read: RequestMapping, { path }: RequestMapping): boolean {
  const own = pathKey(path);
  const key = thingPlaceOf(read.path);
  const parent = own.replace(/\/[^/{}]*$/, "");
  const last = own.split("/").at(-1)!;
  const isOfParent = key === `${parent}/{}` && parent !== "" && !isOfThings(last);
  const isOfCollection = !last.includes("{") && key.endsWith(`/${last}/{}`);
  return key === `${own}/{}` || isOfParent || isOfCollection || isTwin(key, own);
}

/** True for `export` and `batches`, and not for `/runs/batch`, which makes several: a segment of things of its own, and no verb of those before it. */
const isOfThings = (segment: string): boolean =>
  (JOB_NOUNS.has(segment) && segment !== "batch") || isPlural(segment);

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
  return shared >= MIN_SHARED && shared >= MIN_SHARE * Math.max(own!.size, others!.size);
}

/** Least number of fields, and least share, by which two responses are of one thing. */
const MIN_SHARED = 4;
const MIN_SHARE = 0.75;

/** True for two spellings of one name: `jobId` and `job_id`. */
export const isNamedAs = (name: string, other: string): boolean =>
  normalizedName(name) === normalizedName(other);

/** Memoized, because each field of a response is compared with the needs of all reads. */
export const normalizedName: (name: string) => string = memoize((name) =>
  name.toLowerCase().replaceAll(/[^a-z0-9]/g, ""),
);
