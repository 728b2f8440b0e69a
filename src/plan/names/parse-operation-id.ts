import type { OperationFacts, ParsedOperationId, PathSegment } from "../operations/types.js";
import {
  isAdjective,
  isAmbiguousVerb,
  isUnambiguousVerb,
  isVerb,
  singularize,
  singularizeLast,
  toImperative,
} from "../../language/grammar.js";
import {
  ADVERBIAL_PHRASES,
  CONTROLLER_WORDS,
  NOISE_GROUPS,
  PLAIN_VERBS,
} from "../../language/lexicon.js";
import { isMethodAndPath, mirrorsPath } from "./mirrors-path.js";
import { endsInParameter, pathHasCollection, segmentWords } from "../operations/path.js";
import { nounOfSegments } from "./path.js";
import { tokenizeOperationId } from "./tokenize-operation-id.js";
import { findVerb } from "./verb-position.js";
import { readSummaryStart } from "./document-words.js";
import { lettersOf, splitWords } from "../../language/words.js";

/**
 * Parses an operationId. Undefined when it has fewer than two ASCII letters, or when it only
 * repeats method and path (`GetAccountsAccount`, `post_workflows_id_start`): the path gives a
 * better name then.
 */
export function parseOperationId(
  id: string,
  classified: OperationFacts,
): ParsedOperationId | undefined {
  const chunks = tokenizeOperationId(id, classified);
  const words = chunks.flat();
  if (words.join("").length < 2 || mirrorsPath(words, classified)) return undefined;
  if (isGluedPath(id, classified)) return undefined;
  return parseVariant(id, chunks, classified) ?? assignRoles(chunks, classified);
}

/** `v1petspet_idvisits` of `/v1/pets/{pet_id}/visits`: the path without its signs. */
function isGluedPath(id: string, { operation: { path } }: OperationFacts): boolean {
  return path.includes("{") && lettersOf(id) === lettersOf(path);
}

/**
 * `put_files_id#add_shared_link`: one of several variants of an operation. The part before `#`
 * repeats the path.
 */
function parseVariant(
  id: string,
  chunks: readonly string[][],
  classified: OperationFacts,
): ParsedOperationId | undefined {
  const [lastChunk, before] = [chunks.at(-1) as string[], chunks.slice(0, -1).flat()];
  if (!id.includes("#") || !isVerb(lastChunk[0]) || !isMethodAndPath(before, classified))
    return undefined;
  const { verb, rest } = splitVerbPhrase(lastChunk);
  return {
    group: [],
    verb,
    rest: [...nounOfSegments(classified.pathParts, endsInParameter(classified.pathParts)), ...rest],
  };
}

/**
 * Assigns the roles group, verb and object to the words of an operationId.
 * @param chunks at least one, none of them empty
 */
function assignRoles(chunks: readonly string[][], classified: OperationFacts): ParsedOperationId {
  const last = chunks.at(-1) as string[];
  const resource = chunks.length === 1 ? leadingResource(last, classified) : 0;
  const groups = splitGroups(chunks.slice(0, -1), classified.pathParts);
  const named = resource === 0 ? groups.named : [last.slice(0, resource)];
  const parsed = assignRolesOfChunks([...named, last.slice(resource)], classified);
  return groups.omitted.length > 0
    ? { ...parsed, omittedGroup: joinGroups(groups.omitted) }
    : parsed;
}

/**
 * Number of leading words that name the resource of the path and are not a verb of the texts:
 * `StopPoint` of `/StopPoint/{id}/Direction`, `credit` of `/credit/income/check`.
 */
function leadingResource(
  words: readonly string[],
  { operation, pathParts }: OperationFacts,
): number {
  const segment = segmentWords(pathParts, 0);
  const { word: stated } = readSummaryStart(operation);
  const isFirst =
    isVerb(words[0]) &&
    pathParts.length > 1 &&
    words.length > segment.length &&
    segment.length > 0 &&
    segment.every((word, i) => word === words[i]);
  const isNoun =
    segment.length > 1 ||
    (isAmbiguousVerb(words[0] ?? "") && isVerb(stated) && !PLAIN_VERBS.has(stated));
  return isFirst && isNoun && toImperative(stated) !== words[0] && stated !== words[0]
    ? segment.length
    : 0;
}

/**
 * Looks for the verb in the last chunk, then at the start of the groups, then at the start of a
 * chunk between them.
 */
function assignRolesOfChunks(
  chunks: readonly string[][],
  classified: OperationFacts,
): ParsedOperationId {
  const method = classified.operation.method.toLowerCase();
  const before = joinGroups(chunks.slice(0, -1));
  const group = before[0] === method ? before.slice(1) : before;
  const words = removeMethod(chunks.at(-1) as string[], classified, method);
  const start = findVerb(words, group.length > 0, classified);
  if (start !== undefined)
    return {
      group: [...group, ...removeNoise(beforeVerb(words, start, classified, method))],
      ...splitVerbPhrase(words.slice(start)),
    };
  if (
    chunks.length > 1 &&
    findVerb(before, false, classified) === 0 &&
    leadingResource([...before, ...words], classified) === 0
  )
    return { group: [], ...splitVerbPhrase([...before, ...words]) };
  // `post_board_list_cardField` of `/boards/{id}/lists/{id}/…`: `list` is a noun of the path.
  const isNoun = ([word = "", second]: readonly string[]): boolean =>
    second === undefined && pathHasCollection(classified.pathParts, word);
  const middle = chunks.findLastIndex(
    (chunk, i) => i < chunks.length - 1 && isUnambiguousVerb(chunk[0]) && !isNoun(chunk),
  );
  if (middle > 0)
    return {
      group: joinGroups(chunks.slice(0, middle)),
      ...splitVerbPhrase(chunks.slice(middle).flat()),
    };
  return { group, verb: [], rest: words };
}

/** `PostTokenRefresh` of `/token/refresh`: drops the method before the verb. */
function beforeVerb(
  words: readonly string[],
  start: number,
  { pathParts }: OperationFacts,
  method: string,
): readonly string[] {
  return words.slice(
    start > 0 && words[0] === method && !pathHasCollection(pathParts, method) ? 1 : 0,
    start,
  );
}

/**
 * `readItemGet`, and `mergePost` of `/merge`: drops the method at the end. In
 * `createStatusPagePost` of `/posts`, it is the object.
 */
function removeMethod(
  words: string[],
  { pathParts, operation }: OperationFacts,
  method: string,
): string[] {
  const last = words.at(-1) as string;
  if (last !== method || words.length < 2) return words;
  const withoutLast = words.slice(0, -1);
  const [segment, second] = segmentWords(pathParts, -1);
  const isNoun = /^(?:get|delete)$/.test(method) && isVerb(segment);
  const isSegment =
    !isNoun && withoutLast.length === 1 && second === undefined && segment === withoutLast[0];
  const { word: summaryVerb } = readSummaryStart(operation);
  const isVerbal =
    withoutLast.length > 1 &&
    ((method === "post" && isVerb(withoutLast[0])) ||
      withoutLast.some(
        (word) => isUnambiguousVerb(word) || (isVerb(word) && word === summaryVerb),
      ));
  return isSegment || (isVerbal && !pathHasCollection(pathParts, singularize(last)))
    ? withoutLast
    : words;
}

/**
 * `PetsController` → pets; `admin.users` → admin, users; `files.remote` → remote files;
 * `ApiController`, `api` and `v1` → nothing.
 */
function joinGroups(groups: readonly string[][]): string[] {
  const controller = groups.findLast(
    (words) => CONTROLLER_WORDS.has(words.at(-1) as string) && words.length > 1,
  );
  if (controller)
    return removeNoise(controller.slice(0, -1)).length > 0 ? controller.slice(0, -1) : [];
  const joined: string[] = [];
  groups.forEach((words, i) => {
    if (i > 0 && words.length === 1 && isAdjective(words[0]))
      joined.splice(-1, 0, words[0] as string);
    else
      joined.push(
        ...(i < groups.length - 1 && !isAdjective(groups[i + 1]?.[0])
          ? singularizeLast(words)
          : words),
      );
  });
  return removeNoise(joined);
}

/** Removes words of groups that have no meaning, unlike `public` of `item public token`. */
function removeNoise(words: readonly string[]): string[] {
  return words.filter((word, i) => !NOISE_GROUPS.has(word) || (i > 0 && i < words.length - 1));
}

/** Groups of an operationId that the tool name contains, and those that it omits. */
interface GroupSplit {
  readonly named: readonly string[][];
  readonly omitted: readonly string[][];
}

/**
 * `pubsub.projects.topics` of `/{project}/topics`: the last group is the subject. The groups before
 * it stay where the path names them too, because then they distinguish resources. All groups stay
 * when the path names none of them.
 */
function splitGroups(groups: readonly string[][], parts: readonly PathSegment[]): GroupSplit {
  if (groups.length < 2) return { named: groups, omitted: [] };
  const pathWords = new Set(
    parts
      .flatMap((part) =>
        part.kind === "words" ? [...part.words, part.words.join("")] : splitWords(part.name),
      )
      .map(singularize),
  );
  const isNamed = (words: readonly string[]): boolean =>
    pathWords.has(singularize(words.join(""))) ||
    words.some((word) => pathWords.has(singularize(word)));
  if (!parts.some((part) => part.kind === "param") && !groups.some(isNamed))
    return { named: groups, omitted: [] };
  const namedGroups = groups.filter((words, i) => i === groups.length - 1 || isNamed(words));
  return { named: namedGroups, omitted: groups.filter((words) => !namedGroups.includes(words)) };
}

/**
 * Splits words into verb and rest: `create or update x` has two verbs; `bulk delete x` → delete x
 * in bulk.
 */
function splitVerbPhrase(words: readonly string[]): { verb: string[]; rest: string[] } {
  const manner = ADVERBIAL_PHRASES.get(words[0]);
  if (manner && words.length > 1) {
    const { verb, rest } = splitVerbPhrase(words.slice(1));
    return { verb, rest: [...rest, ...manner] };
  }
  const end = words[1] === "or" && isVerb(words[2]) ? 3 : 1;
  return { verb: words.slice(0, end), rest: words.slice(end) };
}
