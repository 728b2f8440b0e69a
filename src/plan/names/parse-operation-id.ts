import type { ClassifiedOperation } from "../classify.js";
import {
  isAdjective,
  isAdverb,
  isPlural,
  isUnambiguousVerb,
  isVerb,
  singularize,
  singularizeLast,
} from "./grammar.js";
import {
  endsInParameter,
  nounOfSegments,
  pathHasCollection,
  type PathSegment,
  segmentWords,
} from "./path.js";
import { tokenizeOperationId } from "./tokenize-operation-id.js";
import { findVerb } from "./verb-position.js";
import { splitWords } from "./words.js";

/**
 * Takes an operationId apart. Undefined when it has no ASCII letters, or when it only repeats
 * method and path (`GetAccountsAccount`, `post_workflows_id_start`), which says less than the path
 * itself.
 */
export function parseOperationId(
  id: string,
  subject: ClassifiedOperation,
): ParsedOperationId | undefined {
  const chunks = tokenizeOperationId(id, subject);
  const words = chunks.flat();
  if (words.join("").length < 2 || mirrorsPath(words, subject)) return undefined;
  return (
    parseVariant(id, chunks, subject) ??
    parseRemoteCall(chunks, subject) ??
    assignRoles(chunks, subject)
  );
}

/**
 * `put_files_id#add_shared_link`: one of several ways to use an operation; what stands before it
 * only repeats the path.
 */
function parseVariant(
  id: string,
  chunks: readonly string[][],
  subject: ClassifiedOperation,
): ParsedOperationId | undefined {
  const [own, before] = [chunks.at(-1) as string[], chunks.slice(0, -1).flat()];
  if (!id.includes("#") || !isVerb(own[0]) || !isMethodAndPath(before, subject)) return undefined;
  const { verb, rest } = splitVerbPhrase(own);
  return {
    group: [],
    verb,
    rest: [...nounOfSegments(subject.pathParts, endsInParameter(subject.pathParts)), ...rest],
  };
}

/**
 * `GET_ImportVolume` of `/?Action=ImportVolume`: where the path says nothing, what stands behind
 * the method is done, not got.
 */
function parseRemoteCall(
  [before, own, more]: readonly string[][],
  { operation, pathParts: parts }: ClassifiedOperation,
): ParsedOperationId | undefined {
  const isCall =
    parts.length === 0 &&
    more === undefined &&
    before?.length === 1 &&
    before[0] === operation.method.toLowerCase();
  return isCall && own !== undefined && isVerb(own[0])
    ? { group: [], ...splitVerbPhrase(own) }
    : undefined;
}

/**
 * Which words of an operationId are group, verb and object. @param chunks at least one, each with a
 * word
 */
export function assignRoles(
  chunks: readonly string[][],
  subject: ClassifiedOperation,
): ParsedOperationId {
  const owners = splitGroups(chunks.slice(0, -1), subject.pathParts);
  const parsed = assignRolesOfChunks([...owners.named, chunks.at(-1) as string[]], subject);
  return owners.omitted.length > 0
    ? { ...parsed, omittedGroup: joinGroups(owners.omitted) }
    : parsed;
}

/**
 * The verb stands in the last chunk, else at the start of the groups, else it starts one between
 * them.
 */
function assignRolesOfChunks(
  chunks: readonly string[][],
  subject: ClassifiedOperation,
): ParsedOperationId {
  const method = subject.operation.method.toLowerCase();
  const before = joinGroups(chunks.slice(0, -1));
  const group = before[0] === method ? before.slice(1) : before;
  const words = removeMethod(chunks.at(-1) as string[], subject, method);
  const start = findVerb(words, group.length > 0, subject);
  if (start !== undefined)
    return {
      group: [...group, ...removeNoise(beforeVerb(words, start, subject, method))],
      ...splitVerbPhrase(words.slice(start)),
    };
  if (isControllerMethod(chunks, words, method)) return { group, verb: words, rest: [] };
  if (chunks.length > 1 && findVerb(before, false, subject) === 0)
    return { group: [], ...splitVerbPhrase([...before, ...words]) };
  const middle = chunks.findLastIndex(
    (chunk, i) => i > 0 && i < chunks.length - 1 && isUnambiguousVerb(chunk[0]),
  );
  if (middle > 0)
    return {
      group: joinGroups(chunks.slice(0, middle)),
      ...splitVerbPhrase(chunks.slice(middle).flat()),
    };
  return { group, verb: [], rest: words };
}

/** `PostTokenRefresh` of `/token/refresh` says its method first. */
function beforeVerb(
  words: readonly string[],
  start: number,
  { pathParts: parts }: ClassifiedOperation,
  method: string,
): readonly string[] {
  return words.slice(
    start > 0 && words[0] === method && !pathHasCollection(parts, method) ? 1 : 0,
    start,
  );
}

/**
 * `readItemGet` and `mergePost` of `/merge` say their method at the end; `createStatusPagePost` of
 * `/posts` says what it makes.
 */
function removeMethod(
  words: string[],
  { pathParts: parts, operation: { summary = "" } }: ClassifiedOperation,
  method: string,
): string[] {
  const last = words.at(-1) as string;
  if (last !== method || words.length < 2) return words;
  const own = words.slice(0, -1);
  const [piece, more] = segmentWords(parts, -1);
  const isPiece = own.length === 1 && more === undefined && piece === own[0];
  const isVerbal =
    own.length > 1 &&
    ((method === "post" && isVerb(own[0])) ||
      own.some(
        (word) =>
          isUnambiguousVerb(word) || (isVerb(word) && summary.toLowerCase().startsWith(`${word} `)),
      ));
  return isPiece || (isVerbal && !pathHasCollection(parts, singularize(last))) ? own : words;
}

/**
 * `OrdersController_ship`: what a controller does with a write is a verb, even one that no list
 * knows.
 */
function isControllerMethod(
  chunks: readonly string[][],
  words: readonly string[],
  method: string,
): boolean {
  return (
    method !== "get" &&
    words.length === 1 &&
    chunks.slice(0, -1).some((group) => group.at(-1) === "controller")
  );
}

/** An operationId taken apart: who (`issues`), does what (`list`), to what (`for repo`). */
export interface ParsedOperationId {
  /**
   * Words of the group before the verb phrase: `issues` of `issues/list-for-repo`; empty for most.
   */
  readonly group: readonly string[];
  /**
   * Usually one word; `create or update`, `bulk delete`. Empty when the identifier holds no verb.
   */
  readonly verb: readonly string[];
  readonly rest: readonly string[];
  /** Words of groups that the path does not name, for when the name without them is another's. */
  readonly omittedGroup?: readonly string[];
}

/** Last words of a class name that say only that it is one. */
const CONTROLLER_WORDS = new Set([
  "controller",
  "api",
  "apis",
  "service",
  "resource",
  "handler",
  "endpoint",
  "endpoints",
  "router",
  "rest",
  "routes",
  "client",
  "ctrl",
]);

/**
 * `PetsController` → pets alone; `admin.users` → admin, users; `files.remote` → remote files;
 * `ApiController`, `api`, `v1` and their like → nothing.
 */
export function joinGroups(groups: readonly string[][]): string[] {
  const controller = groups.findLast(
    (words) => CONTROLLER_WORDS.has(words.at(-1) as string) && words.length > 1,
  );
  if (controller)
    return removeNoise(controller.slice(0, -1)).length > 0 ? controller.slice(0, -1) : [];
  const found: string[] = [];
  groups.forEach((words, i) => {
    if (i > 0 && words.length === 1 && isAdjective(words[0]))
      found.splice(-1, 0, words[0] as string);
    else
      found.push(
        ...(i < groups.length - 1 && !isAdjective(groups[i + 1]?.[0])
          ? singularizeLast(words)
          : words),
      );
  });
  return removeNoise(found);
}

const NOISE_GROUPS = new Set(["api", "default", "rest", "public", "main", "root"]);

/** Words of a group that say nothing. */
export function removeNoise(words: readonly string[]): string[] {
  return words.filter((word) => !NOISE_GROUPS.has(word));
}

/** The groups of an operationId that its name keeps, and those that it does without. */
export interface GroupSplit {
  readonly named: readonly string[][];
  readonly omitted: readonly string[][];
}

/**
 * `pubsub.projects.topics` of `/{project}/topics`: the last group is what the operation is about;
 * those before it are kept where the path names them too, because then they tell its things apart.
 * A path that names nothing at all has no say.
 */
export function splitGroups(
  groups: readonly string[][],
  parts: readonly PathSegment[],
): GroupSplit {
  if (groups.length < 2) return { named: groups, omitted: [] };
  const named = new Set(
    parts
      .flatMap((part) =>
        part.kind === "words" ? [...part.words, part.words.join("")] : splitWords(part.name),
      )
      .map(singularize),
  );
  const isNamed = (words: readonly string[]): boolean =>
    named.has(singularize(words.join(""))) || words.some((word) => named.has(singularize(word)));
  if (!parts.some((part) => part.kind === "param") && !groups.some(isNamed))
    return { named: groups, omitted: [] };
  const shown = groups.filter((words, i) => i === groups.length - 1 || isNamed(words));
  return { named: shown, omitted: groups.filter((words) => !shown.includes(words)) };
}

/** How much is done at once stands behind, so that the verb is first. */
const ADVERBIAL_PHRASES: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ["bulk", ["in", "bulk"]],
  ["batch", ["in", "batch"]],
  ["partial", ["partially"]],
]);

/**
 * Words from the verb on, in verb and rest: `create or update x` has two verbs; `bulk delete x` is
 * to delete x in bulk.
 */
export function splitVerbPhrase(words: readonly string[]): { verb: string[]; rest: string[] } {
  const manner = ADVERBIAL_PHRASES.get(words[0]);
  if (manner && words.length > 1) {
    const { verb, rest } = splitVerbPhrase(words.slice(1));
    return { verb, rest: rest.includes(words[0] as string) ? rest : [...rest, ...manner] };
  }
  const start = isAdverb(words[0]) ? 2 : 1;
  const isDouble = (words[start] === "or" || words[start] === "and") && isVerb(words[start + 1]);
  const end = isDouble ? start + 2 : start;
  return { verb: words.slice(0, end), rest: words.slice(end) };
}

/**
 * True when an operationId says nothing that method and path do not: then they name the operation
 * better.
 */
export function mirrorsPath(words: readonly string[], subject: ClassifiedOperation): boolean {
  return isMethodAndPath(words, subject) || isPathInWords(words, subject);
}

/**
 * True when the words are the method, every static word of the path in order, and nothing else but
 * names of parameters. Where an ID is among them, the first pieces of the path may be missing:
 * `GetCartsId` of `/store/carts/{id}`.
 */
export function isMethodAndPath(
  words: readonly string[],
  { operation, pathParts: parts }: ClassifiedOperation,
): boolean {
  if (words[0] !== operation.method.toLowerCase()) return false;
  const pieces = parts.flatMap((part) => (part.kind === "words" ? [part.words] : []));
  const params = new Set([
    "id",
    "by",
    "and",
    ...parts.flatMap((part) => (part.kind === "param" ? splitWords(part.name) : [])),
  ]);
  const said = words.slice(1);
  return pieces.some(
    (_, from) =>
      (from === 0 || (said.includes("id") && !said.includes("by"))) &&
      isSequenceOf(said, pieces.slice(from).flat(), params),
  );
}

/** All expected words in order, and nothing else but words of parameters. */
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
 * `listIdFollowers` of `/lists/{id}/followers`, `listIdGet` of `/lists/{id}`: pieces of the path in
 * their order, with a parameter, and its first piece is a plural, so that what looks like a verb is
 * none.
 */
function isPathInWords(
  words: readonly string[],
  { operation, pathParts: parts }: ClassifiedOperation,
): boolean {
  if (!startsWithCollection(parts, words[0]) || !parts.some((part) => part.kind === "param"))
    return false;
  const own = words.at(-1) === operation.method.toLowerCase() ? words.slice(0, -1) : words;
  const expected = parts.flatMap((part) =>
    part.kind === "words" ? part.words : splitWords(part.name),
  );
  return (
    own.length === expected.length &&
    own.every((word, i) => singularize(word) === singularize(expected[i] as string))
  );
}

/** `/lists/…`, of which the identifier says `list`. */
function startsWithCollection(parts: readonly PathSegment[], word: string | undefined): boolean {
  const [many, more] = segmentWords(parts, 0);
  return many !== undefined && more === undefined && isPlural(many) && word === singularize(many);
}
