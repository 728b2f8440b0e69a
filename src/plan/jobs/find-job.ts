/** The work that a write starts, and the thing that tells how it stands. */
import { isObject, type JsonSchema } from "../../json.js";
import { memoize } from "../../language/patterns.js";
import { isPlural, pluralize, singularize } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import type { FieldPath } from "../../runtime/data/field-paths.js";
import { isStateField, normalizeState } from "../../language/state-words.js";
import type { JobMapping, OperationBinding } from "../../runtime/types.js";
import { requestParameters, sourceInput } from "../bound-parameters.js";
import { sharedPathInputs } from "../path-readers.js";
import { allFields } from "../schemas/flat-object.js";
import { type AnySchema, refName, resolveSchema, type Schemas } from "../schemas/refs.js";
import { findId, handleIn, type HandlePlace, isSameThing } from "./find-handle.js";
import { isNamedAs } from "./ways.js";
import {
  envelopedSchema,
  findPlainState,
  findState,
  isOfMachine,
  isProvisioning,
  isThing,
} from "./find-state.js";
import type { FollowedThing, StatedThing, Things } from "./followed-things.js";
import type { SchemasOf } from "./operation-schemas.js";
import { isWorkThatEnds, mayRest } from "./sort-states.js";
import { pathKey, type ThingReader } from "./state-readers.js";
import { weighJob, type WeighedFacts } from "./weigh-job.js";
import type { Sign } from "./signs.js";
import { UNKNOWN_STATE } from "./state-only-readers.js";
import {
  COPYING_VERBS,
  ENDING_VERBS,
  isOnDefinition,
  JOB_NOUNS,
  RESTARTING_VERBS,
  STARTING_VERBS,
} from "./words.js";
import { isToldToCancel, signsOfWork } from "./work-signs.js";

/** Facts about the document for the search. */
export interface JobFacts extends WeighedFacts {
  readonly things: Things;
  /** Reads of states that the document does not describe. */
  readonly stateOnly: readonly ThingReader[];
}

/** A write, with the schema of its success. */
interface Write {
  readonly binding: OperationBinding;
  readonly schema: JsonSchema;
  readonly bodies: readonly JsonSchema[];
  readonly isAsynchronous: boolean;
  readonly isUpdate: boolean;
  readonly facts: JobFacts;
}

/** Finds the work that an operation starts; undefined for reads, updates and ends of work. */
export function findJob(binding: OperationBinding, facts: JobFacts): JobMapping | undefined {
  const { request } = binding;
  const found = facts.schemasOf(request.method, request.path);
  if (!found) return undefined;
  const { success, ...rest } = found;
  const schema = success ?? (rest.isAsynchronous ? {} : undefined);
  if (
    request.isRaw ||
    endsWork(request.path) ||
    isToldToCancel(facts.operationOf(request.method, request.path))
  )
    return undefined;
  if (schema && awaitsUpload(schema, facts.schemas)) return undefined;
  const write = { binding, schema: schema ?? {}, ...rest, facts };
  const classified = facts.operationOf(request.method, request.path);
  const isAtOnce =
    (classified && signsOfWork(classified))?.some((sign) => AT_ONCE.has(sign)) === true;
  return (schema && !isAtOnce && signedJob(write)) || weighJob(binding, facts);
}

/** Signs of a call that returns when all is done. */
const AT_ONCE: ReadonlySet<Sign> = new Set<Sign>(["atOnce", "checks"]);

function signedJob(write: Write): JobMapping | undefined {
  return createdJob(write) ?? handleJob(write) ?? jobAtPath(write) ?? namedJob(write);
}

/** True for a response with the URL to which the caller has to upload what the work needs. */
function awaitsUpload(schema: AnySchema, schemas: Schemas, depth = 0): boolean {
  return [...allFields(schema, schemas)].some(
    ([name, field]) =>
      UPLOAD_URL.test(name) ||
      (PLAIN_URL.test(name) && UPLOAD_PLACE.test(descriptionOf(field))) ||
      (depth < 2 && awaitsUpload(field, schemas, depth + 1)),
  );
}

const UPLOAD_URL = /upload_?(?:url|uri|link)s?$|^upload_(?:to|domain|host|token)$/i;

/** A URL whose description says that the caller sends a file there. */
const PLAIN_URL = /^(?:location|url|uri|href|link)$/i;
const UPLOAD_PLACE =
  /\b(?:to which|where|URL|URI|location) (?:\w+ ){0,3}(?:PUT|upload)\b|\bupload (?:endpoint|URL|URI|link)\b/i;

const descriptionOf = (field: AnySchema): string =>
  isObject(field) ? `${field["description"] ?? ""}`.slice(0, MAX_DESCRIPTION) : "";

/** Maximum number of characters of a field's description that are read. */
const MAX_DESCRIPTION = 500;

/** `/jobs/{id}/cancel`, `/jobs/{id}:stop`. */
const endsWork = (path: string): boolean =>
  ENDING_VERBS.has(verbOf(path)) ||
  /\/(?:cancel|abort|stop|terminate|kill)\/\{[^{}]*\}\/?$/.test(path);

/** First word of the last segment of a path; empty for a parameter. */
function verbOf(path: string): string {
  const last = path.replace(/\/$/, "").split(/[/:]/).at(-1) ?? "";
  return last.includes("{") ? "" : (splitWords(last)[0] ?? "");
}

/** `POST /reports`, which returns a report with an ID and a state, or its ID alone. */
function createdJob(write: Write): JobMapping | undefined {
  const { schema, facts } = write;
  const { request } = write.binding;
  const thing = createdKeys(request.path).flatMap((key) => facts.things.followed.get(key) ?? [])[0];
  if (request.method !== "POST" || !thing || thing.isDoubtful) return undefined;
  if (setsState(write, thing) || restsAtFirst(write, thing)) return undefined;
  const parents = sharedPathInputs({ ...thing.binding.request, path: thing.parentPath }, request);
  const others = sharedInputs(thing, request);
  if (!parents || !others) return undefined;
  const { schemas } = facts;
  const given = { ...parents, ...others };
  const id = findId(schema, thing, schemas);
  const started = startedState(schema, thing, schemas);
  if (id) return jobOf(thing, given, id, started ?? stateBeside(schema, thing, id, schemas));
  const own = idOfCall(thing, request);
  if (own === undefined || !started) return undefined;
  return jobOf({ ...thing, input: undefined }, { ...given, [thing.input]: own }, [], started);
}

/** Input of a creation whose caller chooses the ID: `alarmModelName` in its body. */
function idOfCall(
  { parameter }: FollowedThing,
  request: OperationBinding["request"],
): string | undefined {
  const own = requestParameters(request).find(
    ({ location, wireName = "" }) =>
      (location === "body" || location === "query") && isNamedAs(wireName, parameter),
  );
  return own && sourceInput(own.source);
}

/**
 * Paths of the thing that a POST may create, its own collection first: `/exports/{}` for `/export`,
 * and `/reports/{}` for `/reports/generate`. Their reads may take the ID in the query.
 */
function createdKeys(path: string): readonly string[] {
  const own = pathKey(path);
  const last = own.split("/").at(-1)!;
  const parent = parentOf(own);
  const collection = CREATING_SEGMENT.test(last) ? parent : `${parent}/${pluralize(last)}`;
  return [...new Set([own, collection])].flatMap((key) => [`${key}/{}`, `${key}?`]);
}

/** Last segments of paths that create a thing of the collection before them. */
const CREATING_SEGMENT =
  /^(?:create|new|start|run|submit|generate|launch|request|execute|trigger|async|queue|enqueue)$/;

/** True for a thing that is not at work when it is created: one that can be stopped, or is started. */
function restsAtFirst({ facts }: Write, thing: FollowedThing): boolean {
  if (isStartedByPost(thing, facts) || facts.things.filled.has(thing.key)) return true;
  if (mayRest(thing.state) && !thing.evidence.isJob) return true;
  const isPlain = thing.state.running === undefined && thing.state.done === undefined;
  const mayWait = (isPlain || !thing.isNamedJob) && !isOfMachine(thing.state);
  return mayWait && facts.things.startable.has(thing.key);
}

/** True for a thing with a POST of its own path that starts it. */
const isStartedByPost = (
  { parentPath, parameter }: ThingReader,
  { schemasOf }: JobFacts,
): boolean => schemasOf("POST", `${parentPath}/{${parameter}}`)?.isStart === true;

/** Inputs of the write for values beside the path that the read needs too; undefined without one. */
function sharedInputs(
  { shared }: ThingReader,
  request: OperationBinding["request"],
): Readonly<Record<string, string>> | undefined {
  const own = requestParameters(request).filter(({ location }) => location !== "path");
  const entries = Object.entries(shared).map(([name, to]) => {
    const same = own.find(({ wireName = "" }) => wireName.toLowerCase() === name.toLowerCase());
    return [to, same && sourceInput(same.source)] as const;
  });
  return entries.every(([, input]) => input !== undefined)
    ? (Object.fromEntries(entries) as Record<string, string>)
    : undefined;
}

/** True if callers set the state: a person works on such a thing. */
function setsState(write: Write, { state }: Pick<StatedThing, "state">): boolean {
  const { bodies, schema, isAsynchronous, facts } = write;
  // Documents of Azure have one schema for both ways.
  if (isProvisioning(state)) return false;
  // A thing with `status: {value}` may be sent with `status`.
  const names = [
    ...new Set(state.path.filter((name) => isStateField(name)).concat(state.path.at(-1)!)),
  ];
  return bodies.some((body) => {
    if (isAsynchronous && isSameSchema(body, schema)) return false;
    const fields = allFields(body, facts.schemas);
    return names.some((name) => {
      const own = fields.get(name);
      return own !== undefined && !isReadOnly(own, facts.schemas);
    });
  });
}

/** True for one schema for both ways, whose fields callers need not all set. */
const isSameSchema = (body: JsonSchema, success: JsonSchema): boolean =>
  body === success || (refName(body) !== undefined && refName(body) === refName(success));

/** A description that opens as those of Google do. */
const OUTPUT_ONLY = /^\s*(?:@?output[ _]?only\b|output\.)/i;

function isReadOnly(field: AnySchema, schemas: Schemas): boolean {
  if (!isObject(field)) return false;
  return [field, resolveSchema(schemas, field as JsonSchema)].some(
    ({ readOnly, description }) => readOnly === true || OUTPUT_ONLY.test(`${description ?? ""}`),
  );
}

/** Field of the first response with the state, if it has one. */
function startedState(
  schema: JsonSchema,
  { evidence, state }: StatedThing,
  schemas: Schemas,
): readonly string[] | undefined {
  const found = findState(schema, schemas, evidence);
  const isPlain = !state.done && !state.running;
  return (found ?? (isPlain ? findPlainState(schema, schemas, evidence) : undefined))?.path;
}

/** A response with the ID of a job, an object with one, or the job itself. */
function handleJob(write: Write): JobMapping | undefined {
  for (const thing of nearestFirst(write)) {
    const job = jobByHandle(write, thing);
    if (job) return job;
  }
  return undefined;
}

/**
 * A thing that is read by the path of the write: the only one of its kind, one that a PUT creates,
 * or the one whose start the API only accepts.
 */
function jobAtPath(write: Write): JobMapping | undefined {
  const { binding, schema, facts } = write;
  const { request } = binding;
  const thing = thingAtPath(write);
  if (!thing || setsState(write, thing)) return undefined;
  const started = startedState(schema, thing, facts.schemas);
  const inputs = sharedPathInputs(thing.binding.request, request);
  return started && inputs && jobOf({ ...thing, input: undefined }, inputs, [], started);
}

/**
 * Work whose read the text names, or whose state the document does not describe: `job_id` for
 * `/status/{job_id}`.
 */
function namedJob(write: Write): JobMapping | undefined {
  const { binding, schema, facts } = write;
  const { followed } = facts.things;
  const { method, path } = binding.request;
  const fields = allFields(schema, facts.schemas);
  for (const key of facts.readersNamedBy(method, path)) {
    const thing = followed.get(key);
    const job = thing && namedBy(write, thing, thing);
    if (job) return job;
  }
  for (const reader of facts.stateOnly) {
    const id = [...fields.keys()].find((name) => isNamedAs(name, reader.parameter));
    const parents = id === undefined ? undefined : namedParents(reader, binding);
    if (parents && !isUpdateOf(binding, reader))
      return jobOf({ ...reader, state: UNKNOWN_STATE }, parents, [id!], undefined);
  }
  return undefined;
}

/** The work of a thing that a text names, by an ID of the response or of the path of the write. */
function namedBy(write: Write, thing: FollowedThing, state: StatedThing): JobMapping | undefined {
  const { binding, schema, facts } = write;
  const parents = namedParents(thing, binding);
  if (!parents || setsState(write, state) || isUpdateOf(binding, thing)) return undefined;
  const id = findId(schema, thing, facts.schemas);
  return id && jobOf(thing, parents, id, stateBeside(schema, thing, id, facts.schemas));
}

function thingAtPath(write: Write): StatedThing | undefined {
  const { binding, isUpdate, facts } = write;
  const { method, path } = binding.request;
  const parent = parentOf(path);
  const isNamedByCaller = /\{[^{}/]*\}\/?$/.test(path);
  const isCreated = ["POST", "PUT"].some((one) => facts.schemasOf(one, parent));
  const isCreation = method === "PUT" && isNamedByCaller && !isCreated && !isUpdate;
  if (isCreation || (method === "POST" && !isNamedByCaller)) {
    const own = facts.things.byPath.get(pathKey(path));
    if (own && (own.evidence.isJob || !mayRest(own.state))) return own;
  }
  if (!isStartingAction(write)) return undefined;
  const keys = ["", "/state", "/status"].map((end) => pathKey(parent) + end);
  return keys.flatMap((key) => facts.things.byPath.get(key) ?? [])[0];
}

/** `/servers/{id}/start`, if the API only accepts it, or answers with a state such as `starting`. */
function isStartingAction({ binding, schema, isAsynchronous, facts }: Write): boolean {
  const { method, path } = binding.request;
  const verb = verbOf(path);
  if (!["POST", "PUT"].includes(method) || !STARTING_VERBS.has(verb)) return false;
  if (method === "POST" && isAsynchronous) return true;
  const { running = [], failed } = findState(schema, facts.schemas, NO_EVIDENCE) ?? {};
  if (failed && running.some((value) => QUEUED.test(normalizeState(`${value}`)))) return true;
  const stem = verb.replace(/e$/, "");
  return running.some((value) => isFormOf(stem, normalizeState(`${value}`)));
}

/** A state of what waits for a machine. */
const QUEUED = /^(?:en)?queued$/;

/** `starting` of start, `running` of run. */
const isFormOf = (stem: string, word: string): boolean =>
  word.startsWith(stem) && /^.?ing$/.test(word.slice(stem.length));

const NO_EVIDENCE = { isJob: false, isOnlyWork: false, nouns: new Set<string>() };

/**
 * The jobs of the document, those whose path has most in common with the write first. Without those
 * whose ID is, nearer to the write, that of a thing without a state.
 */
function nearestFirst(write: Write): readonly FollowedThing[] {
  const { binding, facts } = write;
  const own = segmentsOf(binding.request.path);
  const shared = ({ binding: { request } }: ThingReader): number =>
    sharedLength(segmentsOf(request.path), own);
  const { followed, othersByParameter } = facts.things;
  const isOfOther = readsOfOthers(write, shared);
  const isOther = (thing: FollowedThing): boolean => {
    const named = thing.entity.length > 0 ? othersByParameter.get(thing.parameter) : undefined;
    const length = shared(thing);
    return named?.some((one) => shared(one) > length) === true;
  };
  const words = new Set(splitWords(binding.request.path));
  const jobs = [...followed.values()].filter(
    (thing) =>
      (thing.evidence.isJob || thing.state.failed !== undefined || isOfMachine(thing.state)) &&
      isOfAnyOrThis(thing, words) &&
      !isOfOther(thing) &&
      !isOther(thing),
  );
  return jobs.length < 2 ? jobs : jobs.toSorted((one, other) => shared(other) - shared(one));
}

/** Memoized, because each write is compared with all reads. */
const segmentsOf = memoize((path): readonly string[] => path.split("/"));

/** Number of segments that a path shares with the start of another one. */
function sharedLength(path: readonly string[], other: readonly string[]): number {
  let length = 0;
  while (length < path.length && path[length] === other[length]) length++;
  return length;
}

/** Words of the path of a job that name no thing of their own. */
const COMMON =
  /^(?:api|v\d+|status(?:es)?|states?|progress|results?|get|check|info|async|requests?)$/;

/** True unless a read by a query is that of the jobs of another thing: `/rows/backfill-status?job_id`. */
const isOfAnyOrThis = (thing: FollowedThing, own: ReadonlySet<string>): boolean =>
  !thing.key.endsWith("?") || namesNoOther(thing, own);

/** True for a read whose path, without its parameters, names no other thing than the write. */
const namesNoOther = ({ binding }: FollowedThing, own: ReadonlySet<string>): boolean =>
  splitWords(binding.request.path.replaceAll(/\{[^{}]*\}/g, "")).every(
    (word) => own.has(word) || COMMON.test(word) || JOB_NOUNS.has(singularize(word)),
  );

/**
 * Tells reads of the jobs of other things, where several reads have one schema: the ID of
 * `POST /volumes/{id}/exports` is not read by `/hosts/requests/{id}`.
 * @param shared number of segments that the path of a read shares with that of the write
 */
function readsOfOthers(
  { binding, facts }: Write,
  shared: (thing: ThingReader) => number,
): (thing: FollowedThing) => boolean {
  const { path } = binding.request;
  const words = new Set(splitWords(path));
  const isNear = (thing: ThingReader): boolean =>
    segmentsOf(path)
      .slice(1, shared(thing))
      .some((segment) => !segment.startsWith("{") && !COMMON.test(segment));
  return (thing) => {
    if (isNear(thing) || namesNoOther(thing, words)) return false;
    const name = schemaName(thing, facts.schemasOf);
    return name !== undefined && (facts.readsBySchema.get(name) ?? 0) > 1;
  };
}

/** Counts the reads of things by the name of the schema that they return. */
export function countReads(
  { followed, others }: Things,
  schemasOf: SchemasOf,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const reader of new Set<ThingReader>([...followed.values(), ...others])) {
    const name = schemaName(reader, schemasOf);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function schemaName({ binding }: ThingReader, schemasOf: SchemasOf): string | undefined {
  const { method, path } = binding.request;
  const success = schemasOf(method, path)?.success;
  return success && refName(success);
}

function jobByHandle(write: Write, thing: FollowedThing): JobMapping | undefined {
  const { binding, schema, facts } = write;
  const { schemas } = facts;
  if (isUpdateOf(binding, thing) || isDoubtfulFor(write, thing)) return undefined;
  const isWhole = isSameThing(schema, thing, schemas);
  const given = namedParents(thing, binding);
  const returned = given || !isWhole ? undefined : returnedParents(thing, write);
  const parents = given ?? (returned && {});
  if (!parents) return undefined;
  if (isWhole && setsState(write, thing)) return undefined;
  const whole = isWhole ? findId(schema, thing, schemas) : undefined;
  const isStarted = whole && isStart(write, thing) && !restsAtFirst(write, thing);
  if (!whole && isStartedByPost(thing, facts)) return undefined;
  const stated = statedId(schema, thing, schemas);
  if (!thing.isNamedJob && !isStarted && !stated && !(whole && isRecord(write, thing)))
    return undefined;
  const isChange = binding.request.method !== "POST" && isThing(allFields(schema, schemas));
  const isUpdate = isChange || (write.isUpdate && !write.isAsynchronous);
  const handle = isUpdate ? undefined : handleIn(schema, thing, handlePlaceOf(write), schemas);
  const id =
    whole ??
    (handle && isThing(allFields(schema, schemas)) && isSent(handle, binding)
      ? undefined
      : handle) ??
    (isUpdate ? undefined : stated);
  if (!id) return undefined;
  const job = jobOf(thing, parents, id, stateBeside(schema, thing, id, schemas));
  if (!returned) return job;
  const { follow } = job;
  return { ...job, follow: { ...follow, fields: { ...returned, ...follow.fields } } };
}

/** True for a field of the response that repeats what the body has: `jobId` of a payable. */
const isSent = (field: readonly string[], { request }: OperationBinding): boolean =>
  requestParameters(request).some(
    ({ location, wireName = "" }) => location === "body" && isNamedAs(wireName, field.at(-1)!),
  );

/** The `requestId` of a response for `/queue/status?request_id=`, which reads nothing but a state. */
function statedId(
  schema: JsonSchema,
  { parameter, entity, binding }: FollowedThing,
  schemas: Schemas,
): readonly string[] | undefined {
  if (entity.length === 0 || !/\/(?:status|state|progress)\b/.test(binding.request.path))
    return undefined;
  const fields = allFields(envelopedSchema(schema, schemas), schemas);
  if (isThing(fields) || envelopedSchema(schema, schemas) !== schema) return undefined;
  const name = [...fields.keys()].find((one) => isNamedAs(one, parameter));
  return name === undefined ? undefined : [name];
}

/** Fields of a response with the values of the path before the ID: `dag_id` of a run. */
function returnedParents(
  { binding: { request }, parameter, shared }: FollowedThing,
  { schema, facts }: Write,
): Readonly<Record<string, FieldPath>> | undefined {
  const fields = allFields(schema, facts.schemas);
  const entries = Object.entries(request.pathParams ?? {}).flatMap(([name, source]) => {
    const to = sourceInput(source);
    return name === parameter || to === undefined ? [] : [[to, name] as const];
  });
  const isReturned = entries.every(([, name]) => fields.has(name) && !ANY_NAME.test(name));
  return isReturned && Object.keys(shared).length === 0 ? Object.fromEntries(entries) : undefined;
}

/** Places by write, because each of them is found among all paths, and compared with all reads. */
const handlePlaces = new WeakMap<Write, HandlePlace>();

function handlePlaceOf(write: Write): HandlePlace {
  const place = handlePlaces.get(write) ?? findHandlePlace(write);
  handlePlaces.set(write, place);
  return place;
}

/** The path of a write, and whether the ID in its response can only be that of a job. */
function findHandlePlace({ binding, isAsynchronous, facts }: Write): HandlePlace {
  const { path } = binding.request;
  const isThing = facts.schemasOf("GET", path) ?? facts.things.followed.get(`${pathKey(path)}/{}`);
  const own = pathKey(path);
  const below = [...facts.paths].flatMap((key) =>
    key.startsWith(`${own}/`) ? (/^\/(\w+)\/\{\}$/.exec(key.slice(own.length))?.[1] ?? []) : [],
  );
  const kinds = below.filter((segment) => JOB_NOUNS.has(singularize(segment))).length;
  return { path, isOfJob: isAsynchronous && isThing === undefined, kinds };
}

/**
 * True for a POST that starts a thing: beside its collection, known to go on, or in a collection of
 * the same name (`POST /projects/{id}/devices` of `/devices/{id}`).
 */
function isStart({ binding: { request }, isAsynchronous }: Write, thing: FollowedThing): boolean {
  const place = pathKey(parentOf(request.path));
  const isBeside = [parentOf(thing.parentPath), thing.parentPath].map(pathKey).includes(place);
  const isOfCollection = lastOf(request.path) === lastOf(thing.parentPath);
  return request.method === "POST" && (isAsynchronous || isBeside || isOfCollection);
}

/**
 * True for a thing that is only a record of work: it ends, it may fail, and no write of its own
 * creates or changes it.
 */
function isRecord({ facts: { schemasOf } }: Write, thing: FollowedThing): boolean {
  const { path } = thing.binding.request;
  const isWritten =
    schemasOf("POST", thing.parentPath) !== undefined ||
    ["PUT", "PATCH", "POST"].some((method) => schemasOf(method, path));
  return !isWritten && isWorkThatEnds(thing.state);
}

/** Last segment of a path. */
const lastOf = (path: string): string => pathKey(path).split("/").at(-1) ?? "";

/** Path without its last segment. */
const parentOf = (path: string): string => path.replace(/\/[^/]*\/?$/, "");

/**
 * True for a thing that people do too, unless the write is work: its path has the noun of one, or
 * the document says that it goes on after the response.
 */
function isDoubtfulFor({ binding, isAsynchronous }: Write, thing: FollowedThing): boolean {
  if (!thing.isDoubtful) return false;
  const words = binding.request.path
    .split("/")
    .slice(-2)
    .flatMap((one) => splitWords(one));
  const isItself = thing.handleNouns.some(
    (noun) => isPlural(words.at(-1) ?? "") && words.includes(`${noun.at(-1)}s`),
  );
  return isItself || !(isAsynchronous || words.some((word) => JOB_NOUNS.has(word)));
}

const isWithin = (path: string, key: string): boolean => `${pathKey(path)}/`.startsWith(`${key}/`);

/** An update or removal of the job itself, or of what holds it: `/tasks/{}` of `/tasks/{}/{}`. A `{name}` behind the version can be that of anything. */
function isUpdateOf({ request }: OperationBinding, { key }: ThingReader): boolean {
  const isOwn = isWithin(request.path, key);
  const isAnyName = /^(?:\/v\d\w*)?\/\{\}$/.test(key);
  const holder = key.replace(/\/\{\}$/, "");
  if (request.method !== "POST" && holder.endsWith("}") && isWithin(request.path, holder))
    return true;
  const verb = verbOf(request.path);
  const isAgain = RESTARTING_VERBS.has(verb) || COPYING_VERBS.has(verb);
  const isOfPart = isOnDefinition(splitWords(lastOf(request.path)));
  return isOwn && !isAnyName && (!isAgain || isOfPart);
}

/** Values of the path before the ID, by parameters of the same names. */
function namedParents(
  thing: ThingReader,
  { request }: OperationBinding,
): Readonly<Record<string, string>> | undefined {
  const { binding, parameter } = thing;
  const given = requestParameters(request);
  const entries = Object.entries(binding.request.pathParams ?? {}).flatMap(([name, source]) => {
    const to = sourceInput(source);
    if (name === parameter || to === undefined) return [];
    const same = given.find(({ wireName, location }) => wireName === name && location === "path");
    if (same && ANY_NAME.test(name) && !isSamePlace(name, binding.request, request))
      return [[to, undefined] as const];
    return [[to, same && sourceInput(same.source)] as const];
  });
  const others = sharedInputs(thing, request);
  return others && entries.every(([, input]) => input !== undefined)
    ? { ...(Object.fromEntries(entries) as Record<string, string>), ...others }
    : undefined;
}

/** Names of parameters that tell no thing. */
const ANY_NAME = /^(?:id|uuid|uid|guid|name|key|code|slug|pk)$/i;

/** True for a parameter such as `{id}` behind the same segment of two paths. */
function isSamePlace(name: string, ...requests: readonly { readonly path: string }[]): boolean {
  const [one, other] = requests.map(({ path }) => path.split(`/{${name}}`)[0]!.split("/").at(-1));
  return one === other;
}

/** The state in the object that has the ID. */
function stateBeside(
  schema: JsonSchema,
  thing: FollowedThing,
  id: readonly string[],
  schemas: Schemas,
): readonly string[] | undefined {
  const name = thing.state.path.at(-1)!;
  const parents = id.slice(0, -1);
  const holder = parents.reduce<AnySchema>(
    (current, step) => allFields(current, schemas).get(step) ?? {},
    schema,
  );
  return allFields(holder, schemas).has(name) ? [...parents, name] : undefined;
}

const fieldPath = (path: readonly string[]): FieldPath => (path.length === 1 ? path[0]! : path);

/** @param thing its `input` takes the ID; undefined if its path has all that the read needs */
function jobOf(
  {
    tool,
    state: { path, ...states },
    input,
  }: Pick<StatedThing, "tool" | "state"> & {
    readonly input: string | undefined;
  },
  inputs: Readonly<Record<string, string>>,
  id: readonly string[],
  started: readonly string[] | undefined,
): JobMapping {
  const fields = input === undefined ? {} : { [input]: fieldPath(id) };
  return {
    ...(started && { started: fieldPath(started) }),
    state: fieldPath(path),
    ...states,
    follow: { tool: tool.definition.name, inputs, fields },
  };
}
