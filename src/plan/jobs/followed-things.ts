/** Things whose state tells how work stands, with the reads that tell it. */
import { groupBy } from "../../groups.js";
import type { JsonSchema } from "../../json.js";
import { singularize, singularizeLast } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import { returnsItems } from "../pagination/detect.js";
import { pathReaders } from "../path-readers.js";
import { entityOfSchema } from "../producers/resources.js";
import { allFields } from "../schemas/flat-object.js";
import { type AnySchema, refName, type Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import {
  envelopedSchema,
  findPlainState,
  findState,
  isOfMachine,
  isThing,
  isThingOrJob,
  type StateField,
} from "./find-state.js";
import type { SchemasOf } from "./operation-schemas.js";
import type { WorkEvidence } from "./sort-states.js";
import { pathKey, type ThingReader, thingReadersOf } from "./state-readers.js";
import { isLasting, JOB_NOUNS, REPORTING_SEGMENTS, SHARED_NOUNS } from "./words.js";

/** A read of a thing, with its state. */
export interface StatedThing {
  readonly tool: PlannedTool;
  readonly binding: ThingReader["binding"];
  readonly schema: JsonSchema;
  readonly state: StateField;
  readonly evidence: WorkEvidence;
  /** True for a thing that is work by its name. */
  readonly isNamedJob: boolean;
}

/** A thing whose state can be read by its ID. */
export interface FollowedThing extends ThingReader, StatedThing {
  /** True for a thing that people do too, whose state the document does not explain. */
  readonly isDoubtful: boolean;
  /** Nouns by which a response names it, without those of other things that have no such state. */
  readonly handleNouns: readonly (readonly string[])[];
}

/** Things with a state, by path without names of parameters, and reads of things without one. */
export interface Things {
  readonly followed: ReadonlyMap<string, FollowedThing>;
  readonly others: readonly ThingReader[];
  readonly othersByParameter: ReadonlyMap<string, readonly ThingReader[]>;
  /** Things that are read by their path alone, also those without an ID. */
  readonly byPath: ReadonlyMap<string, StatedThing>;
  /** Paths of things that a write of their own starts: `POST /storages/{}/sync`, `/tasks/{}/upload`. */
  readonly startable: ReadonlySet<string>;
  /** Paths of things whose file a PUT brings: `PUT /images/{}/file`. */
  readonly filled: ReadonlySet<string>;
  /** Paths of things whose callers tell how they ended: `POST /runs/{}/complete`. */
  readonly reported: ReadonlySet<string>;
}

/** Finds the things with a state. */
export function followedThings(
  tools: readonly PlannedTool[],
  schemasOf: SchemasOf,
  schemas: Schemas,
): Things {
  const readers = thingReadersOf(tools);
  const reported = pathsBefore(tools, REPORTING_SEGMENTS);
  const filled = pathsBefore(tools, FILE, "PUT");
  const things = readers.map((reader) =>
    reported.has(reader.key) ? undefined : followedThing(reader, schemasOf, schemas),
  );
  const others = readers.filter((_, i) => !things[i] || things[i].isDoubtful);
  const nouns = new Set(others.map(({ collection }) => collection.join("_")));
  const found = things.flatMap((thing) => {
    if (!thing) return [];
    const { key, collection, entity } = thing;
    const isShared = nouns.has(collection.join("_")) && !thing.isDoubtful;
    const handleNouns = [isShared ? [] : collection, entity];
    return [
      [key, { ...thing, handleNouns: handleNouns.filter(({ length }) => length > 0) }] as const,
    ];
  });
  const ofPath = [...thingsByPath(tools, schemasOf, schemas)];
  const byPath = new Map(ofPath.filter(([key]) => !reported.has(key)));
  return {
    followed: new Map(found),
    others,
    othersByParameter: groupBy(others, ({ parameter }) => parameter),
    byPath,
    startable: new Set([
      ...pathsBefore(tools, START),
      ...pathsBefore(tools, START, "PUT"),
      ...filled,
    ]),
    filled,
    reported,
  };
}

/** Last segments of paths that start a thing, or bring it the file that it works on. */
const START =
  /\/(?:start|run|execute|launch|sync|trigger|(?:[a-z]+-)?upload(?:_?(?:file|content|data)|\/init(?:iate)?)?)$/;

/** Last segment of a path to which a PUT brings the file of a thing. */
const FILE = /\/(?:file|content|data)$/;

/** Paths of things with a write right below them whose path ends with the pattern. */
function pathsBefore(tools: readonly PlannedTool[], end: RegExp, by = "POST"): ReadonlySet<string> {
  const requests = tools.flatMap(({ definition }) =>
    definition.operations.map(({ request }) => request),
  );
  const found = requests.filter(({ method, path }) => method === by && end.test(path));
  return new Set(found.map(({ path }) => pathKey(path.replace(end, ""))));
}

/** Last segment of a path that reads the state of the thing before it. */
const ABOUT_STATE = /\/(?:status|state|progress)\/?$/;

function thingsByPath(
  tools: readonly PlannedTool[],
  schemasOf: SchemasOf,
  schemas: Schemas,
): ReadonlyMap<string, StatedThing> {
  const found = [...pathReaders(tools).values()].flatMap(({ tool, binding }) => {
    const words = binding.request.path
      .replace(ABOUT_STATE, "")
      .split("/")
      .filter((one) => /^[a-z]/i.test(one));
    const collection = singularizeLast(splitWords(words.at(-1) ?? ""));
    const reader = { tool, binding, collection, entity: [] };
    const thing = statedThing(reader, undefined, schemasOf, schemas);
    return thing && !thing.isDoubtful ? [[pathKey(binding.request.path), thing] as const] : [];
  });
  return new Map(found);
}

function followedThing(
  reader: ThingReader,
  schemasOf: SchemasOf,
  schemas: Schemas,
): Omit<FollowedThing, "handleNouns"> | undefined {
  const creation = schemasOf("POST", reader.parentPath);
  const start = creation?.isAsynchronous ? "accepted" : creation?.isStart ? "started" : undefined;
  const thing = statedThing(reader, start, schemasOf, schemas);
  return thing && { ...reader, ...thing };
}

/** Fields of a task that a machine does, and those of work that ended. */
const [OUTCOME, END] = [
  /^(?:errors?|(?:error|fail(?:ure)?)_?(?:message|reason)|results?|outputs?|progress|percent)$/i,
  /^(?:end(?:ed)?|finish(?:ed)?|completed?)_?(?:at|date|time|on)$/i,
];

const hasField = (schema: JsonSchema, schemas: Schemas, names: RegExp): boolean =>
  [...allFields(envelopedSchema(schema, schemas), schemas).keys()].some((name) => names.test(name));

/** True for an object whose only ID is that of a job: `{task_id, completed}`. */
function isJobByItsId(schema: JsonSchema, schemas: Schemas): boolean {
  const fields = allFields(schema, schemas);
  return !isThing(fields) && isThingOrJob(fields);
}

/** True for the state of `build` beside a `project`, where a project is read. */
function isOfOtherObject(
  { path: [holder = "", ...rest] }: StateField,
  schema: JsonSchema,
  nouns: readonly string[],
  schemas: Schemas,
): boolean {
  if (rest.length === 0 || nouns.includes(singularize(holder.toLowerCase()))) return false;
  const fields = allFields(schema, schemas);
  if (isThing(fields)) return false;
  return nouns.some((noun) => noun !== "" && isObjectOf(fields.get(noun), schemas));
}

const isObjectOf = (field: AnySchema | undefined, schemas: Schemas): boolean =>
  field !== undefined && allFields(field, schemas).size > 0;

type NamedReader = Pick<ThingReader, "tool" | "binding" | "collection" | "entity">;

/**
 * @param start whether its creation goes on after the response, by the document, or starts
 * something,
 *   by its name
 */
function statedThing(
  reader: NamedReader,
  start: "accepted" | "started" | undefined,
  schemasOf: SchemasOf,
  schemas: Schemas,
): (StatedThing & Pick<FollowedThing, "isDoubtful">) | undefined {
  const { tool, binding, collection, entity } = reader;
  const { request, response } = binding;
  const schema = schemasOf(request.method, request.path)?.success;
  if (!schema || returnsItems(response)) return undefined;
  const ofSchema = refName(envelopedSchema(schema, schemas));
  const ofThing = ofSchema === undefined ? [] : entityOfSchema(ofSchema).split("_");
  const lasts = [collection, entity, ofThing].map((noun) => noun.at(-1) ?? "");
  const isNamedJob =
    lasts.some((noun) => JOB_NOUNS.has(noun)) ||
    isJobByItsId(envelopedSchema(schema, schemas), schemas);
  const isJob = isNamedJob || start !== undefined;
  const isOnlyWork =
    start === "accepted" || lasts.some((noun) => JOB_NOUNS.has(noun) && !SHARED_NOUNS.has(noun));
  const nouns = new Set([...collection, ...entity, ...ofThing]);
  const evidence = { isJob, isOnlyWork, nouns };
  const found = findState(schema, schemas, evidence);
  const hasOutcome = hasField(schema, schemas, OUTCOME);
  const hasEnd = hasOutcome || hasField(schema, schemas, END);
  const mayBePlain = isNamedJob || (start !== undefined && hasEnd);
  const plain = found ? undefined : findPlainState(schema, schemas, evidence);
  const state = found ?? (plain && (mayBePlain || isOfMachine(plain)) ? plain : undefined);
  if (state && isOfOtherObject(state, schema, [...lasts, ...collection], schemas)) return undefined;
  const takesDays = !isNamedJob && [collection, entity, ofThing].some(isLasting);
  if (takesDays && !(state && isOfMachine(state))) return undefined;
  const isDoubtful = !found && !isOnlyWork && !hasOutcome && !(plain && isOfMachine(plain));
  return state && { tool, binding, schema, state, evidence, isNamedJob, isDoubtful };
}
