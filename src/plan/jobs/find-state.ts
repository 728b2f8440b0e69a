/** The field of a response that tells the stage of work. */
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { isStateField, normalizeState } from "../../language/state-words.js";
import { allFields } from "../schemas/flat-object.js";
import { isIdentity } from "../outputs/payload.js";
import { memoizeBySchema, type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import { entityOf } from "./identity.js";
import { hasSetUp, type States, type WorkEvidence } from "./sort-states.js";
import { statesOf, valuesOf } from "./states-of-field.js";
import { PLAIN_NOUNS } from "./words.js";

/** A field with the state of work. */
export interface StateField extends States {
  /** Names from the top of the response. */
  readonly path: readonly string[];
}

/** Finds the state at the top of a response, or in the only object inside an envelope. */
export function findState(
  schema: JsonSchema,
  schemas: Schemas,
  evidence: WorkEvidence,
): StateField | undefined {
  const fields = allFields(schema, schemas);
  const own = stateAmong(fields, schemas, evidence);
  if (own) return own;
  const isOuter = !isThing(fields);
  const inner = [...fields].flatMap(([name, field]) => {
    if (!isInnerObject(field, schemas) || !(isOuter || PARTS.has(name))) return [];
    if (EARLIER.test(name)) return [];
    const found = isOuter
      ? stateOfThing(allFields(field, schemas), schemas, evidence)
      : stateAmong(allFields(field, schemas), schemas, evidence);
    return found ? [{ ...found, path: [name, ...found.path] }] : [];
  });
  return inner.length === 1 ? inner[0] : undefined;
}

/** Objects with the work before the one that is read, or after it. */
export const EARLIER = /^(?:last|latest|previous|prev|next)(?:[A-Z_-]|$)/;

/** Objects that have the fields of a thing beside its ID. */
const PARTS: ReadonlySet<string> = new Set(["properties", "attributes", "info"]);

/** The state of the thing in an envelope, also among its `attributes`, or in an envelope of its own. */
function stateOfThing(
  fields: ReadonlyMap<string, AnySchema>,
  schemas: Schemas,
  evidence: WorkEvidence,
): StateField | undefined {
  const own = stateAmong(fields, schemas, evidence);
  if (own) return own;
  const names = isThing(fields)
    ? [...PARTS].filter((part) => fields.has(part))
    : [...fields.keys()];
  const found = names.slice(0, MAX_PARTS).flatMap((name) => {
    const field = fields.get(name)!;
    const inner = isInnerObject(field, schemas)
      ? stateAmong(allFields(field, schemas), schemas, evidence)
      : undefined;
    return inner ? [{ ...inner, path: [name, ...inner.path] }] : [];
  });
  return isThing(fields) || found.length === 1 ? found[0] : undefined;
}

/** Maximum number of fields of an envelope that are read. */
const MAX_PARTS = 20;

/**
 * Finds a state that the document does not explain, of a thing that can only be work. The server
 * tells its stage by its word.
 */
export function findPlainState(
  schema: JsonSchema,
  schemas: Schemas,
  evidence: WorkEvidence,
): StateField | undefined {
  const { nouns } = evidence;
  const [outer, inner] = [schema, envelopedSchema(schema, schemas)];
  const fields = allFields(inner, schemas);
  const part = outer === inner ? [...PARTS].find((one) => fields.has(one)) : undefined;
  const parts = part === undefined ? undefined : allFields(fields.get(part)!, schemas);
  const provisioning = [...(parts?.keys() ?? [])].find(
    (one) => PROVISIONING.test(one) && isStateField(one) && isPlainText(parts!.get(one)!, schemas),
  );
  if (provisioning !== undefined) return { path: [part!, provisioning] };
  const name = plainStateAmong(fields, schemas, nouns);
  if (name === undefined && outer !== inner) return plainStateOf(outer, schemas, evidence);
  if (name === undefined) {
    const ofPart =
      parts && evidence.isOnlyWork ? plainStateAmong(parts, schemas, nouns) : undefined;
    return ofPart === undefined ? undefined : { path: [part!, ofPart] };
  }
  if (outer === inner) return { path: [name] };
  const envelope = [...allFields(outer, schemas)].find(([, field]) => field === inner)?.[0];
  return envelope === undefined ? undefined : { path: [envelope, name] };
}

/** Name of the shortest field with a state that the document does not explain. */
const plainStateAmong = (
  fields: ReadonlyMap<string, AnySchema>,
  schemas: Schemas,
  nouns: ReadonlySet<string>,
): string | undefined =>
  [...fields.keys()]
    .filter((one) => isStateField(one, nouns) && isPlainText(fields.get(one)!, schemas))
    .toSorted((a, b) => a.length - b.length)[0];

/** The state beside the only object of a job, which is a result and no envelope. */
function plainStateOf(
  outer: JsonSchema,
  schemas: Schemas,
  { isOnlyWork, nouns }: WorkEvidence,
): StateField | undefined {
  const name = plainStateAmong(allFields(outer, schemas), schemas, nouns);
  return isOnlyWork && name !== undefined ? { path: [name] } : undefined;
}

function isPlainText(field: AnySchema, schemas: Schemas): boolean {
  if (!isObject(field)) return false;
  const target = resolveSchema(schemas, field as JsonSchema);
  return typesOf(target).includes("string") && valuesOf(target, schemas).length === 0;
}

/** True for the fields of a thing, whose parts have states of their own. */
export const isThing = (fields: ReadonlyMap<string, AnySchema>): boolean =>
  [...fields.keys()].some(isIdentity);

/** True for the fields of a thing, or of a job with its ID in a `job_id`. */
export const isThingOrJob = (fields: ReadonlyMap<string, AnySchema>): boolean =>
  isThing(fields) || [...fields.keys()].some((name) => PLAIN_NOUNS.has(entityOf(name).join("_")));

/** Schema of the thing inside an envelope; the schema itself for a thing. */
export const envelopedSchema: (schema: JsonSchema, schemas: Schemas) => JsonSchema =
  memoizeBySchema((schema, schemas) => {
    const fields = allFields(schema, schemas);
    if (isThingOrJob(fields)) return schema;
    const inner = [...fields.values()].filter((field) => isInnerObject(field, schemas));
    return inner.length === 1 ? (inner[0] as JsonSchema) : schema;
  });

function isInnerObject(field: AnySchema, schemas: Schemas): boolean {
  if (!isObject(field)) return false;
  const types = typesOf(resolveSchema(schemas, field as JsonSchema));
  return types.length === 0 || types.includes("object");
}

/** The state among the fields of one object. A name without a word before it comes first. */
function stateAmong(
  fields: ReadonlyMap<string, AnySchema>,
  schemas: Schemas,
  evidence: WorkEvidence,
  depth = 0,
): StateField | undefined {
  const names = [...fields.keys()]
    .filter(
      (name) => isStateField(name, evidence.nouns) || (depth > 0 && WHOLE_STATE_NAMES.has(name)),
    )
    .toSorted((a, b) => a.length - b.length);
  for (const name of names) {
    const isJob = evidence.isJob || PROVISIONING.test(name);
    const states = statesOf(fields.get(name)!, schemas, { ...evidence, isJob });
    if (states) return { path: [name], ...states };
    const inner = isInnerObject(fields.get(name)!, schemas) && depth < 1;
    const found = inner && stateAmong(allFields(fields.get(name)!, schemas), schemas, evidence, 1);
    if (found) return { ...found, path: [name, ...found.path] };
  }
  return depth === 0 ? flagAmong(fields, schemas, evidence) : undefined;
}

/** Names of the state of the whole thing, inside an object with several states. */
const WHOLE_STATE_NAMES: ReadonlySet<string> = new Set([
  "aggregated",
  "overall",
  "current",
  "value",
]);

/** Name of a state that machines set. */
const PROVISIONING = /^provision/i;

/** True for a state whose name says that machines set it. */
export const isProvisioning = ({ path }: Pick<StateField, "path">): boolean =>
  PROVISIONING.test(path.at(-1)!);

/** True for a state that no person sets: one of provisioning, or with words of machines. */
export const isOfMachine = (state: StateField): boolean => isProvisioning(state) || hasSetUp(state);

/** Names of flags of work that goes on, and of work that ended, in the form of `normalizeState`. */
const [RUNNING_FLAG, DONE_FLAG] = [
  /^(?:is )?(?:in progress|running|processing)$/,
  /^(?:is )?(?:done|completed|complete|finished)$/,
];

/** A flag that tells the stage of work: `done` beside an `error`, `inProgress`, `completed`. */
function flagAmong(
  fields: ReadonlyMap<string, AnySchema>,
  schemas: Schemas,
  { isJob, isOnlyWork }: WorkEvidence,
): StateField | undefined {
  const hasOutcome = ["error", "result"].some((name) => fields.has(name));
  if (!isOnlyWork && !(isJob && hasOutcome)) return undefined;
  const flags = [...fields].filter(([, field]) => isBoolean(field, schemas)).map(([name]) => name);
  const done = flags.find((name) => DONE_FLAG.test(normalizeState(name)));
  if (done !== undefined) return { path: [done], running: [false], done: [true] };
  const running = flags.find((name) => RUNNING_FLAG.test(normalizeState(name)));
  return running === undefined ? undefined : { path: [running], running: [true], done: [false] };
}

const isBoolean = (field: AnySchema, schemas: Schemas): boolean =>
  isObject(field) && typesOf(resolveSchema(schemas, field as JsonSchema)).join() === "boolean";
