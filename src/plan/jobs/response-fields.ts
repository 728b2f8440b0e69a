/** Fields of a response that may identify what it started. */
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { singularizeLast } from "../../language/grammar.js";
import { memoize } from "../../language/patterns.js";
import { splitWords } from "../../language/words.js";
import { entityOfSchema } from "../producers/resources.js";
import { allFields, listItems } from "../schemas/flat-object.js";
import {
  type AnySchema,
  memoizeBySchema,
  refName,
  resolveSchema,
  type Schemas,
} from "../schemas/refs.js";
import { isIdentity } from "../outputs/payload.js";
import { identityOf } from "./identity.js";
import { JOB_NOUNS, PLAIN_NOUNS } from "./words.js";

/** A field with a single value. */
export interface ResponseField {
  readonly path: readonly string[];
  readonly name: string;
  /** Nouns of the things that it identifies: `job` of `job_id`, and of the `id` of `job`. */
  readonly nouns: readonly string[];
  /** True for the ID of a job: `task_id`, the `id` of `operation`, or that of a schema `Task`. */
  readonly isHandle: boolean;
  /** True for the ID of another thing in a thing: `snapshot_id` of a disk. */
  readonly isOfOther: boolean;
}

/** Fields of a response, with what each write asks about them for all reads. */
export interface ResponseFields {
  /** Schema of the thing that the response is, without an envelope around it. */
  readonly thing: JsonSchema;
  /** True for a response that is a single value. */
  readonly isScalar: boolean;
  readonly all: readonly ResponseField[];
  /** The first of each name, by its `normalizedName`. */
  readonly byName: ReadonlyMap<string, ResponseField>;
  /** Fields with nouns. */
  readonly things: readonly ResponseField[];
  /** IDs without a noun: `id`, `uuid`. */
  readonly plain: readonly ResponseField[];
  /** The only ID of any name that is not that of another thing. */
  readonly only: ResponseField | undefined;
}

/** Position of the last item, because the steps of one work are listed in their order. */
export const LAST = "-1";

const PLAIN = /^[_$]?(?:id|uuid|guid|uid|gid|identifier|token|handle)$/i;

/** `id`, `prompt_id` */
const ANY_ID = /(?:^|[_a-z])(?:Id|ID|UUID|Uuid|uuid|_id)$|^id$/;

/** Finds the fields of a response. Each schema is read once, because many writes share one. */
export const responseFields = memoizeBySchema((schema, schemas): ResponseFields => {
  const all = scalarPaths(schema, schemas).map((path) => fieldOf(path, schema, schemas));
  const byName = new Map(all.toReversed().map((field) => [normalizedName(field.name), field]));
  const ids = all.filter(
    ({ path, name, isOfOther }) => !isOfOther && path.length <= 2 && ANY_ID.test(name),
  );
  return {
    thing: envelopedSchema(schema, schemas),
    isScalar: isScalar(schema, schemas),
    all,
    byName,
    things: all.filter(({ nouns }) => nouns.length > 0),
    plain: all.filter(({ path, name }) => path.length <= 3 && PLAIN.test(name)),
    only: ids.length === 1 ? ids[0] : undefined,
  };
});

/** Schema of the only object in an object without an ID; otherwise the schema itself. */
function envelopedSchema(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const fields = allFields(schema, schemas);
  if ([...fields.keys()].some(isIdentity)) return schema;
  const inner = [...fields.values()].filter((field) => isInnerObject(field, schemas));
  return inner.length === 1 ? (inner[0] as JsonSchema) : schema;
}

function isInnerObject(field: AnySchema, schemas: Schemas): boolean {
  if (!isObject(field)) return false;
  const types = typesOf(resolveSchema(schemas, field as JsonSchema));
  return types.length === 0 || types.includes("object");
}

function fieldOf(path: readonly string[], schema: JsonSchema, schemas: Schemas): ResponseField {
  const name = path.at(-1) ?? "";
  const { entity, idWord } = identityOf(name);
  const isInThing = hasOwnId(schema, path.slice(0, -1), schemas);
  const isOfJob = path.length === 1 && PLAIN_NOUNS.has(entity);
  return {
    path,
    name,
    nouns: identifiedNouns(path),
    isHandle: isHandle(
      path,
      isInThing,
      path.length > 1 ? envelopedSchema(schema, schemas) : schema,
    ),
    isOfOther: entity !== "" && idWord !== "" && !isOfJob && isInThing,
  };
}

function identifiedNouns(path: readonly string[]): readonly string[] {
  const name = path.at(-1) ?? "";
  const { entity, idWord } = identityOf(name);
  const named = /^(.+?)[_-]?name$/i.exec(name)?.[1];
  const ofName = named === undefined ? [] : [splitWords(named).join("_")];
  return idWord === "" ? ofName : [...ofName, entity === "" ? nounOfHolder(path) : entity];
}

const nounOfHolder = (path: readonly string[]): string =>
  singularizeLast(splitWords(path.slice(0, -1).findLast((one) => one !== LAST) ?? "")).join("_");

const isOfJob = (entity: string): boolean => JOB_NOUNS.has(entity.split("_").at(-1) ?? "");

function isHandle(path: readonly string[], isInThing: boolean, schema: JsonSchema): boolean {
  const { entity, idWord } = identityOf(path.at(-1) ?? "");
  if (entity !== "" && idWord !== "") return isInThing ? PLAIN_NOUNS.has(entity) : isOfJob(entity);
  const isOfSchema = path.length <= 2 && isOfJob(entityOfSchema(refName(schema) ?? ""));
  return isOfSchema || isOfJob(nounOfHolder(path));
}

/** True for an object with an ID of its own. */
function hasOwnId(schema: AnySchema, path: readonly string[], schemas: Schemas): boolean {
  const holder = path.reduce<AnySchema>(
    (one, name) =>
      name === LAST ? (listItems(one, schemas) ?? {}) : (allFields(one, schemas).get(name) ?? {}),
    schema,
  );
  return [...allFields(holder, schemas).keys()].some((name) => /^_?(?:id|uuid|guid)$/i.test(name));
}

/** Paths of fields with a single value, also those of objects inside, and of lists of them. */
function scalarPaths(
  schema: AnySchema,
  schemas: Schemas,
  before: readonly string[] = [],
): readonly (readonly string[])[] {
  const items = listItems(schema, schemas);
  if (items !== undefined)
    return before.length >= 2 ? [] : scalarPaths(items, schemas, [...before, LAST]);
  const fields = [...allFields(schema, schemas)];
  const own = fields.flatMap(([name, field]) =>
    isScalar(field, schemas) ? [[...before, name]] : [],
  );
  if (before.length >= 2) return own;
  const inner = fields.flatMap(([name, field]) => scalarPaths(field, schemas, [...before, name]));
  return [...own, ...inner];
}

function isScalar(schema: AnySchema, schemas: Schemas): boolean {
  if (!isObject(schema)) return false;
  const types = typesOf(resolveSchema(schemas, schema as JsonSchema));
  return types.some((type) => ["string", "integer", "number"].includes(type));
}

/** Form of a name that all its spellings share: `jobid` of `jobId` and of `job_id`. */
export const normalizedName: (name: string) => string = memoize((name) =>
  name.toLowerCase().replaceAll(/[^a-z0-9]/g, ""),
);
