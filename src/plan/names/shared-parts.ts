/** Parts that the operationIds of a document share, which tell something about the document only. */
import { canStartImperative } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";

/** An operation, as far as its operationId is read. */
interface Identified {
  readonly operationId?: string;
  readonly path: string;
}

/**
 * OperationIds that only a number distinguishes from another one, which generators append to further
 * paths of a function: `ListLeases2` beside `ListLeases` → ListLeases. A number of the path stays.
 */
export function numberedOperationIds(
  operations: readonly Identified[],
): ReadonlyMap<string, string> {
  const pathOf = new Map(operations.map(({ operationId, path }) => [operationId, path]));
  return new Map(
    operations.flatMap(({ operationId = "", path }) => {
      const [, plain = "", number = ""] = NUMBERED.exec(operationId) ?? [];
      const isFurther = pathOf.has(plain) && pathOf.get(plain) !== path;
      return isFurther && !path.includes(number) ? [[operationId, plain] as const] : [];
    }),
  );
}

const NUMBERED = /^(.*[A-Za-z][a-z])(\d{1,2})$/;

/** Operations of which what they share says nothing. */
const MIN_SHARING = 8;

/**
 * Removes what the operationIds of a document share: the name of its service or API at their
 * beginning, and a kind of program part at their end.
 */
export function removeSharedParts(
  operationIds: readonly (string | undefined)[],
): (operationId: string) => string {
  const group = sharedGroup(operationIds);
  const kind = sharedKind(operationIds);
  return (id) => {
    const own = id.slice(group.length);
    return kind ? own.replace(kind, "") : own;
  };
}

/**
 * The beginning of all operationIds up to a mark: `Lightning_` of `Lightning_ListPeers` and
 * `Lightning_GetInfo`. Empty if there is none, or if it is a verb.
 */
function sharedGroup(operationIds: readonly (string | undefined)[]): string {
  const [group = ""] = /^[A-Za-z][A-Za-z\d]*[_.:/]+(?=\w)/.exec(operationIds[0] ?? "") ?? [];
  const isShared =
    operationIds.length >= MIN_SHARING && operationIds.every((id) => id?.startsWith(group));
  return isShared && !splitWords(group).some(canStartImperative) ? group : "";
}

/** Kinds of program parts that frameworks and their users write after a name. */
const ENDINGS = "Api Async Controller Endpoint Handler Page Params Resource Route Service View"
  .split(" ")
  .map((kind) => new RegExp(`(?:[^A-Za-z\\d]{1,3}${kind.toLowerCase()}|${kind})s?$`));

/** The kind with which most operationIds end: `get_inbox_resource`, `GetOrderAsync`. */
function sharedKind(operationIds: readonly (string | undefined)[]): RegExp | undefined {
  const ids = operationIds.flatMap((id) => id ?? []);
  if (ids.length < MIN_SHARING) return undefined;
  return ENDINGS.find((ending) => ids.filter((id) => ending.test(id)).length > ids.length / 2);
}
