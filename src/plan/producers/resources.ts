/** Resources: the identities that names express, and the collections that paths address. */
import { pushTo } from "../../groups.js";
import type { Operation } from "../../model/types.js";
import type { ClassifiedOperation, PathSegment } from "../operations/types.js";
import {
  isAdjective,
  isCountable,
  isPlural,
  isQuantifier,
  isSearchVerb,
  singularize,
  singularizeLast,
} from "../../language/grammar.js";
import { READING_VERBS } from "../../language/lexicon.js";
import { endsInParameter, segmentWords } from "../operations/path.js";
import { isList } from "../names/infer-verb.js";
import { splitWords } from "../../language/words.js";
import { memoize } from "../../language/patterns.js";
import { isObject, type JsonSchema, typesOf } from "../../json.js";
import { headOfObject, LIST_OF } from "../names/stated-object.js";
import { fieldsOf, isIdentity } from "../outputs/payload.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";

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
export const entityOfSchema: (name: string) => string = memoize((name) => {
  const words = [...splitWords(name.replace(/(?<!\d)\d+$/, ""))].filter(
    (word) => !/^\d+$/.test(word),
  );
  while (words.length > 1 && FORM_WORDS.has(words.at(-1) as string)) words.pop();
  while (words.length > 1 && NOISE_PREFIXES.has(words[0] as string)) words.shift();
  return singularizeLast(words).join("_");
});

/** Entity of the last static segment of a path: `/owners/{id}/pets` and `/pets/popular` → `pet`. */
export function entityOfPath(parts: readonly PathSegment[]): string {
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i];
    if (part?.kind === "words" && (i === 0 || !part.words.every(isAdjective)))
      return singularizeLast(resourceWords(part.text)).join("_");
  }
  return "";
}

/** Position of a parameter in a path; -1 if it has none. */
export const positionOf = (name: string, parts: readonly PathSegment[]): number =>
  parts.findIndex((part) => part.kind === "param" && part.name === name);

/**
 * Words of a segment that name its resource: `users.list` is a method of users,
 * `conversations.members` lists members, and so does `list_members`.
 */
function resourceWords(segment: string): readonly string[] {
  const dot = segment.lastIndexOf(".");
  const method = splitWords(segment.slice(dot + 1));
  const group = splitWords(segment.slice(0, Math.max(dot, 0)));
  const listsOthers = method.length === 1 && isPlural(method[0] as string);
  if (dot <= 0 && CALL_OF_LIST.test(method[0] ?? "") && isPlural(method.at(-1) ?? ""))
    return method.slice(1);
  return dot <= 0 || (listsOthers && !isReadingWord(group[0])) ? method : group;
}

/** First word of a segment that names a call: `list_pets`. */
const CALL_OF_LIST = /^(?:fetch|get|list)$/;

/** Noun in one spelling: `TextTracks`, `text_track` and `texttracks` are the same. */
export const nounOf = (words: readonly string[]): string => singularizeLast(words).join("");

/** Noun of a path segment. Segments recur in most paths of an API. */
export const nounOfSegment = memoize((segment) => nounOf(resourceWords(segment)));

/** Collection that a path addresses. */
export interface CollectionAddress {
  /** Path in singular words, without the names of parameters: `owner/{}/pet`. */
  readonly key: string;
  /** One item: `pet`. Empty for a path of parameters only. */
  readonly noun: string;
  /** Resources of which the path selects one: `owner`. */
  readonly parents: readonly string[];
  /** A word of the path selects some of the items: `/pets/popular`. */
  readonly isPartial: boolean;
  /** A word of the path searches: `/pets/search`. */
  readonly isSearch: boolean;
  /** The path names only the collection. */
  readonly isWhole: boolean;
}

/** Addresses by path and number of segments. A path is compared with many others. */
const addressesByPath = new WeakMap<readonly PathSegment[], Map<number, CollectionAddress>>();

/** Collection that the first `end` segments of a path address. */
export function collectionAddress(
  parts: readonly PathSegment[],
  end: number = parts.length,
): CollectionAddress {
  const addresses = addressesByPath.get(parts) ?? new Map<number, CollectionAddress>();
  const address = addresses.get(end) ?? readAddress(parts, end);
  addressesByPath.set(parts, addresses.set(end, address));
  return address;
}

function readAddress(parts: readonly PathSegment[], end: number): CollectionAddress {
  const steps = parts.slice(0, end);
  const length = steps.findLastIndex(isResource) + 1;
  const resource = steps.slice(0, length);
  const modifiers = steps.flatMap((part, i) =>
    part.kind === "words" && i !== length - 1 ? part.words : [],
  );
  return {
    key: resource
      .map((part) => (part.kind === "words" ? nounOfSegment(part.text) : "{}"))
      .join("/"),
    noun: nounAt(resource, length - 1),
    parents: steps.flatMap((_, i) =>
      steps[i + 1]?.kind === "param" && nounAt(steps, i) !== "" ? [nounAt(steps, i)] : [],
    ),
    isPartial: modifiers.some(isSelective),
    isSearch: modifiers.some(isSearchVerb),
    isWhole: length === 1 && steps.every((part) => part.kind === "words"),
  };
}

function nounAt(parts: readonly PathSegment[], index: number): string {
  const part = parts[index];
  return part?.kind === "words" ? nounOfSegment(part.text) : "";
}

/** True for a word of a path that reads a collection: `list`, `search`. */
const isReadingWord = (word: string | undefined): boolean =>
  word !== undefined && (READING_VERBS.has(word) || isSearchVerb(word) || word === "filter");

/** Words for items that were put aside, which rarely are the required ones. */
const SPECIAL_WORDS = new Set(
  (
    "trash trashed deleted archived archive recent blocked pending failed stubbed " +
    "banned deprecated"
  ).split(" "),
);

const isSelective = (word: string): boolean => isAdjective(word) || SPECIAL_WORDS.has(word);

/**
 * `pets` names a resource; `search`, `findByStatus`, `popular`, `all`, `by-name` and the form of
 * `/pets/json` do not.
 */
function isResource(part: PathSegment): boolean {
  if (part.kind !== "words") return false;
  const [first = "", second] = part.words;
  if (first === "by" || first === "id") return false;
  if (second === undefined && (first === "json" || first === "xml")) return false;
  if (isReadingWord(first) && (second === undefined || second === "by")) return false;
  return !part.words.every((word) => isSelective(word) || isQuantifier(word));
}

/** A tool for the search of producers: its name and its operations, the most general first. */
export interface ProducerTool {
  readonly name: string;
  readonly operations: readonly ClassifiedOperation[];
}

/** Operation that lists or searches the items of a collection. */
export interface CollectionSource extends CollectionAddress {
  /** Index of its tool. */
  readonly tool: number;
  readonly classified: ClassifiedOperation;
  /** Names of its path parameters. */
  readonly parameters: readonly string[];
}

/** Sources of items, by the key and by the noun of their collection. */
export interface CollectionIndex {
  readonly byKey: ReadonlyMap<string, readonly CollectionSource[]>;
  readonly byNoun: ReadonlyMap<string, readonly CollectionSource[]>;
  /** Operations that create an item and return it, by noun. */
  readonly creations: ReadonlyMap<string, readonly CollectionSource[]>;
  /** Operations that return the caller, by noun: `GET /me` gives a user. */
  readonly self: ReadonlyMap<string, readonly CollectionSource[]>;
  /** The operation that gets one item, by the key of its collection. */
  readonly getters: ReadonlyMap<string, CollectionSource>;
}

/** Builds the index of all tools. */
export function buildCollectionIndex(
  tools: readonly ProducerTool[],
  schemas: Schemas,
): CollectionIndex {
  const byKey = new Map<string, CollectionSource[]>();
  const byNoun = new Map<string, CollectionSource[]>();
  const self = new Map<string, CollectionSource[]>();
  const creations = new Map<string, CollectionSource[]>();
  const getters = new Map<string, CollectionSource>();
  const pathsOfItems = collectionPaths(tools);
  for (const [tool, { operations }] of tools.entries()) {
    for (const classified of operations) {
      const { pathParts } = classified;
      const parameters = pathParts.flatMap((part) => (part.kind === "param" ? part.name : []));
      const source = { tool, classified, parameters, ...collectionAddress(pathParts) };
      const caller = callerNoun(classified);
      if (caller !== undefined) pushTo(self, caller, source);
      if (getsItem(classified) && !getters.has(source.key)) getters.set(source.key, source);
      if (returnsCreated(classified)) pushTo(creations, source.noun, source);
      const isListed = listsItems(classified);
      const isCollection = pathsOfItems.has(classified.operation.path);
      if (isListed || (isCollection && mayListItems(classified, schemas)))
        pushTo(byKey, source.key, source);
      if (isListed && source.noun !== "") pushTo(byNoun, source.noun, source);
    }
  }
  return { byKey, byNoun, creations, self, getters };
}

/** `GET /pets/{id}` with a result. */
const getsItem = ({ operation, kind, pathParts, jsonContents }: ClassifiedOperation): boolean =>
  operation.method === "GET" &&
  kind === "get" &&
  endsInParameter(pathParts) &&
  jsonContents.length > 0;

/** `POST /pets` with a result. */
function returnsCreated({ operation, pathParts, jsonContents }: ClassifiedOperation): boolean {
  return operation.method === "POST" && !endsInParameter(pathParts) && jsonContents.length > 0;
}

/** `GET /pets`, `GET /pet.all`, `GET /pets/{category}` with a list, `POST /pets/search`, `POST /pets.list`. */
function listsItems(classified: ClassifiedOperation): boolean {
  const { operation, kind, pathParts } = classified;
  const last = segmentWords(pathParts, -1).at(-1) ?? "";
  switch (operation.method) {
    case "GET":
    case "QUERY":
      return isList(classified) || kind === "search" || isPlural(last) || last === "all";
    case "POST":
      return kind === "search" || isReadingWord(last);
    default:
      return false;
  }
}

/**
 * Paths before those of items: `/user` of `DELETE /user/{uid}`. Of `/board/{row}/{column}`, no
 * value is the ID of an item.
 */
const collectionPaths = (tools: readonly ProducerTool[]): ReadonlySet<string> =>
  new Set(
    tools.flatMap(({ operations }) =>
      operations.flatMap(({ operation: { path } }) =>
        [...path.matchAll(/\/\{[^/{}]+\}(?!\/\{)/g)].map(({ index }) => path.slice(0, index)),
      ),
    ),
  );

/**
 * `GET /user` of "Display users", with a list `list_of_users`, or without any text and schema: only
 * the IDs of its own items come from such a read.
 */
function mayListItems(
  { operation, effects, pathParts, jsonContents }: ClassifiedOperation,
  schemas: Schemas,
): boolean {
  if (operation.method !== "GET" || !effects.isReadOnly || endsInParameter(pathParts)) return false;
  const noun = segmentWords(pathParts, -1).at(-1) ?? "";
  if (!isCountable(noun)) return false;
  const head = headOfObject(effects.mainAction?.object.replace(LIST_OF, "") ?? "") ?? "";
  if (isPlural(head) && singularize(head) === singularize(noun)) return true;
  const schema = jsonContents[0]?.schema;
  const isUntold = `${operation.summary ?? ""}${operation.description ?? ""}`.trim() === "";
  return schema ? hasOwnList(schema, noun, schemas) : isUntold;
}

/** `{list_of_users: […]}` for `user`, unlike a user with a list of its users. */
function hasOwnList(schema: JsonSchema, noun: string, schemas: Schemas): boolean {
  const fields = [...fieldsOf(resolveSchema(schemas, schema), schemas)];
  return (
    !fields.some(([name]) => isIdentity(name)) &&
    fields.some(
      ([name, field]) =>
        singularize(splitWords(name).at(-1) ?? "") === singularize(noun) &&
        isObject(field) &&
        typesOf(resolveSchema(schemas, field as JsonSchema)).includes("array"),
    )
  );
}

/** Last words of the paths that return the caller. */
const SELF_WORDS = new Set("me self viewer whoami myself current_user current_account".split(" "));

/** `user` for `GET /me` and `GET /users/me`; undefined for operations that return no caller. */
function callerNoun({ operation, kind, pathParts }: ClassifiedOperation): string | undefined {
  if (operation.method !== "GET" || kind !== "get" || endsInParameter(pathParts)) return undefined;
  if (!SELF_WORDS.has(segmentWords(pathParts, -1).join("_"))) return undefined;
  const { noun, parents } = collectionAddress(pathParts, pathParts.length - 1);
  return parents.length > 0 ? undefined : noun === "" ? "user" : noun;
}
