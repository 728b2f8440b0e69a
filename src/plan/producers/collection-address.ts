import type { PathSegment } from "../classified-operation.js";
import { isAdjective, isQuantifier, isSearchVerb } from "../names/grammar.js";
import { nounOf, resourceWords } from "./identity.js";

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
  /** The path names the collection and nothing else. */
  readonly isWhole: boolean;
}

/** Collection that the first `end` segments of a path address. */
export function collectionAddress(
  parts: readonly PathSegment[],
  end: number = parts.length,
): CollectionAddress {
  const steps = parts.slice(0, end);
  const length = steps.findLastIndex(isResource) + 1;
  const resource = steps.slice(0, length);
  const modifiers = steps.flatMap((part, i) =>
    part.kind === "words" && i !== length - 1 ? part.words : [],
  );
  return {
    key: resource.map((part) => (part.kind === "words" ? segmentNoun(part) : "{}")).join("/"),
    noun: nounAt(resource, length - 1),
    parents: steps.flatMap((_, i) =>
      steps[i + 1]?.kind === "param" && nounAt(steps, i) !== "" ? [nounAt(steps, i)] : [],
    ),
    isPartial: modifiers.some(isSelective),
    isSearch: modifiers.some(isSearchVerb),
    isWhole: length === 1 && steps.every((part) => part.kind === "words"),
  };
}

const segmentNoun = (part: Extract<PathSegment, { kind: "words" }>): string =>
  nounOf(resourceWords(part));

function nounAt(parts: readonly PathSegment[], index: number): string {
  const part = parts[index];
  return part?.kind === "words" ? segmentNoun(part) : "";
}

/** Words of paths that read a collection and are not its name. */
const READING_WORDS = new Set(
  "search query list find get fetch lookup filter browse index".split(" "),
);

/** True for a word of a path that reads a collection: `list`, `search`. */
export const isReadingWord = (word: string | undefined): boolean =>
  word !== undefined && READING_WORDS.has(word);

/** Words for items that were put aside, which rarely are the required ones. */
const SPECIAL_WORDS = new Set(
  (
    "trash trashed deleted archived archive recent blocked pending failed stubbed " +
    "banned deprecated"
  ).split(" "),
);

const isSelective = (word: string): boolean => isAdjective(word) || SPECIAL_WORDS.has(word);

/** `pets` names a resource; `search`, `findByStatus`, `popular`, `all` and `by-name` do not. */
function isResource(part: PathSegment): boolean {
  if (part.kind !== "words") return false;
  const [first = "", second] = part.words;
  if (first === "by" || first === "id") return false;
  if (READING_WORDS.has(first) && (second === undefined || second === "by")) return false;
  return !part.words.every((word) => isSelective(word) || isQuantifier(word));
}
