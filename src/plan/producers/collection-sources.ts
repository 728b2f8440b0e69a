import type { ClassifiedOperation } from "../classified-operation.js";
import { isPlural } from "../names/grammar.js";
import { endsInParameter, segmentWords } from "../names/path.js";
import { type CollectionAddress, collectionAddress, isReadingWord } from "./collection-address.js";

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
}

/** Sources of items, by the key and by the noun of their collection. */
export interface CollectionIndex {
  readonly byKey: ReadonlyMap<string, readonly CollectionSource[]>;
  readonly byNoun: ReadonlyMap<string, readonly CollectionSource[]>;
  /** Operations that create an item and return it, by noun. */
  readonly creations: ReadonlyMap<string, readonly CollectionSource[]>;
  /** Operations that return the caller, by noun: `GET /me` gives a user. */
  readonly self: ReadonlyMap<string, readonly CollectionSource[]>;
}

/** Builds the index of all tools. */
export function buildCollectionIndex(tools: readonly ProducerTool[]): CollectionIndex {
  const byKey = new Map<string, CollectionSource[]>();
  const byNoun = new Map<string, CollectionSource[]>();
  const self = new Map<string, CollectionSource[]>();
  const creations = new Map<string, CollectionSource[]>();
  for (const [tool, { operations }] of tools.entries()) {
    for (const classified of operations) {
      const source = { tool, classified, ...collectionAddress(classified.pathParts) };
      const caller = callerNoun(classified);
      if (caller !== undefined) pushTo(self, caller, source);
      if (returnsCreated(classified)) pushTo(creations, source.noun, source);
      if (!listsItems(classified)) continue;
      pushTo(byKey, source.key, source);
      if (source.noun !== "") pushTo(byNoun, source.noun, source);
    }
  }
  return { byKey, byNoun, creations, self };
}

/** `POST /pets` with a result. */
function returnsCreated({ operation, pathParts, jsonContents }: ClassifiedOperation): boolean {
  return operation.method === "POST" && !endsInParameter(pathParts) && jsonContents.length > 0;
}

/** Adds a value to the list of a key. */
export function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** `GET /pets`, `GET /pets/{category}` with a list, `POST /pets/search`, `POST /pets.list`. */
function listsItems({ operation, kind, pathParts }: ClassifiedOperation): boolean {
  const last = segmentWords(pathParts, -1).at(-1);
  switch (operation.method) {
    case "GET":
    case "QUERY":
      return kind === "list" || kind === "search" || isPlural(last ?? "");
    case "POST":
      return kind === "search" || isReadingWord(last);
    default:
      return false;
  }
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
