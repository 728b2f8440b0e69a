import type { Subject } from "../kind.js";
import { isLink, isStrongVerb, isVerb } from "./verbs.js";
import { isVersion, wordsOf } from "./words.js";

/** An operationId taken apart: who (`issues`), does what (`list`), to what (`for repo`). */
export interface ParsedId {
  /** Words of the group before the verb phrase: `issues` of `issues/list-for-repo`; empty for most. */
  readonly group: readonly string[];
  /** Usually one word; `create or update`, `bulk delete`. Empty when the identifier holds no verb. */
  readonly verb: readonly string[];
  readonly rest: readonly string[];
}

/** Last words of a class name that say only that it is one. */
const CONTROLLER = new Set(["controller", "api", "apis", "service", "resource", "handler", "endpoint", "endpoints", "router", "rest", "routes", "client"]);
const NOISE_GROUP = new Set(["api", "default", "rest", "public", "main", "root"]);
const METHODS = new Set(["get", "post", "put", "patch", "delete", "head", "options"]);

/**
 * Takes an operationId apart. Undefined when it has no ASCII letters, or when it only repeats method and path
 * (`GetAccountsAccount`, `post_workflows_id_start`), which says less than the path itself.
 */
export function parseOperationId(id: string, subject: Subject): ParsedId | undefined {
  const chunks = splitStructure(withoutPathSuffix(id, subject));
  const groups = chunks.map((chunk) => unglue(wordsOf(chunk).filter((word) => !isVersion(word)))).filter((words) => words.length > 0);
  if (groups.length === 0 || groups.flat().join("").length < 2) return undefined;
  if (repeatsPath(groups.flat(), subject)) return undefined;
  return parse(groups, subject.operation.method.toLowerCase());
}

/** `getuser`, `GETUSER`: a first word that starts with a plain verb is two words. */
function unglue(words: string[]): string[] {
  const [first] = words;
  if (first === undefined || isVerb(first)) return words;
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

function parse(groups: readonly string[][], method: string): ParsedId {
  const own = groups.at(-1) as string[];
  const before = groupWords(groups.slice(0, -1));
  const group = before[0] === method ? before.slice(1) : before;
  const words = own.length > 2 && METHODS.has(own.at(-1) as string) && own.slice(0, -1).some(isStrongVerb) ? own.slice(0, -1) : own;
  const start = verbAt(words, group.length > 0, method);
  if (start !== undefined) return { group: [...group, ...words.slice(0, start).filter((word) => !NOISE_GROUP.has(word))], ...phrase(words.slice(start)) };
  if (isMethodOfController(groups, words, method)) return { group, verb: words, rest: [] };
  if (groups.length > 1 && verbAt(before, false, method) === 0) return { group: [], ...phrase([...before, ...words]) };
  return { group, verb: [], rest: words };
}

/** `OrdersController_ship`: what a controller does with a write is a verb, even one that no list knows. */
function isMethodOfController(groups: readonly string[][], words: readonly string[], method: string): boolean {
  return method !== "get" && words.length === 1 && groups.slice(0, -1).some((group) => group.at(-1) === "controller");
}

/** `PetsController` → pets alone; `admin.users` → admin, users; `api`, `v1` and their like → nothing. */
function groupWords(groups: readonly string[][]): string[] {
  const controller = groups.findLast((words) => CONTROLLER.has(words.at(-1) as string) && words.length > 1);
  if (controller) return controller.slice(0, -1);
  return groups.flat().filter((word) => !NOISE_GROUP.has(word));
}

/** Where the verb stands: first; else the first strong verb; else a weak one at the end of a write. */
function verbAt(words: readonly string[], grouped: boolean, method: string): number | undefined {
  if (isStrongVerb(words[0])) return 0;
  const strong = words.findIndex((word, i) => i > 0 && isStrongVerb(word) && !isLink(words[i - 1]));
  if (isVerb(words[0]) && (strong < 0 || strong < words.length - 1)) return weakFirst(words, grouped, method) ? 0 : strong < 0 ? undefined : strong;
  if (strong > 0) return isAdverb(words[strong - 1]) ? strong - 1 : strong;
  const last = words.length - 1;
  return last > 0 && isVerb(words[last]) && (method !== "get" || isSearch(words[last])) ? last : undefined;
}

/** `search_users` is a verb and its object; `order_items` of a GET is a noun. */
function weakFirst(words: readonly string[], grouped: boolean, method: string): boolean {
  return method !== "get" || grouped || isSearch(words[0]);
}

const isSearch = (word: string | undefined): boolean => word !== undefined && /^(search|query|lookup|count|check|export|download|preview|filter|test)$/.test(word);
const isAdverb = (word: string | undefined): boolean => word === "bulk" || word === "batch" || word === "partial" || word === "force" || word === "soft";

/** `create or update x` → two verbs; `bulk delete x` → one with its adverb. */
function phrase(words: readonly string[]): { verb: string[]; rest: string[] } {
  const start = isAdverb(words[0]) ? 2 : 1;
  const joined = (words[start] === "or" || words[start] === "and") && isVerb(words[start + 1]) ? start + 2 : start;
  const verb = words.slice(0, joined);
  return { verb, rest: words.slice(joined) };
}
