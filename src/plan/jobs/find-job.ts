/** The work that a write starts, and the thing that tells how it stands. */
import { isObject, type JsonSchema } from "../../json.js";
import { isPlural } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import type { FieldPath } from "../../runtime/data/field-paths.js";
import type { JobMapping, OperationBinding } from "../../runtime/types.js";
import { requestParameters, sourceInput } from "../bound-parameters.js";
import { sharedPathInputs } from "../path-readers.js";
import { entityOfSchema, isNameWord, parseIdentityName } from "../producers/resources.js";
import { allFields } from "../schemas/flat-object.js";
import { type AnySchema, refName, type Schemas } from "../schemas/refs.js";
import { envelopedSchema, findState, isThing } from "./find-state.js";
import type { FollowedThing, SchemasOf, Things } from "./followed-things.js";
import { pathKey, type ThingReader } from "./state-readers.js";
import { ENDING_VERBS, PLAIN_NOUNS, RESTARTING_VERBS } from "./words.js";

/** Facts about the document for the search. */
export interface JobFacts {
  readonly things: Things;
  readonly schemasOf: SchemasOf;
  readonly schemas: Schemas;
}

/** A write, with the schema of its success. */
interface Write {
  readonly binding: OperationBinding;
  readonly schema: JsonSchema;
  readonly bodies: readonly JsonSchema[];
  readonly facts: JobFacts;
}

/** Finds the work that an operation starts; undefined for reads, updates and ends of work. */
export function findJob(binding: OperationBinding, facts: JobFacts): JobMapping | undefined {
  const { request } = binding;
  const { success: schema, bodies = [] } = facts.schemasOf(request.method, request.path) ?? {};
  if (request.isRaw || !schema || endsWork(request.path)) return undefined;
  const write = { binding, schema, bodies, facts };
  return createdJob(write) ?? handleJob(write);
}

/** `/jobs/{id}/cancel`, `/jobs/{id}:stop`. */
const endsWork = (path: string): boolean => ENDING_VERBS.has(verbOf(path));

/** First word of the last segment of a path; empty for a parameter. */
function verbOf(path: string): string {
  const last = path.replace(/\/$/, "").split(/[/:]/).at(-1) ?? "";
  return last.includes("{") ? "" : (splitWords(last)[0] ?? "");
}

/** `POST /reports`, which returns a report with an ID and a state, or its ID alone. */
function createdJob(write: Write): JobMapping | undefined {
  const { schema, facts } = write;
  const { request } = write.binding;
  const thing = facts.things.followed.get(`${pathKey(request.path)}/{}`);
  if (request.method !== "POST" || !thing || setsState(write, thing)) return undefined;
  const parents = sharedPathInputs({ ...thing.binding.request, path: thing.parentPath }, request);
  const id = findId(schema, thing, facts.schemas);
  if (!parents || !id) return undefined;
  const { schemas } = facts;
  const started = startedState(schema, thing, schemas) ?? stateBeside(schema, thing, id, schemas);
  return jobOf(thing, parents, id, started);
}

/** True if callers set the state: a person works on such a thing. */
function setsState({ bodies, facts }: Write, { state }: FollowedThing): boolean {
  const field = state.path.at(-1)!;
  return bodies.some((body) => {
    const own = allFields(body, facts.schemas).get(field);
    return own !== undefined && !(isObject(own) && own["readOnly"] === true);
  });
}

/** Field of the first response with the state, if it has one. */
function startedState(
  schema: JsonSchema,
  { isJob }: FollowedThing,
  schemas: Schemas,
): readonly string[] | undefined {
  return findState(schema, schemas, isJob)?.path;
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
 * The jobs of the document, those whose path has most in common with the write first. Without those
 * whose ID is, nearer to the write, that of a thing without a state.
 */
function nearestFirst({ binding, facts }: Write): readonly FollowedThing[] {
  const own = binding.request.path.split("/");
  const shared = ({ binding: { request } }: ThingReader): number => {
    const path = request.path.split("/");
    const end = path.findIndex((segment, i) => segment !== own[i]);
    return end < 0 ? path.length : end;
  };
  const { followed, others } = facts.things;
  const isOther = (thing: FollowedThing): boolean =>
    thing.entity.length > 0 &&
    others.some((one) => one.parameter === thing.parameter && shared(one) > shared(thing));
  const jobs = [...followed.values()].filter((thing) => thing.isJob && !isOther(thing));
  return jobs.length < 2 ? jobs : jobs.toSorted((one, other) => shared(other) - shared(one));
}

function jobByHandle(write: Write, thing: FollowedThing): JobMapping | undefined {
  const { binding, schema, facts } = write;
  const { schemas } = facts;
  const { request } = binding;
  const parents = namedParents(thing, binding);
  if (!parents || isUpdateOf(binding, thing)) return undefined;
  const isWhole = isSameThing(schema, thing, schemas);
  if (isWhole && setsState(write, thing)) return undefined;
  const whole = isWhole ? findId(schema, thing, schemas) : undefined;
  const isUpdate = request.method !== "POST" && isThing(allFields(schema, schemas));
  const id = whole ?? (isUpdate ? undefined : handleIn(schema, thing, schemas));
  return id && jobOf(thing, parents, id, stateBeside(schema, thing, id, schemas));
}

/** An update or removal of the job itself. */
function isUpdateOf({ request }: OperationBinding, { key }: FollowedThing): boolean {
  const isOwn = `${pathKey(request.path)}/`.startsWith(`${key}/`);
  return isOwn && !RESTARTING_VERBS.has(verbOf(request.path));
}

/** Values of the path before the ID, by parameters of the same names. */
function namedParents(
  { binding, parameter }: FollowedThing,
  { request }: OperationBinding,
): Readonly<Record<string, string>> | undefined {
  const given = requestParameters(request);
  const entries = Object.entries(binding.request.pathParams ?? {}).flatMap(([name, source]) => {
    const to = sourceInput(source);
    if (name === parameter || to === undefined) return [];
    const same = given.find(({ wireName, location }) => wireName === name && location === "path");
    return [[to, same && sourceInput(same.source)] as const];
  });
  return entries.every(([, input]) => input !== undefined)
    ? (Object.fromEntries(entries) as Record<string, string>)
    : undefined;
}

/** True for a response that is the job by its schema. */
function isSameThing(
  schema: JsonSchema,
  { schema: own, handleNouns }: FollowedThing,
  schemas: Schemas,
): boolean {
  const [given, wanted] = [schema, own].map((one) => envelopedSchema(one, schemas));
  const name = refName(given!);
  if (name === undefined) return given === wanted;
  const entity = entityOfSchema(name);
  return name === refName(wanted!) || handleNouns.some((noun) => noun.join("_") === entity);
}

/** `jobId`, `task_uid` or `action: {id}` at the top, or in an object at the top. */
function handleIn(
  schema: JsonSchema,
  thing: FollowedThing,
  schemas: Schemas,
): readonly string[] | undefined {
  const fields = allFields(schema, schemas);
  const own = handleAmong(fields, thing, schemas);
  if (own || isThing(fields)) return own;
  const inner = [...fields].flatMap(([name, field]) => {
    const path = isObject(field)
      ? handleAmong(allFields(field, schemas), thing, schemas)
      : undefined;
    return path ? [[name, ...path]] : [];
  });
  return inner.length === 1 ? inner[0] : undefined;
}

function handleAmong(
  fields: ReadonlyMap<string, AnySchema>,
  thing: FollowedThing,
  schemas: Schemas,
): readonly string[] | undefined {
  for (const [name, field] of fields) {
    const { entity, idWord } = parseIdentityName(name);
    if (
      !thing.handleNouns.some((noun) => isNoun(entity, noun)) ||
      isPlural(splitWords(name).at(-1) ?? "")
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

function findId(
  schema: JsonSchema,
  thing: FollowedThing,
  schemas: Schemas,
): readonly string[] | undefined {
  const fields = allFields(schema, schemas);
  const own = findIdAmong(fields, thing);
  if (own !== undefined) return [own];
  const inner = [...fields].flatMap(([name, field]) => {
    const id = isObject(field) ? findIdAmong(allFields(field, schemas), thing) : undefined;
    return id === undefined ? [] : [[name, id]];
  });
  return inner.length === 1 ? inner[0] : undefined;
}

/** Field with the ID: named as the parameter, or as its last word. */
function findIdAmong(
  fields: ReadonlyMap<string, AnySchema>,
  { parameter, collection, entity }: FollowedThing,
): string | undefined {
  const { idWord } = parseIdentityName(parameter);
  const last = splitWords(parameter).at(-1) ?? "";
  const word = idWord !== "" ? idWord : isNameWord(last) ? last : "id";
  const others = isNameWord(last) ? [] : ["id"];
  const names = [
    parameter,
    ...[collection, entity].map((noun) => `${noun.at(-1)}_${word}`),
    word,
    ...others,
  ].map(normalized);
  return names.flatMap((name) => [...fields.keys()].filter((one) => normalized(one) === name))[0];
}

const normalized = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

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

function jobOf(
  { tool, state: { path, ...states }, input }: FollowedThing,
  inputs: Readonly<Record<string, string>>,
  id: readonly string[],
  started: readonly string[] | undefined,
): JobMapping {
  return {
    ...(started && { started: fieldPath(started) }),
    state: fieldPath(path),
    ...states,
    follow: { tool: tool.definition.name, inputs, fields: { [input]: fieldPath(id) } },
  };
}
