import type { Subject } from "../../kind.js";
import { nounOf } from "../noun.js";
import { endsInParam } from "../path.js";
import { isVerb } from "../verbs.js";
import { chunksOf } from "./chunks.js";
import { isEcho, repeatsPath } from "./echo.js";
import { phrase } from "./phrase.js";
import { assignRoles } from "./roles.js";

/** An operationId taken apart: who (`issues`), does what (`list`), to what (`for repo`). */
export interface ParsedId {
  /**
   * Words of the group before the verb phrase: `issues` of `issues/list-for-repo`; empty for most.
   */
  readonly group: readonly string[];
  /**
   * Usually one word; `create or update`, `bulk delete`. Empty when the identifier holds no verb.
   */
  readonly verb: readonly string[];
  readonly rest: readonly string[];
  /** Words of groups that the path does not name, for when the name without them is another's. */
  readonly hidden?: readonly string[];
}

/**
 * Takes an operationId apart. Undefined when it has no ASCII letters, or when it only repeats
 * method and path (`GetAccountsAccount`, `post_workflows_id_start`), which says less than the path
 * itself.
 */
export function parseOperationId(id: string, subject: Subject): ParsedId | undefined {
  const chunks = chunksOf(id, subject);
  const words = chunks.flat();
  if (words.join("").length < 2 || isEcho(words, subject)) return undefined;
  return (
    variant(id, chunks, subject) ?? remoteCall(chunks, subject) ?? assignRoles(chunks, subject)
  );
}

/**
 * `put_files_id#add_shared_link`: one of several ways to use an operation; what stands before it
 * only repeats the path.
 */
function variant(id: string, chunks: readonly string[][], subject: Subject): ParsedId | undefined {
  const [own, before] = [chunks.at(-1) as string[], chunks.slice(0, -1).flat()];
  if (!id.includes("#") || !isVerb(own[0]) || !repeatsPath(before, subject)) return undefined;
  const { verb, rest } = phrase(own);
  return { group: [], verb, rest: [...nounOf(subject.parts, endsInParam(subject.parts)), ...rest] };
}

/**
 * `GET_ImportVolume` of `/?Action=ImportVolume`: where the path says nothing, what stands behind
 * the method is done, not got.
 */
function remoteCall(
  [before, own, more]: readonly string[][],
  { operation, parts }: Subject,
): ParsedId | undefined {
  const isCall =
    parts.length === 0 &&
    more === undefined &&
    before?.length === 1 &&
    before[0] === operation.method.toLowerCase();
  return isCall && own !== undefined && isVerb(own[0]) ? { group: [], ...phrase(own) } : undefined;
}
