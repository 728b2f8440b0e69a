/** The work that a write starts, found by the weight of its signs. */
import { isObject, type JsonSchema } from "../../json.js";
import { isPlural, singularize } from "../../language/grammar.js";
import { stageOfWord } from "../../language/state-words.js";
import { splitWords } from "../../language/words.js";
import type { FieldPath } from "../../runtime/data/field-paths.js";
import type { JobMapping, OperationBinding } from "../../runtime/types.js";
import { type AnySchema, refName, resolveSchema, type Schemas } from "../schemas/refs.js";
import type { NamedReaders } from "./named-readers.js";
import type { OperationSchemas, SchemasOf } from "./operation-schemas.js";
import { MIN_WEIGHT, type Sign, signsOf, weigh } from "./signs.js";
import {
  type OperationOf,
  pathKey,
  type StateRead,
  thingKey,
  type ThingRead,
} from "./state-reads.js";
import { valuesOf } from "./states-of-field.js";
import { identityOf } from "./identity.js";
import { awaitsUpload } from "./awaits-upload.js";
import { createWayFinder, isAnyName, type Way } from "./ways.js";
import { COPYING_VERBS, isOnDefinition, JOB_NOUNS, RESTARTING_VERBS } from "./words.js";
import { fieldAt, isReadOnly } from "./field-at.js";
import { signsOfWork } from "./work-signs.js";

/** Facts about the document that signs are read from. */
export interface JobFacts {
  /** Reads of things, of which those with a state may follow work. */
  readonly reads: readonly ThingRead[];
  readonly schemasOf: SchemasOf;
  readonly schemas: Schemas;
  readonly operationOf: OperationOf;
  readonly readersNamedBy: NamedReaders;
  /** Paths of things that a write of their own starts. */
  readonly startable: ReadonlySet<string>;
  /** Paths of things whose file another write brings. */
  readonly filled: ReadonlySet<string>;
  /** Paths of things whose callers tell how they ended. */
  readonly reported: ReadonlySet<string>;
  /** Paths of GETs without names of parameters. */
  readonly paths: ReadonlySet<string>;
}

/** A write, with what tells that it starts work. */
interface Write extends OperationSchemas {
  readonly binding: OperationBinding;
  readonly signs: readonly Sign[];
  readonly named: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly facts: JobFacts;
}

/** A read that may follow a write, and the way to it. */
interface Pair {
  readonly write: Write;
  readonly read: StateRead;
  readonly way: Way;
}

/** Finds the work that an operation starts; undefined if the signs of no read suffice. */
export function findJob(binding: OperationBinding, facts: JobFacts): JobMapping | undefined {
  const write = writeOf(binding, facts);
  if (!write) return undefined;
  const weighed = pairsOf(write).map((pair) => ({ pair, weight: weigh(signsOfPair(pair)) }));
  const [best] = weighed.toSorted((one, other) => other.weight - one.weight);
  return best && best.weight >= MIN_WEIGHT ? jobOf(best.pair) : undefined;
}

const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

function writeOf(binding: OperationBinding, facts: JobFacts): Write | undefined {
  const { method, path, isRaw } = binding.request;
  const classified = facts.operationOf(method, path);
  const schemas = facts.schemasOf(method, path);
  if (!classified || !schemas || isRaw || READS.has(method)) return undefined;
  const { success } = schemas;
  const isUpload = success !== undefined && awaitsUpload(success, facts.schemas);
  const signs = [...signsOfWork(classified), ...signsOf({ awaitsUpload: isUpload })];
  const named = new Set(facts.readersNamedBy(method, path));
  const statics = path.replaceAll(/\{[^{}]*\}/g, "");
  const names = [...path.matchAll(/\{([^{}]*)\}\//g)].flatMap(({ 1: name = "" }) =>
    identityOf(name).entity.split("_"),
  );
  const words = new Set([...splitWords(statics).map((word) => singularize(word)), ...names]);
  return { ...schemas, binding, signs, named, words, facts };
}

function pairsOf(write: Write): readonly Pair[] {
  const { facts, success: schema, binding } = write;
  const waysTo = createWayFinder({ request: binding.request, schema }, facts.schemas);
  return facts.reads.filter(hasState).flatMap((read) =>
    waysTo(read)
      .map((way) => ({ write, read, way }))
      .filter(mayBelong),
  );
}

const hasState = (read: ThingRead): read is StateRead => read.state !== undefined;

const isAtPlace = ({ way }: Pair): boolean => way.signs.includes("place");

/** False for a read by what the call has that is of other things. */
const mayBelong = (pair: Pair): boolean =>
  !isAtPlace(pair) || (!namesOther(pair) && (isOfAllWords(pair) || isBelow(pair)));

/** True for a read whose path has no word that the path of the write lacks. */
const isOfAllWords = ({ write, read }: Pair): boolean =>
  read.words.every((word) => write.words.has(word));

/** True for a read below the thing of the write: `/plans/{}/checks` of `/plans/{}:check`. */
function isBelow({ write, read }: Pair): boolean {
  const [thing] = /^.*\{\}/.exec(pathKey(write.binding.request.path)) ?? [];
  return thing !== undefined && read.key.startsWith(thing);
}

/** True for a read whose path names another thing than that of the write. */
const namesOther = ({ write, read }: Pair): boolean =>
  read.words.some((word) => !write.words.has(word) && !JOB_NOUNS.has(word));

/** All signs of a pair, without those that others rule out. */
function signsOfPair(pair: Pair): readonly Sign[] {
  const { write, read, way } = pair;
  const all = [...write.signs, ...read.signs, ...way.signs];
  const found = new Set(all);
  const ruledOut = ruledOutBy(found, isOfOwn(pair));
  return [
    ...all.filter((sign) => !ruledOut.has(sign)),
    ...signsOfState(pair, found),
    ...(isAtPlace(pair) ? signsOfPlace(pair) : signsOfId(pair, found)),
  ];
}

/** True for the state of a thing that a machine sets up: people and callers do not set it. */
const isOfMachine = (all: ReadonlySet<Sign>): boolean =>
  all.has("provisioning") || all.has("setsUp");

const goesOn = (all: ReadonlySet<Sign>): boolean => all.has("accepted") || all.has("goesOn");

/** True for a start, for what may fail, and for the ID of a job that the write does not create in its collection. */
const isStart = (all: ReadonlySet<Sign>): boolean =>
  goesOn(all) ||
  all.has("startVerb") ||
  all.has("fails") ||
  (all.has("handle") && !all.has("child"));

/** Signs against work that do not count beside the ID of a job, or the state of a machine. */
function ruledOutBy(all: ReadonlySet<Sign>, isOwn: boolean): ReadonlySet<Sign> {
  const isShared = all.has("sharedThing") && !isStart(all);
  const isJob = all.has("handle") && !isShared;
  const signs = signsOf({
    lastingThing: isOfMachine(all),
    lastingPath: isOfMachine(all) || (isJob && !isOwn),
    definition: isOfMachine(all) || (isJob && !isOwn),
    update: isJob && !isOwn,
    personal: all.has("jobThing") && (isJob || !isShared),
    stops: all.has("jobThing"),
    sharedThing: isStart(all),
  });
  return new Set(signs);
}

/** Signs of the state that the read has, in the response and in the body of the write. */
function signsOfState({ write, read }: Pair, all: ReadonlySet<Sign>): readonly Sign[] {
  const { facts, binding, success } = write;
  const { path } = read.state.state;
  const started = fieldAt(success, path, facts.schemas);
  const isChild = all.has("child") && binding.request.method === "POST";
  const isNew = isChild || isCreatedAtPlace(binding.request, read, facts);
  return signsOf({
    startedEnded: started !== undefined && !mayGoOn(started, facts.schemas),
    callerSets:
      !isOfMachine(all) &&
      !(all.has("handle") && goesOn(all)) &&
      isSetByCaller(write, path) &&
      !(hasOneSchema(write, read) && (goesOn(all) || isPlainJob(read))),
    setUpChild: isOfMachine(all) && isNew,
    named: write.named.has(pathKey(read.request.path)),
    reported: facts.reported.has(read.key),
  });
}

/** True for the only thing of its kind, and for one whose ID the caller of a PUT chooses. */
function isCreatedAtPlace(
  { method, path }: OperationBinding["request"],
  { key }: StateRead,
  { schemasOf, paths }: JobFacts,
): boolean {
  if (key !== thingKey(path)) return false;
  if (method === "POST") return !paths.has(`${key}/{}`);
  const parent = path.replace(/\/[^/]*\/?$/, "");
  const isCreated = ["POST", "PUT"].some((one) => schemasOf(one, parent));
  return method === "PUT" && /\}\/?$/.test(path) && !isCreated;
}

/** Signs of a read by what the call has. */
function signsOfPlace(pair: Pair): readonly Sign[] {
  const { read, write } = pair;
  const { method, path } = write.binding.request;
  const isSame = read.key === thingKey(path);
  return signsOf({
    changed:
      isSame && method !== "DELETE" && !isCreatedAtPlace(write.binding.request, read, write.facts),
    removedPlace: method === "DELETE",
    placeAbove: countParameters(read.request.path) < countParameters(path),
    placeOfPart: isOfPart(pair),
  });
}

/** Signs of a read by an ID of the response. */
function signsOfId(pair: Pair, all: ReadonlySet<Sign>): readonly Sign[] {
  const { write, read } = pair;
  const { startable, filled, schemasOf } = write.facts;
  const isOwn = isOfOwn(pair);
  const isLater = startable.has(read.key) && !isOfMachine(all) && !all.has("jobThing");
  return signsOf({
    plainOfOther: all.has("ownId") && !all.has("child") && namesOther(pair),
    namesake: isNamesake(pair),
    ownThing: isOwn && !startsAgain(write.binding.request.path, read),
    filled: !isOwn && filled.has(read.key),
    startedLater: !isOwn && (isLater || schemasOf("POST", read.thingPath)?.isStart === true),
  });
}

/** True for `/pages/deployments/{}` of `POST /deployments`, whose own things have a read. */
function isNamesake({ write, read }: Pair): boolean {
  const own = `${pathKey(write.binding.request.path)}/{}`;
  const last = own.split("/").at(-2)!;
  return (
    read.key !== own &&
    read.key.endsWith(`/${last}/{}`) &&
    write.facts.reads.some(({ key }) => key === own)
  );
}

/** True for a read of the thing in the path of the write. */
const isOfOwn = ({ write, read: { key } }: Pair): boolean =>
  !isAnyName(key) && `${pathKey(write.binding.request.path)}/`.startsWith(`${key}/`);

const countParameters = (path: string): number => path.split("{").length - 1;

/** True for a write to a part of the thing that is read: a new one, or one that is only defined. */
function isOfPart({ write: { binding, facts }, read }: Pair): boolean {
  const { path } = binding.request;
  if (thingKey(read.request.path) === thingKey(path)) return false;
  const last = splitWords(
    path.split(/[/:.]/).findLast((one) => one !== "" && !one.includes("{")) ?? "",
  );
  const hasReads =
    facts.schemasOf("GET", path) !== undefined || facts.paths.has(`${pathKey(path)}/{}`);
  return hasReads || isPlural(last.at(-1) ?? "") || isOnDefinition(last);
}

/** True for `/runs/{id}/retry` of the run itself, and for a copy of it. */
function startsAgain(path: string, { key }: StateRead): boolean {
  const [first = "", ...others] = splitWords(pathKey(path).slice(key.length));
  const verb = singularize(first);
  const isVerb = RESTARTING_VERBS.has(verb) || COPYING_VERBS.has(verb);
  return isVerb && others.every((word) => JOB_NOUNS.has(singularize(word)));
}

/** True unless a state in the response of a write can only be one that has ended. */
function mayGoOn(state: AnySchema, schemas: Schemas): boolean {
  const values = isObject(state)
    ? valuesOf(resolveSchema(schemas, state as JsonSchema), schemas)
    : [];
  const hasEnded = (value: string): boolean => /^(?:done|failed)$/.test(stageOfWord(value) ?? "");
  return values.length === 0 || !values.every(hasEnded);
}

/** True if callers set the state: a person works on such a thing. */
function isSetByCaller({ bodies, facts }: Write, path: readonly string[]): boolean {
  return bodies.some((body) => {
    const own = fieldAt(body, path, facts.schemas);
    return own !== undefined && !isReadOnly(own, facts.schemas);
  });
}

/** True for `/jobs/{id}`, whose state callers set never, also where a body has one. */
const isPlainJob = ({ idNouns }: StateRead): boolean =>
  idNouns.some((noun) => /^(?:job|operation|command|run|execution)$/.test(noun));

/** True for a body that has the schema of the thing: callers need not set all of its fields. */
function hasOneSchema({ bodies, success }: Write, { schema }: StateRead): boolean {
  const schemas = [success, schema].filter((one) => one !== undefined);
  return bodies.some((body) =>
    schemas.some((one) => body === one || (refName(body) ?? "") === refName(one)),
  );
}

const fieldPath = (path: readonly string[]): FieldPath => (path.length === 1 ? path[0]! : path);

function jobOf({ write: { success, facts }, read, way }: Pair): JobMapping {
  const { state, isAccepted } = read.state;
  const { path, ...states } = state;
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
