/** Reads of collections that neither a text nor a schema describes. */
import { isAdjective, isCountable, isPlural, pluralize } from "../language/grammar.js";
import { NOUNS_OF_FACTS } from "../language/lexicon.js";
import { endsInParameter, segmentWords } from "./operations/path.js";
import type { ClassifiedOperation } from "./operations/types.js";

/**
 * Classifies `GET /disk` beside `GET /disk/{id}` as a list if the document says nothing about it:
 * it has no text, and its result has no schema.
 */
export function classifyUndescribedCollections(
  operations: readonly ClassifiedOperation[],
): readonly ClassifiedOperation[] {
  const collections = new Set(operations.flatMap(collectionOfItem));
  return operations.map((one) =>
    collections.has(one.operation.path) && isUndescribedCollection(one)
      ? { ...one, kind: "list" }
      : one,
  );
}

/** `/disk` of `GET /disk/{id}`. */
function collectionOfItem({ operation: { method, path }, pathParts }: ClassifiedOperation) {
  const isItem = method === "GET" && endsInParameter(pathParts);
  return isItem ? path.replace(/\/\{[^/{}]+\}\/?$/, "") : [];
}

function isUndescribedCollection({
  operation,
  kind,
  endsInVerb,
  effects,
  jsonContents,
  successResponses,
  pathParts,
}: ClassifiedOperation): boolean {
  const { method, summary = "", description = "" } = operation;
  const isRead = method === "GET" && kind === "get" && effects.isReadOnly && !endsInVerb;
  const isUntold = `${summary}${description}`.trim() === "";
  const hasOtherContent = successResponses.some(({ contents }) =>
    contents.some(({ schema }) => schema !== undefined),
  );
  const noun = segmentWords(pathParts, -1).at(-1) ?? "";
  return isRead && isUntold && !hasOtherContent && jsonContents.length < 2 && isThing(noun);
}

/** `disk`, unlike `status` and `weather`. */
const isThing = (noun: string): boolean =>
  isCountable(noun) &&
  !isPlural(noun) &&
  !isAdjective(noun) &&
  pluralize(noun) !== noun &&
  !NOUNS_OF_FACTS.has(noun);
