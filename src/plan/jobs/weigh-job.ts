/** Work that is found by the weight of its signs, where no single one tells it. */
import { isObject, type JsonSchema } from "../../json.js";
import { isPlural, singularize, singularizeLast } from "../../language/grammar.js";
import { stageOfWord } from "../../language/state-words.js";
import { splitWords } from "../../language/words.js";
import type { FieldPath } from "../../runtime/data/field-paths.js";
import type { JobMapping, OperationBinding } from "../../runtime/types.js";

import { allFields } from "../schemas/flat-object.js";
import { type AnySchema, refName, resolveSchema, type Schemas } from "../schemas/refs.js";
import { envelopedSchema } from "./find-state.js";
import type { Things } from "./followed-things.js";
import { identityOf } from "./identity.js";
import type { NamedReaders } from "./named-readers.js";
import type { OperationSchemas, SchemasOf } from "./operation-schemas.js";
import { type Sign, signsOf, weigh } from "./signs.js";
import type { OperationOf, StateRead } from "./state-reads.js";
import { thingKey } from "./state-reads.js";
import { pathKey } from "./state-readers.js";
import { valuesOf } from "./states-of-field.js";
import {
  createWayFinder,
  identifiedNouns,
  normalizedName,
  nounsOf,
  pathNeeds,
  PLAIN_WORDS,
  type Way,
} from "./ways.js";
import { ANY_WORK, COPYING_VERBS, isOnDefinition, JOB_NOUNS, RESTARTING_VERBS } from "./words.js";
import { signsOfWork } from "./work-signs.js";

/** Facts about the document that signs are read from. */
export interface WeighedFacts {
  /** Reads of states, without those of things whose callers tell how they ended. */
  readonly reads: readonly StateRead[];
  readonly schemasOf: SchemasOf;
  readonly schemas: Schemas;
  readonly operationOf: OperationOf;
  readonly readersNamedBy: NamedReaders;
  /** Things that a write of their own starts. */
  readonly things: Pick<Things, "startable">;
  /** Number of reads of things by the name of the schema that they return. */
  readonly readsBySchema: ReadonlyMap<string, number>;
  /** Paths of GETs without names of parameters. */
  readonly paths: ReadonlySet<string>;
  /** Names by which GETs read one thing, as `normalizedName` has them. */
  readonly readNames: ReadonlySet<string>;
}

/** Least weight of all signs together. */
const MIN_WEIGHT = 7;

/** A write, with what tells that it starts work. */
interface Write extends OperationSchemas {
  readonly binding: OperationBinding;
  readonly signs: readonly Sign[];
  readonly named: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  /** True for the path of a thing that a GET reads. */
  readonly isOfThing: boolean;
  /** True if a GET of its path, or one right below it, reads the thing that it creates or changes. */
  readonly hasOwnRead: boolean;
  /** True if a GET of its path, or one right below it, reads other things. */
  readonly hasChildren: boolean;
  readonly facts: WeighedFacts;
}

/** A read that may follow a write. */
interface Candidate {
  readonly read: StateRead;
  readonly way: Way;
  readonly signs: readonly Sign[];
  readonly weight: number;
}

/** Finds the read with the heaviest signs; undefined if they do not suffice. */
export function weighJob(binding: OperationBinding, facts: WeighedFacts): JobMapping | undefined {
  const write = writeOf(binding, facts);
  if (!write || isUpdateOfThing(write)) return undefined;
  const call = { request: binding.request, schema: write.success };
  const waysTo = createWayFinder(call, facts.schemas);
  const found = facts.reads.flatMap((read) => candidatesOf(write, read, waysTo(read)));
  const [best] = found
    .filter(({ weight }) => weight >= MIN_WEIGHT)
    .toSorted((one, other) => rankOf(write, other) - rankOf(write, one));
  return best && jobOf(write, best);
}

/** Weight of a read among others: that of the schema of the response counts more, and a near one. */
function rankOf({ binding, success }: Write, { read, weight }: Candidate): number {
  const name = success && refName(success);
  const isSame = name !== undefined && read.schema !== undefined && refName(read.schema) === name;
  return (
    weight +
    (isSame ? SAME_SCHEMA : 0) +
    NEAR * sharedWords(binding.request.path, read.request.path)
  );
}

const SAME_SCHEMA = 3;
const NEAR = 0.5;

/** Number of segments that name no parameter at the start of both paths. */
function sharedWords(path: string, other: string): number {
  const [own, others] = [path, other].map((one) => one.split("/"));
  const end = own!.findIndex((segment, i) => segment !== others![i]);
  const shared = end === -1 ? own! : own!.slice(0, end);
  return shared.filter((segment) => segment !== "" && !segment.startsWith("{")).length;
}

function writeOf(binding: OperationBinding, facts: WeighedFacts): Write | undefined {
  const { method, path } = binding.request;
  const classified = facts.operationOf(method, path);
  const schemas = facts.schemasOf(method, path);
  if (!classified || !schemas) return undefined;
  const signs = signsOfWork(classified);
  if (!signs) return undefined;
  const isOfThing = /\}\/?$/.test(path) && facts.schemasOf("GET", path) !== undefined;
  const hasOwnRead = isOfThing || facts.paths.has(`${pathKey(path)}/{}`);
  const hasChildren = hasOwnRead || facts.schemasOf("GET", path) !== undefined;
  const named = new Set(facts.readersNamedBy(method, path));
  const words = new Set(
    splitWords(path.replaceAll(/\{[^{}]*\}/g, "")).map((word) => singularize(word)),
  );
  return { ...schemas, binding, signs, named, words, isOfThing, hasOwnRead, hasChildren, facts };
}

const goesOn = ({ signs }: Write): boolean =>
  signs.some((sign) => sign === "accepted" || sign === "goesOn");

const isUpdateOfThing = (write: Write): boolean =>
  write.isOfThing && write.signs.includes("update") && !goesOn(write);

function candidatesOf(write: Write, read: StateRead, ways: readonly Way[]): readonly Candidate[] {
  return ways.flatMap((way) => {
    const pair = pairOf(write, read, way);
    const signs = isUnrelated(pair) ? undefined : signsOfPair(pair);
    return signs ? [{ read, way, signs, weight: weigh(signs) }] : [];
  });
}

/** A write, a read, and a way between them. */
interface Pair {
  readonly write: Write;
  readonly read: StateRead;
  readonly way: Way;
  /** True for a read by what the call has. */
  readonly isAtPlace: boolean;
  /** True for a write of the thing that the read reads, or of a part of it. */
  readonly isOwn: boolean;
  /** True for a write whose document says that the work goes on. */
  readonly goesOn: boolean;
  readonly hasOtherWords: boolean;
}

function pairOf(write: Write, read: StateRead, way: Way): Pair {
  const path = pathKey(write.binding.request.path);
  const others = read.words.filter((word) => !write.words.has(word) && !ANY_WORK.has(word));
  return {
    write,
    read,
    way,
    isAtPlace: Object.keys(way.fields).length === 0,
    isOwn: `${path}/`.startsWith(`${read.key}/`),
    goesOn: goesOn(write),
    hasOtherWords: others.length > 0,
  };
}

/** True for a read that cannot tell how the work of the write stands. */
function isUnrelated(pair: Pair): boolean {
  const { write, read, isAtPlace, isOwn } = pair;
  const { path } = write.binding.request;
  const started = fieldAt(write.success, read.state.state.path, write.facts.schemas);
  if (started && !mayGoOn(started, write.facts.schemas)) return true;
  // A thing may be in use for years: only its creation leads there.
  if (read.signs.includes("settles") && (isAtPlace || !pair.goesOn)) return true;
  if (isAtPlace) return read.signs.includes("personal") || !isPlaceOf(write, read);
  if (isOwn && !startsAgain(path, read)) return true;
  if (isOfParent(pair)) return true;
  return isOfThingOfCall(pair) || isReadElsewhere(pair) || isOfOwnThing(pair) || isOfOther(pair);
}

/** True for `/droplets/{id}` of `POST /droplets/autoscale`, whose things have a GET of their own. */
function isOfParent({ write: { binding, facts }, read }: Pair): boolean {
  const path = pathKey(binding.request.path);
  return read.key === `${parentOf(path)}/{}` && facts.paths.has(`${path}/{}`);
}

/**
 * True for the ID of a thing that the call names and does not start: `agent.uuid` of
 * `POST /agents/{agent_uuid}/knowledge_bases`.
 */
function isOfThingOfCall({ write: { binding, signs }, read, way }: Pair): boolean {
  const { request } = binding;
  if (signs.some((sign) => OF_START.has(sign)) || startsAgain(request.path, read)) return false;
  const named = new Set(pathNeeds(request).flatMap((need) => nounsOf(undefined, need)));
  const created = singularizeLast(splitWords(lastWordsOf(request.path))).join("_");
  return idNounsOf(way).some(
    (noun) => named.has(noun) && !created.endsWith(noun) && !isJobNoun(noun),
  );
}

/** True for the ID of a thing that has a read of its own: `snapshot.id` beside `/snapshots/{snapshot_id}`. */
function isReadElsewhere({ write: { facts }, read, way, hasOtherWords }: Pair): boolean {
  const name = read.last?.name ?? "";
  if (!hasOtherWords || identityOf(name).entity === "") return false;
  return idNounsOf(way).some((noun) => {
    const exact = normalizedName(`${noun}_id`);
    return normalizedName(name) !== exact && facts.readNames.has(exact);
  });
}

/** Nouns of the thing that the ID of a way identifies. */
const idNounsOf = ({ fields }: Way): readonly string[] =>
  identifiedNouns(Object.values(fields).at(-1) ?? []);

const isJobNoun = (noun: string): boolean => JOB_NOUNS.has(noun.split("_").at(-1)!);

/** True for the only ID of a response that is a thing with a read of its own. */
function isOfOwnThing({ write: { success, facts }, read, way }: Pair): boolean {
  const name = success && refName(success);
  const isRead = name !== undefined && facts.readsBySchema.has(name);
  return isRead && way.signs.includes("otherId") && refName(read.schema ?? {}) !== name;
}

/** True for an ID that may be that of another thing. */
function isOfOther({ write, read, way, goesOn, hasOtherWords }: Pair): boolean {
  const [isChild, isHandle, isNamed, isUnnamed] = (
    ["child", "handle", "namedId", "otherId"] as const
  ).map((sign) => way.signs.includes(sign));
  const isToldAccepted = goesOn || write.signs.includes("saysAccepted");
  const isOfOwn = isNamedId(way) && !idNounsOf(way).some(isJobNoun) && !isToldAccepted;
  const isDoubtful = isUnnamed && !isChild && !goesOn && !isNamedId(way);
  if (isDoubtful || (isUnnamed && (isOfOwn || (!isChild && write.hasOwnRead)))) return true;
  const isDirect = read.key === `${pathKey(write.binding.request.path)}/{}`;
  const isOfWork = isChild || isHandle || (goesOn && isNamed);
  if (goesOn && isNamed && isNamedId(way)) return false;
  if (isOnlyOfWork(way, hasOtherWords) || hasSameHolder(write, read)) return false;
  return hasOtherWords && !isDirect && (write.hasOwnRead || !isOfWork);
}

/** True for a response with the object that the read returns: `update` of a cluster. */
function hasSameHolder(
  { success, facts: { schemas } }: Write,
  { state, schema }: StateRead,
): boolean {
  const path = state.state.path.slice(0, -1);
  const [own, other] = [success, schema].map((one) => fieldAt(one, path, schemas));
  if (path.length === 0 || !isObject(own) || !isObject(other)) return false;
  return own === other || (refName(own) !== undefined && refName(own) === refName(other));
}

/**
 * True for an ID that can only be that of the work. A `request_id` may be that of any work, so the
 * read has to be one of the same things.
 */
const isOnlyOfWork = (way: Way, hasOtherWords: boolean): boolean =>
  way.signs.includes("toldHandle") ||
  (way.signs.includes("onlyHandle") &&
    !(hasOtherWords && idNounsOf(way).some((noun) => PLAIN_WORDS.has(noun))));

/** All signs of a pair; undefined for a job that people do too, of which nothing else tells. */
function signsOfPair(pair: Pair): readonly Sign[] | undefined {
  const { write, read, way, hasOtherWords } = pair;
  const { path } = write.binding.request;
  const { state } = read.state;
  const found = [...write.signs, ...read.signs, ...way.signs];
  const isOfWork = isOnlyOfWork(way, hasOtherWords);
  // The work has a thing of its own, whatever it is done to.
  const isOfJob = way.signs.includes("handle") && read.signs.includes("jobThing");
  const all = found.filter(
    (sign) =>
      !(isOfWork && sign === "definition") &&
      !((isOfWork || isOfJob) && sign === "lastingPath") &&
      (isOfWork || sign !== "onlyHandle"),
  );
  const isUnsure = read.isShared && !all.some((sign) => OF_START.has(sign));
  if (isUnsure && !all.includes("described")) return undefined;
  const setsState = !read.signs.includes("setsUp") && isSetByCaller(write, state.path);
  const isStarted = fieldAt(write.success, state.path, write.facts.schemas) !== undefined;
  const ofPair = signsOf({
    startedWhole:
      isStarted &&
      !write.signs.includes("notPost") &&
      WHOLE_STATE.every((sign) => read.signs.includes(sign)),
    samePath: read.key === thingKey(path),
    started: isStarted,
    otherThing: hasOtherWords,
    again: pair.isOwn && read.signs.includes("jobThing") && AGAIN.test(lastWordsOf(path)),
    otherResult: pair.isAtPlace && !pair.goesOn && !isStarted && hasOwnResult(pair),
    named: write.named.has(pathKey(read.request.path)),
    callerSets: setsState && !isPlainJob(write, read),
    startedLater: isStartedLater(pair),
    unnamed: !(pair.isAtPlace ? write.signs : all).some((sign) =>
      (pair.isAtPlace ? OF_ACTION : OF_WORK).has(sign),
    ),
    unsure: isUnsure,
  });
  return [...all, ...ofPair];
}

/** Last segment of a path that does ended work again. */
const AGAIN = /^(?:retry|re-?run|restart|replay|redo|requeue|resubmit|rebuild)$/i;

/** True for a call that returns what the read has not: the `kubeconfig` of a cluster. */
function hasOwnResult({ write: { success, facts }, read }: Pair): boolean {
  const { schemas } = facts;
  const schema = read.schema ?? {};
  const known = [schema, envelopedSchema(schema, schemas)].flatMap((one) => [
    ...allFields(one, schemas).keys(),
  ]);
  const shared = new Set([...known, ...read.needs.map(({ name }) => name), "id"]);
  const names = [...allFields(success ?? {}, schemas).keys()];
  const others = names.filter((name) => !ABOUT_CALL.test(name));
  return others.length > 0 && !others.some((name) => shared.has(name));
}

/** Fields about the call itself. */
const ABOUT_CALL =
  /^(?:code|data|details?|errors?|links?|message|msg|ok|request_?id|result|state|status|success|warnings?)$/i;

/** Signs of a state that only work has. */
const WHOLE_STATE: readonly Sign[] = ["described", "fails", "moves", "outcome"];

/** True for a thing that the response names, and that a request of its own starts. */
function isStartedLater({ write: { facts }, read, isAtPlace, isOwn }: Pair): boolean {
  const isStarted =
    facts.things.startable.has(read.key) ||
    facts.schemasOf("POST", read.thingPath)?.isStart === true;
  return isStarted && !isAtPlace && !isOwn;
}

/** True for an ID with a name: `prompt_id`. */
const isNamedId = ({ fields }: Way): boolean =>
  identityOf(Object.values(fields).at(-1)?.at(-1) ?? "").entity !== "";

/** Signs of which a job has one at least. */
const OF_WORK: ReadonlySet<Sign> = new Set<Sign>([
  "accepted",
  "goesOn",
  "startVerb",
  "jobPath",
  "jobThing",
  "setsUp",
  "handle",
  "onlyHandle",
  "toldHandle",
]);

/** Signs of which a write on a thing that is there has one at least. */
const OF_ACTION: ReadonlySet<Sign> = new Set<Sign>([
  "accepted",
  "goesOn",
  "saysAccepted",
  "startVerb",
  "jobPath",
]);

/** Signs of a start, which things need that people do too. */
const OF_START: ReadonlySet<Sign> = new Set<Sign>(["accepted", "goesOn", "startVerb", "setsUp"]);

/** True for `/runs/{id}/retry` of the run itself, and for a copy of it. */
function startsAgain(path: string, { key }: StateRead): boolean {
  const [verb = "", ...others] = splitWords(pathKey(path).slice(key.length));
  const first = singularize(verb);
  const isVerb = RESTARTING_VERBS.has(first) || COPYING_VERBS.has(first);
  return isVerb && others.every((word) => JOB_NOUNS.has(singularize(word)));
}

/** The field at a path of a response. */
const fieldAt = (
  schema: AnySchema | undefined,
  path: readonly string[],
  schemas: Schemas,
): AnySchema | undefined =>
  path.reduce<AnySchema | undefined>(
    (holder, name) => (holder === undefined ? undefined : allFields(holder, schemas).get(name)),
    schema,
  );

/** True unless a state in the response of a write can only be one that has ended. */
function mayGoOn(state: AnySchema, schemas: Schemas): boolean {
  const values = isObject(state)
    ? valuesOf(resolveSchema(schemas, state as JsonSchema), schemas)
    : [];
  const hasEnded = (value: string): boolean => /^(?:done|failed)$/.test(stageOfWord(value) ?? "");
  return values.length === 0 || !values.every(hasEnded);
}

/**
 * True for a read by what the call has: of the thing that it works on, which is the last one in its
 * path, or that it creates there. Changes of a thing and its removal are no work on it, and a new
 * part of it neither.
 */
function isPlaceOf(write: Write, read: StateRead): boolean {
  const { binding, hasChildren, words, facts } = write;
  const { method, path } = binding.request;
  if (!["POST", "PUT"].includes(method)) return false;
  const isOwn = thingKey(read.request.path) === thingKey(path);
  const isNamed = /\{[^{}/]*\}\/?$/.test(path);
  // A read of the things one by one makes it a list, which has no state of the new one.
  if (isOwn && method === "POST" && facts.paths.has(`${pathKey(path)}/{}`)) return false;
  if (isOwn && method === "PUT")
    return isNamed && !write.isUpdate && !facts.schemasOf("POST", parentOf(path));
  const last = splitWords(lastWordsOf(path));
  const noun = last.at(-1) ?? "";
  const isPart = !isOwn && (hasChildren || isPlural(noun) || isOnDefinition(last));
  return (
    !isPart &&
    countParameters(read.request.path) >= countParameters(path) &&
    read.words.length > 0 &&
    read.words.every((word) => words.has(word))
  );
}

/** Last segment of a path that names no parameter. */
const lastWordsOf = (path: string): string =>
  path.split(/[/:.]/).findLast((one) => one !== "" && !one.includes("{")) ?? "";

/** Path without its last segment. */
const parentOf = (path: string): string => path.replace(/\/[^/]*\/?$/, "");

const countParameters = (path: string): number => path.split("{").length - 1;

/** True if callers set the state: a person works on such a thing. */
function isSetByCaller({ bodies, facts }: Write, path: readonly string[]): boolean {
  if (/^provision/i.test(path.at(-1)!)) return false;
  return bodies.some((body) => {
    const own = fieldAt(body, path, facts.schemas);
    return own !== undefined && !isReadOnly(own, facts.schemas);
  });
}

/** True for `/jobs/{id}`, if a body that creates one has the schema of the job. */
function isPlainJob({ bodies, success }: Write, { key, schema: read }: StateRead): boolean {
  const collection =
    key
      .replace(/\/\{\}$/, "")
      .split("/")
      .at(-1) ?? "";
  const noun = singularize(splitWords(collection).at(-1) ?? "");
  const schemas = [success, read].filter((one) => one !== undefined);
  const isOneOf = (body: JsonSchema): boolean =>
    schemas.some((one) => body === one || (refName(body) ?? "") === refName(one));
  return /^(?:job|operation|command|run)$/.test(noun) && bodies.some(isOneOf);
}

/** A description that opens as those of Google do. */
const OUTPUT_ONLY = /^\s*(?:@?output[ _]?only\b|output\.)/i;

function isReadOnly(field: AnySchema, schemas: Schemas): boolean {
  if (!isObject(field)) return false;
  return [field, resolveSchema(schemas, field as JsonSchema)].some(
    ({ readOnly, description }) => readOnly === true || OUTPUT_ONLY.test(`${description ?? ""}`),
  );
}

const fieldPath = (path: readonly string[]): FieldPath => (path.length === 1 ? path[0]! : path);

function jobOf({ success, facts }: Write, { read, way }: Candidate): JobMapping {
  const {
    state: { path, ...states },
    isAccepted,
  } = read.state;
  const hasState = fieldAt(success, path, facts.schemas) !== undefined;
  const entries = Object.entries(way.fields).map(
    ([input, from]) => [input, fieldPath(from)] as const,
  );
  return {
    ...(hasState && { started: fieldPath(path) }),
    state: fieldPath(path),
    ...states,
    ...(isAccepted && { isAccepted: true as const }),
    follow: {
      tool: read.tool.definition.name,
      inputs: way.inputs,
      fields: Object.fromEntries(entries),
    },
  };
}
