import type { Operation } from "../../model/types.js";
import type { ClassifiedOperation, PathSegment } from "../classified-operation.js";
import { memoize } from "../memoize.js";
import { isAdjective, singularize, singularizeLast } from "../names/grammar.js";
import { splitWords } from "../names/words.js";

/** Words for the identity of a resource. */
const ID_WORDS = new Set(
  "id ids uuid guid sid uid key slug number code login username handle arn urn".split(" "),
);

/** Suffixes of schema names about form instead of content: `PetSummaryResponse` is about pets. */
const FORM_WORDS = new Set(
  (
    "response result results list summary detail details dto model object full simple " +
    "minimal base out read resource item info output data collection page paged get " +
    "entity"
  ).split(" "),
);

/** Prefixes of schema names without meaning: `objs_user`. */
const NOISE_PREFIXES = new Set(["obj", "objs", "api", "dto", "model", "schema"]);

/**
 * A value that a tool needs: a path parameter, or a required parameter or field with the name of an
 * ID.
 */
export interface IdRequirement {
  readonly operation: Operation;
  readonly classified: ClassifiedOperation;
  readonly wireName: string;
  readonly in: "path" | "query" | "header" | "cookie" | "body" | "querystring";
}

/**
 * The identity that a name expresses: `petId` is the `id` of `pet`; `id` has no entity; `pet` has
 * no ID word.
 */
interface IdentityName {
  readonly entity: string;
  /** `id`, `uuid` …; empty when the name does not end in such a word. */
  readonly idWord: string;
}

/** Parses a property or parameter name. Plurals (`pet_ids`) count as singulars. */
export const parseIdentityName: (name: string) => IdentityName = memoize((name) => {
  const words = splitWords(name);
  const last = words.at(-1) ?? "";
  const isId = ID_WORDS.has(last);
  return {
    entity: singularizeLast(isId ? words.slice(0, -1) : words).join("_"),
    idWord: isId ? singularize(last) : "",
  };
});

/** Entity of a schema name: `PetSummary` → `pet`. */
export function entityOfSchema(name: string): string {
  const words = [...splitWords(name.replace(/\d+$/, ""))].filter((word) => !/^\d+$/.test(word));
  while (words.length > 1 && FORM_WORDS.has(words.at(-1) as string)) words.pop();
  while (words.length > 1 && NOISE_PREFIXES.has(words[0] as string)) words.shift();
  return singularizeLast(words).join("_");
}

/**
 * Entity of the last static segment of a path, before `end`: `/owners/{id}/pets` and
 * `/pets/popular` → `pet`.
 */
export function entityOfPath(parts: readonly PathSegment[], end: number = parts.length): string {
  for (let i = end - 1; i >= 0; i--) {
    const part = parts[i];
    if (part?.kind === "words" && (i === 0 || !part.words.every(isAdjective)))
      return singularizeLast(resourceOfMethod(part)).join("_");
  }
  return "";
}

/** Identity that is required: named by `petId` itself; for `/pets/{id}` by the path. */
export function requiredIdentity({
  wireName,
  in: location,
  classified,
}: IdRequirement): IdentityName {
  const identity = parseIdentityName(wireName);
  if (identity.entity !== "" || location !== "path") return identity;
  const index = classified.pathParts.findIndex(
    (part) => part.kind === "param" && part.name === wireName,
  );
  return { ...identity, entity: entityOfPath(classified.pathParts, index < 0 ? undefined : index) };
}

/** `users.list` is a method of users. */
function resourceOfMethod({
  text,
  words,
}: Extract<PathSegment, { kind: "words" }>): readonly string[] {
  const dot = text.lastIndexOf(".");
  return dot > 0 ? splitWords(text.slice(0, dot)) : words;
}
