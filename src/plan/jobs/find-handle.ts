/** The ID of the thing that a response is, or that it names as the job of the call. */
import { isObject, type JsonSchema } from "../../json.js";
import { isPlural, singularize } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import { entityOfSchema, isNameWord } from "../producers/resources.js";
import { allFields } from "../schemas/flat-object.js";
import { type AnySchema, refName, type Schemas } from "../schemas/refs.js";
import { envelopedSchema, findState, isThing } from "./find-state.js";
import type { FollowedThing } from "./followed-things.js";
import { identityOf } from "./identity.js";
import { normalizedName } from "./ways.js";
import { pathKey } from "./state-readers.js";
import { JOB_NOUNS, PLAIN_NOUNS } from "./words.js";

/** True for a response that is the job by its schema, or by its fields. */
export function isSameThing(schema: JsonSchema, thing: FollowedThing, schemas: Schemas): boolean {
  const [given, wanted] = [schema, thing.schema].map((one) => envelopedSchema(one, schemas));
  if (given === wanted || hasSameFields(given!, wanted!, thing, schemas)) return true;
  const name = schemaName(given!);
  if (name === undefined) return false;
  const entity = entityOfSchema(name);
  return (
    name === schemaName(wanted!) || thing.handleNouns.some((noun) => noun.join("_") === entity)
  );
}

/** Name of a schema, also of one that only adds a description to it in an `allOf`. */
export function schemaName(schema: JsonSchema): string | undefined {
  const parts = (schema.allOf ?? []).filter(isObject) as readonly JsonSchema[];
  const names = parts.flatMap((part) => refName(part) ?? []);
  const isOnly = names.length === 1 && parts.every((part) => refName(part) ?? !part.properties);
  return refName(schema) ?? (isOnly ? names[0] : undefined);
}

/** True if an object has an ID, the state of a job, and nothing that the job lacks. */
function hasSameFields(
  given: JsonSchema,
  wanted: JsonSchema,
  { state, isNamedJob, evidence }: FollowedThing,
  schemas: Schemas,
): boolean {
  if (!isNamedJob || !state.running) return false;
  const [own, others] = [given, wanted].map((one) => allFields(one, schemas));
  if (!isThing(own!) || ![...own!.keys()].every((name) => others!.has(name))) return false;
  const found = findState(given, schemas, evidence);
  return (
    found?.path.at(-1) === state.path.at(-1) &&
    `${found?.running} ${found?.done}` === `${state.running} ${state.done}`
  );
}

/** The place of a write whose response may have the ID of a job. */
export interface HandlePlace {
  readonly path: string;
  /** True if the API answers before the work is done, and has no thing at the path. */
  readonly isOfJob: boolean;
  /** Number of kinds of jobs right below the path: `/exports/{id}` and `/imports/{id}`. */
  readonly kinds: number;
}

/** `jobId`, `task_uid` or `action: {id}` at the top, or in an object at the top. */
export function handleIn(
  schema: JsonSchema,
  thing: FollowedThing,
  place: HandlePlace,
  schemas: Schemas,
): readonly string[] | undefined {
  const fields = allFields(schema, schemas);
  const plain = plainHandle(fields, thing, place) ?? ownId(schema, fields, thing, place);
  if (plain !== undefined) return [plain];
  const own = handleAmong(fields, thing, schemas);
  if (own || isThing(fields)) return own;
  const inner = [...fields].flatMap(([name, field]) => {
    const parts = isObject(field) ? allFields(field, schemas) : undefined;
    // The job of a thing with an ID may be one of long ago.
    const path = parts && !parts.has("id") ? handleAmong(parts, thing, schemas) : undefined;
    return path ? [[name, ...path]] : [];
  });
  return inner.length === 1 ? inner[0] : undefined;
}

/**
 * `job_id` for the only kind of job below the path of the write, and a `token` that the read of a
 * job takes under the same name.
 */
function plainHandle(
  fields: ReadonlyMap<string, AnySchema>,
  { key, parameter, collection, evidence: { isOnlyWork } }: FollowedThing,
  { path: writePath, kinds }: HandlePlace,
): string | undefined {
  if (!isOnlyWork) return undefined;
  const path = pathKey(writePath);
  const isBelow = key.startsWith(`${path}/`) && kinds < 2;
  const words = new Set(splitWords(path.split("/").at(-1) ?? ""));
  return [...fields.keys()].find((name) => {
    const { entity, idWord } = identityOf(name);
    if (isBelow && PLAIN_NOUNS.has(entity) && /^(?:id|uuid|uid|guid)$/.test(idWord)) return true;
    return name === parameter && name !== "id" && words.has(collection.at(-1) ?? "");
  });
}

/**
 * `id` of a schema `ExportJob`, or of a response that can have no other, for the kind of job right
 * below the path of the write: `POST /imports/async`, `/imports/async/tasks/{id}/status`.
 */
function ownId(
  schema: JsonSchema,
  fields: ReadonlyMap<string, AnySchema>,
  { key, evidence: { isOnlyWork } }: FollowedThing,
  { path: writePath, isOfJob }: HandlePlace,
): string | undefined {
  const noun =
    entityOfSchema(refName(schema) ?? "")
      .split("_")
      .at(-1) ?? "";
  const path = pathKey(writePath);
  const below = key.startsWith(`${path}/`) ? key.slice(path.length) : "";
  const [, collection = ""] = /^\/(\w+)\/\{\}(?:\/status|\/state)?$/.exec(below) ?? [];
  const isJob = collection !== "" && below.endsWith("}") && JOB_NOUNS.has(noun);
  const isOnlyId = isOfJob && PLAIN_NOUNS.has(singularize(collection));
  return ((isOnlyWork && isJob) || isOnlyId) && fields.has("id") ? "id" : undefined;
}

function handleAmong(
  fields: ReadonlyMap<string, AnySchema>,
  thing: FollowedThing,
  schemas: Schemas,
): readonly string[] | undefined {
  for (const [name, field] of fields) {
    const { entity, idWord } = identityOf(name);
    if (
      !thing.handleNouns.some((noun) => isNoun(entity, noun)) ||
      isPlural(splitWords(name).at(-1) ?? "") ||
      (isThing(fields) && !PLAIN_NOUNS.has(entity.split("_").at(-1) ?? ""))
    )
      continue;
    if (/^(?:id|uuid|uid|guid)$/.test(idWord)) return [name];
    const id = isObject(field) && findIdAmong(allFields(field, schemas), thing);
    if (id) return [name, id];
  }
  return undefined;
}

/** `job` of `import_job`, and `import_job` itself. */
const isNoun = (entity: string, noun: readonly string[]): boolean =>
  entity === noun.join("_") || (entity === noun.at(-1) && PLAIN_NOUNS.has(entity));

export function findId(
  schema: JsonSchema,
  thing: FollowedThing,
  schemas: Schemas,
): readonly string[] | undefined {
  const fields = allFields(schema, schemas);
  const own = findIdAmong(fields, thing);
  if (own !== undefined) return [own];
  const inner = [...fields].flatMap(([name, field]) => {
    const isOwn = isObject(field) && !isOtherJob(field as JsonSchema, thing);
    const id = isOwn ? findIdAmong(allFields(field, schemas), thing) : undefined;
    return id === undefined ? [] : [[name, id]];
  });
  if (inner.length > 0) return inner.length === 1 ? inner[0] : undefined;
  const other = isSameThing(schema, thing, schemas) ? otherId(fields, thing, schemas) : undefined;
  return other === undefined ? undefined : [other];
}

/** True for the `Operation` in a response, which makes the backup that is read. */
function isOtherJob(schema: JsonSchema, thing: FollowedThing): boolean {
  const noun = entityOfSchema(refName(schema) ?? "");
  return PLAIN_NOUNS.has(noun) && !thing.handleNouns.some((own) => own.at(-1) === noun);
}

/**
 * The ID of a job that its path names in another way: `job_id` for `{export}`, the only ID that
 * both responses have, or its name.
 */
function otherId(
  fields: ReadonlyMap<string, AnySchema>,
  thing: FollowedThing,
  schemas: Schemas,
): string | undefined {
  const ids = [...fields.keys()].filter((name) => identityOf(name).idWord !== "");
  const job = ids.find((name) => PLAIN_NOUNS.has(identityOf(name).entity));
  const ofThing = allFields(envelopedSchema(thing.schema, schemas), schemas);
  const shared = ids.length === 1 && ofThing.has(ids[0]!) ? ids[0] : undefined;
  return job ?? shared ?? (fields.has("name") ? "name" : undefined);
}

/** Field with the ID: named as the parameter, or as its last word. */
function findIdAmong(
  fields: ReadonlyMap<string, AnySchema>,
  { parameter, collection, entity }: FollowedThing,
): string | undefined {
  const { idWord } = identityOf(parameter);
  const last = splitWords(parameter).at(-1) ?? "";
  const word = idWord !== "" ? idWord : isNameWord(last) ? last : "id";
  const isNumber = idWord === "" && last === "number";
  const isName = isNameWord(last) && last !== "identifier";
  const others = isName || isNumber ? [] : ["id"];
  const names = [
    parameter,
    ...[collection, entity].map((noun) => `${noun.at(-1)}_${word}`),
    word,
    ...(isNumber ? [last] : []),
    ...others,
  ].map(normalizedName);
  return names.flatMap((name) =>
    [...fields.keys()].filter((one) => normalizedName(one) === name),
  )[0];
}
