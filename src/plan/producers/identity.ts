import type { Operation } from "../../model/types.js";
import type { ClassifiedOperation } from "../classify.js";
import { memoize } from "../memoize.js";
import { isAdjective, singularize, singularizeLast } from "../names/grammar.js";
import type { PathSegment } from "../names/path.js";
import { splitWords } from "../names/words.js";

/** Words that name the identity of a thing. */
const ID_WORDS = new Set([
  "id",
  "ids",
  "uuid",
  "guid",
  "sid",
  "uid",
  "key",
  "slug",
  "number",
  "code",
  "login",
  "username",
  "handle",
  "arn",
  "urn",
]);

/**
 * Words behind an entity's name that say what form it has, not what it is: `PetSummaryResponse` is
 * about pets.
 */
const FORM_WORDS = new Set([
  "response",
  "result",
  "results",
  "list",
  "summary",
  "detail",
  "details",
  "dto",
  "model",
  "object",
  "full",
  "simple",
  "minimal",
  "base",
  "out",
  "read",
  "resource",
  "item",
  "info",
  "output",
  "data",
  "collection",
  "page",
  "paged",
  "get",
  "entity",
]);

/** Words before an entity's name that say the same of all: `objs_user`. */
const NOISE_PREFIXES = new Set(["obj", "objs", "api", "dto", "model", "schema"]);

/**
 * What a name says about identity: `petId` is the `id` of `pet`; `id` is the `id` of nobody; `pet`
 * is no ID word at all.
 */
export interface IdentityName {
  readonly entity: string;
  /** `id`, `uuid` …; empty when the name does not end in such a word. */
  readonly idWord: string;
}

/**
 * Reads a property or parameter name. Plural IDs (`pet_ids`) are of the same kind as single ones.
 */
export const parseIdentityName: (name: string) => IdentityName = memoize((name) => {
  const words = splitWords(name);
  const last = words.at(-1) ?? "";
  const isId = ID_WORDS.has(last);
  return {
    entity: singularizeLast(isId ? words.slice(0, -1) : words).join("_"),
    idWord: isId ? singularize(last) : "",
  };
});

/** The entity that a schema name is about: `PetSummary` → `pet`. */
export function entityOfSchema(name: string): string {
  const words = [...splitWords(name.replace(/\d+$/, ""))].filter((word) => !/^\d+$/.test(word));
  while (words.length > 1 && FORM_WORDS.has(words.at(-1) as string)) words.pop();
  while (words.length > 1 && NOISE_PREFIXES.has(words[0] as string)) words.shift();
  return singularizeLast(words).join("_");
}

/**
 * The entity of the last static piece of a path, before `end`: `/owners/{id}/pets` and
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

/** Whose ID is needed: `petId` says so itself; for `/pets/{id}` the path does. */
export function requiredIdentity({ wireName, place, subject }: IdRequirement): IdentityName {
  const identity = parseIdentityName(wireName);
  if (identity.entity !== "" || place !== "path") return identity;
  const at = subject.pathParts.findIndex((part) => part.kind === "param" && part.name === wireName);
  return { ...identity, entity: entityOfPath(subject.pathParts, at < 0 ? undefined : at) };
}

/** `users.list` is a method of users. */
function resourceOfMethod({
  text,
  words,
}: Extract<PathSegment, { kind: "words" }>): readonly string[] {
  const dot = text.lastIndexOf(".");
  return dot > 0 ? splitWords(text.slice(0, dot)) : words;
}

/**
 * A value that a tool needs: a path parameter, or a required parameter or field that is named like
 * an ID.
 */
export interface IdRequirement {
  readonly operation: Operation;
  readonly subject: ClassifiedOperation;
  readonly wireName: string;
  readonly place: "path" | "query" | "header" | "cookie" | "body" | "querystring";
}
