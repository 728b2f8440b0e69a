/** Reads of nothing but a state, which the document does not describe. */
import { splitWords } from "../../language/words.js";
import { allFields } from "../schemas/flat-object.js";
import type { Schemas } from "../schemas/refs.js";
import type { StateField } from "./find-state.js";
import type { SchemasOf } from "./operation-schemas.js";
import { entityOf } from "./identity.js";
import type { ThingReader } from "./state-readers.js";
import { JOB_NOUNS } from "./words.js";

/** The state of such a read. The server finds it by its name and its word. */
export const UNKNOWN_STATE: StateField = { path: ["status"] };

/** Facts about the document that tell such reads. */
interface Documented {
  readonly schemasOf: SchemasOf;
  readonly schemas: Schemas;
}

/**
 * Finds reads such as `/status/{job_id}` and `/jobs/{job_id}`, without a documented response. Those
 * whose path says that they read a state come first.
 */
export function stateOnlyReaders(
  readers: readonly ThingReader[],
  facts: Documented,
): readonly ThingReader[] {
  const found = readers.filter((reader) => isJobId(reader) && !isDescribed(reader, facts));
  return found.toSorted((one, other) => Number(namesState(other)) - Number(namesState(one)));
}

const isJobId = ({ parameter, binding: { request } }: ThingReader): boolean => {
  const isOfWork = JOB_NOUNS.has(entityOf(parameter).at(-1) ?? "");
  return isOfWork && (namesState({ binding: { request } }) || isOfJobs(request.path));
};

const namesState = ({ binding }: { readonly binding: { readonly request: Request } }): boolean =>
  splitWords(binding.request.path).some((word) => STATE_WORD.test(word));

const STATE_WORD = /^(?:status|state|progress|poll)$/;

type Request = Pick<ThingReader["binding"]["request"], "path">;

/** `/jobs/{job_id}`: the job itself, and not a part or a result of it. */
const isOfJobs = (path: string): boolean =>
  /\/(?:jobs?|tasks?|operations?)\/\{[^{}]*\}\/?$/i.test(path);

function isDescribed({ binding: { request } }: ThingReader, facts: Documented): boolean {
  const schema = facts.schemasOf(request.method, request.path)?.success;
  return schema !== undefined && allFields(schema, facts.schemas).size > 0;
}
