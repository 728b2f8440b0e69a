/** Operation IDs that only repeat the method and the path. */
import type { OperationFacts, PathSegment } from "../operations/types.js";
import { isPlural, singularize } from "../../language/grammar.js";
import { NOISE_GROUPS } from "../../language/lexicon.js";
import { segmentWords } from "../operations/path.js";
import { isIdWord } from "./path.js";
import { splitWords } from "../../language/words.js";

/** True when an operationId only repeats method and path. The path gives the better name then. */
export function mirrorsPath(words: readonly string[], classified: OperationFacts): boolean {
  return isMethodAndPath(words, classified) || isPathInWords(words, classified);
}

/**
 * True when the words are the method, every static word of the path in order, and parameter names
 * only: `ReportsSalesDateByShopGet` of `/reports/sales/{shop}/{date}` too. When an ID is among
 * them, leading path segments may be missing: `GetCartsId` of `/store/carts/{id}`.
 */
export function isMethodAndPath(
  words: readonly string[],
  { operation, pathParts }: OperationFacts,
): boolean {
  const method = operation.method.toLowerCase();
  const isLast = method === "get" && words.at(-1) === method && words.includes("by");
  if (words[0] !== method && !isLast) return false;
  const segments = pathParts.flatMap((part) => (part.kind === "words" ? [part.words] : []));
  const params = new Set([
    "id",
    "by",
    "and",
    ...pathParts.flatMap((part) => (part.kind === "param" ? splitWords(part.name) : [])),
  ]);
  const idWords =
    words[0] === method ? withoutMountPoint(words.slice(1), segments) : words.slice(0, -1);
  const before = isLast ? idWords.slice(0, idWords.indexOf("by")) : idWords;
  if (namesItem(idWords, pathParts)) return false;
  // `get conversations by label` of `/conversations/label/{id}`
  const by = idWords.indexOf("by");
  const isKey = segments.slice(1).some((words) => words.join(" ") === idWords[by + 1]);
  if (by > 0 && isKey) return false;
  if (!idWords.slice(before.length).every((word) => params.has(word))) return false;
  if (qualifies(idWords, pathParts)) return false;
  return segments.some(
    (_, from) =>
      (from === 0 || (idWords.includes("id") && !idWords.includes("by"))) &&
      isSequenceOf(before, segments.slice(from).flat(), params),
  );
}

/** `api, channels` of `/api/v1/channels`: without words that all paths begin with. */
function withoutMountPoint(
  words: readonly string[],
  segments: readonly (readonly string[])[],
): readonly string[] {
  const start = words.findIndex((word) => !NOISE_GROUPS.has(word));
  return start > 0 && !segments[0]?.includes(words[0] ?? "") ? words.slice(start) : words;
}

/**
 * `delete, history, item` of `/history/{history_item_id}`, `delete, stopwords, set` of
 * `/stopwords/{setId}`: the parameter names the item.
 */
function namesItem(words: readonly string[], parts: readonly PathSegment[]): boolean {
  const last = parts.at(-1);
  if (last?.kind !== "param" || words.length <= segmentWords(parts, -2).length) return false;
  const [end, ...reversed] = splitWords(last.name).toReversed();
  const item = reversed.toReversed();
  const isOther = reversed[0] !== singularize(segmentWords(parts, -2).at(-1) ?? "");
  const named = words.slice(isOther ? -item.length : 0);
  return end === "id" && item.length > 0 && named.join(" ") === item.join(" ");
}

/**
 * `owner, apis` of `/apis/{owner}`, `bot, file` of `/bot/{name}/{file-kind}`: a word of a parameter
 * stands before a segment that the path has first, or is only a part of the parameter's name.
 */
function qualifies(words: readonly string[], parts: readonly PathSegment[]): boolean {
  return parts.some((part, i) => {
    if (part.kind !== "param") return false;
    const name = splitWords(part.name).filter((word) => !isIdWord(word));
    const at = words.findIndex((word) => name.includes(word));
    if (at < 0) return false;
    const before = parts.slice(0, i).flatMap((one) => (one.kind === "words" ? one.words : []));
    if (before.some((word) => name.includes(word))) return false;
    const isPart = !name.every((word) => words.includes(word));
    return isPart || before.some((word) => words.lastIndexOf(word) > at);
  });
}

/** True for all expected words in order, with parameter words between them. */
function isSequenceOf(
  words: readonly string[],
  expected: readonly string[],
  params: ReadonlySet<string>,
): boolean {
  let next = 0;
  for (const word of words) {
    if (word === expected[next]) next += 1;
    else if (!params.has(word)) return false;
  }
  return next === expected.length;
}

/**
 * `listIdFollowers` of `/lists/{id}/followers`, `api_pings_id_put` of `/api/pings/{id}`: the path
 * segments and a parameter, in order. The method follows them, or the first segment is a plural, so
 * the first word is a noun although it can be a verb.
 */
function isPathInWords(
  words: readonly string[],
  { operation, pathParts }: OperationFacts,
): boolean {
  const endsInMethod = words.at(-1) === operation.method.toLowerCase();
  if (
    !(endsInMethod || startsWithCollection(pathParts, words[0])) ||
    !pathParts.some((part) => part.kind === "param")
  )
    return false;
  const start = words.findIndex((word) => !NOISE_GROUPS.has(word));
  const idWords = words.slice(start, endsInMethod ? -1 : undefined);
  const expected = pathParts.flatMap((part) =>
    part.kind === "words" ? part.words : splitWords(part.name),
  );
  // `ByProjectKeyCartsByIdPost` of `/{projectKey}/carts/{id}`
  const withoutBy = idWords.filter((word) => word !== "by" || expected.includes(word));
  return joinSingulars(withoutBy) === joinSingulars(expected);
}

/** `reviews idpublish` and `review, id, publish` have the same letters. */
const joinSingulars = (words: readonly string[]): string => words.map(singularize).join("");

/** True when the path starts with the plural of a word: `/lists/…` and `list`. */
function startsWithCollection(parts: readonly PathSegment[], word: string | undefined): boolean {
  const [first, second] = segmentWords(parts, 0);
  return (
    first !== undefined && second === undefined && isPlural(first) && word === singularize(first)
  );
}
