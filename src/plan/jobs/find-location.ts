/** Work that a response may name by the URL of its state. */
import type { JsonSchema } from "../../json.js";
import { isPlural, singularize } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import type { JobLocation, OperationBinding } from "../../runtime/types.js";
import { allFields } from "../schemas/flat-object.js";
import type { Schemas } from "../schemas/refs.js";
import type { JobFacts } from "./find-job.js";
import type { FollowedThing } from "./followed-things.js";
import { pathKey, type ThingReader } from "./state-readers.js";
import { isToldToCancel } from "./work-signs.js";
import { DEFINITION_NOUNS, isLasting, JOB_NOUNS } from "./words.js";

/** Maximum number of reads that a response is compared with. */
const MAX_READERS = 10;

/**
 * Finds the reads that may serve the URL of a state, if the document says that the API answers
 * before the work is done. Those of things below the path of the write come first.
 */
export function findLocation(
  { request }: OperationBinding,
  { things, schemasOf, schemas: known, operationOf }: JobFacts,
): JobLocation | undefined {
  const schemas = schemasOf(request.method, request.path);
  if (request.isRaw || !schemas || isDefinition(request.path)) return undefined;
  if (CANCEL.test(request.path) || isToldToCancel(operationOf(request.method, request.path)))
    return undefined;
  const field = schemas.success && urlField(schemas.success, schemas.isAsynchronous, known);
  const isStart = request.method === "POST" || schemas.isAsynchronous;
  if (request.method !== "GET" && isStart && field) return { ...readersOf(request, things), field };
  if (!schemas.mayNameState)
    return schemas.namesCreated ? createdLocation(request, things) : undefined;
  const own = `${pathKey(request.path)}/{}`;
  const isOwn = ({ key }: ThingReader): boolean => key === own;
  const fieldsOf = (schema: JsonSchema | undefined): string =>
    schema === undefined ? "" : [...allFields(schema, known).keys()].join();
  const isWhole = ({ binding, shared }: ThingReader): boolean => {
    const { success } = schemasOf(binding.request.method, binding.request.path) ?? {};
    return (
      !schemas.hasStateHeader &&
      Object.keys(shared).length === 0 &&
      fieldsOf(success) !== "" &&
      fieldsOf(success) === fieldsOf(schemas.success)
    );
  };
  // The response already has all of a thing without a state.
  if (things.others.some((one) => isOwn(one) && (isLastingThing(one) || isWhole(one))))
    return undefined;
  return readersOf(request, things);
}

/** A path that ends work. */
const CANCEL = /[/:](?:cancel|abort)\/?$/;

/** The reads that may serve a URL in the response of a write. */
function readersOf({ path }: OperationBinding["request"], things: JobFacts["things"]): JobLocation {
  const { followed, others } = things;
  const own = `${pathKey(path)}/{}`;
  const isOwn = ({ key }: ThingReader): boolean => key === own;
  const isJob = ({ collection, entity }: ThingReader): boolean =>
    [collection, entity].some((noun) => JOB_NOUNS.has(noun.at(-1) ?? ""));
  const all = [...followed.values(), ...others];
  const found = [...all.filter(isOwn), ...followed.values(), ...others.filter(isJob)];
  const names = [...new Set(found.map(({ tool }) => tool.definition.name))];
  return withStates(names.slice(0, MAX_READERS), things);
}

/** Adds the fields with the state of readers whose responses have it in an envelope. */
function withStates(
  readers: readonly string[],
  { followed }: JobFacts["things"],
): Pick<JobLocation, "readers" | "states"> {
  const inner = [...followed.values()].flatMap(({ tool, state: { path } }) =>
    path.length > 1 ? [[tool.definition.name, path] as const] : [],
  );
  const states = inner.filter(([name]) => readers.includes(name));
  return { readers, ...(states.length > 0 && { states: Object.fromEntries(states) }) };
}

/**
 * Name of a field with the URL of a state: `statusUrl`, `job_link`, and `result_url` of what goes
 * on. A thing with an ID may have such a URL long after its creation, such as the `progress_url` of
 * a server.
 */
function urlField(schema: JsonSchema, isAsynchronous: boolean, known: Schemas): string | undefined {
  const names = [...allFields(schema, known).keys()];
  if (!isAsynchronous && names.some((name) => OWN_ID.test(name))) return undefined;
  return names.find((name) => STATE_URL.test(name) || (isAsynchronous && RESULT_URL.test(name)));
}

const OWN_ID = /^_?(?:id|uuid|guid|name)$/i;

const [STATE_URL, RESULT_URL] = [
  /^(?:(?:job|task|operation)[_-]?)?(?:status|state|poll(?:ing)?|monitor(?:ing)?|progress)[_-]?(?:url|uri|href|link|location)$/i,
  /^(?:(?:job|task|operation)[_-]?)?results?[_-]?(?:url|uri|href|link|location)$/i,
];

/** True for `/schedules`: such a thing says what is done later. */
function isDefinition(path: string): boolean {
  const last = splitWords(path.replace(/\/$/, "").split("/").at(-1) ?? "").at(-1) ?? "";
  return isPlural(last) && DEFINITION_NOUNS.has(singularize(last));
}

/** True for a thing that people and partners work on for days, such as a payout. */
const isLastingThing = ({ collection, entity }: ThingReader): boolean =>
  [collection, entity].some(isLasting);

/** The job that a POST creates: in its collection, or right below the thing that it starts. */
function createdLocation(
  { method, path }: OperationBinding["request"],
  things: JobFacts["things"],
): JobLocation | undefined {
  const own = pathKey(path);
  const isBelow = ({ key }: FollowedThing): boolean =>
    key.startsWith(`${own}/`) && /^(?:\/\w+)?\/\{\}$/.test(key.slice(own.length));
  const job = [...things.followed.values()].find(
    (one) =>
      (one.evidence.isOnlyWork || (one.isNamedJob && !one.isDoubtful)) &&
      !things.startable.has(one.key) &&
      isBelow(one),
  );
  if (method !== "POST" || !job) return undefined;
  return { ...withStates([job.tool.definition.name], things), isCreated: true };
}
