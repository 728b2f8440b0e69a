import { isPlural } from "./names/grammar.js";
import { endsInParameter } from "./names/path.js";
import { splitWords } from "./names/words.js";
import type { ClassifiedOperation } from "./classified-operation.js";

/** Operations that read one collection: `/pets`, `/pets/search`, `/pets/{petId}`. */
export interface Collection {
  /** Path of the collection, without a trailing slash or file extension. */
  readonly path: string;
  /** Words of its last segment: `bank`, `accounts`. */
  readonly words: readonly string[];
  readonly list?: ClassifiedOperation;
  readonly searches: readonly ClassifiedOperation[];
  readonly get?: ClassifiedOperation;
}

interface CollectionRole {
  readonly path: string;
  readonly role: "list" | "search" | "get";
}

/**
 * Groups reading operations by the path of their collection, in document order. A collection
 * depends on its own operations alone, so a new path elsewhere changes no tool.
 */
export function collectionsOf(operations: readonly ClassifiedOperation[]): readonly Collection[] {
  const groups = new Map<
    string,
    { list?: ClassifiedOperation; gets: ClassifiedOperation[]; searches: ClassifiedOperation[] }
  >();
  for (const classified of operations) {
    const collection = collectionRole(classified);
    if (!collection) continue;
    const entry = groups.get(collection.path) ?? { gets: [], searches: [] };
    groups.set(collection.path, entry);
    if (collection.role === "search") entry.searches.push(classified);
    else if (collection.role === "list") entry.list ??= classified;
    else entry.gets.push(classified);
  }
  return [...groups].map(([path, { gets: getCandidates, ...entry }]) => {
    const get = primaryGet(getCandidates, entry.list);
    return {
      path,
      words: splitWords(path.slice(path.lastIndexOf("/") + 1)),
      ...entry,
      ...(get && { get }),
    };
  });
}

/**
 * Selects one of several gets (`/users/{id}`, `/users/{name}`): one with a tag of the list, else
 * the first in the document.
 */
function primaryGet(
  getCandidates: readonly ClassifiedOperation[],
  list: ClassifiedOperation | undefined,
): ClassifiedOperation | undefined {
  const tags = new Set(list?.operation.tags);
  return (
    getCandidates.find(({ operation }) => operation.tags.some((tag) => tags.has(tag))) ??
    getCandidates[0]
  );
}

/** Collection and role of a reading operation; undefined for all others. */
function collectionRole({
  operation,
  pathParts,
  kind,
}: ClassifiedOperation): CollectionRole | undefined {
  if (operation.method !== "GET" || operation.fixedQuery) return undefined;
  const path = operation.path.replace(/\/$/, "").replace(/\.(json|xml)$/i, "");
  const slash = path.lastIndexOf("/");
  const [parent, last] = [path.slice(0, slash), path.slice(slash + 1)];
  if (/^\{[^{}]+\}$/.test(last))
    return kind === "get" && endsInParameter(pathParts) && endsInWord(parent)
      ? { path: parent, role: "get" }
      : undefined;
  if (last.includes("{") || last.includes(":")) return undefined;
  const dot = last.lastIndexOf(".");
  if (dot > 0) return methodRole(`${parent}/${last.slice(0, dot)}`, last.slice(dot + 1), kind);
  if (isSearchPath(splitWords(last)))
    return endsInWord(parent) && kind !== "get" ? { path: parent, role: "search" } : undefined;
  return kind === "list" || isPlural(splitWords(last).at(-1) ?? "")
    ? { path, role: "list" }
    : undefined;
}

const METHOD_ROLES: Readonly<Record<string, CollectionRole["role"]>> = {
  list: "list",
  search: "search",
  info: "get",
  get: "get",
  show: "get",
  retrieve: "get",
};

/** `/users.list`, `/users.info`: methods of users. */
function methodRole(
  path: string,
  method: string,
  kind: ClassifiedOperation["kind"],
): CollectionRole | undefined {
  const role = Object.hasOwn(METHOD_ROLES, method.toLowerCase())
    ? METHOD_ROLES[method.toLowerCase()]
    : undefined;
  return role === undefined || (role === "get") !== (kind === "get") ? undefined : { path, role };
}

/** Tests whether the last segment is not a parameter. */
function endsInWord(path: string): boolean {
  return /\/[^/{}]+$/.test(path);
}

/** `search`, `findByStatus`, `find_by_tags`, `lookup`. */
function isSearchPath([first, second]: readonly string[]): boolean {
  return /^(search|query|lookup)$/.test(first ?? "") || (first === "find" && second === "by");
}

/** Words of the last segment that is not a parameter: the resource of the operation. */
export function collectionWords({ pathParts }: ClassifiedOperation): readonly string[] {
  const last = pathParts.findLast((part) => part.kind === "words");
  return last?.kind === "words" ? last.words : [];
}
