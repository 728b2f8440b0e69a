/** The group that all operationIds of a document have: the name of its service or API. */
import { canStartImperative } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";

/** Operations whose shared group says something about the document rather than about them. */
const MIN_SHARING = 8;

/**
 * The beginning of all operationIds up to a mark: `Lightning_` of `Lightning_ListPeers` and
 * `Lightning_GetInfo`. It says nothing about an operation; empty if there is none, or if it is a verb.
 */
export function sharedGroup(operationIds: readonly (string | undefined)[]): string {
  const [group = ""] = /^[A-Za-z][A-Za-z\d]*[_.:/]+(?=\w)/.exec(operationIds[0] ?? "") ?? [];
  const isShared =
    operationIds.length >= MIN_SHARING && operationIds.every((id) => id?.startsWith(group));
  return isShared && !splitWords(group).some(canStartImperative) ? group : "";
}
