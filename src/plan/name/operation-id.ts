import type { Subject } from "../kind.js";
import { cleanId } from "./clean-id.js";
import { isAdjective, isPlural, singular, singularPhrase } from "./inflect.js";
import { isCollectionIn, nounOf } from "./noun.js";
import { splitOwners } from "./owners.js";
import { endsInParam, type PathPart } from "./path.js";
import { joinPhrasal } from "./phrasal.js";
import { isLink, isStrongVerb, isVerb } from "./verbs.js";
import { isVersion, wordsOf } from "./words.js";

/** An operationId taken apart: who (`issues`), does what (`list`), to what (`for repo`). */
export interface ParsedId {
  /** Words of the group before the verb phrase: `issues` of `issues/list-for-repo`; empty for most. */
  readonly group: readonly string[];
  /** Usually one word; `create or update`, `bulk delete`. Empty when the identifier holds no verb. */
  readonly verb: readonly string[];
  readonly rest: readonly string[];
  /** Words of groups that the path does not name, for when the name without them is another's. */
  readonly hidden?: readonly string[];
}

/** Last words of a class name that say only that it is one. */
const CONTROLLER = new Set(["controller", "api", "apis", "service", "resource", "handler", "endpoint", "endpoints", "router", "rest", "routes", "client", "ctrl"]);
const NOISE_GROUP = new Set(["api", "default", "rest", "public", "main", "root"]);

/**
 * Takes an operationId apart. Undefined when it has no ASCII letters, or when it only repeats method and path
 * (`GetAccountsAccount`, `post_workflows_id_start`), which says less than the path itself.
 */
export function parseOperationId(id: string, subject: Subject): ParsedId | undefined {
  const chunks = splitStructure(dottedMethod(id, subject) ?? withoutPathSuffix(cleanId(id, subject.operation.method), subject));
  const groups = withoutMethodChunk(chunks.filter((chunk) => !/^\d+$/.test(chunk)).map((chunk) => joinPhrasal(unglue(wordsOf(chunk).filter((word) => !isVersion(word))))).filter((words) => words.length > 0), subject);
  if (groups.length === 0 || groups.flat().join("").length < 2) return undefined;
  if (repeatsPath(groups.flat(), subject) || namesPath(groups.flat(), subject)) return undefined;
  return variant(id, groups, subject) ?? remoteCall(groups, subject) ?? parse(groups, subject);
}

/** `chat_postMessage` of `/chat.postMessage`: the path says where the group ends. */
function dottedMethod(id: string, { parts }: Subject): string | undefined {
  const last = parts.at(-1);
  return last?.kind === "words" && last.text.includes(".") && wordsOf(id).join(" ") === last.words.join(" ") ? last.text : undefined;
}

/** `put_files_id#add_shared_link`: one of several ways to use an operation; what stands before it only repeats the path. */
function variant(id: string, groups: readonly string[][], subject: Subject): ParsedId | undefined {
  const [own, before] = [groups.at(-1) as string[], groups.slice(0, -1).flat()];
  if (!id.includes("#") || !isVerb(own[0]) || !repeatsPath(before, subject)) return undefined;
  const { verb, rest } = phrase(own);
  return { group: [], verb, rest: [...nounOf(subject.parts, endsInParam(subject.parts)), ...rest] };
}

/** `GET_ImportVolume` of `/?Action=ImportVolume`: where the path says nothing, what stands behind the method is done, not got. */
function remoteCall([before, own, more]: readonly string[][], { operation, parts }: Subject): ParsedId | undefined {
  const isCall = parts.length === 0 && more === undefined && before?.length === 1 && before[0] === operation.method.toLowerCase();
  return isCall && own !== undefined && isVerb(own[0]) ? { group: [], ...phrase(own) } : undefined;
}

/** `getuser`, `GETUSER`: a first word that starts with a plain verb is two words; `re-run` is one. */
function unglue(words: string[]): string[] {
  const [first, second] = words;
  if (first === undefined || isVerb(first)) return words;
  if ((first === "re" || first === "un") && isVerb(second)) return [`${first}${second}`, ...words.slice(2)];
  const glued = /^(get|list|create|update|delete)(?!ed|ing|er|or|ion)([a-z]{3,})$/.exec(first) ?? /^(get|post|put|patch|delete)(\d\w*)$/.exec(first);
  return glued ? [glued[1] as string, glued[2] as string, ...words.slice(1)] : words;
}

/** FastAPI names are function, path and method in one: `read_item_items__id__get`. */
function withoutPathSuffix(id: string, { operation }: Subject): string {
  const suffix = `${operation.path.replace(/\W/g, "_")}_${operation.method.toLowerCase()}`;
  return id.length > suffix.length && id.endsWith(suffix) ? id.slice(0, -suffix.length) : id;
}

/** Slashes, dots and colons part a group from its operation; so does `_` between camel-case words. */
function splitStructure(id: string): string[] {
  const text = id.slice(0, 400);
  const camel = text.includes("_") && /[a-z][A-Z]|^[A-Z][a-z]/.test(text);
  return text.split(camel ? /[/\\.:#]+|_+/ : /[/\\.:#]+|__+/).filter((chunk) => chunk !== "");
}

/** True when the words are the method, every static word of the path in order, and nothing else but names of parameters. */
function repeatsPath(words: readonly string[], { operation, parts }: Subject): boolean {
  if (words[0] !== operation.method.toLowerCase()) return false;
  const expected = parts.flatMap((part) => (part.kind === "words" ? part.words : []));
  const params = new Set(["id", "by", "and", ...parts.flatMap((part) => (part.kind === "param" ? wordsOf(part.name) : []))]);
  let next = 0;
  for (const word of words.slice(1)) {
    if (word === expected[next]) next += 1;
    else if (!params.has(word)) return false;
  }
  return next === expected.length && next > 0;
}

/**
 * `listIdFollowers` of `/lists/{id}/followers`, `listIdGet` of `/lists/{id}`: pieces of the path in their order, with a parameter, and
 * its first piece is a plural, so that what looks like a verb is none.
 */
function namesPath(words: readonly string[], { operation, parts }: Subject): boolean {
  const [first] = parts;
  if (first?.kind !== "words" || first.words.length !== 1 || !isPlural(first.words[0] as string) || words[0] !== singular(first.words[0] as string)) return false;
  const own = words.at(-1) === operation.method.toLowerCase() ? words.slice(0, -1) : words;
  const expected = parts.flatMap((part) => (part.kind === "words" ? part.words : wordsOf(part.name)));
  return parts.some((part) => part.kind === "param") && own.length === expected.length && own.every((word, i) => singular(word) === singular(expected[i] as string));
}

/** `Widgets_ListItems_Post` of `/widgets/listItems`: a last chunk that is only the method adds nothing to the verb of the path. */
function withoutMethodChunk(groups: string[][], { operation, parts }: Subject): string[][] {
  const [before, last] = [groups.at(-2), groups.at(-1)];
  const piece = parts.at(-1);
  const verb = piece?.kind === "words" && isStrongVerb(piece.words[0]) ? (piece.words[0] as string) : undefined;
  const isMethod = operation.method === "POST" && last?.length === 1 && last[0] === "post";
  return isMethod && verb !== undefined && before?.includes(verb) ? groups.slice(0, -1) : groups;
}

function parse(groups: readonly string[][], subject: Subject): ParsedId {
  const owners = splitOwners(groups.slice(0, -1), subject.parts);
  const parsed = parseOwned([...owners.shown, groups.at(-1) as string[]], subject);
  return owners.hidden.length > 0 ? { ...parsed, hidden: groupWords(owners.hidden) } : parsed;
}

function parseOwned(groups: readonly string[][], subject: Subject): ParsedId {
  const method = subject.operation.method.toLowerCase();
  const own = groups.at(-1) as string[];
  const before = groupWords(groups.slice(0, -1));
  const group = before[0] === method ? before.slice(1) : before;
  const words = withoutMethod(own, subject, method);
  const start = verbAt(words, group.length > 0, subject);
  if (start !== undefined) return { group: [...group, ...words.slice(0, start).filter((word) => !NOISE_GROUP.has(word))], ...phrase(words.slice(start)) };
  if (isMethodOfController(groups, words, method)) return { group, verb: words, rest: [] };
  if (groups.length > 1 && verbAt(before, false, subject) === 0) return { group: [], ...phrase([...before, ...words]) };
  const middle = groups.findLastIndex((chunk, i) => i > 0 && i < groups.length - 1 && isStrongVerb(chunk[0]));
  if (middle > 0) return { group: groupWords(groups.slice(0, middle)), ...phrase(groups.slice(middle).flat()) };
  return { group, verb: [], rest: words };
}

/** `readItemGet` and `mergePost` of `/merge` say their method at the end; `createStatusPagePost` of `/posts` says what it makes. */
function withoutMethod(words: string[], { parts }: Subject, method: string): string[] {
  const last = words.at(-1) as string;
  if (last !== method || words.length < 2) return words;
  const piece = parts.at(-1);
  const isPiece = words.length === 2 && piece?.kind === "words" && piece.words.length === 1 && piece.words[0] === words[0];
  const dropped = isPiece || (words.length > 2 && !isCollectionIn(parts, singular(last)) && ((method === "post" && isVerb(words[0])) || words.slice(0, -1).some(isStrongVerb)));
  return dropped ? words.slice(0, -1) : words;
}

/** `OrdersController_ship`: what a controller does with a write is a verb, even one that no list knows. */
function isMethodOfController(groups: readonly string[][], words: readonly string[], method: string): boolean {
  return method !== "get" && words.length === 1 && groups.slice(0, -1).some((group) => group.at(-1) === "controller");
}

/** `PetsController` → pets alone; `admin.users` → admin, users; `files.remote` → remote files; `api`, `v1` and their like → nothing. */
function groupWords(groups: readonly string[][]): string[] {
  const controller = groups.findLast((words) => CONTROLLER.has(words.at(-1) as string) && words.length > 1);
  if (controller) return controller.slice(0, -1);
  const found: string[] = [];
  groups.forEach((words, i) => {
    if (i > 0 && words.length === 1 && isAdjective(words[0])) found.splice(-1, 0, words[0] as string);
    else found.push(...(i < groups.length - 1 && !isAdjective(groups[i + 1]?.[0]) ? singularPhrase(words) : words));
  });
  return found.filter((word) => !NOISE_GROUP.has(word));
}

/** Where the verb stands: first; else the first strong verb; else a weak one at the end of a write. */
function verbAt(words: readonly string[], grouped: boolean, { operation, parts }: Subject): number | undefined {
  const method = operation.method;
  const last = words.length - 1;
  if (isMethodOf(words, method, parts)) return last;
  if (last === 1 && isAdverb(words[0]) && isVerb(words[1]) && saysLast(words, parts)) return 0;
  if (isStrongVerb(words[0])) return 0;
  const strong = words.findIndex((word, i) => i > 0 && isStrongVerb(word) && !isLink(words[i - 1]) && !(word === "set" && i === last && method === "GET"));
  if (grouped && last === 0 && words[0] === "index") return 0;
  if (isVerb(words[0]) && (strong < 0 || grouped || strong < last)) return method !== "GET" || isSearch(words[0]) ? 0 : strong < 0 ? undefined : strong;
  if (strong > 0) return isAdverb(words[strong - 1]) ? strong - 1 : strong;
  return last > 0 && !grouped && isVerb(words[last]) && (method !== "GET" || isSearch(words[last])) ? last : undefined;
}

/** `bulk, check` of `/links:bulkCheck`. */
function saysLast(words: readonly string[], parts: readonly PathPart[]): boolean {
  const piece = parts.at(-1);
  return piece?.kind === "words" && piece.words.join(" ") === words.join(" ");
}

/** `invite_resolve` of `/invites/{code}`, `ExecResize` of `/exec/{id}/resize`: the first word is what the path is about, though it can be a verb. */
function isMethodOf([first = "", second, more]: readonly string[], method: string, parts: readonly PathPart[]): boolean {
  if (more !== undefined || !isVerb(second)) return false;
  const last = parts.at(-1);
  const isLast = last?.kind === "words" && last.words.length === 1 && last.words[0] === second;
  if (isLast && (method !== "GET" || isSearch(second))) return parts.some((part) => part.kind === "words" && part.words.length === 1 && singular(part.words[0] as string) === singular(first));
  return isStrongVerb(second) && isCollectionIn(parts, first);
}

const isSearch = (word: string | undefined): boolean => word !== undefined && /^(search|query|lookup|count|check|export|download|preview|filter|test|diff|watch)$/.test(word);
const isAdverb = (word: string | undefined): boolean => word === "bulk" || word === "batch" || word === "partial" || word === "force" || word === "soft";

/** How much is done at once stands behind, so that the verb is first. */
const MANNER: Readonly<Record<string, readonly string[]>> = { bulk: ["in", "bulk"], batch: ["in", "batch"], partial: ["partially"] };

/** `create or update x` → two verbs; `bulk delete x` → delete x in bulk. */
function phrase(words: readonly string[]): { verb: string[]; rest: string[] } {
  const manner = Object.hasOwn(MANNER, words[0] ?? "") ? MANNER[words[0] as string] : undefined;
  if (manner && words.length > 1) {
    const { verb, rest } = phrase(words.slice(1));
    return { verb, rest: [...rest, ...manner] };
  }
  const start = isAdverb(words[0]) ? 2 : 1;
  const joined = (words[start] === "or" || words[start] === "and") && isVerb(words[start + 1]) ? start + 2 : start;
  const verb = words.slice(0, joined);
  return { verb, rest: words.slice(joined) };
}
