/** The work that a write starts, and the thing that tells how it stands. */
import { isObject, type JsonSchema } from "../../json.js";
import { isPlural } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import type { FieldPath } from "../../runtime/data/field-paths.js";
import type { JobMapping, OperationBinding } from "../../runtime/types.js";
import { requestParameters, sourceInput } from "../bound-parameters.js";
import { sharedPathInputs, withoutNames } from "../path-readers.js";
import { entityOfSchema, isNameWord, parseIdentityName } from "../producers/resources.js";
import { allFields } from "../schemas/flat-object.js";
import { type AnySchema, refName, type Schemas } from "../schemas/refs.js";
import { findState, isThing } from "./find-state.js";
import type { FollowedThing, SchemasOf } from "./followed-things.js";
import { ENDING_VERBS, PLAIN_NOUNS } from "./words.js";

/** Facts about the document for the search. */
export interface JobFacts {
  readonly things: ReadonlyMap<string, FollowedThing>;
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
function endsWork(path: string): boolean {
  const last = path.split(/[/:]/).at(-1) ?? "";
  const [verb = ""] = last.includes("{") ? [] : splitWords(last);
  return ENDING_VERBS.has(verb);
}

/** `POST /reports`, which returns a report with an ID and a state, or its ID alone. */
function createdJob(write: Write): JobMapping | undefined {
  const { schema, facts } = write;
  const { request } = write.binding;
  const thing = facts.things.get(`${withoutNames(request.path)}/{}`);
  if (request.method !== "POST" || !thing || setsState(write, thing)) return undefined;
  const parents = sharedPathInputs(
    { ...thing.reader.binding.request, path: thing.parentPath },
    request,
  );
  const id = findId(schema, thing, facts.schemas);
  if (!parents || !id) return undefined;
  return jobOf(thing, parents, id, startedState(schema, thing, facts.schemas));
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
  for (const thing of write.facts.things.values()) {
    if (!thing.isJob) continue;
    const job = jobByHandle(write, thing);
    if (job) return job;
  }
  return undefined;
}

function jobByHandle(
  { binding, schema, facts }: Write,
  thing: FollowedThing,
): JobMapping | undefined {
  const { schemas } = facts;
  const { request } = binding;
  const parents = namedParents(thing, binding);
  if (!parents || isUpdateOf(binding, thing)) return undefined;
  const whole = isSameThing(schema, thing) ? findId(schema, thing, schemas) : undefined;
  const isUpdate = request.method !== "POST" && isThing(allFields(schema, schemas));
  const id = whole ?? (isUpdate ? undefined : handleIn(schema, thing, schemas));
  return id && jobOf(thing, parents, id, stateBeside(schema, thing, id, schemas));
}

/** An update or removal of the job itself. */
function isUpdateOf({ request }: OperationBinding, { reader }: FollowedThing): boolean {
  const own = withoutNames(reader.binding.request.path);
  return withoutNames(request.path).startsWith(own);
}

/** Values of the path before the ID, by parameters of the same names. */
function namedParents(
  { reader, parameter }: FollowedThing,
  { request }: OperationBinding,
): Readonly<Record<string, string>> | undefined {
  const given = requestParameters(request);
  const entries = Object.entries(reader.binding.request.pathParams ?? {}).flatMap(
    ([name, source]) => {
      const to = sourceInput(source);
      if (name === parameter || to === undefined) return [];
      const same = given.find(({ wireName, location }) => wireName === name && location === "path");
      return [[to, same && sourceInput(same.source)] as const];
    },
  );
  return entries.every(([, input]) => input !== undefined)
    ? (Object.fromEntries(entries) as Record<string, string>)
    : undefined;
}

/** True for a response that is the job by its schema. */
function isSameThing(
  schema: JsonSchema,
  { schema: own, noun, isAmbiguous }: FollowedThing,
): boolean {
  const name = refName(schema);
  if (name === undefined) return schema === own;
  return name === refName(own) || (!isAmbiguous && entityOfSchema(name) === noun.join("_"));
}

/** `jobId`, `task_uid` or `action: {id}` at the top, or in an object at the top. */
function handleIn(
  schema: JsonSchema,
  thing: FollowedThing,
  schemas: Schemas,
): readonly string[] | undefined {
  const fields = allFields(schema, schemas);
  const own = thing.isAmbiguous ? undefined : handleAmong(fields, thing, schemas);
  if (own || isThing(fields) || thing.isAmbiguous) return own;
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
    if (!isNoun(entity, thing.noun) || isPlural(splitWords(name).at(-1) ?? "")) continue;
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
  { parameter, noun }: FollowedThing,
): string | undefined {
  const { idWord } = parseIdentityName(parameter);
  const last = splitWords(parameter).at(-1) ?? "";
  const word = idWord !== "" ? idWord : isNameWord(last) ? last : "id";
  const others = isNameWord(last) ? [] : ["id"];
  const names = [parameter, `${noun.at(-1)}_${word}`, word, ...others].map(normalized);
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
  { reader, state: { path, ...states }, input }: FollowedThing,
  inputs: Readonly<Record<string, string>>,
  id: readonly string[],
  started: readonly string[] | undefined,
): JobMapping {
  return {
    ...(started && { started: fieldPath(started) }),
    state: fieldPath(path),
    ...states,
    follow: { tool: reader.tool.definition.name, inputs, fields: { [input]: fieldPath(id) } },
  };
}
