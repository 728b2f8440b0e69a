/** Work that a response may name by the URL of its state. */
import type { JsonSchema } from "../../json.js";
import { isPlural, singularize } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import type { JobLocation, OperationBinding } from "../../runtime/types.js";
import { allFields } from "../schemas/flat-object.js";
import type { Schemas } from "../schemas/refs.js";
import { pathKey, type ThingRead } from "./state-reads.js";
import type { JobFacts } from "./find-job.js";
import type { Sign } from "./signs.js";
import { DEFINITION_NOUNS, LASTING_NOUNS } from "./words.js";

/** Maximum number of reads that a response is compared with. */
const MAX_READERS = 10;

/**
 * Finds the reads that may serve the URL of a state, if the document says that the API answers
 * before the work is done. Those of things below the path of the write come first.
 */
export function findLocation(
  { request }: OperationBinding,
  { reads, schemasOf, schemas: known }: JobFacts,
): JobLocation | undefined {
  const schemas = schemasOf(request.method, request.path);
  if (request.isRaw || !schemas || isDefinition(request.path)) return undefined;
  const field = schemas.success && urlField(schemas.success, schemas.isAsynchronous, known);
  const isStart = request.method === "POST" || schemas.isAsynchronous;
  if (request.method !== "GET" && isStart && field) return { ...readersOf(request, reads), field };
  if (!schemas.mayNameState)
    return schemas.namesCreated ? createdLocation(request, reads) : undefined;
  const own = `${pathKey(request.path)}/{}`;
  const fieldsOf = (schema: JsonSchema | undefined): string =>
    schema === undefined ? "" : [...allFields(schema, known).keys()].join();
  const isWhole = ({ binding, needs }: ThingRead): boolean => {
    const { success } = schemasOf(binding.request.method, binding.request.path) ?? {};
    return (
      !schemas.hasStateHeader &&
      needs.every(({ place }) => place !== undefined) &&
      fieldsOf(success) !== "" &&
      fieldsOf(success) === fieldsOf(schemas.success)
    );
  };
  // The response already has all of a thing without a state.
  const isOther = (read: ThingRead): boolean =>
    !isFollowed(read) && (isLasting(read) || isWhole(read));
  if (reads.some((read) => read.key === own && isOther(read))) return undefined;
  return readersOf(request, reads);
}

/** True for a read of work: its state has documented values, or its name is that of a job. */
const isFollowed = ({ state, signs }: ThingRead): boolean =>
  state !== undefined &&
  state.isDocumented &&
  (signs.some((sign) => DOCUMENTED.has(sign))
    ? !signs.includes("lastingThing")
    : signs.includes("jobThing"));

const DOCUMENTED: ReadonlySet<Sign> = new Set<Sign>(["described", "flag", "provisioning"]);

/** The reads that may serve a URL in the response of a write. */
function readersOf(
  { path }: OperationBinding["request"],
  reads: readonly ThingRead[],
): Pick<JobLocation, "readers" | "states"> {
  const own = `${pathKey(path)}/{}`;
  const byId = reads.filter(({ needs }) => needs.length > 0);
  const followed = byId.filter(isFollowed);
  const found = [
    ...byId.filter(({ key }) => key === own),
    ...followed,
    ...byId.filter(({ signs }) => signs.includes("jobThing")),
  ];
  return withStates([...new Set(found)].slice(0, MAX_READERS));
}

/** Adds the fields with the state of readers whose responses have it in an envelope. */
function withStates(reads: readonly ThingRead[]): Pick<JobLocation, "readers" | "states"> {
  const states = reads.flatMap((read) => {
    const path = isFollowed(read) ? read.state!.state.path : [];
    return path.length > 1 ? [[read.tool.definition.name, path] as const] : [];
  });
  const readers = [...new Set(reads.map(({ tool }) => tool.definition.name))];
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
const isLasting = ({ nouns }: ThingRead): boolean => nouns.some((noun) => LASTING_NOUNS.has(noun));

/** The job that a POST creates: in its collection, or right below the thing that it starts. */
function createdLocation(
  { method, path }: OperationBinding["request"],
  reads: readonly ThingRead[],
): JobLocation | undefined {
  const own = pathKey(path);
  const isBelow = ({ key }: ThingRead): boolean =>
    key.startsWith(`${own}/`) && /^(?:\/\w+)?\/\{\}$/.test(key.slice(own.length));
  const job = reads.find(
    (one) => isFollowed(one) && one.signs.includes("jobThing") && isBelow(one),
  );
  return method === "POST" && job ? { ...withStates([job]), isCreated: true } : undefined;
}
