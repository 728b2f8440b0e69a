/** Work that a response may name by the URL of its state. */
import type { JsonSchema } from "../../json.js";
import type { JobLocation, OperationBinding } from "../../runtime/types.js";
import { allFields } from "../schemas/flat-object.js";
import type { JobFacts } from "./find-job.js";
import type { FollowedThing } from "./followed-things.js";
import { pathKey, type ThingReader } from "./state-readers.js";
import { JOB_NOUNS, LASTING_NOUNS } from "./words.js";

/** Maximum number of reads that a response is compared with. */
const MAX_READERS = 10;

/**
 * Finds the reads that may serve the URL of a state, if the document says that the API answers before
 * the work is done. Those of things below the path of the write come first.
 */
export function findLocation(
  { request }: OperationBinding,
  { things, schemasOf, schemas: known }: JobFacts,
): JobLocation | undefined {
  const schemas = schemasOf(request.method, request.path);
  if (request.isRaw || !schemas) return undefined;
  if (!schemas.mayNameState)
    return schemas.namesCreated ? createdLocation(request, things) : undefined;
  const own = `${pathKey(request.path)}/{}`;
  const isOwn = ({ key }: ThingReader): boolean => key === own;
  const isJob = ({ collection, entity }: ThingReader): boolean =>
    [collection, entity].some((noun) => JOB_NOUNS.has(noun.at(-1) ?? ""));
  const fieldsOf = (schema: JsonSchema | undefined): string =>
    schema === undefined ? "" : [...allFields(schema, known).keys()].join();
  const isWhole = ({ binding }: ThingReader): boolean => {
    const { success } = schemasOf(binding.request.method, binding.request.path) ?? {};
    return (
      !schemas.hasStateHeader &&
      fieldsOf(success) !== "" &&
      fieldsOf(success) === fieldsOf(schemas.success)
    );
  };
  // The response already has all of a thing without a state.
  if (things.others.some((one) => isOwn(one) && (isLasting(one) || isWhole(one)))) return undefined;
  const all = [...things.followed.values(), ...things.others];
  const found = [...all.filter(isOwn), ...things.followed.values(), ...things.others.filter(isJob)];
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

/** True for a thing that people and partners work on for days, such as a payout. */
const isLasting = ({ collection, entity }: ThingReader): boolean =>
  [collection, entity].some((noun) => LASTING_NOUNS.has(noun.at(-1) ?? ""));

/** The job that a POST creates: in its collection, or right below the thing that it starts. */
function createdLocation(
  { method, path }: OperationBinding["request"],
  things: JobFacts["things"],
): JobLocation | undefined {
  const own = pathKey(path);
  const isBelow = ({ key }: FollowedThing): boolean =>
    key.startsWith(`${own}/`) && /^(?:\/\w+)?\/\{\}$/.test(key.slice(own.length));
  const job = [...things.followed.values()].find((one) => one.evidence.isOnlyWork && isBelow(one));
  if (method !== "POST" || !job) return undefined;
  return { ...withStates([job.tool.definition.name], things), isCreated: true };
}
