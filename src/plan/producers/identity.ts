import type { Operation } from "../../model/types.js";
import type { ClassifiedOperation, PathSegment } from "../classified-operation.js";
import { memoize } from "../text/sentences.js";
import { isAdjective, singularize, singularizeLast } from "../names/grammar.js";
import { splitWords } from "../names/words.js";

/** Words for the identity of a resource. */
const ID_WORDS = new Set(
  "id ids uuid guid gid sid uid key slug number code login username handle arn urn".split(" "),
);

/** Words for further values that identify an item among its siblings. */
const NAME_WORDS = new Set(
  (
    "name title sha hash index ref alias symbol sku isbn email address domain hostname identifier nr " +
    "num no token tag"
  ).split(" "),
);

/** True for `name`, `sha` and other words of values that identify an item. */
export const isNameWord = (word: string): boolean => NAME_WORDS.has(word);

/** Words in front of a resource that tell its part in an operation: `source_account_id`. */
const ROLE_WORDS = new Set(
  (
    "source target destination from to parent child default new old primary secondary previous " +
    "next origin main initial current original other first last before after related linked"
  ).split(" "),
);

/** Words of an entity without that of its role: `source_account` → account. */
export function withoutRole(words: readonly string[]): readonly string[] {
  return words.length > 1 && ROLE_WORDS.has(words[0] as string) ? words.slice(1) : words;
}

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
  /** Description of the value in the document. */
  readonly text: string;
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
  const words = withoutAlternative(splitWords(name));
  const last = words.at(-1) ?? "";
  if (words[0] === "id" && words.length > 1 && !ID_WORDS.has(last))
    return { entity: singularizeLast(words.slice(1)).join("_"), idWord: "id" };
  const isId = ID_WORDS.has(last);
  return {
    entity: singularizeLast(isId ? words.slice(0, -1) : words).join("_"),
    idWord: isId ? singularize(last) : "",
  };
});

/** `id_or_name` → id. */
function withoutAlternative(words: readonly string[]): readonly string[] {
  const or = words.lastIndexOf("or");
  return or > 0 ? words.slice(0, or) : words;
}

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
      return singularizeLast(resourceWords(part.text)).join("_");
  }
  return "";
}

/** Position of a parameter in a path; -1 if it has none. */
export const positionOf = (name: string, parts: readonly PathSegment[]): number =>
  parts.findIndex((part) => part.kind === "param" && part.name === name);

/** Words of a segment that name its resource: `users.list` is a method of users. */
function resourceWords(segment: string): readonly string[] {
  const dot = segment.lastIndexOf(".");
  return splitWords(dot > 0 ? segment.slice(0, dot) : segment);
}

/** Noun in one spelling: `TextTracks`, `text_track` and `texttracks` are the same. */
export const nounOf = (words: readonly string[]): string => singularizeLast(words).join("");

/** Noun of a path segment. Segments recur in most paths of an API. */
export const nounOfSegment = memoize((segment) => nounOf(resourceWords(segment)));
