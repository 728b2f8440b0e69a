import type { Subject } from "../kind.js";
import { isPlural } from "../name/inflect.js";
import { endsInParam } from "../name/path.js";
import { wordsOf } from "../name/words.js";

/** The operations that read one collection: `/pets`, `/pets/search`, `/pets/{petId}`. */
export interface Collection {
  /** Path of the collection, without a slash or a file extension at its end. */
  readonly path: string;
  /** Words of its last piece: `bank`, `accounts`. */
  readonly words: readonly string[];
  readonly list?: Subject;
  readonly searches: readonly Subject[];
  readonly get?: Subject;
}

interface Place {
  readonly path: string;
  readonly role: "list" | "search" | "get";
}

/**
 * Groups the reading operations by the path of their collection, in document order. What becomes of
 * a collection depends on its own operations only, so that a new path elsewhere changes no tool.
 */
export function collectionsOf(subjects: readonly Subject[]): readonly Collection[] {
  const found = new Map<string, { list?: Subject; gets: Subject[]; searches: Subject[] }>();
  for (const subject of subjects) {
    const place = placeOf(subject);
    if (!place) continue;
    const group = found.get(place.path) ?? { gets: [], searches: [] };
    found.set(place.path, group);
    if (place.role === "search") group.searches.push(subject);
    else if (place.role === "list") group.list ??= subject;
    else group.gets.push(subject);
  }
  return [...found].map(([path, { gets, ...group }]) => {
    const get = getOf(gets, group.list);
    return {
      path,
      words: wordsOf(path.slice(path.lastIndexOf("/") + 1)),
      ...group,
      ...(get && { get }),
    };
  });
}

/**
 * `/users/{id}` and `/users/{name}` both get one of the users: tags break the tie, then the order
 * of the document.
 */
function getOf(gets: readonly Subject[], list: Subject | undefined): Subject | undefined {
  const tags = new Set(list?.operation.tags);
  return gets.find(({ operation }) => operation.tags.some((tag) => tags.has(tag))) ?? gets[0];
}

/** Which collection an operation reads, and how; undefined for everything else. */
function placeOf({ operation, parts, kind }: Subject): Place | undefined {
  if (operation.method !== "GET" || operation.fixedQuery) return undefined;
  const path = operation.path.replace(/\/$/, "").replace(/\.(json|xml)$/i, "");
  const cut = path.lastIndexOf("/");
  const [parent, last] = [path.slice(0, cut), path.slice(cut + 1)];
  if (/^\{[^{}]+\}$/.test(last))
    return kind === "get" && endsInParam(parts) && isStatic(parent)
      ? { path: parent, role: "get" }
      : undefined;
  if (last.includes("{") || last.includes(":")) return undefined;
  const dot = last.lastIndexOf(".");
  if (dot > 0) return methodOf(`${parent}/${last.slice(0, dot)}`, last.slice(dot + 1), kind);
  if (isSearch(wordsOf(last)))
    return isStatic(parent) && kind !== "get" ? { path: parent, role: "search" } : undefined;
  return kind === "list" || isPlural(wordsOf(last).at(-1) ?? "")
    ? { path, role: "list" }
    : undefined;
}

const METHODS: Readonly<Record<string, Place["role"]>> = {
  list: "list",
  search: "search",
  info: "get",
  get: "get",
  show: "get",
  retrieve: "get",
};

/** `/users.list`, `/users.info`: methods of users. */
function methodOf(path: string, method: string, kind: Subject["kind"]): Place | undefined {
  const role = Object.hasOwn(METHODS, method.toLowerCase())
    ? METHODS[method.toLowerCase()]
    : undefined;
  return role === undefined || (role === "get") !== (kind === "get") ? undefined : { path, role };
}

/** The last piece is a word, not a parameter. */
function isStatic(path: string): boolean {
  return /\/[^/{}]+$/.test(path);
}

/** `search`, `findByStatus`, `find_by_tags`, `lookup`. */
function isSearch([first, second]: readonly string[]): boolean {
  return /^(search|query|lookup)$/.test(first ?? "") || (first === "find" && second === "by");
}
