/** Bodies of operations whose document forgets them. */
import type { RequestBody } from "../../model/types.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { isPlural } from "../../language/grammar.js";
import { ADDING_VERBS, EDITING_VERBS } from "../../language/lexicon.js";
import { endsInParameter, segmentWords } from "../operations/path.js";

/**
 * An optional JSON body for an operation that documents neither a body nor another value, though
 * its text says that it sets something: `PUT /server/name`, "Set the name of the server". Without
 * it, the tool could not send what the API needs.
 */
export function undocumentedBody(classified: ClassifiedOperation): RequestBody | undefined {
  const { operation } = classified;
  if (operation.body || !needsContent(classified) || hasValue(classified)) return undefined;
  return {
    required: false,
    description: "Fields to send, with their values. The API's documentation names none.",
    contents: [
      {
        mediaType: "application/json",
        schema: { type: "object" },
        location: operation.location,
      },
    ],
  };
}

function needsContent({ operation, effects, pathParts }: ClassifiedOperation): boolean {
  const verb = effects.mainAction?.verb ?? "";
  if (!/^(?:PATCH|POST|PUT)$/.test(operation.method)) return false;
  // Things outside of a collection are often made of nothing: `POST /backup`.
  if (ADDING_VERBS.has(verb)) return isPlural(segmentWords(pathParts, -1).at(-1) ?? "");
  return EDITING_VERBS.has(verb) && !(verb === "set" && endsInParameter(pathParts));
}

/** True if a value is sent in the query, or at the end of the path: `/ratings/{item}/{rating}`. */
function hasValue({ operation: { parameters, path } }: ClassifiedOperation): boolean {
  return /\}\/\{[^{}]*\}$/.test(path) || parameters.some(({ in: place }) => /^query/.test(place));
}
